"""
Random games as programs of others play them: moves a second of the processor, by our interfaces and by other packages.

All moves are drawn by the same generator, and dealing is not counted. Other packages are measured where they are
installed; nothing in the project needs them.
"""

import random
import tempfile
import time
from collections.abc import Callable
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import numpy as np

from ddzbot.env import DouDizhu, Seat, Tables
from ddzbot.game import Game, shuffled, start
from ddzbot.rules import RuleSet

from ...records.check import Summary
from ...records.files import records_in, write_records
from ...records.record import record_of

PEERS = {"open-spiel": "2.0.2", "rlcard": "1.2.0"}
"""The packages to compare with, and the versions that the figures of this project are of."""

Loop = tuple[Callable[[], Any], Callable[[Any], int]]
"""Makes what a game needs, which is not counted; and plays it, and counts its moves."""


def moves_a_second(loop: Loop, games: int, repeats: int) -> float:
    """Plays *games* and gets the moves of a second of this processor, the best of *repeats*."""
    deal, play = loop
    best = 0.0
    for _ in range(repeats):
        dealt = [deal() for _ in range(games)]
        before = time.process_time()
        moves = sum(map(play, dealt))
        best = max(best, moves / (time.process_time() - before))
    return best


def api_loop(rules: RuleSet) -> Loop:
    """Makes the loop of ``Game.legal_moves`` and ``Game.play``."""
    numbers, choice = iter(range(1 << 30)), random.Random(1).choice
    bids = (3,) if rules.bidding else ()

    def play(game: Game) -> int:
        while not game.finished:
            game = game.play(choice(game.legal_moves()))
        return len(game.plays)

    return lambda: start(shuffled(rules, f"bench/{next(numbers)}"), bids), play


def doudizhu_loop(rules: RuleSet) -> Loop:
    """Makes the loop of :class:`ddzbot.env.DouDizhu`: observation, reward, info and step of each decision."""
    numbers, choice = iter(range(1 << 30)), random.Random(1).choice

    def deal() -> DouDizhu:
        environment = DouDizhu(rules.name)
        environment.reset(seed=next(numbers))
        return environment

    def play(environment: DouDizhu) -> int:
        moves = 0
        while True:
            _, _, ended, _, info = environment.last()
            if ended:
                return moves
            environment.step(choice(info["legal_actions"]))
            moves += 1

    return deal, play


def seat_loop(rules: RuleSet) -> Loop:
    """Makes the loop of :class:`ddzbot.env.Seat` against ``random``; its own decisions count."""
    numbers, choice = iter(range(1 << 30)), random.Random(1).choice

    def deal() -> tuple[Seat, dict[str, Any]]:
        environment = Seat(rules.name, others="random")
        return environment, environment.reset(seed=next(numbers))[1]

    def play(dealt: tuple[Seat, dict[str, Any]]) -> int:
        environment, info = dealt
        moves, ended = 0, environment.table.points is not None
        while not ended:
            _, _, ended, _, info = environment.step(choice(info["legal_actions"]))
            moves += 1
        return moves

    return deal, play


def environment_rows(rules: RuleSet, games: int, repeats: int) -> dict[str, float]:
    """Measures the environments that stand on PettingZoo and Gymnasium; no rows where these are missing."""
    if not (is_installed("pettingzoo") and is_installed("gymnasium")):
        return {}
    loops = {"doudizhu_moves_per_s": doudizhu_loop, "seat_moves_per_s": seat_loop}
    return {key: round(moves_a_second(loop(rules), games, repeats)) for key, loop in loops.items()}


def tables_loop(rules: RuleSet, count: int) -> Loop:
    """Makes the loop of so many :class:`ddzbot.env.Tables`: steps by moves that numpy draws."""
    tables, generator, steps = Tables(count, rules.name, seed=1), np.random.default_rng(1), 40

    def play(nothing: None) -> int:
        for _ in range(steps):
            tables.step(tables.drawn(generator))
        return steps * count

    return lambda: None, play


def spiel_loop(tensor: bool) -> Loop:
    """Makes the loop of OpenSpiel's ``legal_actions`` and ``apply_action``, perhaps with the observation of each."""
    game, chance = import_module("pyspiel").load_game("dou_dizhu"), random.Random(1)

    def deal() -> Any:
        state = game.new_initial_state()
        while state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, weights)[0])
        return state

    def play(state: Any) -> int:
        moves = 0
        while not state.is_terminal():
            if tensor:
                state.observation_tensor(state.current_player())
            state.apply_action(chance.choice(state.legal_actions()))
            moves += 1
        return moves

    return deal, play


def rlcard_loop() -> Loop:
    """Makes the loop of RLCard's ``doudizhu``, whose states hold observation and legal actions."""
    rlcard, choice = import_module("rlcard"), random.Random(1).choice

    def deal() -> tuple[Any, Any]:
        environment = rlcard.make("doudizhu")
        return environment, environment.reset()[0]

    def play(dealt: tuple[Any, Any]) -> int:
        environment, state = dealt
        moves = 0
        while not environment.is_over():
            state, _ = environment.step(choice(list(state["legal_actions"])))
            moves += 1
        return moves

    return deal, play


def records_per_s(rules: RuleSet, games: int, repeats: int) -> float:
    """Measures ``records check``: the games of a second of this processor, read from the text form and judged."""
    deal, _ = api_loop(rules)
    choice, played = random.Random(1).choice, []
    for _ in range(games):
        game = deal()
        while not game.finished:
            game = game.played(choice(game.legal_moves()))
        played.append(record_of(game))
    best = 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.ddzn"
        write_records(path, played)
        for _ in range(repeats):
            summary, before = Summary(), time.process_time()
            for record in records_in(path):
                summary.add(record)
            best = max(best, summary.games / (time.process_time() - before))
    return best


def peer_rows(games: int, repeats: int) -> dict[str, float]:
    """Measures the packages of :data:`PEERS` that are installed, each row by its name and version."""
    loops: dict[str, tuple[str, Callable[[], Loop]]] = {
        "legal_actions and apply_action": ("open-spiel", lambda: spiel_loop(False)),
        "the same with observation_tensor": ("open-spiel", lambda: spiel_loop(True)),
        "doudizhu with its states": ("rlcard", rlcard_loop),
    }
    return {
        f"{package} {metadata.version(package)}: {label}": round(moves_a_second(loop(), games, repeats))
        for label, (package, loop) in loops.items()
        if is_installed(package)
    }


def is_installed(package: str) -> bool:
    """Tests whether a package is there."""
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True
