"""
Asks other packages what docs/reference/rules.md and docs/guide/compared.md show of them.

``python -m tests.rules.peer_table`` asks those that are installed, keeps answers and versions in
``results/peers/answers.json``, and prints the tables of all that have answered. With ``--rlcard CLONE`` it asks a clone
of RLCard's repository instead, and keeps the commit as the version.
"""

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import click

from ddzbot.cards import contains, hand_text, parse_hand, size
from ddzbot.rules import RuleSet, legal_moves, read_move
from tests.platforms import PLATFORMS
from tests.rules import peer_observations
from tests.rules.peer_faults import PeerFault
from tests.rules.peer_games import Spiel, deal_of
from tests.rules.peers import Moves, douzero_moves, landlord_ai_moves, resolver_moves, rlcard_moves
from tests.support import ROOT

REPOSITORY = "RLCard's repository"
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


def ask(name: str, of_version: str) -> dict[str, Any]:
    """Asks a package all that the tables show of it."""
    package, moves = PACKAGES[name]
    answers: dict[str, Any] = {"package": package, "version": of_version, "answers": answers_of(moves)}
    if name in peer_observations.SHOWN:
        answers["shown"] = peer_observations.answers_of(peer_observations.features(name))
    return answers


def ask_clone(folder: Path) -> dict[str, Any]:
    """
    Asks RLCard as it is in a clone of its repository.

    :raises click.UsageError: for a folder that is no such clone.
    """
    command = ["git", "-C", str(folder), "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty"]
    commit = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    if not commit or not (folder / "rlcard").is_dir():
        raise click.UsageError(f"{folder} is no clone of RLCard's repository.")
    sys.path.insert(0, str(folder))
    return ask("RLCard", commit)


def table(answers: dict[str, Any]) -> list[str]:
    """Lists the lines of the table of moves; the repository has a column only where it differs from the package."""
    columns = {name: ours(rules) for name, rules in PLATFORMS.items()}
    columns |= {name: answers[name]["answers"] for name in PACKAGES if name in answers}
    repository = answers[REPOSITORY]["answers"]
    columns |= {} if repository == columns["RLCard"] else {REPOSITORY: repository}
    return lines("cards", map(str, QUESTIONS), columns)


def observation_table(answers: dict[str, Any]) -> list[str]:
    """Lists the lines of the table of what agents are shown."""
    columns = {"ddzbot": peer_observations.answers_of(peer_observations.ours)}
    columns |= {name: answers[name]["shown"] for name in (*peer_observations.SHOWN, REPOSITORY)}
    return lines("an agent is shown", peer_observations.QUESTIONS, columns)


def lines(title: str, questions: Iterable[str], columns: dict[str, dict[str, str]]) -> list[str]:
    """Writes a table, a column each."""
    rows = [[question, *(column[question] for column in columns.values())] for question in questions]
    head = [f"| {title} | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    return head + [f"| {' | '.join(row)} |" for row in rows]


@click.command()
@click.option(
    "--rlcard",
    "clone",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    help="Ask a clone of RLCard's repository instead of the packages.",
)
def main(clone: Path | None) -> None:
    """Ask the packages that are installed, keep their answers, and print the tables."""
    answers = kept()
    if clone:
        answers[REPOSITORY] = ask_clone(clone)
    for name, (package, _) in PACKAGES.items() if clone is None else ():
        try:
            answers[name] = ask(name, version(package))
        except PackageNotFoundError:
            click.echo(f"{package} is not installed: it is not asked.", err=True)
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(answers, indent=1) + "\n", "utf-8")
    click.echo("\n".join([*table(answers), "", *observation_table(answers)]))


if __name__ == "__main__":
    main()
