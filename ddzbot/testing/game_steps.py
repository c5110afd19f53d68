"""The question about whole games: the landlord, the player to move, the move to beat, and the payments."""

from random import Random
from typing import Any, Dict, Iterator, List, Tuple

from ddzbot.cards import RANK_COUNT, UNIT, count, hand_text
from ddzbot.game import HIGHEST_BID, SEATS, Deal, Game, auction, is_legal_bid, start
from ddzbot.rules import BOMB, ROCKET, RuleSet
from ddzbot.testing.deciding import BEATS, Deciding
from ddzbot.testing.questions import Difference, Question, malformed

_FIELDS = {
    "landlord": ("the-auction", "the highest bidder is the landlord, and position 0 if all bid 0 or there is no bid"),
    "turn": (BEATS, "the positions take turns from the landlord on, until a hand is empty"),
    "to_beat": (BEATS, "the last cards must be beaten, unless two passes followed them"),
    "scores": ("payment", "the rule set says how a game is paid"),
}


_SILENT: Tuple[Tuple[int, ...], ...] = ((), (), (), (), (0,), (1, 2))
"""The seats that pass whenever that is allowed, which makes springs and anti-springs."""


def expected(game: Game) -> Dict[str, Any]:
    """Gets what a program has to say of a game, by position; scores are None until a hand is empty."""
    places = [(position - game.landlord_position) % SEATS for position in range(SEATS)]
    return {
        "landlord": game.landlord_position,
        "turn": None if game.finished else (game.landlord_position + game.seat) % SEATS,
        "to_beat": hand_text(game.to_beat.cards) if game.to_beat else "",
        "scores": [game.scores()[seat] for seat in places] if game.finished else None,
    }


def asked(rules: RuleSet, game: Game) -> Dict[str, Any]:
    """Gets a game so far as a program is asked about it: hands as dealt, by position, bottom, bids and moves."""
    hands = [game.hands[seat] + sum(move.cards for move in game.plays[seat::SEATS]) for seat in range(SEATS)]
    hands[0] -= game.bottom
    return {
        "hands": [hand_text(hands[(position - game.landlord_position) % SEATS]) for position in range(SEATS)],
        "bottom": hand_text(game.bottom),
        "bids": list(game.bids),
        "moves": [str(move) for move in game.plays],
    }


def random_game(rules: RuleSet, generator: Random) -> Game:
    """Plays a random game to its end, with an auction where there is one; in some, seats play only what they must."""
    deck = [UNIT[rank] for rank in range(RANK_COUNT) for _ in range(count(rules.deck, rank))]
    generator.shuffle(deck)
    first, second, third = (sum(deck[rules.dealt * index : rules.dealt * (index + 1)]) for index in range(SEATS))
    bids: Tuple[int, ...] = ()
    while rules.bidding and auction(bids) is None:
        bids += (generator.choice([bid for bid in range(HIGHEST_BID + 1) if is_legal_bid(bids, bid)]),)
    over = auction(bids) if rules.bidding else None
    game = start(Deal(rules, (first, second, third), sum(deck[rules.dealt * SEATS :])), bids, over[0] if over else 0)
    silent = generator.choice(_SILENT)
    while not game.finished:
        moves = game.legal_moves()
        if moves[0].is_pass and game.seat in silent and game.plays:
            game = game.played(moves[0])
            continue
        # A player that may play many cards mostly does: otherwise most games are long, and all are alike.
        largest = max(moves, key=lambda move: move.size)
        game = game.played(largest if generator.random() < 0.5 else generator.choice(moves))
    return game


def prefixes(game: Game) -> Iterator[Game]:
    """Yields a game after each of its moves, from the first lead on."""
    begin = _begin(game)
    yield begin
    for move in game.plays:
        begin = begin.played(move)
        yield begin


def _begin(game: Game) -> Game:
    played = [sum(move.cards for move in game.plays[seat::SEATS]) for seat in range(SEATS)]
    hands = (game.hands[0] + played[0], game.hands[1] + played[1], game.hands[2] + played[2])
    return game._replace(hands=hands, plays=())


def _random(rules: RuleSet, seed: int) -> Iterator[Game]:
    generator = Random(f"{rules.name} games {seed}")
    while True:
        game = random_game(rules, generator)
        moments = list(prefixes(game))
        yield from (game, *generator.sample(moments, min(3, len(moments))))


def _differences(rules: RuleSet, game: Game, answer: Any) -> Iterator[Difference]:
    where = f"game {' '.join(str(move) for move in game.plays) or 'before the first move'}"
    if game.bids:
        where += f" (bids {' '.join(map(str, game.bids))})"
    if not isinstance(answer, dict):
        yield malformed(game, where, answer, "an object with {}".format(", ".join(_FIELDS)))
        return
    for field, right in expected(game).items():
        theirs = answer.get(field, right)
        if field == "scores" and _same_scores(theirs, right):
            continue
        if theirs != right:
            heading, sentence = _FIELDS[field]
            features = frozenset(_features(game) if field == "scores" else ())
            deciding = Deciding(field, features, heading, sentence)
            answers = f"{where}: yours says {field} {theirs!r:.60}, the rules {right!r}"
            yield Difference(game, True, deciding, answers)


def _same_scores(said: Any, right: Any) -> bool:
    if not isinstance(said, (list, tuple)) or not right or len(said) != len(right):
        return bool(said == right)
    return all(isinstance(theirs, (int, float)) and abs(theirs - two) < 1e-6 for theirs, two in zip(said, right))


def _features(game: Game) -> List[str]:
    if not game.finished:
        return ["before the end"]
    kinds = {move.kind for move in game.plays}
    sides = [sum(not move.is_pass for move in game.plays[seat::SEATS]) for seat in range(SEATS)]
    return [
        *(["bomb"] if BOMB in kinds else []),
        *(["rocket"] if ROCKET in kinds else []),
        *(["spring"] if not sides[1] + sides[2] else []),
        *(["anti-spring"] if sides[0] == 1 else []),
        *(["all bid 0"] if game.bids and not max(game.bids) else []),
    ]


def _shorter(rules: RuleSet, difference: Difference) -> Iterator[Game]:
    """Yields the earlier moments of the game; what a move changes is not made smaller."""
    for game in prefixes(difference.case):
        if len(game.plays) < len(difference.case.plays):
            yield game


STEPS = Question("game", _random, asked, _differences, _shorter, lambda rules: _begin(random_game(rules, Random(0))))
"""The question about games, as the others of :data:`ddzbot.testing.questions.QUESTIONS`."""
