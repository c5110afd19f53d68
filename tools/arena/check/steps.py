"""
What each step of the check does.

A step gets the bench and returns one sentence about what it saw. It raises :class:`NonComplianceError` with a sentence
that ends with what to do, and :class:`NotAskedForError` when there is nothing to check.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ...judge.process_answer import lines_of_answer
from ...judge.process_exchange import End
from ...referee.games import make_referee
from .bench import RESTARTED_TURN, Bench, Played
from .compliance import NonComplianceError, NotAskedForError, checked, failure
from .scenes import BIDS, DEALS, FOLLOWS, LEADS, PASSES, Scene
from .tour import games, keep_running
from .watched import Phase

__all__ = ["STEPS", "Step"]

LENGTHS = {"debug": 1 << 10, "data": 100 << 10, "globaldata": 100 << 10}
"""How many bytes of each the platform takes."""

TO_LEAD = "let it lead a move of the game, of cards that it holds"
TO_FOLLOW = "let it pass, or lay cards that it holds and that beat the last move"
TO_PASS = "let it answer [] when nothing that it holds is higher"
TO_BID = "let it bid 0, or more than every earlier bid and at most 3"
TO_RESTART = "let a fresh process find out everything from the requests and the responses"
TO_END = "let it end when a line makes no sense, or when its input ends"
RESTARTED_GAMES = 9
"""In how many games a bot that never lives to the turn of the restart may sit."""

BAD_LINES = {
    "a line of JSON that is cut off": b'{"requests":[{"own":[0,1,2\n',
    "an empty line": b"\n",
    "no line at all": b"",
    "a list in place of the envelope": b"[]\n",
    "an envelope with a number for its requests": b'{"requests":5,"responses":{}}\n',
    "a request with text for cards": b'{"requests":[{"own":"345","history":7,"publiccard":null}],"responses":[]}\n',
    "bytes that are no text": b"\xff\xfe\x00\n",
}

PHASES: dict[Phase, str] = {"first": "first turn", "later": "later turn", "kept": "turn of a kept process"}


class Step(NamedTuple):
    """One step of the check."""

    name: str
    needs: tuple[str, ...]
    """The steps without which this one has nothing to look at, or would only say the same again."""
    run: Callable[[Bench], str]


def start(bench: Bench) -> str:
    """The program starts, takes a first line and comes to an end by itself."""
    played = bench.opening()
    answer = played.answers[0]
    if answer.verdict in ("RE", "TLE", "MLE"):
        raise failure(played.place, answer.problem, answer.verdict, played.turn)
    keeps = "asks to be kept running" if bench.asks_to_keep_running else "ended with exit code 0"
    return f"it took a first line, and {keeps} after {answer.seconds:.2f} s"


def output(bench: Bench) -> str:
    """Standard output is one JSON object; one on several lines passes, with a warning."""
    played = bench.opening()
    answer = played.answers[0]
    if not answer.ok:
        raise failure(played.place, answer.problem, answer.verdict, played.turn)
    lines = lines_of_answer(played.turn.output) if played.turn else 1
    if lines > 1:
        said = f"it printed JSON over {lines} lines with the response {answer.response}"
        return f"{said}; the site promises to read one: print it on one line"
    return f"it printed one line of JSON with the response {answer.response}"


def _scenes(bench: Bench, scenes: Iterable[Scene], advice: str) -> list[Played]:
    return [checked(bench.scene(scene), advice) for scene in scenes if scene.game in bench.games]


def _said(played: Sequence[Played]) -> str:
    return ", ".join(str(scene.answers[-1].response) for scene in played)


def lead(bench: Bench) -> str:
    """The landlord's first move."""
    return f"it led legally: {_said(_scenes(bench, LEADS, TO_LEAD))}"


def follow(bench: Bench) -> str:
    """A peasant's move over each kind that the landlord may lead."""
    played = _scenes(bench, FOLLOWS, TO_FOLLOW)
    laid = sum(bool(scene.answers[-1].response) for scene in played)
    return f"it followed legally {len(played)} times, {laid} of them with cards"


def forced_pass(bench: Bench) -> str:
    """Over the rocket there is only the pass."""
    return f"it passed over the rocket {len(_scenes(bench, PASSES, TO_PASS))} times"


def bid(bench: Bench) -> str:
    """Bids are 0, or above all earlier ones."""
    played = _scenes(bench, BIDS, TO_BID)
    if not played:
        raise NotAskedForError("the game has no auction")
    return f"it bid legally in {len(played)} auctions: {', '.join(sorted({_said([one]) for one in played}))}"


def envelope(bench: Bench) -> str:
    """The optional keys of the envelope may be there, be null, or be missing."""
    seconds = bench.terms.limits.first_turn
    mib = round(bench.terms.limits.memory_mib)
    empty = {"data": None, "globaldata": None}
    lines = {
        "an envelope with all six keys": bench.line(**empty, time_limit=round(1000 * seconds), memory_limit=mib),
        "an envelope with text for its limits": bench.line(**empty, time_limit=f"{seconds:g}", memory_limit=f"{mib}"),
        "an envelope with null for its limits": bench.line(**empty, time_limit=None, memory_limit=None),
    }
    for name, line in lines.items():
        raw = bench.raw(line)
        answer = raw.answer
        if not answer.ok:
            raise failure(name, answer.problem, answer.verdict, raw.turn)
        referee = make_referee(bench.games[0], DEALS[bench.games[0]], "")
        referee.first()
        referee.answer({"0": {"verdict": "OK", "response": answer.response}})
        if referee.faults:
            raise failure(name, f"it was refused: {referee.faults[0].sentence}", "OK", raw.turn)
    return "it answered with all six keys in the envelope, as numbers, as text and as null"


def restart(bench: Bench) -> str:
    """A fresh process goes on from the whole history."""
    return f"a fresh process went on with the whole history in turn {RESTARTED_TURN}: " + ", ".join(
        _restart(bench, game) for game in bench.games
    )


def _restart(bench: Bench, game: str) -> str:
    for number in range(RESTARTED_GAMES):
        played = checked(bench.restarted_game(game, number), TO_RESTART, ("OK", "RE", "NJ"))
        if len(played.answers) >= RESTARTED_TURN:
            return str(played.answers[RESTARTED_TURN - 1].response)
    raise NotAskedForError(f"{game}: no game of {RESTARTED_GAMES} came to turn {RESTARTED_TURN} of the bot")


def bad_input(bench: Bench) -> str:
    """On a line without sense it must answer or end, with whatever exit code."""
    for name, line in BAD_LINES.items():
        turn = bench.last_line(line)
        if turn.end is End.TIME and not turn.asks_to_keep_running:
            seconds = bench.terms.patience * bench.terms.limits.first_turn
            raise NonComplianceError(f"{name}: it neither answered nor ended within {seconds:g} s; {TO_END}", turn.turn)
        if turn.end in (End.MEMORY, End.OUTPUT):
            raise failure(name, turn.answer.problem, turn.answer.verdict, turn.turn)
    return f"it answered or ended on each of {len(BAD_LINES)} bad lines"


def _watch(bench: Bench) -> None:
    """Gives a tally something to count, if no step before it did."""
    if not bench.notes:
        for game in bench.games:
            bench.game(game, 0, kept=False)


def hygiene(bench: Bench) -> str:
    """Standard error is empty, as some judges read it with standard output; debug and data are not too long."""
    _watch(bench)
    notes = [note for note in bench.notes if note.answer.ok]
    for place, _, answer, turn in notes:
        if answer.stderr.strip():
            words = answer.stderr.strip().splitlines()[-1]
            sentence = f"{place}: it wrote {words!r} to standard error; let it write nothing there"
            raise NonComplianceError(sentence, turn)
        for name, most in LENGTHS.items():
            length = _length(getattr(answer, name))
            if length > most:
                raise NonComplianceError(f"{place}: {name} has {length} bytes; let it have at most {most}", turn)
    return f"nothing on standard error, and no long debug or data, in {len(notes)} turns"


def _length(value: Any) -> int:
    text = value if isinstance(value, str) else json.dumps(value)
    return len(text.encode("utf-8", "surrogatepass"))


def duration(bench: Bench) -> str:
    """The slowest turns stay below the platform's limits."""
    _watch(bench)
    limits = bench.terms.limits
    allowed = {"first": limits.first_turn, "later": limits.later_turn, "kept": limits.keep_running_turn}
    seen = []
    for phase, name in PHASES.items():
        notes = [note for note in bench.notes if note.phase == phase]
        if not notes:
            continue
        slowest = max(notes, key=lambda note: note.answer.seconds)
        seconds = slowest.answer.seconds
        if seconds > allowed[phase]:
            what = f"this {name} took {seconds:.2f} s, and {allowed[phase]:g} s are allowed"
            raise failure(slowest.place, what, "TLE", slowest.turn)
        seen.append(f"{name} {seconds:.2f} of {allowed[phase]:g} s")
    return f"slowest: {', '.join(seen)}"


def memory(bench: Bench) -> str:
    """The peak of memory stays below the platform's limit."""
    _watch(bench)
    most = max(bench.notes, key=lambda note: note.answer.peak_mib)
    peak, limit = most.answer.peak_mib, bench.terms.limits.memory_mib
    if peak > limit:
        raise failure(most.place, f"it used {peak:.0f} MiB of memory, and {limit:g} MiB are allowed", "MLE", most.turn)
    return f"peak {peak:.0f} of {limit:g} MiB"


ANSWERS = ("output", "lead", "follow", "forced-pass", "bid")

STEPS = (
    Step("start", (), start),
    Step("output", ("start",), output),
    Step("lead", ("output",), lead),
    Step("follow", ("output",), follow),
    Step("forced-pass", ("output",), forced_pass),
    Step("bid", ("output",), bid),
    Step("envelope", ("output", "lead", "bid"), envelope),
    Step("restart", ANSWERS, restart),
    Step("games", (*ANSWERS, "restart"), games),
    Step("keep-running", ANSWERS, keep_running),
    Step("bad-input", ("start",), bad_input),
    Step("hygiene", ("output",), hygiene),
    Step("time", ("start",), duration),
    Step("memory", ("start",), memory),
)
"""In the order in which they run; a step has its number from 1."""
