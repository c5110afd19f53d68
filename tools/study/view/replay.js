"use strict";

/** The page of recorded games: which game, ply and view are on, and what the reader does about it. */
class ReplayPage {
  static AUTOPLAY_MS = 1300;
  static VIEW_NAMES = { "-1": "open", 0: "landlord", 1: "landlord_down", 2: "landlord_up" };

  constructor(data) {
    this.games = data.games.map((game) => new ReplayGame(game));
    this.at = this._start(0);
    this.timer = null;
    this.table = new CardTable(this._get("table"));
    this.chart = new ChanceChart(this._get("chart"), (ply) => this.go(ply));
    this.review = data.review ?? null;
    this.commands = data.commands ?? [];
    this.board = data.board;
    this.lessons = new Lessons(this);
    this._listen();
    Words.speak(Words.preferred());
    this._readHash();
    this.restart();
  }

  get game() {
    return this.games[this.at.game];
  }

  /** Draws all that does not change from ply to ply, and then the rest. */
  restart() {
    document.title = `${this._title()} · ddzbot`;
    this._get("title").textContent = this._title();
    this._get("subtitle").textContent = this._subtitle();
    this._get("language").textContent = Words.text("other_language");
    this._get("slider").max = this.game.length;
    this._drawGames();
    this._drawViews();
    this._drawMoves();
    this._drawReview();
    this._drawKeys();
    this.draw();
  }

  draw() {
    const { ply } = this.at;
    this._drawTable();
    this._drawSaid();
    this._drawControls();
    this._get("thought").replaceChildren(...Thoughts.content(this.game, ply - 1, this.at.view, this));
    if (this.lessons.on) this._get("thought").replaceChildren(...(this.lessons.solved ? Thoughts.content(this.game, ply, this.at.view, this) : []));
    this.lessons.draw();
    this._drawCurve();
    this._markMove();
    const hash = `#game=${this.game.data.number}&ply=${ply}&view=${ReplayPage.VIEW_NAMES[this.at.view]}`;
    if (hash !== location.hash) history.replaceState(null, "", hash);
  }

  /** Goes to a ply, or as near to it as there is one. */
  go(ply) {
    this.at.ply = Math.min(this.game.length, Math.max(0, ply));
    if (this.at.ply === this.game.length) this._stop();
    this.draw();
  }

  /** Shows the game as a seat saw it, or open; a seat with an unknown hand has no view. */
  look(view) {
    if (view !== ReplayGame.OPEN && !this.game.knows(view)) return;
    this.at.view = view;
    this._drawViews();
    this._drawMoves();
    this._drawReview();
    this.draw();
  }

  choose(index) {
    this._stop();
    this.at = this._start(index);
    this.restart();
  }

  toggleLanguage() {
    Words.speak(Words.language === "en" ? "zh" : "en");
    this.restart();
  }

  togglePlay() {
    if (this.timer !== null) {
      this._stop();
    } else if (this.game.length) {
      this.timer = setInterval(() => this.go(this.at.ply + 1), ReplayPage.AUTOPLAY_MS);
      this.go(this.at.ply === this.game.length ? 0 : this.at.ply + 1);
    }
    this._drawControls();
  }

  /** Where a game begins: where one hand alone is known, its seat's view is the natural one. */
  _start(index) {
    const known = [0, 1, 2].filter((seat) => this.games[index].knows(seat));
    return { game: index, ply: 0, view: known.length === 1 ? known[0] : ReplayGame.OPEN };
  }

  _stop() {
    clearInterval(this.timer);
    this.timer = null;
  }

  _get(id) {
    return document.getElementById(id);
  }

  // What is drawn.

  _title() {
    const [landlord, down, up] = [0, 1, 2].map((seat) => Words.player(this.game.data.names[seat]));
    return landlord && down && up ? Words.text("versus", { landlord, down, up }) : Words.text("untitled");
  }

  _subtitle() {
    const { data } = this.game;
    const words = ["Event", "Date", "Round", "Game"].filter((tag) => data.tags[tag]).map((tag) => data.tags[tag]);
    words.push(data.rules, this.game.resultText());
    return words.join(" · ");
  }

  _drawGames() {
    const menu = this._get("games");
    menu.hidden = this.games.length < 2;
    menu.replaceChildren(...this.games.map((game, index) => {
      const names = [0, 1, 2].map((seat) => game.name(seat)).join(", ");
      const entry = Cards.build("option", { value: index }, Words.text("game_number", { number: game.data.number, names }));
      entry.selected = index === this.at.game;
      return entry;
    }));
  }

  _drawViews() {
    const names = { "-1": Words.text("view_open") };
    for (const seat of [0, 1, 2]) names[seat] = this.game.data.auction ? this.game.seatName(seat) : Words.text("view_" + seat);
    const focused = document.activeElement?.dataset?.view;
    this._get("views").replaceChildren(...[-1, 0, 1, 2].map((view) => {
      const pressed = String(view === this.at.view);
      const button = Cards.build("button", { type: "button", "aria-pressed": pressed, "data-view": view }, names[view]);
      button.disabled = view !== ReplayGame.OPEN && !this.game.knows(view);
      button.addEventListener("click", () => this.look(view));
      return button;
    }));
    if (focused !== undefined) this._get("views").querySelector(`[data-view="${focused}"]`)?.focus();
  }

  _drawTable() {
    const own = Math.max(0, this.at.view);
    const { data, length } = this.game;
    const places = [0, 1, 2].map((step) => this._place((own + step) % 3));
    const bottom = data.bottom === null ? null : ReplayGame.split(data.bottom);
    const stake = Math.max(0, ...data.bids.map((bid) => bid || 0));
    const note = stake && !data.auction && this.at.view === ReplayGame.OPEN ? Words.text("stake", { points: stake }) : "";
    this.table.draw({ places, bottom, bottomSize: data.bottomSize, note, over: this.at.ply === length });
  }

  _place(seat) {
    const { game, at: { ply, view } } = this;
    const { result, auction } = game.data;
    const over = ply === game.length && result.termination !== "unfinished";
    return {
      name: game.playerName(seat),
      role: auction ? null : seat === 0 ? "landlord" : "peasant",
      count: game.count(seat, ply),
      cards: game.hand(seat, ply, view),
      played: game.played(seat, ply),
      bid: game.bid(seat, ply, view),
      toMove: !over && !auction && ply % 3 === seat,
      score: over && result.scores ? result.scores[seat] : null,
      won: over && result.winner === (seat === 0 ? "landlord" : "peasants"),
      choose: this.lessons.choose(seat),
      selected: this.lessons.raised,
    };
  }

  _drawSaid() {
    const { game, at: { ply, view } } = this;
    const line = this._get("said");
    const move = game.moves[ply - 1];
    const over = ply === game.length && !game.data.auction;
    line.classList.toggle("said--result", over);
    const words = [Words.text(game.data.auction ? "said_auction" : "said_deal")];
    if (move) words[0] = this._moveText(move);
    if (over) words.push(game.resultText());
    line.replaceChildren(words.join(" — "));
    if (move?.problem) {
      const problem = game.mayShow(move.seat, view) ? Words.text("illegal_because", { problem: move.problem }) : Words.text("illegal");
      line.append(Cards.build("span", { class: "problem" }, problem));
    }
    if (move?.comment && game.mayShow(move.seat, view)) line.append(Cards.build("span", { class: "comment" }, move.comment));
  }

  _moveText(move) {
    const name = this.game.name(move.seat);
    if (!move.cards.length) return Words.text("said_pass", { name });
    return Words.text("said_move", { name, kind: Words.text("kind_" + move.kind), cards: this._short(move) });
  }

  _short(move) {
    return move.cards.length ? Cards.short(move.cards) : Words.text("kind_pass");
  }

  _drawControls() {
    const { ply } = this.at;
    this._get("slider").value = ply;
    this._get("slider").setAttribute("aria-valuetext", `${ply} / ${this.game.length}`);
    this._get("counter").textContent = `${ply} / ${this.game.length}`;
    for (const id of ["first", "back"]) this._get(id).disabled = ply === 0;
    for (const id of ["next", "last"]) this._get(id).disabled = ply === this.game.length;
    this._get("play").disabled = !this.game.length;
    this._get("play").classList.toggle("playing", this.timer !== null);
    this._get("play").dataset.wordLabel = this.timer === null ? "play" : "pause";
    Words.apply(this._get("play").parentElement);
  }

  _drawCurve() {
    const points = this.game.chances(this.at.view).map((point) => ({
      ...point,
      label: Words.text("curve_point", { name: this.game.name(point.seat), number: point.index + 1, win: Thoughts.percent(point.win) }),
    }));
    this._get("curve").hidden = !points.length;
    for (const seat of [0, 1, 2]) this._get("curve").querySelector(`.key--${seat}`).hidden = points.every((point) => point.seat !== seat);
    if (points.length) this.chart.draw(points, this.game.length, this.at.ply, Words.text("curve"));
  }

  _drawMoves() {
    const { build } = Cards;
    const heads = [0, 1, 2].map((seat) => build("th", { scope: "col" }, this.game.seatName(seat)));
    const table = build("table", { class: "rounds" }, build("tr", {}, build("th", { class: "number" }), ...heads));
    // A person who looks for a move is not to read here what came.
    const shown = this.lessons.on ? this.game.moves.slice(0, this.at.ply) : this.game.moves;
    for (let round = 0; round * 3 < shown.length; round++) {
      const cells = shown.slice(round * 3, round * 3 + 3).map((move, seat) => {
        const button = build("button", { type: "button", "data-ply": round * 3 + seat + 1 }, this._short(move));
        button.classList.toggle("passed", !move.cards.length);
        button.classList.toggle("bad", Boolean(move.problem));
        const badge = Reviews.badge(this.game.review(round * 3 + seat, this.at.view));
        if (badge.length) button.append(" ", ...badge);
        button.disabled = this.lessons.on;
        button.addEventListener("click", () => this.go(round * 3 + seat + 1));
        return build("td", {}, button);
      });
      table.append(build("tr", {}, build("td", { class: "number" }, String(round * 3 + 1)), ...cells));
    }
    this._get("moves").replaceChildren(table);
  }

  _markMove() {
    const list = this._get("moves");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const button = list.querySelector(`[data-ply="${this.at.ply}"]`);
    button?.setAttribute("aria-current", "step");
    // Only the list scrolls: scrollIntoView would move the page on a phone.
    const offset = button ? button.getBoundingClientRect().top - list.getBoundingClientRect().top : 0;
    list.scrollTop = button ? list.scrollTop + offset - list.clientHeight / 2 : 0;
  }

  /** Draws what a review found; a page without one has no such panel. */
  _drawReview() {
    for (const id of ["moments", "review"]) this._get(id).hidden = !this.review;
    if (!this.review) return;
    this._get("moments").replaceChildren(...Reviews.moments(this.game, this.at.view, (ply) => this.jump(ply)), ...this.lessons.beginnings());
    this._get("review").replaceChildren(...Reviews.sums(this.game, this.review));
  }

  _drawKeys() {
    const mistakes = this.review ? [["M", "key_mistakes"]] : [];
    const keys = [["← →", "key_arrows"], ["↑ ↓", "key_rounds"], ["Home End", "key_ends"], [Words.text("space"), "key_space"],
      ["0 1 2 3", "key_views"], ...mistakes, ["L", "key_language"], ["?", "key_help"]];
    const rows = keys.flatMap(([key, word]) => [Cards.build("dt", {}, key), Cards.build("dd", {}, Words.text(word))]);
    this._get("keys").replaceChildren(...rows);
  }

  // What the reader does.

  _listen() {
    const clicks = { first: () => this.go(0), back: () => this._step(-1), next: () => this._step(1), last: () => this.go(Infinity) };
    for (const [id, action] of Object.entries(clicks)) this._get(id).addEventListener("click", action);
    this._get("play").addEventListener("click", () => this.togglePlay());
    this._get("language").addEventListener("click", () => this.toggleLanguage());
    this._get("help-open").addEventListener("click", () => this._get("help").showModal());
    this._get("slider").addEventListener("input", (event) => this.go(Number(event.target.value)));
    this._get("games").addEventListener("change", (event) => this.choose(Number(event.target.value)));
    document.addEventListener("keydown", (event) => this._key(event));
    window.addEventListener("resize", () => this._drawCurve());
    window.addEventListener("hashchange", () => { this.lessons.on = false; this._readHash(); this.restart(); });
  }

  /** Goes to a ply and shows the table there, wherever the reader has scrolled to. */
  jump(ply) {
    this._stop();
    this.go(ply);
    this._get("table").scrollIntoView({ block: "nearest" });
  }

  /** Goes to the next mistake that the view may show, and from the last one to the first. */
  _nextMistake() {
    const plies = this.game.moves.flatMap((_, index) => (this.game.review(index, this.at.view)?.mark ? [index + 1] : []));
    if (plies.length) this.jump(plies.find((ply) => ply > this.at.ply) ?? plies[0]);
  }

  _step(plies) {
    this._stop();
    this.go(this.at.ply + plies);
  }

  _key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this._get("help").open) return;
    // What a control does with a key of its own is left to it.
    const own = { SELECT: /./, BUTTON: /^( |Enter)$/ }[event.target.tagName];
    if (own?.test(event.key)) return;
    if (this.lessons.on) {
      if (event.key !== "?" && this.lessons.key(event.key)) event.preventDefault();
      return;
    }
    const actions = {
      ArrowLeft: () => this._step(-1),
      ArrowRight: () => this._step(1),
      ArrowUp: () => this._step(-3),
      ArrowDown: () => this._step(3),
      Home: () => this.go(0),
      End: () => this.go(this.game.length),
      " ": () => this.togglePlay(),
      l: () => this.toggleLanguage(),
      m: () => this._nextMistake(),
      "?": () => this._get("help").showModal(),
      0: () => this.look(ReplayGame.OPEN),
      1: () => this.look(0),
      2: () => this.look(1),
      3: () => this.look(2),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** Takes game, ply and view from the address; what it does not name, or names wrongly, stays as it is. */
  _readHash() {
    const fields = new URLSearchParams(location.hash.slice(1));
    const game = this.games.findIndex((one) => String(one.data.number) === fields.get("game"));
    if (game >= 0 && game !== this.at.game) this.at = this._start(game);
    const ply = Number.parseInt(fields.get("ply"), 10);
    if (ply >= 0) this.at.ply = Math.min(ply, this.game.length);
    const view = Object.entries(ReplayPage.VIEW_NAMES).find(([, name]) => name === fields.get("view"));
    if (view && (Number(view[0]) === ReplayGame.OPEN || this.game.knows(Number(view[0])))) this.at.view = Number(view[0]);
  }
}

new ReplayPage(JSON.parse(document.getElementById("data").textContent));
