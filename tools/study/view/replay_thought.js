"use strict";

/** The panel of comments and analysis of the move that was just made. */
const Thoughts = (() => {
  const { build } = Cards;
  const percent = (share) => Words.percent(share, share > 0 && share < 1 ? 1 : 0);
  const whole = (count) => count.toLocaleString(Words.language === "zh" ? "zh-CN" : "en");
  const cardsText = (text) => (text ? Cards.short([...text]) : Words.text("kind_pass"));
  const note = (...content) => build("p", {}, ...content);

  const COLUMNS = {
    win: { word: "idea_win", show: percent },
    score: { word: "idea_score", show: (score) => CardTable.signed(score, 2) },
    worlds: { word: "idea_worlds", show: whole },
    visits: { word: "idea_visits", show: whole },
    network: { word: "idea_network", show: percent },
    prior: { word: "idea_prior", show: percent },
    value: { word: "idea_value", show: (value) => value.toFixed(2) },
    fewest: { word: "idea_fewest", show: String, long: "idea_fewest_long" },
  };

  /** Makes the panel's content for move *index* of a game as a view may show it; *commands* find the chances, *board* is where boards are. */
  function content(game, index, view, { commands, board }) {
    if (game.data.auction) return [note(Words.text("said_auction"))];
    const hint = game.chances(ReplayGame.OPEN).length ? [] : missing(commands);
    if (index < 0) return hint.length ? hint : [note(Words.text("thought_start"))];
    const move = game.moves[index];
    const title = build("h2", {}, Words.text("move_of", { number: index + 1, name: game.name(move.seat), cards: cardsText(plainRanks(move.cards)) }));
    if (!game.mayShow(move.seat, view)) return [title, note(Words.text("thought_hidden"))];
    if (move.review) title.append(" ", ...Reviews.badge(move.review));
    return [title, ...comments(game, index, view, hint), ...further(game, index, board)];
  }

  function comments(game, index, view, hint) {
    const move = game.moves[index];
    const verdict = move.review ? Reviews.verdict(move) : [];
    if (!move.thoughts.length) return hint.length ? hint : [note(Words.text("thought_none"))];
    return [...verdict, ...move.thoughts.flatMap((thought) => one(game, index, view, thought)), ...hint];
  }

  const plainRanks = (cards) => cards.map((card) => card[0]).join("");

  /** Shows how to continue from the position of a move. */
  function further(game, index, board) {
    const { record, calls = {} } = game.data;
    const ways = Object.entries(calls).map(([word, call]) => note(Words.text(word), " ", build("code", {}, `${call} ${index + 1}`)));
    if (!board || !record) return ways;
    const start = encodeURIComponent(JSON.stringify({ ...record, moves: record.moves.slice(0, index) }));
    return [...ways, note(build("a", { href: `${board}#board=${start}`, target: "_blank" }, Words.text("open_board")))];
  }

  function missing(commands) {
    return commands.length ? [note(Words.text("thought_missing"), ...commands.flatMap((command) => [" ", build("code", {}, command)]))] : [];
  }

  function one(game, index, view, thought) {
    const analysed = thought.source === "analysis";
    const head = build("div", { class: "thought-head" }, build("h3", {}, Words.text(analysed ? "analysed" : "thought")));
    const best = headline(thought, analysed);
    if (best) head.append(build("span", { class: "thought-win" }, best));
    const parts = [head];
    const facts = factsOf(thought, analysed);
    if (facts) parts.push(note(facts));
    if (thought.remark && Words.has("remark_" + thought.remark)) parts.push(note(Words.text("remark_" + thought.remark)));
    for (const failure of thought.failures || []) {
      parts.push(note(Words.text("fallback", { player: failure.player || "?", reason: failure.reason, chose: thought.player || "?" })));
    }
    if (thought.only) parts.push(note(Words.text("only_among", { why: Words.text("remark_" + thought.only) })));
    if (thought.moves.length) parts.push(build("div", { class: "scroll" }, ideas(thought.moves, thought.decides)));
    if (thought.decides && thought.moves.length) parts.push(note(Words.text("ranked_" + thought.decides)));
    if (thought.hidden) parts.push(...guesses(game, index, view, thought.hidden));
    return parts;
  }

  /** Shows what the best move is worth, by what ranks the moves: points, or the chance of winning. */
  function headline(thought, analysed) {
    if (leadsWithPoints(thought, analysed)) {
      return Words.text("best_score", { score: CardTable.signed(thought.score, 2) });
    }
    if (typeof thought.win !== "number") return "";
    return Words.text(analysed ? "best_chance" : "win_chance", { win: percent(thought.win) });
  }

  const leadsWithPoints = (thought, analysed) => analysed && thought.decides === "points" && typeof thought.score === "number";

  function factsOf(thought, analysed) {
    const facts = [];
    const byPoints = leadsWithPoints(thought, analysed);
    if (byPoints && typeof thought.win === "number") facts.push(Words.text("win_chance", { win: percent(thought.win) }));
    if (typeof thought.value === "number") facts.push(Words.text("own_value", { value: thought.value.toFixed(2) }));
    if (typeof thought.score === "number" && !byPoints) facts.push(Words.text("score_hint", { score: CardTable.signed(thought.score, 2) }));
    if (thought.playouts) facts.push(Words.text("effort_playouts", { count: whole(thought.playouts) }));
    if (typeof thought.seconds === "number") facts.push(Words.text("effort_seconds", { seconds: thought.seconds.toFixed(2) }));
    return facts.join(" · ");
  }

  function ideas(moves, decides) {
    const known = Object.entries(COLUMNS).filter(([key]) => moves.some((move) => typeof move[key] === "number"));
    const columns = known.filter(([key]) => key !== "score" || decides === "points");
    const heads = columns.map(([, { word, long }]) => build("th", { scope: "col", title: long ? Words.text(long) : null }, Words.text(word)));
    const table = build("table", { class: "ideas" }, build("tr", {}, build("th", { scope: "col" }, Words.text("idea_move")), ...heads));
    for (const move of moves) {
      const cells = columns.map(([key, { show }]) => cell(key, move[key], show));
      const line = move.line && move.line.length > 1 ? build("span", { class: "line" }, move.line.slice(1, 6).map((text) => (text ? cardsText(text) : "–")).join(" → ")) : null;
      table.append(build("tr", { "data-played": Boolean(move.played) }, build("td", {}, cardsText(move.cards), line), ...cells));
    }
    return table;
  }

  function cell(key, number, show) {
    if (typeof number !== "number") return build("td", {}, "–");
    if (key !== "win") return build("td", {}, show(number));
    const bar = build("i", {});
    bar.style.width = `calc((100% - 8px) * ${number})`;
    return build("td", { class: "bar" }, show(number), bar);
  }

  /** Draws, for each other seat, how many cards of each rank were expected, above what it really held. */
  function guesses(game, index, view, hidden) {
    const parts = [build("h3", {}, Words.text("guesses", { name: game.name(game.moves[index].seat) }))];
    for (const [seat, expected] of Object.entries(hidden)) {
      const ranks = [...Cards.RANKS].reverse().filter((rank) => Object.values(hidden).some((ranksOf) => ranksOf[rank]));
      const held = game.hand(Number(seat), index, view);
      parts.push(note(game.name(Number(seat))), guessTable(ranks, expected, held));
      parts.at(-2).className = "guess-name";
    }
    return parts;
  }

  function guessTable(ranks, expected, held) {
    const names = { L: "☆", B: "★" };
    const row = (title, cells) => build("tr", {}, build("th", { scope: "row" }, title), ...cells);
    const heads = ranks.map((rank) => build("th", { scope: "col", title: Cards.spoken(rank) }, names[rank] || Cards.rankText(rank)));
    const guessed = ranks.map((rank) => {
      const number = expected[rank] || 0;
      const level = build("td", { class: "level" }, number >= 0.05 ? number.toFixed(1) : "");
      level.style.setProperty("--share", Math.min(1, number / (rank === "L" || rank === "B" ? 1 : 3)));
      return level;
    });
    const table = build("table", { class: "guess" }, row("", heads), row(Words.text("guess_row"), guessed));
    if (held) {
      const counts = ranks.map((rank) => held.filter((card) => card[0] === rank).length);
      table.append(row(Words.text("true_row"), counts.map((count) => build("td", { class: "true" }, count ? String(count) : "·"))));
    }
    return table;
  }

  return { content, percent };
})();
