"""The steps that play whole games, as long as something new comes up."""

import time
from collections.abc import Iterable, Sequence

from ddzbot.game import SEATS

from ...shared.message import Message
from .bench import Bench, PlayedScene
from .compliance import NonComplianceError, NotAskedForError, require_compliance

TO_KEEP = Message("let it print the marker line after every answer, flush it, and wait for the next request")

GAMES_A_ROUND = 15
"""So many arranged games at most, for each of the rounds."""
STALE_A_ROUND = 5
"""After so many without anything new there are no more."""
KEPT_GAMES_A_ROUND = 4
"""What a process forgets from one turn to the next, it forgets in most games."""
MOST_SECONDS = 50.0
"""After so long no further arranged game is begun; each role has one."""


def games(bench: Bench) -> str:
    """Whole games through the judge, with a process for each turn."""
    played = _tour(bench, kept=False)
    sentence = Message(
        "it played {games}, a process for each of {turns} turns", games=_games(played), turns=_turns(played)
    )
    if unseen := bench.unseen():
        sentence = Message("{said}; never seen: {unseen}", said=sentence, unseen=unseen)
    return sentence


def keep_running(bench: Bench) -> str:
    """Whole games through the judge, in one process each."""
    if bench.keep_command is None:
        raise NotAskedForError(Message("the bot does not ask to be kept running, and there is no --keep-running"))
    played = _tour(bench, kept=True)
    games, turns = _games(played), _turns(played)
    return Message("it played {games} in one process each, {turns} turns", games=games, turns=turns)


def _tour(bench: Bench, kept: bool) -> list[PlayedScene]:
    """Plays arranged games as long as something new comes up, then some against a player that plays to win."""
    check = require_kept if kept else require_compliance
    played = []
    for game in bench.games:
        reached, news, start = 0, 0, time.monotonic()
        for index in range((KEPT_GAMES_A_ROUND if kept else GAMES_A_ROUND) * bench.rounds):
            played.append(check(bench.arranged_game(game, index, kept)))
            if bench.reached(game, kept).count > reached:
                reached, news = bench.reached(game, kept).count, index
            slow = index + 1 >= SEATS and time.monotonic() - start > MOST_SECONDS
            if slow or index - news >= STALE_A_ROUND * bench.rounds:
                break
        played += [check(bench.game(game, index, kept)) for index in range(bench.rounds)]
    return played


def require_kept(played: PlayedScene) -> PlayedScene:
    """
    Passes on a game in which the bot had one process for all its turns.

    :raises NonComplianceError: if it did not, or the bot was at fault
    """
    require_compliance(played, TO_KEEP, ("RE",))
    for turn, answer in enumerate(played.answers, 1):
        if turn > played.said + 1 and answer.fresh:
            problem = Message("its process had ended before turn {turn}", turn=turn)
            raise NonComplianceError(
                Message("{place}: {problem}; {advice}", place=played.place, problem=problem, advice=TO_KEEP),
                played.turn,
            )
    return played


def _games(played: Sequence[PlayedScene]) -> Message:
    return Message("1 whole game") if len(played) == 1 else Message("{count} whole games", count=len(played))


def _turns(played: Iterable[PlayedScene]) -> int:
    return sum(len(game.answers) for game in played)
