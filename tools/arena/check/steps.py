"""
What each step of the check does.

A step gets the bench and returns one sentence about what it saw. It raises :class:`NonComplianceError` with a sentence
that ends with what to do, and :class:`NotAskedForError` when there is nothing to check.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ...judge.process_answer import lines_of_answer
from ...judge.process_exchange import End
from ...judge.turn_end import TurnEnd
from ...referee.games import make_referee
from ...shared.json_text import json_text
from ...shared.message import Message, joined, prose
from .bench import RESTARTED_TURN, Bench, PlayedScene
from .compliance import NonComplianceError, NotAskedForError, failure, require_compliance
from .late import after_auctions, kept_positions, late_positions
from .scenes import BIDS, DEALS, FOLLOWS, FTL2, LEADS, PASSES, Scene
from .tour import games, keep_running, require_kept
from .watched import Phase

LENGTHS = {"debug": 1 << 10, "data": 100 << 10, "globaldata": 100 << 10}
"""How many bytes of each the platform takes."""

TO_LEAD = Message("let it lead a move of the game, of cards that it holds")
TO_FOLLOW = Message("let it pass, or play cards that it holds and that beat the last move")
TO_PASS = Message("let it answer [] when it holds no higher move")
TO_BID = Message("let it bid 0, or more than every earlier bid and at most 3")
TO_RESTART = Message("let a fresh process find out everything from the requests and the responses")
TO_PUT = Message("let it answer the last request, whatever was played and bid before")
TO_END = Message("let it end when a line makes no sense, or when its input ends")
NO_AUCTION = Message("the game has no auction")
AUCTION_SECONDS, LATE_SECONDS, KEPT_SECONDS = 10.0, 20.0, 5.0
"""After so long a step asks no further position, and says so: a slow bot should not wait for itself for minutes."""
RESTARTED_GAMES = 9
"""In how many games a bot that never lives to the turn of the restart may sit."""

BAD_LINES = {
    Message("a line of JSON that is cut off"): b'{"requests":[{"own":[0,1,2\n',
    Message("an empty line"): b"\n",
    Message("no line at all"): b"",
    Message("a list in place of the envelope"): b"[]\n",
    Message("an envelope with a number for its requests"): b'{"requests":5,"responses":{}}\n',
    Message(
        "a request with text for cards"
    ): b'{"requests":[{"own":"345","history":7,"publiccard":null}],"responses":[]}\n',
    Message("bytes that are no text"): b"\xff\xfe\x00\n",
}

PHASES: dict[Phase, Message] = {
    "first": Message("first turn"),
    "later": Message("later turn"),
    "kept": Message("turn of a kept process"),
}


class Step(NamedTuple):
    """One step of the check."""

    name: str
    needs: tuple[str, ...]
    """The steps without which this one has nothing to look at, or would only repeat their result."""
    run: Callable[[Bench], str]


def start(bench: Bench) -> str:
    """The program starts, takes a first line and comes to an end by itself."""
    played = bench.opening()
    answer = played.answers[0]
    if answer.verdict in ("RE", "TLE", "MLE"):
        raise failure(played.place, answer.problem, answer.verdict, played.turn)
    seconds = f"{answer.seconds:.2f}"
    if bench.turn_end is TurnEnd.STAYS:
        return Message("it read a line, and asks to be kept running after {seconds} s", seconds=seconds)
    if bench.turn_end is TurnEnd.INPUT:
        return Message("it read its input to the end, and ended with exit code 0 after {seconds} s", seconds=seconds)
    return Message("it read a line, and ended with exit code 0 after {seconds} s", seconds=seconds)


def output(bench: Bench) -> str:
    """Standard output is one JSON object; one on several lines passes, with a warning."""
    played = bench.opening()
    answer = played.answers[0]
    if not answer.ok:
        raise failure(played.place, answer.problem, answer.verdict, played.turn)
    lines = lines_of_answer(played.turn.output) if played.turn else 1
    if lines > 1:
        return Message(
            "it printed JSON over {lines} lines with the response {response}; the site promises to read one: "
            "print it on one line",
            lines=lines,
            response=answer.response,
        )
    return Message("it printed one line of JSON with the response {response}", response=answer.response)


def _scenes(bench: Bench, scenes: Iterable[Scene], advice: str) -> list[PlayedScene]:
    return [require_compliance(bench.scene(scene), advice) for scene in scenes if scene.game in bench.games]


def _words(played: Sequence[PlayedScene]) -> str:
    return ", ".join(str(scene.answers[-1].response) for scene in played)


def lead(bench: Bench) -> str:
    """The landlord's first move."""
    return Message("it led legally: {moves}", moves=_words(_scenes(bench, LEADS, TO_LEAD)))


def follow(bench: Bench) -> str:
    """A peasant's move over each kind that the landlord may lead."""
    played = _scenes(bench, FOLLOWS, TO_FOLLOW)
    with_cards = sum(bool(scene.answers[-1].response) for scene in played)
    return Message(
        "it followed legally {count} times, {played} of them with cards", count=len(played), played=with_cards
    )


def forced_pass(bench: Bench) -> str:
    """Over the rocket there is only the pass."""
    count = len(_scenes(bench, PASSES, TO_PASS))
    return Message("it passed over the rocket {count} times", count=count)


def bid(bench: Bench) -> str:
    """Bids are 0, or above all earlier ones."""
    played = _scenes(bench, BIDS, TO_BID)
    if not played:
        raise NotAskedForError(NO_AUCTION)
    bids = ", ".join(sorted({_words([scene]) for scene in played}))
    return Message("it bid legally in {count} auctions: {bids}", count=len(played), bids=bids)


def envelope(bench: Bench) -> str:
    """The optional keys of the envelope may be there, be null, or be missing."""
    seconds = bench.terms.limits.first_turn
    mib = round(bench.terms.limits.memory_mib)
    empty = {"data": None, "globaldata": None}
    lines = {
        Message("an envelope with all six keys"): bench.line(
            **empty, time_limit=round(1000 * seconds), memory_limit=mib
        ),
        Message("an envelope with text for its limits"): bench.line(
            **empty, time_limit=f"{seconds:g}", memory_limit=f"{mib}"
        ),
        Message("an envelope with null for its limits"): bench.line(**empty, time_limit=None, memory_limit=None),
    }
    for label, line in lines.items():
        raw = bench.raw(line)
        answer = raw.answer
        if not answer.ok:
            raise failure(label, answer.problem, answer.verdict, raw.turn)
        referee = make_referee(bench.games[0], DEALS[bench.games[0]], "")
        referee.first()
        referee.answer({"0": {"verdict": "OK", "response": answer.response}})
        if referee.faults:
            why = prose(referee.faults[0].sentence)
            raise failure(label, Message("it was refused: {why}", why=why), "OK", raw.turn)
    return Message("it answered with all six keys in the envelope, as numbers, as text and as null")


def restart(bench: Bench) -> str:
    """A fresh process continues from the whole history."""
    answers = ", ".join(_restart(bench, game) for game in bench.games)
    sentence = "a fresh process continued from the whole history in turn {turn}: {answers}"
    return Message(sentence, turn=RESTARTED_TURN, answers=answers)


def _restart(bench: Bench, game: str) -> str:
    for index in range(RESTARTED_GAMES):
        played = require_compliance(bench.restarted_game(game, index), TO_RESTART, ("OK", "RE", "NJ"))
        if len(played.answers) >= RESTARTED_TURN:
            return str(played.answers[RESTARTED_TURN - 1].response)
    raise NotAskedForError(
        Message(
            "{game}: no game of {count} came to turn {turn} of the bot",
            game=game,
            count=RESTARTED_GAMES,
            turn=RESTARTED_TURN,
        )
    )


def auction(bench: Bench) -> str:
    """The first turn after every auction, also after bids that the bot would not make."""
    if FTL2 not in bench.games:
        raise NotAskedForError(NO_AUCTION)
    scenes = after_auctions()
    asked = _put(bench, scenes, AUCTION_SECONDS)
    return _part(Message("it answered legally after {count} auctions", count=asked), asked, len(scenes))


def late(bench: Bench) -> str:
    """Positions near the end, to which a bot may never come by itself."""
    scenes = late_positions(bench.games)
    asked = _put(bench, scenes, LATE_SECONDS)
    sentence = _part(Message("it answered legally in {count} late positions", count=asked), asked, len(scenes))
    if bench.keep_command is None:
        return sentence
    scenes = kept_positions(bench.games)
    asked = sum(1 for scene in _in_time(scenes, KEPT_SECONDS) if require_kept(bench.played_on(scene)))
    played_on = Message("in one process each it played on from {count}", count=asked)
    return _part(Message("{said}; {more}", said=sentence, more=played_on), asked, len(scenes))


def _put(bench: Bench, scenes: Sequence[Scene], seconds: float) -> int:
    """Asks a fresh process in each scene; gets how many there was time for."""
    asked = 0
    for scene in _in_time(scenes, seconds):
        played = bench.scene(scene)
        try:
            require_compliance(played, TO_PUT, ("OK", "RE", "NJ"))
        except NonComplianceError as error:
            if bench.needs_data:
                reason = "it needs the data of its earlier turns, which no position has; without them {why}"
                raise NotAskedForError(Message(reason, why=prose(error))) from None
            raise
        asked += 1
    return asked


def _in_time(scenes: Sequence[Scene], seconds: float) -> Iterator[Scene]:
    end = time.monotonic() + seconds
    for scene in scenes:
        if time.monotonic() > end:
            return
        yield scene


def _part(sentence: Message, asked: int, count: int) -> Message:
    if asked == count:
        return sentence
    return Message("{said} of {count}, for which there was time", said=sentence, count=count)


def bad_input(bench: Bench) -> str:
    """On a line without sense it must answer or end, with whatever exit code."""
    for label, line in BAD_LINES.items():
        turn = bench.last_line(line)
        if turn.end is End.TIME and not turn.asks_to_keep_running:
            seconds = bench.terms.patience * bench.terms.limits.first_turn
            raise NonComplianceError(_failed(label, _stuck(seconds), TO_END), turn.turn)
        if turn.end in (End.MEMORY, End.OUTPUT):
            raise failure(label, turn.answer.problem, turn.answer.verdict, turn.turn)
    return Message("it answered or ended on each of {count} bad lines", count=len(BAD_LINES))


def _stuck(seconds: float) -> Message:
    return Message("it neither answered nor ended within {seconds} s", seconds=f"{seconds:g}")


def _failed(place: str, problem: str, advice: str) -> Message:
    return Message("{place}: {problem}; {advice}", place=place, problem=problem, advice=advice)


def _watch(bench: Bench) -> None:
    """Gives a tally something to count, if no step before it did."""
    if not bench.notes:
        for game in bench.games:
            bench.game(game, 0, kept=False)


def hygiene(bench: Bench) -> str:
    """Standard error is empty, as some judges read it with standard output; debug and data are not too long."""
    _watch(bench)
    notes = [note for note in bench.notes if note.answer.ok]
    for label, _, answer, turn in notes:
        if answer.stderr.strip():
            last_line = answer.stderr.strip().splitlines()[-1]
            wrote = Message("it wrote {words} to standard error", words=repr(last_line))
            raise NonComplianceError(_failed(label, wrote, Message("let it write nothing there")), turn)
        for key, most in LENGTHS.items():
            length = _length(getattr(answer, key))
            if length > most:
                problem = Message("{name} has {length} bytes", name=key, length=length)
                raise NonComplianceError(
                    _failed(label, problem, Message("let it have at most {most}", most=most)), turn
                )
    return Message("nothing on standard error, and no long debug or data, in {count} turns", count=len(notes))


def _length(value: Any) -> int:
    text = value if isinstance(value, str) else json_text(value)
    return len(text.encode("utf-8", "surrogatepass"))


def duration(bench: Bench) -> str:
    """The slowest turns stay below the platform's limits."""
    _watch(bench)
    limits = bench.terms.limits
    allowed = {"first": limits.first_turn, "later": limits.later_turn, "kept": limits.keep_running_turn}
    seen = []
    for phase, label in PHASES.items():
        notes = [note for note in bench.notes if note.phase == phase]
        if not notes:
            continue
        slowest = max(notes, key=lambda note: note.answer.seconds)
        seconds = slowest.answer.seconds
        if seconds > allowed[phase]:
            took = {"seconds": f"{seconds:.2f}", "limit": f"{allowed[phase]:g}"}
            problem = Message("this {turn} took {seconds} s, and {limit} s are allowed", turn=label, **took)
            raise failure(slowest.place, problem, "TLE", slowest.turn)
        took = {"seconds": f"{seconds:.2f}", "limit": f"{allowed[phase]:g}"}
        seen.append(Message("{turn} {seconds} of {limit} s", turn=label, **took))
    return Message("slowest: {turns}", turns=joined(seen))


def memory(bench: Bench) -> str:
    """The peak of memory stays below the platform's limit."""
    _watch(bench)
    most = max(bench.notes, key=lambda note: note.answer.peak_mib)
    peak, limit = most.answer.peak_mib, bench.terms.limits.memory_mib
    if peak > limit:
        used = "it used {used} MiB of memory, and {limit} MiB are allowed"
        raise failure(most.place, Message(used, used=f"{peak:.0f}", limit=f"{limit:g}"), "MLE", most.turn)
    return Message("peak {peak} of {limit} MiB", peak=f"{peak:.0f}", limit=f"{limit:g}")


ANSWERS = ("output", "lead", "follow", "forced-pass", "bid")
WHOLE = (*ANSWERS, "restart")

STEPS = (
    Step("start", (), start),
    Step("output", ("start",), output),
    Step("lead", ("output",), lead),
    Step("follow", ("output",), follow),
    Step("forced-pass", ("output",), forced_pass),
    Step("bid", ("output",), bid),
    Step("envelope", ("output", "lead", "bid"), envelope),
    Step("restart", ANSWERS, restart),
    Step("auction", WHOLE, auction),
    Step("late", WHOLE, late),
    Step("games", (*WHOLE, "auction", "late"), games),
    Step("keep-running", ANSWERS, keep_running),
    Step("bad-input", ("start",), bad_input),
    Step("hygiene", ("output",), hygiene),
    Step("time", ("start",), duration),
    Step("memory", ("start",), memory),
)
"""In the order in which they run; a step has its number from 1."""
