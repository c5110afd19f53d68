"""
Measures the kernel: ``python -m tools lab bench [--json] [--peers]``.

Every figure is the least of several short runs, because the machines are shared; ``reference_loop_s`` times one fixed
loop of plain Python in the same run, so that figures of two machines compare. The signature hashes what was computed
at fixed seeds, and the numbers of nodes count the work of tree search and solver: they move only when an answer does.
"""

import hashlib
import os
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Protocol

import click
from rich.table import Table

from ddzbot.cards import Hand
from ddzbot.game import Game, shuffled, start
from ddzbot.kernel.binding import Kernel, Totals
from ddzbot.kernel.codec import MOVE
from ddzbot.kernel.library import Memory
from ddzbot.kernel.rng import Generator
from ddzbot.kernel.searching import SearchOptions
from ddzbot.kernel.training import fewest_moves, leads
from ddzbot.players.mctshs import SETTINGS
from ddzbot.rules import RULE_SETS, STANDARD, Move, RuleSet, answer_by, rule_set
from ddzbot.search.deadline import Deadline
from ddzbot.search.endgame import Solver
from ddzbot.search.limit import Limit
from ddzbot.search.tree import TreeSearch
from ddzbot.view import View

from ...shared import compiling
from ...shared.default_rules import DEFAULT_RULES
from ...shared.interrupts import Command
from ...shared.json_text import json_text
from ...shared.options import RULES
from ...shared.paths import ROOT
from ...shared.terminal import Console, say
from ...study.solve import read_problems
from .loops import (
    PEERS,
    api_loop,
    environment_rows,
    is_installed,
    moves_a_second,
    peer_rows,
    records_per_s,
    tables_loop,
)
from .net import selfplay

PUZZLES = ROOT / "tests" / "data" / "endgames" / "puzzles.jsonl.gz"

BATCH = 50
"""Hands of one run: long enough for the clock, short enough to lie between two interruptions."""

ROWS = {
    "lead_us_kernel": ("all leads of a first hand of the landlord, in C", "µs"),
    "lead_us_python": ("the same as a list of Move in Python", "µs"),
    "random_games_per_s": ("random games from the deal, one thread", "/s"),
    "fewest_us": ("fewest moves that empty a hand of a game", "µs"),
    "mctshs_sims_per_s": ("simulations of mctshs, random players, one thread", "/s"),
    "quick_sims_per_s": ("the same with its quick players", "/s"),
    "solve_puzzles_s": ("the 22 public endgame puzzles, all winning moves", "s"),
    "api_moves_per_s": ("moves of random games by Game.legal_moves and Game.play, dealing not counted", "/s"),
    "doudizhu_moves_per_s": ("the same by DouDizhu, with observations and info", "/s"),
    "seat_moves_per_s": ("decisions of Seat against random, with observations and info", "/s"),
    "one_table_moves_per_s": ("decisions of Tables(1)", "/s"),
    "records_per_s": ("random games that records check reads and judges", "/s"),
    "net_values_per_s": ("moves that the fast network values in self-play", "/s"),
    "reference_loop_s": ("fixed loop of Python, to compare machines", "s"),
}


def deals(rules: RuleSet, count: int) -> list[Game]:
    """Deals *count* games; the same ones on every machine."""
    return [start(shuffled(rules, f"bench/{index}")) for index in range(count)]


def hands_of_games(rules: RuleSet, count: int, kernel: Kernel) -> list[Hand]:
    """Collects what the seats hold at each of their turns in *count* random games: the hands that a search meets."""
    generator, hands = Generator(0), []
    for game in deals(rules, count):
        while not game.finished:
            hand = game.hands[game.seat]
            hands.append(hand)
            game = game.played(kernel.random_move(rules, hand, game.to_beat, generator))
    return hands


def seconds(run: Callable[[], object], repeats: int) -> float:
    """Times *run*, the least of *repeats*."""
    best = float("inf")
    for _ in range(repeats):
        before = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - before)
    return best


def batches(hands: Sequence[Hand]) -> Iterator[Sequence[Hand]]:
    """Cuts *hands* into runs of equal length."""
    for begin in range(0, len(hands) - BATCH + 1, BATCH):
        yield hands[begin : begin + BATCH]


def words(hands: Sequence[Hand]) -> Memory:
    """Plays *hands* where the kernel can read them."""
    memory = Memory(8 * len(hands))
    memory.words()[:] = memoryview(b"".join(hand.to_bytes(8, "little") for hand in hands)).cast("B").cast("Q")
    return memory


def lead_us_kernel(kernel: Kernel, rules: RuleSet, hands: Sequence[Hand], repeats: int) -> float:
    """Measures the microseconds in which the kernel lists one hand's leads."""
    room = BATCH * 2000
    moves, ends, total = Memory(MOVE.size * room), Memory(4 * BATCH), 0.0
    for batch in batches(hands):
        asked = words(batch)
        into = (moves.address, room)
        total += seconds(partial(leads, kernel, rules, (asked.address, BATCH), into, ends.address), repeats)
    return total * 1e6 / len(hands)


def list_all(kernel: Kernel, rules: RuleSet, hands: Sequence[Hand]) -> None:
    """Lists the leads of every hand."""
    for hand in hands:
        kernel.legal_moves(rules, hand)


def lead_us_python(kernel: Kernel, rules: RuleSet, hands: Sequence[Hand], repeats: int) -> float:
    """Measures the microseconds of one ``legal_moves`` call for a lead."""
    total = 0.0
    for batch in batches(hands):
        total += seconds(partial(list_all, kernel, rules, batch), repeats)
    return total * 1e6 / len(hands)


def play(kernel: Kernel, game: Game, count: int) -> None:
    """Plays the same *count* random games each time."""
    kernel.playouts(game, count, Generator(1))


def random_games_per_s(kernel: Kernel, games: Sequence[Game], each: int, repeats: int) -> float:
    """Measures how many random games the kernel plays in a second."""
    total = sum(seconds(partial(play, kernel, game, each), repeats) for game in games)
    return len(games) * each / total


def fewest_us(kernel: Kernel, rules: RuleSet, hands: Sequence[Hand], repeats: int) -> float:
    """Measures the microseconds of one search for the fewest moves, in C."""
    answers, total = Memory(BATCH), 0.0
    kernel.splits(rules)  # is made once
    for batch in batches(hands):
        asked = words(batch)
        total += seconds(partial(fewest_moves, kernel, rules, asked.address, BATCH, answers.address), repeats)
    return total * 1e6 / len(hands)


def mctshs(kernel: Kernel, games: Sequence[Game], options: SearchOptions, playouts: int) -> tuple[int, float]:
    """
    Searches the first lead of each game, worlds and candidates included; gets the number of moves in all trees, and
    simulations a second. The options of setting ``thesis`` have random players, those of ``default`` quick ones.
    """
    nodes, done, before = 0, 0, time.perf_counter()
    for game in games:
        result = TreeSearch(kernel, View.of(game, 0), options).run(Deadline(Limit(playouts=playouts)))
        nodes, done = nodes + result.nodes, done + result.playouts
    return nodes, done / (time.perf_counter() - before)


def solve_puzzles() -> tuple[int, float]:
    """Solves the public puzzles, each with all its winning moves; gets the positions looked at, and the seconds."""
    with PUZZLES.open("rb") as file:
        problems = list(read_problems(file, STANDARD, frozenset()))
    solver, before = Solver(STANDARD), time.perf_counter()
    nodes = sum(solver.solve(problem.endgame).nodes for problem in problems)
    return nodes, time.perf_counter() - before


def reference_loop() -> int:
    """Does a million steps of integer arithmetic, always the same ones."""
    state = 1
    for step in range(1_000_000):
        state = (state * 69069 + step) & 0xFFFFFFFF
    return state


class Answers(Protocol):
    """The functions that the signature calls: those of the kernel, or of its reference implementation in the tests."""

    def legal_moves(self, rules: RuleSet, hand: Hand, to_beat: Move | None = None) -> list[Move]:
        """Lists the legal moves."""
        ...

    def playouts(self, game: Game, count: int, generator: Generator) -> Totals:
        """Plays random games."""
        ...

    def fewest_moves(self, rules: RuleSet, hand: Hand) -> int:
        """Counts the fewest moves that empty a hand."""
        ...


def signature(engine: Answers, size: int) -> str:
    """
    Hashes what *engine* answers at fixed seeds to 12 hex digits: lists of leads and follows, random games, and fewest
    moves of *size* deals for each rule set. Kernel and reference implementation have the same.
    """
    digest = hashlib.sha256()
    for rules in RULE_SETS.values():
        for game in deals(rules, size):
            leads = engine.legal_moves(rules, game.hands[0])
            follows = engine.legal_moves(rules, game.hands[1], leads[len(leads) // 2])
            fewest = engine.fewest_moves(rules, game.hands[2])
            facts = (leads, follows, engine.playouts(game, 2, Generator(size)), fewest)
            digest.update(repr([[tuple(move) for move in leads + follows], *map(str, facts[2:])]).encode())
    return digest.hexdigest()[:12]


def measure(kernel: Kernel, rules: RuleSet, quick: bool) -> dict[str, float | str]:
    """Measures everything; *quick* is for a look, not for a record."""
    repeats, count = (3, 2 * BATCH) if quick else (30, 20 * BATCH)
    few = min(repeats, 5)
    answer_by(kernel.lister())
    games = deals(rules, count)
    first_hands = [game.hands[0] for game in games]
    for hand in first_hands:
        kernel.legal_moves(rules, hand)  # a long game or a search has met these moves before
    later_hands = hands_of_games(rules, count // 25, kernel)
    flat_nodes, simulations = mctshs(kernel, games[:20], SETTINGS["thesis"].options, 1000 * repeats)
    quick_nodes, quick_simulations = mctshs(kernel, games[:20], SETTINGS["default"].options, 100 * repeats)
    solved_nodes, solving = solve_puzzles()
    values_a_second, net_values = selfplay(kernel, rules, 20 * repeats, few)
    return {
        "lead_us_kernel": round(lead_us_kernel(kernel, rules, first_hands, 10 * repeats), 4),
        "lead_us_python": round(lead_us_python(kernel, rules, first_hands, repeats), 3),
        "random_games_per_s": round(random_games_per_s(kernel, games[:20], 300, repeats)),
        "api_moves_per_s": round(moves_a_second(api_loop(rules), count, few)),
        **environment_rows(rules, count // 10, few),
        "one_table_moves_per_s": round(moves_a_second(tables_loop(rules, 1), count // 10, few)),
        "records_per_s": round(records_per_s(rules, count, few)),
        "fewest_us": round(fewest_us(kernel, rules, later_hands, repeats), 4),
        "mctshs_sims_per_s": round(simulations),
        "quick_sims_per_s": round(quick_simulations),
        "solve_puzzles_s": round(solving, 3),
        "net_values_per_s": round(values_a_second),
        "reference_loop_s": round(seconds(reference_loop, min(repeats, 10)), 4),
        "signature": signature(kernel, 5 if quick else 100),
        "tree_nodes": flat_nodes + quick_nodes,
        "solved_nodes": solved_nodes,
        "net_values": net_values,
        "rules": rules.name,
        "kernel": kernel.library.build,
        "python": platform.python_version(),
    }


def show(figures: dict[str, float | str], peers: dict[str, float], console: Console) -> None:
    """Prints *figures* as a table, and those of other packages with their ratio to our own loop of plain moves."""
    table = Table(title=f"kernel {figures['kernel']}, rules {figures['rules']}, Python {figures['python']}")
    table.add_column("what")
    table.add_column("least", justify="right")
    table.add_column("unit")
    for key, (label, unit) in ROWS.items():
        if key in figures:
            table.add_row(label, f"{figures[key]:,}", unit)
    for name, figure in peers.items():
        table.add_row(name, f"{figure:,}", f"/s, {figure / float(figures['api_moves_per_s']):.2f} of Game's")
    for key in ("signature", "tree_nodes", "solved_nodes", "net_values"):
        table.add_row(key.replace("_", " "), str(figures[key]), "")
    console.print(table)


@click.command(cls=Command)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
@click.option("--rules", "rules_name", default=DEFAULT_RULES, type=RULES, help="The rule set.")
@click.option("--quick", is_flag=True, help="Few repeats and few deals; the signature differs.")
@click.option("--peers", is_flag=True, help="Measure OpenSpiel and RLCard too, if they are installed.")
def main(as_json: bool, rules_name: str, quick: bool, peers: bool) -> None:
    """Measure the kernel that DDZ_KERNEL names, else the one of build/, which is built if it is not current."""
    kernel = Kernel(os.environ.get("DDZ_KERNEL") or str(compiling.build()))
    figures = measure(kernel, rule_set(rules_name), quick)
    rows = peer_rows(BATCH if quick else 4 * BATCH, 3 if quick else 5) if peers else {}
    if as_json:
        click.echo(json_text({**figures, "peers": rows} if peers else figures))
    else:
        show(figures, rows, Console())
    if not set(ROWS) <= set(figures):
        say("DouDizhu and Seat are not measured: they need pip install 'ddzbot[env]'", err=True)
    for package, version in PEERS.items() if peers else ():
        if not is_installed(package):
            say(f"{package} is not installed: pip install {package}=={version}", err=True)
