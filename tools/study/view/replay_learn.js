"use strict";

/**
 * Learning from a review: positions one after the other, in which one looks for the right move. A lesson is {game, index},
 * a mistake or a puzzle; the numbers that judge an answer are those of the review.
 */
class Lessons {
  static MARKS = { i: "inaccuracy", m: "mistake", b: "blunder" };

  constructor(page) {
    this.page = page;
    this.root = document.getElementById("lesson");
    this.on = false;
    this.raised = [];
  }

  /** Lists the lessons of a kind over all games of the page: mistakes of persons, where any play, or puzzles. */
  list(kind) {
    return this.page.games.flatMap((game, at) => game.moves.flatMap((move, index) => {
      const persons = game.data.names.includes("person");
      const mistake = move.review?.mark && (!persons || game.data.names[move.seat] === "person");
      return move.answers && (kind === "puzzles" ? move.puzzle : mistake) ? [{ game: at, index }] : [];
    }));
  }

  /** Makes the buttons that begin, of the kinds that there are. */
  beginnings() {
    const kinds = ["mistakes", "puzzles"].filter((kind) => this.list(kind).length);
    const buttons = kinds.map((kind) => this._button("learn-" + kind, "learn_" + kind, () => this.begin(kind), { count: this.list(kind).length }));
    return buttons.length ? [Cards.build("div", { class: "acts acts--here" }, ...buttons)] : [];
  }

  begin(kind) {
    Object.assign(this, { on: true, kind, lessons: this.list(kind), at: -1, right: 0 });
    this.next();
  }

  next() {
    this.at += 1;
    Object.assign(this, { raised: [], tried: 0, solved: false, verdict: "" });
    const lesson = this.lessons[this.at];
    if (lesson) this.page.at = { game: lesson.game, ply: lesson.index, view: this.page.games[lesson.game].moves[lesson.index].seat };
    else this.solved = true;
    this.page.restart();
    this.page.jump(this.page.at.ply);
  }

  end() {
    this.on = false;
    this.page.restart();
  }

  get index() { return this.page.at.ply; }
  get move() { return this.page.game.moves[this.index]; }
  get hand() { return this.page.game.hand(this.move.seat, this.index, this.move.seat); }

  /** Gets what takes cards up in the hand of a seat, or null. */
  choose(seat) {
    return this.on && !this.solved && seat === this.move.seat ? (indexes) => { this.raised = indexes; } : null;
  }

  raise(indexes) {
    this.raised = indexes;
    this.page.draw();
  }

  play() {
    if (this.raised.length) this.answer(this.raised.map((index) => this.hand[index][0]).reverse().join(""));
    else this._say(Words.text("raise_first"));
  }

  /** Judges an answer, the text form of a hand. */
  answer(cards) {
    const { answers, review } = this.move;
    const found = answers[cards];
    if (!found) { this._say(Words.text("lesson_illegal", { cards: this._named(cards) })); return; }
    const [loss, error, letter] = found;
    const made = cards === Lessons.plain(this.move.cards) && review.mark;
    const mark = made || Lessons.MARKS[letter];
    const values = { cards: this._named(cards), best: this._named(this.best), loss: Reviews.lossText({ loss, error, points: review.points }), mark: mark ? Words.text("mark_" + mark) : "" };
    this.tried += 1;
    if (mark) { this.raised = []; this._say(Words.text("lesson_wrong", values)); return; }
    if (this.tried === 1) this.right += 1;
    this._solve(Words.text(loss > 0 ? "lesson_good" : "lesson_best", values));
  }

  /** Shows the best move. */
  reveal() {
    this.tried += 1;
    this._solve(Words.text("lesson_told", { best: this._named(this.best) }));
  }

  get best() { return Lessons.plain([...this.move.review.best].reverse()); }

  /** Writes cards as the text form of a hand, the lowest first. */
  static plain(cards) {
    return cards.map((card) => card[0]).sort((one, other) => Cards.RANKS.indexOf(one) - Cards.RANKS.indexOf(other)).join("");
  }

  _named(cards) { return cards ? Cards.short([...cards]) : Words.text("kind_pass"); }

  _solve(text) {
    this.solved = true;
    this._say(text);
  }

  _say(text) {
    this.verdict = text;
    this.page.draw();
  }

  // What is drawn.

  draw() {
    document.body.classList.toggle("learning", this.on);
    document.body.classList.toggle("learning--open", this.on && this.solved && this.at < this.lessons.length);
    this.root.hidden = !this.on;
    if (this.on) this.root.replaceChildren(...this._texts(), Cards.build("div", { class: "acts" }, ...this._acts()));
  }

  _texts() {
    const { build } = Cards;
    const count = this.lessons.length;
    if (this.at === count) return [build("p", {}, Words.text("lessons_done", { right: this.right, count }))];
    const task = this.kind === "puzzles" ? Words.text("lesson_puzzle")
      : Words.text("lesson_mistake", { cards: this._named(Lessons.plain(this.move.cards)) });
    const head = Words.text("lesson_of", { number: this.at + 1, count, seat: this.page.game.seatName(this.move.seat) });
    return [build("p", {}, build("b", {}, head), " ", task), build("p", { class: "said", role: "status" }, this.verdict)];
  }

  _acts() {
    const end = this._button("lesson-end", "lesson_end", () => this.end());
    if (this.at === this.lessons.length) return [end];
    if (this.solved) return [end, this._button("lesson-next", "lesson_next", () => this.next(), {}, true)];
    return [end, this._button("lesson-tell", "lesson_tell", () => this.reveal()), this._button("lesson-pass", "kind_pass", () => this.answer("")),
      this._button("lesson-play", "lesson_play", () => this.play(), {}, true)];
  }

  _button(id, word, does, values = {}, main = false) {
    const button = Cards.build("button", { id, type: "button", class: "act" + (main ? " act--main" : "") }, Words.text(word, values));
    button.addEventListener("click", does);
    return button;
  }

  /** Does what a key stands for; returns whether it stands for something. */
  key(key) {
    const letter = key.length === 1 ? key.toUpperCase().replace("0", "T") : key;
    const raised = !this.solved && Cards.RANKS.includes(letter) && letter.length === 1 ? Cards.toggled(this.hand, this.raised, letter) : null;
    if (raised) { this.raise(raised); return true; }
    const does = this.solved ? { Enter: () => (this.at < this.lessons.length ? this.next() : this.end()) } : { Enter: () => this.play(), P: () => this.answer("") };
    const act = { ...does, Escape: () => (this.raised.length ? this.raise([]) : this.end()) }[letter];
    act?.();
    return Boolean(act);
  }
}
