"""What an analysis says, in the one form of the page."""

from ddzbot.cards import parse_hand
from ddzbot.evaluation import Criterion, Method, Source
from ddzbot.rules import BOTZONE, PASS, read_move
from tools.records.thoughts import SHOWN_MOVES
from tools.study.analyse.model import Analysis, MoveAnalysis, Notes
from tools.study.view.thoughts import thought_of_analysis


def test_an_analysis_keeps_its_line_and_what_it_expects_of_hidden_hands() -> None:
    first = MoveAnalysis(read_move(BOTZONE, parse_hand("33")), 0.61, 0.4, 1200, 0.5, 3, (PASS, PASS))
    others = tuple(MoveAnalysis(read_move(BOTZONE, parse_hand(rank)), 0.5, None, 9, None, 4, ()) for rank in "456789TJ")
    uncertain = ((0.25, 0.25, 0.5, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, 0.0), *[(1.0, 0.0, 0.0, 0.0, 0.0)] * 13)
    analysis = Analysis(
        (first, *others), 0.61, 0.4, 2000, 0.1, {2: uncertain}, Notes(Source(Method.CHAMPION, Criterion.WIN), {})
    )
    thought = thought_of_analysis(analysis, parse_hand("J"))
    assert (thought["win"], thought["score"], thought["playouts"]) == (0.61, 0.4, 2000)
    assert thought["moves"][0]["line"] == ["", ""]
    assert [move["cards"] for move in thought["moves"] if move["played"]] == ["J"]
    assert len(thought["moves"]) == SHOWN_MOVES + 1
    assert thought["hidden"] == {"2": {"3": 1.25}}
