"""Plays through ``ddzbot.api``, and prints what comes back: on every Python that the bot runs on the same."""

from ddzbot.api import BidView, Limit, View, analyse, auction, bid, choose, rule_set, shuffled, start

PLAYOUTS = Limit(playouts=40)


def main() -> None:
    """Makes an auction, the first plays of its game and a game of ``mini``, and analyses a position."""
    deal, bids = shuffled(rule_set("botzone2"), "systems"), []
    while auction(bids) is None:
        bids.append(bid(BidView(deal.rules, deal.hands[len(bids)], tuple(bids))).bid)
    landlord_position = (auction(bids) or (0, 0))[0]
    print("bids", bids, landlord_position)
    play(start(deal, tuple(bids), landlord_position), 3, "champion")
    play(start(shuffled(rule_set("mini"), "systems")), 100, "rule")
    view = View.from_text(rule_set("botzone"), 0, "34699TTJQKA22B", "34B", "34567 pass pass 8 J pass")
    for line in analyse(view, PLAYOUTS, seed=7).moves:
        print(line.move, line.win)


def play(game, turns, player):  # type: ignore[no-untyped-def]
    """Prints up to so many decisions, and what a game is after them."""
    while not game.finished and len(game.plays) < turns:
        decision = choose(View.of(game, game.seat), PLAYOUTS, player=player, seed=3)
        print(game.seat, decision.player, decision.move, decision.debug.get("moves"))
        game = game.play(decision.move)
    again = type(game)(*game)
    print(game.hands, game.finished, {game: "equal"}[again])


main()
