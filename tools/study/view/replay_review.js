"use strict";

/** What a review found: marks of mistakes, what would have been better, the decisive moments, and sums by player. */
const Reviews = (() => {
  const { build } = Cards;
  const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
  const cardsText = (text) => (text ? Cards.short([...text]) : Words.text("kind_pass"));
  const sizeText = (number, points) => (points ? Words.text("review_points", { points: (Math.round(100 * number) / 100 + 0).toFixed(2) }) : Words.percent(number));
  const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (Words.language === "zh" ? "。" : ".");

  /** Names a mark: "blunder, proved". */
  function markText(review) {
    const mark = Words.text("mark_" + review.mark);
    return review.proved ? Words.text("mark_proved", { mark }) : mark;
  }

  /** Makes the sign of a mistake, in a list of one; of a good move in an empty one. */
  function badge(review) {
    if (!review?.mark) return [];
    const classes = `mark mark--${review.mark}${review.proved ? " mark--proved" : ""}`;
    return [build("span", { class: classes, role: "img", "aria-label": markText(review), title: markText(review) }, SIGNS[review.mark])];
  }

  function lossText(review) {
    const loss = sizeText(review.loss, review.points);
    if (!review.error) return Words.text("review_lost", { loss });
    return Words.text("review_lost_error", { loss, error: sizeText(review.error, review.points) });
  }

  const bidText = (points) => (points === "0" ? Words.text("no_bid") : Words.text("bid", { points }));

  /** Describes what would have been better, and why; *move* has a review. */
  function better({ review, cards }) {
    const made = cardsText(cards.map((card) => card[0]).join(""));
    return compared(review, { best: cardsText(review.best), made });
  }

  /** Describes the same of the review of a bid. */
  const betterBid = (review) => compared(review, { best: bidText(review.best), made: bidText(review.made) });

  function compared(review, words) {
    const how = review.proved ? "proved" : review.error === null ? "network" : "likely";
    const text = Words.text("review_better_" + how, { ...words, loss: lossText(review) });
    return Words.sentences(sentence(text), review.why ? sentence(Words.text("why_" + review.why)) : "");
  }

  /** Makes the panel of a move's review. */
  function verdict(move) {
    const { review } = move;
    if (!review.mark && review.loss <= 0) return [build("p", {}, Words.text("review_best"))];
    const text = Words.sentences(review.mark ? sentence(markText(review)) : "", better(move));
    return [build("p", { class: "verdict" }, text)];
  }

  /** Makes the panel of the decisive moments that a *view* may show; *go* gets the ply after a move that was clicked. */
  function moments(game, view, go) {
    const found = game.moments(view).map((index) => moment(game, index, go));
    return [build("h2", { id: "moments-title" }, Words.text("review_moments")),
      found.length ? build("ol", { class: "moments" }, ...found) : note(Words.text("review_none"))];
  }

  /** Makes the panel of sums by player, over all games if *terms* has them, and of what the marks mean. */
  function sums(game, terms) {
    const all = terms.players.length > 0;
    const title = build("h2", { id: "review-title" }, Words.text(all ? "review_players_all" : "review_players"));
    return [title, build("div", { class: "scroll" }, players(all ? terms.players : game.data.players)), ...legend(terms), ...fallbacks(game)];
  }

  const fallbacks = (game) => (game.data.fallbacks.length ? [note(Words.text("review_fallbacks", { names: game.data.fallbacks.join(", ") }))] : []);

  const note = (text) => build("p", {}, text);

  function moment(game, index, go) {
    const ply = Math.max(0, index + 1);
    const [head, review, text] = index < 0 ? bidMoment(game, game.data.bidReviews[-1 - index]) : moveMoment(game, index);
    const button = build("button", { type: "button", class: "moment", "data-ply": ply }, build("b", {}, head, " ", ...badge(review)), build("span", {}, text));
    button.addEventListener("click", () => go(ply));
    return build("li", {}, button);
  }

  function moveMoment(game, index) {
    const move = game.moves[index];
    const cards = cardsText(move.cards.map((card) => card[0]).join(""));
    return [Words.text("move_of", { number: index + 1, name: game.name(move.seat), cards }), move.review, better(move)];
  }

  const bidMoment = (game, review) => [Words.text("bid_of", { name: game.name(review.seat), bid: bidText(review.made) }), review, betterBid(review)];

  function players(rows) {
    const words = [["review_player"], ["review_decisions", "review_decisions_long"], ["review_loss", "review_loss_long"]];
    const heads = words.map(([word, long]) => build("th", { scope: "col", title: long ? Words.text(long) : null }, Words.text(word)));
    const signs = Object.entries(SIGNS).map(([mark, sign]) => build("th", { scope: "col", title: Words.text("mark_" + mark), "aria-label": Words.text("mark_" + mark) }, sign));
    const proved = build("th", { scope: "col" }, Words.text("review_proved"));
    const table = build("table", { class: "ideas" }, build("tr", {}, ...heads, ...signs, proved));
    for (const row of rows) {
      const counts = [...Object.keys(SIGNS).map((mark) => row.marks[mark]), row.proved].map((count) => build("td", {}, String(count)));
      table.append(build("tr", {}, build("td", {}, row.split ? Words.text("review_in_points", { player: Words.player(row.player) }) : Words.player(row.player)), build("td", {}, String(row.decisions)), build("td", {}, sizeText(row.loss, row.points) + (row.error === null ? "" : ` ± ${sizeText(row.error, row.points)}`)), ...counts));
    }
    return table;
  }

  function legend({ marks, sure, limit }) {
    const least = Object.fromEntries(Object.entries(marks).flatMap(([mark, loss]) => [[mark, SIGNS[mark]], [mark + "_least", Words.percent(loss, 0)]]));
    return [note(Words.text("review_marks", least)), note(Words.text("review_sure", { sure })), note(Words.text("review_proved_means", { limit: effort(limit) }))];
  }

  function effort({ seconds, playouts }) {
    const parts = [seconds === null ? "" : Words.text("effort_seconds", { seconds }), playouts === null ? "" : Words.text("effort_playouts", { count: playouts })];
    const effort = parts.filter(Boolean).join(" · ");
    return effort ? Words.text("effort_each", { effort }) : Words.text("network_alone");
  }

  return { badge, verdict, moments, sums, markText, lossText, betterBid, bidText };
})();
