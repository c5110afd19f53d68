"use strict";

/** The page of a match: ranking, cross table, and of each player faults and why it lost; games open below. */
class MatchPage {
  constructor(data) {
    this.match = data.match;
    this.games = data.games;
    if (!this.games.length) Words.speak(Words.preferred());
    this._get("game").hidden = !this.games.length;
    this._get("match-language").addEventListener("click", () => this._turn());
    new MutationObserver(() => this.draw()).observe(document.documentElement, { attributeFilter: ["lang"] });
    this.draw();
  }

  draw() {
    const { match } = this;
    const title = match.title || Words.text("match_title", { name: match.name });
    const parts = [match.date, Words.text("match_of", { players: match.players.length, sets: match.sets, rules: match.rules, deals: match.deals })];
    if (match.limit) parts.push(Words.text("match_limit", { limit: match.limit }));
    if (!match.finished) parts.push(Words.text("match_unfinished"));
    document.title = `${title} · ddzbot`;
    this._get("match-title").textContent = title;
    this._get("match-subtitle").textContent = parts.join(" · ");
    this._get("match-language").textContent = Words.text("other_language");
    Words.apply(this._get("match-language").parentElement);
    this._get("match").replaceChildren(
      this._section("match_ranking", this._ranking(), match.auction ? "match_ranking_note_auction" : "match_ranking_note"),
      this._section("match_cross", this._cross(), "match_cross_note"),
      this._players(),
    );
  }

  _get(id) {
    return document.getElementById(id);
  }

  _turn() {
    if (this.games.length) this._get("language").click();
    else Words.speak(Words.language === "en" ? "zh" : "en");
  }

  _section(title, table, note) {
    const { build } = Cards;
    return build("section", { class: "panel" }, build("h2", {}, Words.text(title)), build("div", { class: "scroll" }, table), build("p", {}, Words.text(note)));
  }

  _row(tag, cells) {
    return Cards.build("tr", {}, ...cells.map(([text, kind]) => (text instanceof Node ? text : Cards.build(tag, { class: kind || null, title: kind === "player" ? text : null }, text))));
  }

  _ranking() {
    const { build } = Cards;
    const heads = [[""], [Words.text("match_player"), "player"], ["Elo"], [Words.text("match_los")], [Words.text("match_sets")], [Words.text("match_ms")], ["WP %"], ["ADP"], [Words.text("match_first")], [Words.text("match_faults")]];
    const table = build("table", { class: "ranks" }, this._row("th", heads));
    this.match.players.forEach((one, index) => {
      const faults = one.faults.reduce((sum, kind) => sum + kind.games, 0);
      const times = one.ms ? one.ms.join(", ") : "";
      const name = build("td", { class: "player", title: one.name }, build("a", { href: `#player=${index + 1}` }, one.name));
      name.firstChild.addEventListener("click", (event) => this._show(event, `player-${index + 1}`));
      table.append(this._row("td", [[String(one.rank)], [name], this._ends(one.elo), [one.los === null ? "" : Words.percent(one.los, 0)], [String(one.sets)], [times],
        this._ends(one.wp), this._ends(one.adp), [String(one["first sets"])], [faults ? String(faults) : "", "bad"]]));
    });
    for (const one of this.match.out) table.append(this._row("td", [["–"], [one.name, "player"], [Words.text("match_no_play"), "bad"], ...Array(7).fill([""])]));
    return table;
  }

  /** Writes a number with its interval. */
  _ends(ends) {
    if (!ends) return ["–"];
    const [value, low, high] = ends.map((end) => (end === null ? null : String(end).replace("-", "\u2212")));
    const cell = Cards.build("td", {}, value);
    if (low !== null && high !== null) cell.append(" ", Cards.build("small", {}, `${low} – ${high}`));
    return [cell];
  }

  _cross() {
    const { build } = Cards;
    const { players, cross } = this.match;
    const table = build("table", { class: "ranks cross" }, this._row("th", [[""], ["", "player"], ...players.map((one) => [one.letter])]));
    cross.forEach((row, index) => {
      const cells = row.map((met, column) => {
        if (!met) return [index === column ? "" : "–"];
        const title = `${players[index].name} – ${players[column].name}: ${Words.percent(met[0] / 100)} (${met[1]})`;
        const cell = build("td", { class: "level", title }, String(Math.round(met[0])));
        cell.style.setProperty("--share", met[0] / 100);
        return [cell];
      });
      table.append(this._row("td", [[players[index].letter], [players[index].name, "player"], ...cells]));
    });
    return table;
  }

  _players() {
    const { build } = Cards;
    const section = build("section", { class: "panel" }, build("h2", {}, Words.text("match_players")));
    this.match.players.forEach((one, index) => {
      const points = [...one.faults.map((kind) => this._fault(kind)), ...one.check.map((note) => build("li", {}, `${Words.text("match_check")}: ${Words.of(note)}`))];
      const notes = [...(points.length ? [build("ul", {}, ...points)] : []), ...(one.why ? this._why(one.why) : [])];
      if (!notes.length) notes.push(build("p", {}, Words.text("match_nothing")));
      section.append(build("div", { class: "one", id: `player-${index + 1}` }, build("h3", {}, `${one.rank}. ${one.name}`), ...notes));
    });
    for (const one of this.match.out) {
      section.append(build("div", { class: "one" }, build("h3", {}, one.name), build("p", { class: "bad" }, `${Words.text("match_no_play")}: ${Words.of(one.problem)}`)));
    }
    return section;
  }

  _fault(kind) {
    const { build } = Cards;
    const text = Words.text("match_fault", kind);
    const what = kind.game === null ? build("span", { class: "bad" }, text) : this._link(text, kind.game, 0, "bad");
    return build("li", {}, what, " ", build("small", {}, Words.of(kind.sentence)));
  }

  /** Says where the points of a player's lost games went; in a match of many it opens with a click. */
  _why(why) {
    const { build } = Cards;
    const judge = this.match.judge ?? Words.text("network_alone");
    const points = why.points.toFixed(1);
    if (!why.first) return [build("p", {}, Words.text("lost_none", { ...why, judge }))];
    const [kind, role, phase] = why.first.map((name) => Words.text("cause_" + name));
    const share = Math.round(why.shares.kind[0].percent);
    const lists = ["kind", "phase", "role"].filter((key) => why.shares[key].length).map((key) => this._shares(key, why.shares[key]));
    const note = build("p", {}, Words.text("lost_note", { small: why.small.toFixed(1) }));
    const details = build("details", { class: "why" }, build("summary", {}, Words.text("lost")), ...lists, note);
    details.open = this.match.players.length < 3;
    const unsure = why.close ? [build("p", {}, Words.text("lost_unsure", { kind: Words.text("cause_" + why.close) }))] : [];
    return [build("p", { class: "advice" }, Words.text("lost_first", { kind, role, phase, share })), ...unsure, build("p", {}, Words.text("lost_sum", { ...why, points, judge })), details];
  }

  _shares(key, shares) {
    const { build } = Cards;
    const rows = shares.map((one) => {
      const bar = build("div", { class: "cause-bar" }, build("i", {}));
      bar.firstChild.style.setProperty("--share", one.percent / 100);
      return build("li", {}, build("span", { class: "cause-name" }, Words.text("cause_" + one.name)), bar,
        build("b", {}, Words.percent(one.percent / 100)), build("span", { class: "cause-size" }, Words.text("lost_points", { points: one.points.toFixed(1) }), " · ", Words.text("lost_mistakes", one)),
        build("span", { class: "cause-games" }, ...one.worst.flatMap((mistake) => [this._mistake(...mistake), " "])));
    });
    return build("section", { class: "causes" }, build("h4", {}, Words.text("lost_" + key)), build("ul", {}, ...rows));
  }

  _mistake(number, ply, cost) {
    const link = this._link(number, number, ply);
    link.title = Words.text(ply ? "lost_game" : "lost_auction", { number, ply, cost: cost.toFixed(2) });
    return link;
  }

  /** Makes a link to a game of the page, which opens it below. */
  _link(text, game, ply, kind = null) {
    const link = Cards.build("a", { href: `#game=${game}&ply=${ply}&view=open`, class: kind }, text);
    link.addEventListener("click", (event) => this._show(event, "game", link.hash));
    return link;
  }

  _show(event, id, hash = null) {
    event.preventDefault();
    if (hash !== null) location.hash = hash;
    this._get(id).scrollIntoView({ block: "start" });
  }
}

new MatchPage(JSON.parse(document.getElementById("data").textContent));
