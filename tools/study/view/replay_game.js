"use strict";

/**
 * One recorded game, as game_data.py wrote it, and what each view may show of it.
 *
 * A ply is a number of moves: ply 0 is the deal, and move i (by seat i % 3) leads from ply i to ply i + 1. A view is a
 * seat, or OPEN for all hands. What a view may not show never leaves this class.
 */
class ReplayGame {
  static OPEN = -1;

  constructor(data) {
    this.data = data;
    this.moves = data.moves.map((move, index) => ({ ...move, seat: index % 3, cards: ReplayGame.split(move.cards) }));
    this.length = this.moves.length;
  }

  static split(text) {
    return text ? text.split(" ") : [];
  }

  /** Tests whether the hand of a seat is known at all. */
  knows(seat) {
    return this.data.hands[seat] !== null;
  }

  mayShow(seat, view) {
    return view === ReplayGame.OPEN || view === seat;
  }

  /** Gets the name of the player in a seat, or else what the seat is called. */
  playerName(seat) {
    return Words.player(this.data.names[seat]) || this.seatName(seat);
  }

  /** Gets a name that no other seat has: where players share one, the seat stands behind it. */
  name(seat) {
    const name = this.playerName(seat);
    if (this.data.auction || this.data.names.filter((other) => other === name).length < 2) return name;
    return Words.text("name_in_seat", { name, seat: Words.text("view_" + seat) });
  }

  seatName(seat) {
    if (this.data.auction) return Words.text("player", { number: seat });
    return Words.text("seat_" + seat);
  }

  /** Gets the last move of a seat before a ply, or null. */
  lastMove(seat, ply) {
    for (let index = ply - 1; index >= Math.max(0, ply - 3); index--) {
      if (this.moves[index].seat === seat) return this.moves[index];
    }
    return null;
  }

  /** Gets the open hand of a seat at a ply; null if it is unknown or hidden in this view. */
  hand(seat, ply, view) {
    if (!this.knows(seat) || !this.mayShow(seat, view)) return null;
    const last = this.lastMove(seat, ply);
    return ReplayGame.split(last ? last.left : this.data.hands[seat]);
  }

  count(seat, ply) {
    const last = this.lastMove(seat, ply);
    return last ? last.count : this.data.sizes[seat];
  }

  /** Gets what lies before a seat at a ply, in the form of CardTable; the own last lead stays, but faded. */
  played(seat, ply) {
    const last = this.lastMove(seat, ply);
    if (!last) return null;
    const back = ply - this.moves.indexOf(last);
    const leads = [1, 2].every((number) => ply >= number && !this.moves[ply - number].cards.length);
    if (back === 3 && !leads) return null;
    return { cards: last.cards, kind: last.kind, fresh: back === 1, faded: back === 3, fault: Boolean(last.problem) };
  }

  /** Gets the bid of a seat as a view has heard it; only before the first move. */
  bid(seat, ply, view) {
    if (ply) return null;
    return view === ReplayGame.OPEN ? this.data.bids[seat] : this.data.heard[view][seat];
  }

  /** Gets the thoughts about move *index* that a view may show, the analysis first. */
  thoughts(index, view) {
    const move = this.moves[index];
    return move && this.mayShow(move.seat, view) ? move.thoughts : [];
  }

  /** Gets the review of a move that a view may show, or null. */
  review(index, view) {
    const move = this.moves[index];
    return move?.review && this.mayShow(move.seat, view) ? move.review : null;
  }

  /** Gets the review of a bid that a view may show, or null; -1 is the first bid, -2 the next. */
  bidReview(index, view) {
    const review = this.data.bidReviews?.[-1 - index];
    return review && this.mayShow(review.seat, view) ? review : null;
  }

  /** Lists the moves and bids that decided the game, as far as a view may show them, the worst first. */
  moments(view) {
    return (this.data.moments ?? []).filter((index) => (index < 0 ? this.bidReview(index, view) : this.review(index, view)));
  }

  /**
   * Lists the landlord's chances of winning that a view may show: {index, seat, win, review, made}, each at its move.
   * Of a mistake, *made* is the chance that it left.
   */
  chances(view) {
    const analysed = this.moves.some((move) => move.thoughts.some((thought) => thought.source === "analysis"));
    const points = [];
    for (const [index, move] of this.moves.entries()) {
      const thought = this.thoughts(index, view).find((one) => !analysed || one.source === "analysis");
      if (thought && typeof thought.win === "number") {
        const chance = (win) => (move.seat === 0 ? win : 1 - win);
        const review = this.review(index, view);
        const made = review?.mark ? chance(Math.max(0, Math.min(1, thought.win - review.win))) : null;
        points.push({ index, seat: move.seat, win: chance(thought.win), review, made });
      }
    }
    return points;
  }

  /** Describes how the game ended. */
  resultText() {
    const { winner, scores, termination } = this.data.result;
    if (!winner && termination === "unfinished") return Words.text("unfinished");
    const undecided = scores || !termination ? "no_winner" : "unfinished";
    const result = Words.text(winner ? (winner === "landlord" ? "landlord_wins" : "peasants_win") : undecided);
    const how = this._howText(termination);
    return how ? Words.text("ended_by", { result, how }) : result;
  }

  _howText(termination) {
    const out = /^(landlord|landlord_down|landlord_up) out$/.exec(termination);
    // That the landlord wins by going out goes without saying.
    if (out && out[1] === "landlord") return "";
    if (out) return Words.text("seat_out", { name: this.name(["landlord", "landlord_down", "landlord_up"].indexOf(out[1])) });
    const fault = /^fault: (\S+) by position ([012])$/.exec(termination);
    if (fault) return Words.text("fault_by", { code: fault[1], name: this.name(this.data.positions.indexOf(Number(fault[2]))) });
    return termination;
  }
}
