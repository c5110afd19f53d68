"use strict";

/** The panels beside the live table: a hint, the links of free seats, and the moves. Each draws what it is handed. */

/** Orders played cards, the text form of a hand, as people play them: the ranks there are most of first. */
function bodyFirst(text) {
  const cards = [...text];
  const many = (rank) => cards.filter((card) => card === rank).length;
  return cards.sort((one, other) => many(other) - many(one) || Cards.RANKS.indexOf(one) - Cards.RANKS.indexOf(other));
}

/** Names a move: "3 3", or the pass. */
const moveName = (cards) => (cards ? Cards.short(bodyFirst(cards)) : Words.text("kind_pass"));

/** Makes the head of a table from words. */
function tableHead(...words) {
  const { build } = Cards;
  return build("thead", {}, build("tr", {}, ...words.map((word) => build("th", { scope: "col" }, Words.text(word)))));
}

/** Shows an analysis: the best moves, of which a click may choose one, or what each bid is worth. */
class HintPanel {
  constructor(root, choose) {
    this.root = root;
    this.choose = choose;
    this.shown = [];
  }

  /** Draws *analysis*, or that it was *asked* for and what was *found* so far, or nothing. */
  draw(asked, analysis, found = null) {
    const { build } = Cards;
    this.root.hidden = !asked && !analysis;
    // Drawn anew only when it changes: a person who goes through the moves by keys keeps the focus.
    const shown = [Words.language, asked, analysis, found];
    if (shown.every((part, index) => part === this.shown[index])) return;
    this.shown = shown;
    const parts = analysis === null ? [build("p", {}, Words.text("hint_thinking")), found === null ? null : build("p", {}, Words.text("hint_found", { cards: moveName(found) }))].filter(Boolean)
      : analysis.bids ? this._bids(analysis) : this._moves(analysis);
    this.root.replaceChildren(...(this.root.hidden ? [] : [build("h2", {}, Words.text("hint")), ...parts]));
  }

  _moves(analysis) {
    const { build } = Cards;
    const scored = analysis.moves.some((idea) => idea.score !== null);
    const rows = analysis.moves.map((idea) => {
      const cards = idea.move === "pass" ? "" : idea.move;
      const choose = this.choose ? build("button", { type: "button", class: "idea", "data-cards": cards }, moveName(cards)) : build("b", {}, moveName(cards));
      choose.addEventListener("click", () => this.choose?.(cards));
      return build("tr", {}, build("td", {}, choose), HintPanel.bar(idea.win), scored ? HintPanel.points(idea.score) : null,
        build("td", {}, String(idea.fewest)));
    });
    const head = tableHead("hint_move", "hint_win", ...(scored ? ["hint_score"] : []), "hint_fewest");
    head.querySelector("th:last-child").title = Words.text("hint_fewest_long");
    const effort = Words.text("hint_effort", { count: analysis.playouts, seconds: analysis.seconds.toFixed(1) });
    const ranked = Words.sentences(Words.text("ranked_" + analysis.notes.decides), this.choose ? Words.text("hint_choose") : "");
    return [build("table", { class: "ideas" }, head, build("tbody", {}, ...rows)), build("p", {}, ranked), build("p", {}, effort)];
  }

  _bids(analysis) {
    const { build } = Cards;
    const scored = analysis.bids.some((worth) => worth.score !== null);
    const rows = analysis.bids.filter((worth) => worth.win !== null).map((worth) => build("tr", { "data-played": worth.bid === analysis.bid },
      build("td", {}, worth.bid ? Words.text("bid", { points: worth.bid }) : Words.text("no_bid")),
      HintPanel.bar(worth.win), scored ? HintPanel.points(worth.score) : null));
    const best = analysis.bid ? Words.text("hint_bid_best", { bid: analysis.bid }) : Words.text("hint_bid_none");
    const head = tableHead("hint_bid", "hint_win", ...(scored ? ["hint_score"] : []));
    const table = build("table", { class: "ideas" }, head, build("tbody", {}, ...rows));
    return [build("p", {}, best), ...(rows.length ? [table] : [])];
  }

  static points(score) { return Cards.build("td", {}, score === null ? "" : CardTable.signed(score, 2)); }

  static bar(share) {
    const bar = Cards.build("i");
    bar.style.width = `calc(${Math.round(100 * share)}% - 8px)`;
    return Cards.build("td", { class: "bar" }, Words.percent(share), bar);
  }
}

/** Shows how others get to the free seats. */
class LinksPanel {
  constructor(root) {
    this.root = root;
    this.shown = "";
  }

  /** Draws the links of the *free* chairs, as far as this tab knows them, and the address of the table. */
  draw(free) {
    const { build } = Cards;
    this.root.hidden = !free.length;
    const shown = Words.language + free;
    if (this.root.hidden || this.shown === shown) return;
    this.shown = shown;
    const address = location.origin + location.pathname;
    const name = location.pathname.split("/").at(-1);
    const kept = JSON.parse(sessionStorage.getItem("ddzbot-links-" + name) ?? "[]").filter(({ place }) => free.includes(place));
    const seats = kept.map(({ place, token }) => this._shared(Words.text("seat_number", { number: place + 1 }), `${address}#seat=${token}`));
    this.root.replaceChildren(build("h2", {}, Words.text("links")),
      ...(seats.length ? [build("p", {}, Words.text("links_seats")), ...seats] : []),
      build("p", {}, Words.text("links_open")), this._shared("", address));
  }

  _shared(name, address) {
    const { build } = Cards;
    const copy = build("button", { type: "button", class: "quiet" }, Words.text("copy"));
    const field = build("input", { class: "address", readonly: true, value: address, "aria-label": name || Words.text("links") });
    copy.addEventListener("click", async () => {
      field.select();
      // The clipboard is closed to pages that came without TLS from another machine: there the text stays selected.
      try { await navigator.clipboard.writeText(address); copy.textContent = Words.text("copied"); } catch { field.focus(); }
    });
    return build("div", { class: "shared" }, name ? build("span", {}, name) : null, field, copy);
  }
}

/** Shows how far the reviews of finished games are, and leads to those that are ready. */
class ReviewsPanel {
  constructor(root) {
    this.root = root;
    this.shown = "";
  }

  /** Draws the *reviews* that the server has announced, the last game first. */
  draw(reviews) {
    const { build } = Cards;
    this.root.hidden = !reviews.length;
    const shown = Words.language + reviews.map((review) => [review.game, review.ready]);
    if (!this.root.hidden && this.shown !== shown) {
      this.shown = shown;
      const lines = reviews.sort((one, other) => other.game - one.game).map((review) => build("li", {}, ReviewsPanel._line(review)));
      this.root.replaceChildren(build("h2", {}, Words.text("reviews")), build("ul", { class: "reviews" }, ...lines));
    }
    for (const review of reviews.filter((one) => !one.ready)) this._progress(review);
  }

  static _line(review) {
    const { build } = Cards;
    const name = Words.text("review_of", { game: review.game });
    if (review.ready) return build("a", { href: `${location.pathname}/games/${review.game}/review`, target: "_blank" }, name);
    return build("label", {}, `${name}: `, build("span"), build("progress", { "data-game": review.game, "aria-label": name }));
  }

  /** Moves the bar of the review that is under way; the links beside it stay as they are. */
  _progress({ game, done, of }) {
    const bar = this.root.querySelector(`progress[data-game="${game}"]`);
    bar.max = Math.max(1, of);
    bar.value = done;
    bar.previousSibling.textContent = `${done} / ${of}`;
  }
}

/** Lists the moves by rounds, and keeps the last one in sight; *goTo* gets how many moves stay after a click on one. */
class MovesPanel {
  constructor(root, goTo) {
    this.root = root;
    this.goTo = goTo;
    this.rounds = new Parts();
    this.shown = [];
  }

  /** Draws the *plays*, to be clicked if *open*; *fallbacks* are the players that moved in place of a bot, by the number of the move. */
  draw(plays, fallbacks, open = false) {
    const { build } = Cards;
    const shown = [Words.language, plays, open];
    if (shown.every((part, index) => part === this.shown[index])) return;
    this.shown = shown;
    if (!plays.length) {
      this.root.replaceChildren(build("p", { class: "none" }, Words.text("moves_none")));
      return;
    }
    const rows = [];
    for (let first = 0; first < plays.length; first += 3) {
      const round = plays.slice(first, first + 3).map(([cards], step) => [cards, fallbacks[first + step] ?? null]);
      rows.push(this.rounds.get(first, [round, open], () => this._row(first, round, open)));
    }
    const head = tableHead("seat_0", "seat_1", "seat_2");
    head.firstChild.prepend(build("th", { class: "number" }));
    this.root.replaceChildren(build("table", { class: "rounds" }, head, build("tbody", {}, ...rows)));
    this.root.scrollTop = this.root.scrollHeight;
  }

  _row(first, round, open) {
    const { build } = Cards;
    const cells = round.map(([cards, fallback], step) => build("td", { class: cards ? null : "passed" },
      open ? this._button(moveName(cards), first + step + 1) : moveName(cards),
      fallback ? build("span", { class: "fallback" }, ` (${fallback})`) : null));
    return build("tr", {}, build("td", { class: "number" }, String(first + 1)), ...cells);
  }

  _button(name, moves) {
    const button = Cards.build("button", { type: "button" }, name);
    button.addEventListener("click", () => this.goTo(moves));
    return button;
  }
}
