"use strict";

/** The live table: draws each state from the server, and sends what the person does. wire.py has the messages. */
class LiveTable {
  constructor() {
    this.state = null;
    this.raised = [];
    this.hint = null;
    this.hintAsked = false;
    this.hintSeen = null;
    this.found = null;
    this.notice = "connecting";
    this.sentence = null;
    this.table = new CardTable(LiveTable.find("table"));
    this.hintPanel = new HintPanel(LiveTable.find("hint"), (cards) => this.raiseCards(cards));
    this.linksPanel = new LinksPanel(LiveTable.find("links"));
    this.movesPanel = new MovesPanel(LiveTable.find("moves"), (moves) => this.takeBack(moves));
    this.reviews = new Map();
    this.reviewsPanel = new ReviewsPanel(LiveTable.find("reviews"));
    this.link = new TableLink({
      message: (message) => this.hear(message),
      lost: () => { this.notice = "lost"; this.draw(); },
      gone: () => location.reload(),
    });
  }

  static find(id) { return document.getElementById(id); }

  /** Writes a text where it is another one: a reader is not to hear the same again. */
  static write(id, text) {
    const element = LiveTable.find(id);
    if (element.textContent !== text) element.textContent = text;
  }

  start() {
    LiveTable.find("language").addEventListener("click", () => {
      Words.speak(Words.language === "zh" ? "en" : "zh");
      this.draw();
    });
    LiveTable.find("help-open").addEventListener("click", () => this.showKeys());
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => location.reload());
    Words.speak(Words.preferred());
    this.draw();
    this.link.open();
  }

  // Messages of the server.

  hear(message) {
    if (message.type === "review") {
      this.hearOfReview(message);
      return;
    }
    const kinds = {
      welcome: () => { this.chair = message.chair; this.notice = null; this.hintAsked = false; this.reviews.clear(); },
      state: () => this.show(message),
      refused: () => this.refuse(message),
      closed: () => { this.notice = "closed"; this.sentence = message.sentence; this.state = null; },
      hint: () => { this.hintAsked = false; this.hint = message; },
      found: () => { this.found = message.cards; },
    };
    kinds[message.type]?.();
    if (message.type === "found" || (this.isBoard && message.type === "hint")) this.drawHint();
    else this.draw();
    // At a board the hint is always there.
    if (this.isBoard && this.myTurn && this.hintedAt !== this.state.at) this.askHint();
  }

  show(state) {
    const before = this.state;
    this.notice = null;
    this.state = state;
    const moved = !before || before.game !== state.game || before.at !== state.at;
    if (!before || before.game !== state.game || before.hand !== state.hand) this.raised = [];
    if (moved) {
      this.sentence = null;
      this.hint = null;
      this.hintAsked &&= this.isBoard;
    }
  }

  hearOfReview(message) {
    if (message.problem) {
      this.reviews.delete(message.game);
      this.sentence = message.problem;
      LiveTable.write("problem", this.problem());
    } else {
      this.reviews.set(message.game, message);
    }
    this.drawReviews();
  }

  refuse(message) {
    this.sentence = message.sentence;
    this.hintAsked = false;
    if (message.fatal) { this.notice = "refused"; this.state = null; }
  }

  // What the person does.

  get hand() { return [...(this.state?.hand ?? "")].reverse(); }
  get myTurn() {
    const state = this.state;
    return Boolean(state) && !state.waiting && state.you !== null && state.to_move === state.you && !state.bots?.includes(state.to_move);
  }

  /** Tests whether one person acts for all seats here, with open hands. */
  get isBoard() { return Boolean(this.state?.open); }

  act(message) {
    this.sentence = null;
    if (!this.link.send(message)) { this.notice = "lost"; }
    this.draw();
  }

  play() {
    if (!this.raised.length) { this.say("raise_first"); return; }
    const cards = this.raised.map((index) => this.hand[index]).reverse().join("");
    this.act({ type: "play", at: this.state.at, cards });
  }

  pass() { this.act({ type: "play", at: this.state.at, cards: "" }); }
  takeBack(moves = null) { this.act({ type: "back", at: this.state.at, moves }); }
  setBots(positions) { this.act({ type: "bots", positions }); }
  bid(points) { this.act({ type: "bid", at: this.state.at, bid: points }); }
  again() { this.act({ type: "again", game: this.state.game }); }

  askReview() {
    if (!this.reviews.has(this.state.game)) this.act({ type: "review", game: this.state.game });
    else this.link.hurry?.();
  }

  askHint() {
    if (this.hintAsked) return;
    this.hintAsked = true;
    this.hintedAt = this.state.at;
    this.hint = this.found = null;
    this.act({ type: "hint", at: this.state.at });
  }

  clear() { this.raise([]); }

  raise(indexes) {
    this.raised = indexes;
    this.sentence = null;
    this.draw();
  }

  /** Raises the cards of a move, the text form of a hand. */
  raiseCards(text) {
    const wanted = [...text];
    const indexes = [];
    this.hand.forEach((rank, index) => {
      const found = wanted.indexOf(rank);
      if (found >= 0) { wanted.splice(found, 1); indexes.push(index); }
    });
    this.raise(indexes);
  }

  /** Raises one more card of a rank, or lowers all of them when all are up. */
  toggleRank(rank) {
    const raised = Cards.toggled(this.hand, this.raised, rank);
    if (raised) this.raise(raised);
    else this.say("not_in_hand", { rank: Cards.short([rank]) });
  }

  say(word, values = {}) {
    this.sentence = { word, values };
    this.draw();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.state || LiveTable.find("help").open) return;
    const onCard = document.activeElement?.matches(".hand--choosable .card");
    const onControl = document.activeElement?.matches("button, a, input") && !onCard;
    if (event.key === "Enter" && onControl) return;
    const act = this.actOfKey(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  }

  actOfKey(key) {
    const state = this.state;
    const letter = key.length === 1 ? key.toUpperCase() : key;
    if (letter === "?") return () => this.showKeys();
    if (letter === "Backspace") return state.can_take_back ? () => this.takeBack() : null;
    if (state.phase === "over") return this.actOfKeyAtTheEnd(letter);
    if (state.you === null) return null;
    if (state.phase === "bidding") {
      if (!this.myTurn) return null;
      return "0123".includes(letter) ? () => this.bid(Number(letter)) : letter === "H" ? () => this.askHint() : null;
    }
    const rank = letter === "0" ? "T" : letter;
    if (Cards.RANKS.includes(rank) && rank.length === 1) return () => this.toggleRank(rank);
    if (letter === "Escape") return () => this.clear();
    if (!this.myTurn) return null;
    return { Enter: () => this.play(), P: () => this.pass(), H: () => this.askHint() }[letter] ?? null;
  }

  actOfKeyAtTheEnd(letter) {
    if (!this.mayContinue) return null;
    // What the button does: it asks for the review, or opens it.
    return { N: () => this.again(), R: () => LiveTable.find("review").click() }[letter] ?? null;
  }

  // What is shown.

  draw() {
    LiveTable.find("title").textContent = this.isBoard ? Words.text("board") : this.state ? Words.text("table_title", { number: this.state.game }) : Words.text("start_title");
    LiveTable.find("subtitle").textContent = this.subtitle();
    if (this.state) this.drawTable();
    for (const id of ["table", "moves-panel"]) LiveTable.find(id).hidden = !this.state;
    LiveTable.write("said", this.said());
    LiveTable.find("said").classList.toggle("said--result", this.state?.phase === "over");
    LiveTable.find("said").classList.toggle("said--notice", !this.state);
    LiveTable.write("problem", this.problem());
    LiveTable.write("kept", this.notKept());
    const pages = this.state?.places[this.state.you]?.pages ?? 0;
    LiveTable.write("pages", pages > 1 ? Words.text("seat_open", { pages }) : "");
    this.drawActs();
    this.drawReviews();
    this.drawHint();
    this.linksPanel.draw(this.state ? this.state.places.filter((place) => place.free).map((place) => place.chair) : []);
    this.movesPanel.draw(this.state?.plays ?? [], this.state?.fallbacks.plays ?? {}, this.isBoard && this.chair !== null);
    document.title = (this.myTurn ? "● " : "") + LiveTable.find("title").textContent + " · ddzbot";
  }

  drawHint() {
    const hint = this.hint && this.state && this.hint.at === this.state.at ? this.hint.analysis : null;
    this.hintPanel.draw(this.hintAsked && this.myTurn, hint, this.found);
    if (hint && hint !== this.hintSeen && !this.isBoard) LiveTable.find("hint").scrollIntoView({ block: "nearest" });
    this.hintSeen = hint;
  }

  drawTable() {
    const focused = document.activeElement?.closest(".hand--choosable .slot");
    const index = focused ? [...focused.parentElement.children].indexOf(focused) : -1;
    const { bottom, bottom_size: bottomSize, stake } = this.state;
    const own = this.isBoard ? this.state.landlord : this.state.you ?? 0;
    this.table.draw({
      places: [0, 1, 2].map((step) => this.place((own + step) % 3)),
      bottom: bottom === null ? null : [...bottom].reverse(),
      bottomSize,
      note: stake === null || !this.state.has_auction ? "" : Words.text("stake", { points: stake }),
    });
    if (index >= 0) document.querySelectorAll(".hand--choosable .card")[index]?.focus();
  }

  place(position) {
    const state = this.state;
    const { result, landlord } = state;
    const own = position === state.you;
    const open = state.open?.[position] ?? result?.hands[position] ?? (own ? state.hand : null);
    const bid = state.phase === "bidding" ? state.bids[position] ?? null : null;
    return {
      name: this.name(position),
      role: landlord === null || this.isBoard ? null : position === landlord ? "landlord" : "peasant",
      count: state.left[position],
      cards: open === null ? null : [...open].reverse(),
      played: this.played(position),
      bid,
      toMove: state.to_move === position && !state.waiting,
      score: result ? result.scores[position] : null,
      won: Boolean(result) && (position === landlord) === (result.winner === "landlord"),
      choose: own && !result && state.phase === "playing" ? (indexes) => this.chose(indexes) : null,
      selected: this.raised,
      more: this.isBoard && !result && this.chair !== null ? this.playerButton(position) : null,
    };
  }

  /** Makes the button that shows whether the person or a bot plays a seat of a board, and changes it. */
  playerButton(position) {
    const { bots } = this.state;
    const bot = bots.includes(position);
    const button = Cards.build("button", { type: "button", class: "chip", id: "player-" + position, "aria-pressed": String(bot) }, Words.text(bot ? "by_bot" : "you"));
    button.addEventListener("click", () => this.setBots(bot ? bots.filter((other) => other !== position) : [...bots, position]));
    return button;
  }

  /** Takes what is raised on the table; nothing but the sentence about the last try is drawn anew. */
  chose(indexes) {
    this.raised = indexes;
    this.sentence = null;
    LiveTable.write("problem", this.problem());
  }

  positionOf(ply) { return (this.state.landlord + ply) % 3; }
  seatOf(position) { return (position - this.state.landlord + 3) % 3; }

  /** Gets what lies before a position: its last move, unless that was too long ago or it is to move again. */
  played(position) {
    const { plays, to_move: toMove } = this.state;
    const last = plays.length - 1;
    for (let ply = last; ply >= 0 && ply > last - 3; ply--) {
      if (this.positionOf(ply) !== position) continue;
      if (position === toMove && !this.leads) return null;
      const [cards, kind] = plays[ply];
      return { cards: bodyFirst(cards), kind, fresh: ply === last, faded: this.leads && ply !== last, fault: false };
    }
    return null;
  }

  /** Tests whether the next move is a lead: there is no move, or two passes came last. */
  get leads() {
    const plays = this.state.plays;
    return this.state.phase === "playing" && (!plays.length || plays.slice(-2).every(([cards]) => !cards) && plays.length > 1);
  }

  name(position) {
    const state = this.state;
    const place = state.places[position];
    if (this.isBoard) return Words.text("seat_" + this.seatOf(position));
    if (position === state.you) return Words.text("you");
    const number = place.chair + 1;
    if (place.who === "person") {
      if (place.free) return Words.text("free_seat", { number });
      const name = Words.text("person_number", { number });
      return place.here ? name : Words.text("away", { name });
    }
    const namesakes = state.places.filter((other) => other.who === place.who).length;
    const name = Words.has("level_" + place.who) ? Words.text("level_" + place.who) : place.who;
    return namesakes > 1 ? `${name} ${number}` : name;
  }

  subtitle() {
    const state = this.state;
    if (!state) return "";
    const rules = state.rules;
    if (this.isBoard) return Words.text("board_subtitle", { rules });
    if (state.you === null) return Words.text("watching", { rules });
    if (state.game === 1 && state.phase !== "over") return Words.text("table_subtitle", { rules });
    return Words.text("points_so_far", { rules, points: CardTable.signed(state.places[state.you].points) });
  }

  problem() {
    return this.state ? this.worded() : "";
  }

  /** Describes how long the table is kept, if that is not as usual. */
  notKept() {
    if (!this.state) return "";
    const word = this.link.notKept || (this.state.kept === false ? "table_not_kept" : "");
    return word ? Words.text(word) : "";
  }

  worded() {
    const sentence = this.sentence;
    if (!sentence) return "";
    return sentence.word ? Words.text(sentence.word, sentence.values) : sentence[Words.language];
  }

  /** Describes what happened last and the seat to move, for screen readers too. */
  said() {
    if (this.notice === "connecting" || this.notice === "lost") return Words.text(this.notice);
    if (!this.state) return this.worded();
    const gap = Words.language === "zh" ? "" : " ";
    return [this.lastEvent(), this.fallback(), this.turn()].filter(Boolean).join(gap);
  }

  lastEvent() {
    const { plays, landlord, phase, bids } = this.state;
    const mine = (position, word, values = {}) => (position === this.state.you && !this.isBoard
      ? Words.text(word + "_you", values) : Words.text(word, { name: this.name(position), ...values }));
    if (phase === "bidding") {
      const [position, points] = Object.entries(bids).at(-1) ?? [];
      if (position === undefined) return "";
      return points ? mine(Number(position), "said_bid", { points }) : mine(Number(position), "said_no_bid");
    }
    if (!plays.length) return mine(landlord, "said_landlord");
    const [cards, kind] = plays.at(-1);
    const mover = this.positionOf(plays.length - 1);
    const name = this.name(mover);
    if (!cards) return mover === this.state.you && !this.isBoard ? Words.text("you_pass") : Words.text("said_pass", { name });
    return Words.text("said_move", { name, kind: Words.text("kind_" + kind), cards: Cards.short(bodyFirst(cards)) });
  }

  /** Names the fallback that acted last in place of a bot. */
  fallback() {
    const { plays, bids, fallbacks } = this.state;
    const [position, fallback] = plays.length ? [this.positionOf(plays.length - 1), fallbacks.plays[plays.length - 1]]
      : Object.keys(bids).slice(-1).flatMap((last) => [Number(last), fallbacks.bids[last]]);
    return fallback ? Words.text("said_fallback", { name: this.name(position), fallback }) : "";
  }

  turn() {
    const state = this.state;
    if (state.phase === "over") return this.ending();
    if (state.waiting) return Words.text("waiting_for");
    if (!this.myTurn) {
      const bot = state.bots ? state.bots.includes(state.to_move) : state.places[state.to_move].who !== "person";
      return Words.text(bot ? "thinking" : "their_turn", { name: this.name(state.to_move) });
    }
    if (state.phase === "bidding") return Words.text("your_bid");
    if (this.isBoard) return Words.text("their_turn", { name: this.name(state.to_move) });
    if (this.leads) return Words.text("your_lead");
    const [cards, kind] = state.plays.filter(([played]) => played).at(-1);
    return Words.text("your_answer", { kind: Words.text("kind_" + kind), cards: Cards.short(bodyFirst(cards)) });
  }

  ending() {
    const { result, landlord, you } = this.state;
    if (you === null) return Words.text(result.winner === "landlord" ? "landlord_wins" : "peasants_win");
    const won = (you === landlord) === (result.winner === "landlord");
    const points = result.scores[you];
    return Words.text(won ? "you_win" : points > 0 ? "you_lose_paid" : "you_lose", { points: CardTable.signed(points) });
  }

  /** Draws how far reviews are, and nothing else: a click on a card or a button is not to be lost by it. */
  drawReviews() {
    this.reviewsPanel.draw(this.state ? [...this.reviews.values()] : []);
    LiveTable.write("reviewed", this.reviewed());
    const button = LiveTable.find("review");
    const review = this.reviews.get(this.state?.game);
    if (!button || button.href) return;
    if (review && !review.ready && button.ariaDisabled) LiveTable.write("review", Words.text("review_running", review));
    else if (review || button.ariaDisabled) this.drawActs();
  }

  /** Names the review that is ready, for screen readers too. */
  reviewed() {
    const ready = [...this.reviews.values()].filter((review) => review.ready).at(-1);
    return ready ? Words.text("review_ready", { game: ready.game }) : "";
  }

  /** Draws the buttons anew; the one that had the focus has it again. */
  drawActs() {
    const focused = document.activeElement?.closest("#acts") ? document.activeElement.id : "";
    LiveTable.find("acts").replaceChildren(...this.acts());
    if (focused) LiveTable.find(focused)?.focus();
  }

  get playsAlone() { return this.state.places.filter((place) => place.who === "person").length === 1; }
  get mayContinue() { return !this.isBoard && (this.state.you !== null || this.state.places.every((place) => place.who !== "person")); }

  acts() {
    const { build } = Cards;
    const state = this.state;
    if (!state) return this.exits();
    const act = (id, word, does, main = false, values = {}) => {
      const button = build("button", { id, type: "button", class: "act" + (main ? " act--main" : "") }, Words.text(word, values));
      button.addEventListener("click", does);
      return button;
    };
    if (this.isBoard) return this.chair === null ? [] : this.boardActs(act);
    if (state.phase === "over") return this.endActs(act);
    if (state.you === null) return [];
    let buttons;
    if (state.phase === "bidding") {
      const bids = [0, 1, 2, 3].map((points) => act("bid-" + points, points ? "do_bid" : "do_no_bid", () => this.bid(points), false, { points }));
      bids.forEach((button, points) => { button.disabled = !state.legal_bids?.includes(points); });
      buttons = [...bids, act("hint-ask", "do_hint", () => this.askHint())];
    } else {
      buttons = [
        act("pass", "do_pass", () => this.pass()),
        act("clear", "do_clear", () => this.clear()),
        act("hint-ask", "do_hint", () => this.askHint()),
        this.playsAlone ? act("back", "do_back", () => this.takeBack()) : null,
        act("play", "do_play", () => this.play(), true),
      ].filter(Boolean);
    }
    const may = { clear: true, pass: this.myTurn && state.can_pass, back: this.myTurn && state.can_take_back };
    for (const button of buttons) button.disabled ||= !(may[button.id] ?? this.myTurn);
    // A bot that thinks in this page can be asked to answer now.
    const hurry = this.link.hurry && (this.hintAsked || !this.myTurn) ? act("hurry", "do_hurry", () => this.link.hurry()) : null;
    return buttons.map((button) => (hurry && button.id === "hint-ask" ? hurry : button));
  }

  boardActs(act) {
    const { phase, bots, can_take_back: moved } = this.state;
    const all = [0, 1, 2];
    const thinking = phase === "playing" && !this.myTurn;
    const buttons = [
      act("pass", "do_pass", () => this.pass()),
      act("clear", "do_clear", () => this.clear()),
      act("back", "do_back", () => this.takeBack()),
      bots.length ? act("bots", "do_stop", () => this.setBots([])) : act("bots", "do_bots", () => this.setBots(all)),
      act("play", "do_play", () => this.play(), true),
    ];
    const may = [this.myTurn && this.state.can_pass, true, moved && !thinking, phase === "playing" || bots.length > 0, this.myTurn];
    buttons.forEach((button, index) => { button.disabled = !may[index]; });
    return buttons;
  }

  /** Shows where to go from a page that has no table. */
  exits() {
    const { build } = Cards;
    const make = build("a", { class: "act act--main", href: TableLink.HOME }, Words.text("new_table"));
    if (this.notice === "closed") return [make];
    return this.notice === "refused" ? [build("a", { class: "act", href: location.pathname }, Words.text("go_to_table")), make] : [];
  }

  endActs(act) {
    const { build } = Cards;
    const files = `${location.pathname}/games/${this.state.game}/`;
    return [
      this.mayContinue ? act("again", "do_again", () => this.again(), true) : null,
      this.reviewAct(act, files),
      build("a", { id: "replay", class: "act", href: files + "replay", target: "_blank" }, Words.text("replay")),
      build("a", { id: "record", class: "act", href: files + "record.ddzn", download: "" }, Words.text("record")),
    ].filter(Boolean);
  }

  /** Makes the button that asks for a review, shows how far it is, and then leads to it. */
  reviewAct(act, files) {
    const review = this.reviews.get(this.state.game);
    if (review?.ready) return Cards.build("a", { id: "review", class: "act", href: files + "review", target: "_blank" }, Words.text("do_open_review"));
    if (!this.mayContinue) return null;
    const button = act("review", review ? "review_running" : "do_review", () => this.askReview(), false, review);
    if (review) button.setAttribute("aria-disabled", "true");
    return button;
  }

  // Keys.

  showKeys() {
    const { build } = Cards;
    const keys = [["3 … 9 T J Q K A 2 L B", "key_ranks"], [Words.text("space"), "key_space"], ["Enter", "key_enter"], ["P", "key_pass"],
      ["H", "key_hint"], ["Esc", "key_clear"], ["⌫", "key_back"], ["0 1 2 3", "key_bids"], ["N", "key_again"], ["R", "key_review"], ["?", "help"]];
    LiveTable.find("keys").replaceChildren(...keys.flatMap(([key, word]) => [build("dt", {}, key), build("dd", {}, Words.text(word))]));
    LiveTable.find("help").showModal();
  }
}

new LiveTable().start();
