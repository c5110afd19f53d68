"""
Asks other packages what docs/reference/rules.md shows of them: ``python -m tests.rules.peer_table``.

Asks those that are installed, keeps answers and versions in ``results/peers/answers.json``, and prints the table of all
that have answered.
"""

import json
import random
from collections import Counter
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

import click

from ddzbot.cards import contains, hand_text, parse_hand, size
from ddzbot.rules import RuleSet, legal_moves, read_move
from tests.platforms import PLATFORMS
from tests.rules.peer_faults import PeerFault
from tests.rules.peer_games import Spiel, deal_of
from tests.rules.peers import Moves, douzero_moves, landlord_ai_moves, resolver_moves, rlcard_moves
from tests.support import ROOT

FILE = ROOT / "results" / "peers" / "answers.json"
TO_MINI = str.maketrans("3456789", "9TJQKA2")


class Question(NamedTuple):
    """May these cards be played from that hand, on those?"""

    cards: str
    hand: str
    to_beat: str = ""

    def __str__(self) -> str:
        if self.to_beat:
            return f"`{self.cards}` on `{self.to_beat}`"
        return f"`{self.cards}`" if self.cards == self.hand else f"`{self.cards}` of `{self.hand}`"


_WHOLE = (
    "333356 333355 3333LB 33334455 33335555 33344455 333444LB 33334445 3334446666 333444555666 333444555777 "
    "3334445556667778 3334445556668888 33334444"
)
QUESTIONS = [
    *(Question(cards, cards) for cards in _WHOLE.split()),
    Question("34567", "33334567"),
    Question("3333", "3333", "LB"),
]


def spiel_moves(asked: dict[str, Any]) -> list[str]:
    """OpenSpiel's list in a game whose landlord, or after the landlord's lead the next player, has the hand."""
    planted = PeerFault("", "", lambda _: [], asked["hand"], asked["to_beat"])
    game = Spiel(deal_of(0, planted, random.Random(1)), random.Random(1), True, Counter())
    if planted.to_beat:
        game.play(game.moves()[parse_hand(planted.to_beat)])
    return [hand_text(cards) for cards in game.moves() if contains(parse_hand(planted.hand), cards)]


PACKAGES: dict[str, tuple[str, Moves]] = {
    "OpenSpiel": ("open-spiel", spiel_moves),
    "RLCard": ("rlcard", rlcard_moves),
    "DouZero": ("douzero", douzero_moves),
    "doudizhu-resolver": ("doudizhu-resolver", resolver_moves),
    "landlord-ai": ("landlord-ai", landlord_ai_moves),
}


def answers_of(moves: Moves) -> dict[str, str]:
    """Asks one package all questions."""
    answers = {}
    for question in QUESTIONS:
        listed = moves({"hand": question.hand, "to_beat": question.to_beat})
        sets = {parse_hand(cards) for cards in listed if cards != "pass"}
        answers[str(question)] = "yes" if parse_hand(question.cards) in sets else "no"
    return answers


def ours(rules: RuleSet) -> dict[str, str]:
    """Asks one of our rule sets; ``-`` where no hand has the cards. Under mini 3 is read as 9, and so on."""
    answers = {}
    for question in QUESTIONS:
        turned = [text.translate(TO_MINI) if rules.name == "mini" else text for text in question]
        cards, hand, to_beat = map(parse_hand, turned)
        fits = size(hand) <= rules.largest_hand and contains(rules.deck, hand)
        listed = legal_moves(rules, hand, read_move(rules, to_beat) if to_beat else None) if fits else []
        has_it = cards in {move.cards for move in listed}
        answers[str(question)] = "yes" if has_it else "no" if fits else "-"
    return answers


def kept() -> dict[str, Any]:
    """Reads what packages have answered, and in which version."""
    return dict(json.loads(FILE.read_text("utf-8"))) if FILE.exists() else {}


def table(answers: dict[str, Any]) -> list[str]:
    """Lists the lines of the table."""
    columns = {name: ours(rules) for name, rules in PLATFORMS.items()}
    columns |= {name: answers[name]["answers"] for name in PACKAGES if name in answers}
    rows = [[question, *(column[question] for column in columns.values())] for question in map(str, QUESTIONS)]
    head = [f"| cards | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    return head + [f"| {' | '.join(row)} |" for row in rows]


@click.command()
def main() -> None:
    """Ask the packages that are installed, keep their answers, and print the table."""
    answers = kept()
    for name, (package, moves) in PACKAGES.items():
        try:
            answers[name] = {"package": package, "version": version(package), "answers": answers_of(moves)}
        except PackageNotFoundError:
            click.echo(f"{package} is not installed: it is not asked.", err=True)
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(answers, indent=1) + "\n", "utf-8")
    click.echo("\n".join(table(answers)))


if __name__ == "__main__":
    main()
