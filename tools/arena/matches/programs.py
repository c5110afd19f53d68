"""Games with a program at the table: through the judge's referee, in the judge's messages."""

from collections.abc import Mapping, Sequence
from typing import Any

from ddzbot.cards import RANK_COUNT, Hand, count
from ddzbot.engine import Engine
from ddzbot.game import SEATS, Deal, Scores
from ddzbot.protocol.botzone import rebuild
from ddzbot.rules import RuleSet
from ddzbot.search.limit import Limit
from ddzbot.view import BidView

from ...judge.game import Bot, JudgeGame
from ...judge.process import BotProcess
from ...judge.process_answer import Answer
from ...judge.process_limits import Limits
from ...referee.games import GAME_OF_RULES, make_referee
from ...shared.contestants import Contestant
from .outcome import Asked, Fault, GameOutcome
from .table import timed

ILLEGAL = "ILLEGAL"
"""The verdict on an answer that came in time and that the referee refused."""


def check_rules(rules: RuleSet) -> None:
    """
    Refuses rules that the judge's messages cannot express.

    :raises ValueError: for all but the rule sets of the judge's games.
    """
    if rules.name not in GAME_OF_RULES:
        raise ValueError(f"programs play {', '.join(GAME_OF_RULES)}, not {rules.name}: no judge speaks it")


class EngineBot:
    """A player of this process in the shape of a bot process."""

    mode = "in-process"
    limits = Limits()

    def __init__(self, name: str, engine: Engine, limit: Limit) -> None:
        self.name = name
        self.command = [name]
        self._engine = engine
        self._limit = limit
        self.seed = 0
        self.position = 0
        self.asked: list[Asked] = []
        """Each decision that left a choice."""

    def turn(
        self, requests: Sequence[Any], responses: Sequence[Any], data: Any = None, globaldata: Any = None
    ) -> Answer:
        """Answers the last request."""
        self._engine.reseed(self.seed)
        turn = rebuild(requests, responses)
        if isinstance(turn.view, BidView):
            return Answer("OK", self._engine.bid(turn.view).bid)
        decision = timed(self._engine, turn.view, self._limit, self.position, self.asked)
        return Answer("OK", turn.ids(decision.move.cards))


class ProgramTable:
    """The contestants of a match of which at least one is a program. :meth:`close` ends its processes."""

    def __init__(self, rules: RuleSet, limit: Limit, contestants: Mapping[str, Contestant]) -> None:
        """
        Starts nothing yet: a program's process starts with its first turn.

        :raises ValueError: for rules that the judge's messages cannot express.
        """
        check_rules(rules)
        self._rules = rules
        self._bots: dict[tuple[str, int], Bot] = {}
        for letter, contestant in contestants.items():
            for position in range(SEATS):
                if contestant.is_program:
                    self._bots[letter, position] = BotProcess(
                        contestant.command, name=contestant.spec, cwd=contestant.home or None
                    )
                else:
                    self._bots[letter, position] = EngineBot(contestant.spec, contestant.engine(), limit)

    def close(self) -> None:
        """Ends all processes."""
        for bot in self._bots.values():
            if isinstance(bot, BotProcess):
                bot.close()

    def play(self, deal: Deal, seating: str, seeds: Sequence[int]) -> GameOutcome:
        """Plays one game; *seating* gives the contestant's letter by position, *seeds* the seed by position."""
        bots = [self._bots[letter, position] for position, letter in enumerate(seating)]
        for position, bot in enumerate(bots):
            if isinstance(bot, EngineBot):
                bot.position, bot.seed, bot.asked = position, seeds[position], []
        match = JudgeGame(make_referee(GAME_OF_RULES[self._rules.name], initdata_of(deal), ""), bots)
        asked: list[Asked] = []
        before = match.referee.game
        for turn in match.turns():
            if turn.asked is not None and turn.answer is not None and not isinstance(bots[turn.asked], EngineBot):
                ply = None if before is None else len(before.plays)
                asked.append(_asked_of_program(turn.asked, ply, turn.answer))
            before = turn.game
        self.close()  # The next game starts another process anyway, and these would wait in memory for it.
        for bot in bots:
            if isinstance(bot, EngineBot):
                asked += bot.asked
        return _outcome(match, sorted(asked, key=lambda decision: decision.position))


def _outcome(match: JudgeGame, asked: list[Asked]) -> GameOutcome:
    game = match.referee.game
    faults = [
        Fault(fault.player, fault.verdict if fault.verdict != "OK" else ILLEGAL, fault.sentence)
        for fault in match.faults
    ]
    landlord = game.landlord_position if game else 0
    won = game.winner == 0 if game and game.finished else match.scores[landlord] > 0
    scores: Scores = tuple(match.scores[(landlord + seat) % SEATS] for seat in range(SEATS))  # type: ignore[assignment]
    return GameOutcome(game, landlord, won, scores, asked, faults, tuple(match.referee.bids))


def _asked_of_program(position: int, ply: int | None, answer: Answer) -> Asked:
    debug = answer.debug if isinstance(answer.debug, dict) else {} if answer.debug is None else {"debug": answer.debug}
    return Asked.of_program(position, ply, 1000 * answer.seconds, debug)


def initdata_of(deal: Deal) -> dict[str, Any]:
    """Gets the judge's form of a deal. Suits mean nothing: each rank's ids go to the hands in turn."""
    free = {rank: iter(range(4 * rank if rank < 13 else 39 + rank, 54)) for rank in range(RANK_COUNT)}

    def ids(hand: Hand) -> list[int]:
        return [next(free[rank]) for rank in range(RANK_COUNT) for _ in range(count(hand, rank))]

    bottom = ids(deal.bottom)
    hands = [ids(hand) for hand in deal.hands]
    if not deal.rules.bidding:
        hands[0] = bottom + hands[0]
    return {"allocation": hands, "publiccard": bottom}
