"use strict";

/**
 * Draws cards, hands and a table with text and CSS; cards.css has the looks and words.js the words.
 *
 * A card is a text: its rank (one of 3456789TJQKA2, L the little and B the big joker) and, where it is known, its suit
 * (h, d, s or c), as in "Th", "T" and "B". Nothing here knows where cards come from: a replay and a live table draw
 * with the same functions. All text goes into text nodes, so that no name can become markup.
 */
const Cards = (() => {
  const RANKS = "3456789TJQKA2LB";
  const PIPS = { h: "♥\uFE0E", d: "♦\uFE0E", s: "♠\uFE0E", c: "♣\uFE0E" };

  /** Makes an element: build("p", {class: "note"}, "text", another). Attributes that are null or false are left out. */
  function build(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  const rankText = (rank) => (rank === "T" ? "10" : rank);
  const isJoker = (card) => card[0] === "L" || card[0] === "B";

  /** Names a card: "10 of hearts", "10", "big joker". */
  function spoken(card) {
    if (card === "L") return Words.text("little_joker");
    if (card === "B") return Words.text("big_joker");
    const rank = rankText(card[0]);
    return card[1] ? Words.text("card_of", { rank, suit: Words.text("suit_" + card[1]) }) : rank;
  }

  /** Names several cards. */
  const spokenAll = (cards) => (cards.length ? cards.map(spoken).join(", ") : Words.text("no_cards"));

  /** Writes cards as people note them, without suits: "3 3 10 10". */
  const short = (cards) => cards.map(noted).join("\u2009");

  const noted = (card) => (isJoker(card) ? spoken(card) : rankText(card[0]));

  function faces(card) {
    if (isJoker(card)) {
      const name = Words.text(card === "B" ? "big_joker_short" : "little_joker_short");
      return [build("span", { class: "card-joker" }, name), build("span", { class: "card-pip" }, "★")];
    }
    const pip = PIPS[card[1]];
    const corner = build("span", { class: "card-corner" }, build("b", {}, rankText(card[0])), pip ? build("i", {}, pip) : null);
    return [corner, build("span", { class: "card-pip", "aria-hidden": "true" }, pip || rankText(card[0]))];
  }

  function cardClass(card) {
    const red = card === "B" || card[1] === "h" || card[1] === "d";
    return "card" + (red ? " card--red" : "") + (card[0] === "T" ? " card--ten" : "") + (isJoker(card) ? " card--joker" : "") + (card[1] || isJoker(card) ? "" : " card--plain");
  }

  /** Makes one open card; a reader hears it. */
  function card(code) {
    return build("span", { class: cardClass(code), role: "img", "aria-label": spoken(code), "data-card": code }, ...faces(code));
  }

  /** Makes one card face down; *mark*, such as the number of cards, is written on it. */
  function back(mark = "") {
    return build("span", { class: "card card--back", "aria-hidden": "true" }, build("span", { class: "card-mark" }, mark));
  }

  /** Makes overlapping open cards, as wide as there is room. *label* is what a reader hears of them. */
  function hand(cards, label) {
    const slots = cards.map((code) => {
      const face = build("span", { class: cardClass(code), "data-card": code }, ...faces(code));
      return build("span", { class: "slot", "aria-hidden": "true" }, face);
    });
    return build("div", { class: "hand", role: "img", "aria-label": label ?? spokenAll(cards) }, ...slots);
  }

  /**
   * Makes an open hand from which cards can be taken up, each a button. *onChange* gets the indexes of those that are
   * up; *selected* are those that are up from the start.
   */
  function choosableHand(cards, label, onChange, selected = []) {
    const up = new Set(selected);
    const slots = cards.map((code, index) => {
      const attributes = { class: cardClass(code), type: "button", "aria-label": spoken(code), "data-card": code };
      const face = build("button", { ...attributes, "aria-pressed": String(up.has(index)) }, ...faces(code));
      face.addEventListener("click", () => {
        up.has(index) ? up.delete(index) : up.add(index);
        face.setAttribute("aria-pressed", String(up.has(index)));
        onChange([...up].sort((one, other) => one - other));
      });
      return build("span", { class: "slot" }, face);
    });
    return build("div", { class: "hand hand--choosable", role: "group", "aria-label": label }, ...slots);
  }

  /** Raises one more card of a rank of a hand, or lowers all of them when all are up; null if the hand has none. */
  function toggled(hand, raised, rank) {
    const all = hand.flatMap((card, index) => (card[0] === rank ? [index] : []));
    if (!all.length) return null;
    const down = all.filter((index) => !raised.includes(index));
    const kept = raised.filter((index) => down.length || !all.includes(index));
    return [...kept, ...down.slice(-1)].sort((one, other) => one - other);
  }

  return { RANKS, build, toggled, rankText, spoken, spokenAll, short, card, back, hand, choosableHand };
})();

/** Parts of a page by their names, made anew only when they show something else: what is made anew takes memory. */
class Parts {
  constructor() { this._made = {}; }

  /** Gets a part, made by *make* unless what is *shown* is what it was; null is never the same. */
  get(name, shown, make) {
    const key = shown && Words.language + JSON.stringify(shown);
    if (!key || this._made[name]?.key !== key) this._made[name] = { key, part: make() };
    return this._made[name].part;
  }

  forget(name) { delete this._made[name]; }
}

/**
 * A table with three places, or two.
 *
 * draw({places, bottom, bottomSize, note}) takes the own place first, then the next player (right) and the one before
 * (left). A place is {name, role, count, cards, played, bid, toMove, score, won, choose, selected, more}:
 *
 *   role     "landlord", "peasant", or null during the auction
 *   cards    the open hand, or null if it is hidden; then only count is shown
 *   played     null, or {cards, kind, fresh, faded, fault}: what lies before the place; no cards are the pass
 *   bid      null, or the points that were bid, 0 for none
 *   score    null, or the points at the end
 *   choose   null, or a function that gets the indexes of the cards taken up: the hand can be chosen from;
 *            those of selected are up from the start
 *   more     an element for the head of the place, or nothing
 *
 * bottom is a list of cards, or null if it is not known; then bottomSize cards lie there face down.
 */
class CardTable {
  static PLACES = ["own", "right", "left"];

  constructor(root) {
    this.root = root;
    root.classList.add("table");
    this.parts = new Parts();
  }

  draw(state) {
    const others = state.places.slice(1);
    this.root.classList.toggle("table--closed", others.every((place) => place.cards === null));
    this.root.classList.toggle("table--two", others.length === 1);
    this.root.setAttribute("aria-label", Words.text("table"));
    const { bottom, bottomSize, note, places } = state;
    const parts = [this.parts.get("bottom", [bottom, bottomSize, note], () => this._bottom(state))];
    for (const [index, place] of [...places.entries()].reverse()) {
      const side = CardTable.PLACES[index];
      const { played, choose, selected, more, ...shown } = place;
      // What hands on a click is never kept: it may know what was there before.
      parts.push(this.parts.get(side, more ? null : [shown, choose && selected], () => this._place(this._heard(place, side), side)),
        this.parts.get("played " + side, [place.name, played], () => this._played(place, side)));
    }
    if (this.root.children.length !== parts.length) this.root.replaceChildren(...parts);
    parts.forEach((part, index) => { if (this.root.children[index] !== part) this.root.children[index].replaceWith(part); });
  }

  /** Has cards that were taken up by hand drawn anew the next time. */
  _heard(place, side) {
    const choose = place.choose && ((indexes) => { this.parts.forget(side); place.choose(indexes); });
    return { ...place, choose };
  }

  _place(place, side) {
    const { build } = Cards;
    const classes = ["place", "place--" + side, place.toMove ? "place--turn" : "", place.won ? "place--won" : ""];
    return build("section", { class: classes.filter(Boolean).join(" "), "aria-label": place.name, "data-side": side },
      this._head(place), this._hand(place));
  }

  _head(place) {
    const { build } = Cards;
    const count = Words.text(place.count === 1 ? "one_card_left" : "cards_left", { count: place.count });
    return build("header", { class: "place-head" },
      place.toMove ? build("span", { class: "turn-dot", role: "img", "aria-label": Words.text("to_move") }) : null,
      build("span", { class: "place-name" }, place.name),
      place.role ? build("span", { class: "chip chip--" + place.role }, Words.text("role_" + place.role)) : null,
      place.bid === null ? null
        : build("span", { class: "chip" }, place.bid ? Words.text("bid", { points: place.bid }) : Words.text("no_bid")),
      place.score === null ? null : build("span", { class: "chip chip--score" + (place.score > 0 ? " chip--up" : "") },
        Words.text("points", { points: CardTable.signed(place.score) })),
      place.more ?? null,
      // On hidden cards their number is written already.
      place.cards === null && place.count ? null : build("span", { class: "count" + (place.count <= 2 ? " count--few" : "") }, count));
  }

  _hand(place) {
    const { build, spokenAll } = Cards;
    if (place.won && !place.count) return build("div", { class: "hand" }, build("span", { class: "hand-out" }, Words.text("out")));
    if (place.cards === null) {
      const label = Words.text("hidden_hand_of", { name: place.name, count: place.count });
      return build("div", { class: "hand hand--hidden", role: "img", "aria-label": label },
        place.count ? Cards.back(String(place.count)) : null);
    }
    const label = Words.text("hand_of", { name: place.name, cards: spokenAll(place.cards) });
    return place.choose ? Cards.choosableHand(place.cards, label, place.choose, place.selected) : Cards.hand(place.cards, label);
  }

  _played(place, side) {
    const { build, spokenAll } = Cards;
    const box = build("div", { class: "played played--" + side, "data-side": side });
    if (!place.played) return box;
    const { cards, kind, fresh, faded, fault } = place.played;
    box.classList.toggle("played--fresh", Boolean(fresh));
    box.classList.toggle("played--faded", Boolean(faded));
    box.classList.toggle("played--fault", Boolean(fault));
    if (!cards.length) {
      box.append(build("span", { class: "pass", "aria-label": Words.text("passed_by", { name: place.name }) }, Words.text("kind_pass")));
      return box;
    }
    box.append(Cards.hand(cards, Words.text("played_by", { name: place.name, cards: spokenAll(cards) })),
      build("span", { class: "played-kind" }, Words.text("kind_" + kind)));
    return box;
  }

  _bottom(state) {
    const { build, spokenAll } = Cards;
    const cards = state.bottom ? state.bottom.map(Cards.card) : Array.from({ length: state.bottomSize }, () => Cards.back());
    const spoken = state.bottom ? spokenAll(state.bottom) : Words.text("unknown");
    return build("div", { class: "bottom" },
      build("span", { class: "bottom-title" }, Words.text("bottom")),
      build("div", { class: "bottom-cards", role: "img", "aria-label": Words.text("bottom_cards", { cards: spoken }) }, ...cards),
      state.note ? build("span", { class: "bottom-note" }, state.note) : null);
  }

  /** Writes points with their sign: "+6", "−3"; estimates with two *digits*, "−2.30". */
  static signed(points, digits = 0) {
    points = Math.round(points * 100) / 100;
    const size = Math.abs(points).toFixed(Math.max(digits, points % 1 && 2));
    return points > 0 ? "+" + size : points < 0 ? "\u2212" + size : size;
  }
}
