"""The player that sees the hidden hands plays the true world; without them it does not play."""

import sys
from pathlib import Path
from typing import ClassVar

import click
import pytest
from click.testing import CliRunner

from ddzbot.belief.worlds import Worlds
from ddzbot.cards import Hand
from ddzbot.game import SEATS, Game, shuffled, start
from ddzbot.kernel.rng import Generator
from ddzbot.players.base import Decision
from ddzbot.players.random_player import RandomPlayer
from ddzbot.rules import rule_set
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tools.arena import match, report
from tools.arena.matches.everybody import Everybody
from tools.arena.matches.plan import Match
from tools.arena.matches.table import PlayerTable
from tools.lab.cheating import CheatingChampion
from tools.shared.contestants import parse_contestant

SPEC = "tools.lab.cheating:CheatingChampion"


def game_after(moves: int) -> Game:
    game = start(shuffled(rule_set("botzone"), "test/3/000000"))
    for _ in range(moves):
        game = game.played(game.legal_moves()[-1])
    return game


@pytest.mark.parametrize("moves", range(6))
def test_worlds_are_the_true_one(moves: int) -> None:
    game = game_after(moves)
    player = CheatingChampion()
    player.sees_hands(game.hands)
    worlds = Worlds(View.of(game, game.seat), player.options.belief)
    true = tuple(game.hands[seat] for seat in worlds.certain.seats)
    assert {tuple(world) for world in worlds.samples(Generator(1), 20)} == {true}


def test_hands_of_another_position_are_refused() -> None:
    game = game_after(2)
    player = CheatingChampion()
    for _ in ("none", "others"):
        with pytest.raises(ValueError, match="has not shown the hands of this position"):
            Worlds(View.of(game, game.seat), player.options.belief)
        player.sees_hands(game_after(0).hands)


def test_options() -> None:
    player = parse_contestant(SPEC + ":max_moves=4").player
    assert player is not None and player.options == {"max_moves": 4}
    with pytest.raises(ValueError, match="takes no belief"):
        parse_contestant(SPEC + ":belief=uniform")


class Spy(RandomPlayer):
    """Looks through all modules of the project for the hands of the others, its own among them."""

    seen: ClassVar[list[str]] = []
    asked = 0

    def choose(self, view: View, limit: Limit) -> Decision:
        Spy.asked += 1
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] in ("ddzbot", "tools"):
                for label, value in vars(module).items():
                    if isinstance(value, list | tuple) and [*value][view.seat : view.seat + 1] == [view.hand]:
                        Spy.seen.append(f"{name}.{label}")
        return super().choose(view, limit)


@pytest.mark.whole
def test_no_other_player_finds_the_hands_in_a_module() -> None:
    rules, hidden = rule_set("botzone"), [parse_contestant(f"{__name__}:Spy"), parse_contestant(SPEC)]
    for seating in ("AAA", "ABA"):
        table = PlayerTable(rules, Limit(playouts=2), {"A": hidden[0].engine(), "B": hidden[1].engine()})
        outcome = table.play(shuffled(rules, "test/4/000000"), seating, [1, 2, 3])
        assert not any(asked.fallback for asked in outcome.asked)
    assert Spy.asked > 10 and not Spy.seen


def test_the_table_shows_the_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, ...]] = []

    def choose(self: CheatingChampion, view: View, limit: Limit) -> Decision:
        worlds = Worlds(view, self.options.belief)
        hands = [0, 0, 0]
        hands[view.seat] = view.hand
        for seat, hand in zip(worlds.certain.seats, worlds.sample(Generator(1)), strict=True):
            hands[seat] = hand
        seen.append(tuple(hands))
        return Decision(view.legal_moves()[0], {})

    monkeypatch.setattr(CheatingChampion, "choose", choose)
    rules = rule_set("botzone")
    table = PlayerTable(rules, Limit(), {"A": parse_contestant(SPEC).engine()})
    outcome = table.play(shuffled(rules, "test/4/000000"), "AAA", [1, 2, 3])
    assert not any(asked.fallback for asked in outcome.asked)
    assert outcome.game is not None
    game = start(shuffled(rules, "test/4/000000"))
    true = set()
    for play in outcome.game.plays:
        true.add(game.hands)
        game = game.played(play)
    assert len(seen) > 5
    assert set(seen) <= true


class Seer(RandomPlayer):
    """Plays at random, and is shown what it does not look at."""

    def sees_hands(self, hands: tuple[Hand, ...]) -> None:
        assert len(hands) == SEATS and all(hands)


class Late(RandomPlayer):
    """Asks for the hands where nobody reads it: not in its class."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.sees_hands = pytest.fail


SEER, LATE = f"{__name__}:Seer", f"{__name__}:Late"
SAID = f"{SEER} sees the hands of all, which no judge shows: it is for measuring."


def told(command: click.Command, *words: str) -> int:
    """How often it is said who sees the hands."""
    done = CliRunner().invoke(command, [*words])
    assert done.exit_code == 0, done.output
    said = " ".join(done.output.split())
    assert said.count(SAID) == said.count("sees the hands")
    return said.count(SAID)


@pytest.mark.whole
def test_a_match_and_its_report_say_who_sees_the_hands_of_all(tmp_path: Path) -> None:
    results = str(tmp_path / "r.json")
    words = ("--sets", "1", "--seed", "1", "--quiet", "--jobs", "1")
    assert told(match.main, SEER, "random", *words, "--results", results) == 1
    assert told(report.main, results) == 1
    assert told(match.main, SEER, "rule", "random", *words) == 1
    assert told(match.main, LATE, "random", *words) == 0


def test_where_a_program_sits_nobody_sees_hands() -> None:
    program = parse_contestant("python bot.py")
    seer, rule = (parse_contestant(name) for name in (SEER, "rule"))
    assert Match("botzone", (seer, program), 1, 1).seers == ()
    assert Everybody("botzone", (program, rule, seer), 1, 1).seers == (SEER,)
