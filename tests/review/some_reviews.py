"""Reviews for the tests of pages and sums: a known game, with mistakes where a test wants them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from ddzbot.cards import hand_text
from ddzbot.rules import PASS
from ddzbot.search.limit import Limit
from tests.support import ROOT
from tools.records.files import read_records
from tools.records.record import GameRecord
from tools.records.thoughts import played_text
from tools.study.review.model import Review
from tools.study.review.page import Shown, review_page, reviewed_game

DEMO = ROOT / "tests" / "data" / "rule-demo-1.ddzn"
LIMIT = Limit(playouts=700)

MISTAKES: Mapping[int, tuple[str, float, bool, str]] = {
    4: ("mistake", 0.12, False, "pass_was_enough"),
    11: ("inaccuracy", 0.06, False, "other_kind"),
    15: ("blunder", 0.3, True, "other_rank"),
    20: ("blunder", 0.4, False, "bomb_given_away"),
}
"""Of each mistake, by the number of the move: mark, loss, whether it is proved, why."""


def demo() -> GameRecord:
    (record,) = read_records(DEMO)
    return record


def reviews(record: GameRecord, game: int = 1) -> list[Review]:
    """A review of every move: the :data:`MISTAKES`, and best moves."""
    made = []
    for ply in record.plies():
        mark, loss, proved, why = MISTAKES.get(ply.number, ("", 0.0, False, ""))
        best = PASS if mark else ply.move
        made.append(
            Review(
                game=game,
                ply=ply.number,
                phase="middle",
                seat=ply.seat,
                name=record.names[record.position_of(ply.seat)],
                made=ply.move,
                best=best,
                loss=loss,
                error=0.0 if proved or not mark else 0.02,
                points=False,
                win_loss=loss,
                points_loss=loss,
                cost=2 * loss,
                mark=mark,
                proved=proved,
                why=why,
            )
        )
    return made


def shown(found: Sequence[Review]) -> list[Shown]:
    """The reviews with thoughts of which each names its own move."""
    thoughts = [
        {"source": "analysis", "win": 0.6, "score": 1.0, "playouts": 700, "seconds": 0.1, "hidden": {},
         "moves": [{"place": 1, "cards": played_text(own.best.cards), "win": 0.6, "visits": own.ply, "played": False}]}
        for own in found
    ]  # fmt: skip
    return [
        Shown(each, thought, "", each.ply == 15, _answers(each) if each.mark else None)
        for each, thought in zip(found, thoughts, strict=True)
    ]


def _answers(one: Review) -> dict[str, tuple[float, float | None, str]]:
    return {"": (0.0, 0.0, ""), hand_text(one.made.cards): (one.loss, 0.02, one.mark[0])}


def written(folder: Path, games: int = 1) -> Path:
    """Writes a page of the game, so often."""
    record = demo()
    of_games = [reviews(record, index) for index in range(1, games + 1)]
    data = [reviewed_game(record, index, shown(of_game)) for index, of_game in enumerate(of_games, 1)]
    page = folder / "page.html"
    every = [review for of_game in of_games for review in of_game]
    page.write_text(review_page(data, LIMIT, every if games > 1 else ()), "utf-8")
    return page
