"""An analysis of a move, in the form of :mod:`tools.records.thoughts`."""

from ddzbot.cards import Hand
from ddzbot.evaluation import Method
from ddzbot.game import SEAT_NAMES

from ...records.thoughts import VISITS, WORLDS, Thought, played_text, shown_moves, told_cards
from ..analyse.model import Analysis


def thought_of_analysis(analysis: Analysis, cards: Hand) -> Thought:
    """Makes the thought of an analysis of the position in which *cards* were played."""
    fields, source = analysis.as_json(), analysis.notes.source
    counted = WORLDS if source.method is Method.CHAMPION else VISITS
    moves = [
        {
            "cards": played_text(told_cards(move["move"])),
            "win": move["win"],
            "score": move["score"],
            counted: move["visits"],
            "prior": move["prior"],
            "fewest": move["fewest"],
            "line": [played_text(told_cards(step)) for step in move["line"]],
            "played": told_cards(move["move"]) == cards,
        }
        for move in fields["moves"]
    ]
    return {
        "source": "analysis",
        "decides": source.decides.value,
        "win": fields["win"],
        "score": fields["score"],
        "playouts": fields["playouts"],
        "seconds": fields["seconds"],
        "moves": shown_moves(moves),
        "hidden": {str(SEAT_NAMES.index(seat)): _expected_cards(ranks) for seat, ranks in fields["hidden"].items()},
    }


def _expected_cards(ranks: dict[str, list[float]]) -> dict[str, float]:
    """Gets how many cards of each rank are expected; ranks of which there can be none are left out."""
    expected = {rank: sum(count * share for count, share in enumerate(shares)) for rank, shares in ranks.items()}
    return {rank: round(expectation, 2) for rank, expectation in expected.items() if expectation}
