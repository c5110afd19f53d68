"""The kernel's functions for Python callers: lists of moves, random games and fewest moves through the C library."""

import struct
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from ddzbot import rules as specification
from ddzbot.cards import Hand
from ddzbot.game import Game
from ddzbot.kernel.codec import GAME, MOVE, RANDOM, TOTALS, game_fields, pack_shapes, pack_terms, unpack_moves
from ddzbot.kernel.library import BAD_CARDS, SHORT_BUFFER, KernelError, Library, Memory
from ddzbot.kernel.rng import Generator
from ddzbot.rules import PASS, Move, RuleSet

_USUAL_MOVES = 4096
_MOST_MOVES = 65536


class Totals(NamedTuple):
    """Sums over finished games."""

    games: int
    wins: Tuple[int, int, int]
    """In how many games each seat went out first."""
    plies: int
    """Moves and passes, those from before the playouts too."""
    bombs: int
    """Bombs and rockets played, likewise."""
    scores: Tuple[int, int, int]
    """Two-hundredths of a point by seat: the unit in which every platform's score is a whole number."""


class _Scratch:
    """Where the kernel writes a list of moves: the records, how many, and whether their cards have one reading."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.moves = Memory(MOVE.size * capacity)
        self.words = self.moves.words()
        facts = Memory(8)
        self.facts = facts.counts()
        self.facts_address = facts.address


class Compiled:
    """
    A rule set, compiled for the kernel.

    ``known`` keeps one :class:`Move` for each set of cards, because to build a tuple takes longer than to list a
    move. It holds first readings only, at most some ten thousand.
    """

    def __init__(self, library: Library, rules: RuleSet) -> None:
        self.rules = rules
        self.known: Dict[Hand, Move] = {0: PASS}
        self.memory = Memory(library.sizes["ddz_rules"])
        self.address = self.memory.address
        legal, seen, terms = pack_shapes(rules.legal), pack_shapes(rules.recognised), pack_terms(rules)
        library.call("ddz_rules_init", self.address, legal, len(rules.legal), seen, len(rules.recognised), terms)


class Kernel:
    """
    A loaded kernel.

    For example ``Kernel(path).legal_moves(BOTZONE, parse_hand("3334"))``. Threads may share one.

    :raises KernelError: if the library at *path* is not a kernel of this version.
    """

    name = "kernel"

    def __init__(self, path: str) -> None:
        self.library = Library(path)
        self._compiled: Dict[int, Compiled] = {}
        self._splits: Dict[int, Memory] = {}
        self._free: List[_Scratch] = []
        self._moves = self.library.function("ddz_moves")

    def compiled(self, rules: RuleSet) -> Compiled:
        """
        Gets *rules* in the kernel's form, made once.

        :raises KernelError: if the kernel refuses them.
        """
        # By identity: to hash a rule set takes as long as to list a hand's moves. The entry keeps the object alive.
        found = self._compiled.get(id(rules))
        if found is None:
            # If several threads make it at once, all get the first one: its address may be in use already.
            found = self._compiled.setdefault(id(rules), Compiled(self.library, rules))
        return found

    def legal_moves(self, rules: RuleSet, hand: Hand, to_beat: Optional[Move] = None) -> List[Move]:
        """
        Lists the legal moves: the same list as :func:`ddzbot.rules.legal_moves`.

        Cards that are in no deck of 54 the kernel refuses; for them the rules themselves answer.

        :raises KernelError: if the kernel refuses the rule set.
        :raises RulesError: if *to_beat* is a pass.
        """
        compiled = self._compiled.get(id(rules)) or self.compiled(rules)
        scratch = self._scratch()
        try:
            status = self._list(scratch, compiled, hand, to_beat)
            if status == SHORT_BUFFER:
                scratch = _Scratch(_MOST_MOVES)
                status = self._list(scratch, compiled, hand, to_beat)
            return _read_moves(compiled, scratch) if status == 0 else specification.legal_moves(rules, hand, to_beat)
        finally:
            self._free.append(scratch)

    def _scratch(self) -> _Scratch:
        try:
            return self._free.pop()
        except IndexError:
            return _Scratch(_USUAL_MOVES)

    def _list(self, scratch: _Scratch, compiled: Compiled, hand: Hand, to_beat: Optional[Move]) -> int:
        cards, kind = (0, -1) if to_beat is None else to_beat[:2]
        if hand >> 60 or cards >> 60 or (to_beat and not cards):
            return BAD_CARDS  # ctypes would cut off what is above 64 bits, and the rules say why no pass can be beaten
        facts = scratch.facts_address
        moves, room = scratch.moves.address, scratch.capacity
        return int(self._moves(compiled.address, hand, cards, kind, moves, room, facts, facts + 4))

    def classify(self, rules: RuleSet, cards: Hand, recognised: bool = False) -> List[Move]:
        """Lists the readings of *cards*, as :func:`ddzbot.rules.classify` does, and as :meth:`legal_moves` refuses."""
        scratch = self._scratch()
        try:
            where = (scratch.moves.address, scratch.capacity, scratch.facts_address)
            status = BAD_CARDS
            if not cards >> 60:
                compiled = self.compiled(rules)
                status = self.library.status("ddz_classify", compiled.address, cards, recognised, *where)
            return _unpacked(scratch) if status == 0 else specification.classify(rules, cards, recognised)
        finally:
            self._free.append(scratch)

    def random_move(self, rules: RuleSet, hand: Hand, to_beat: Optional[Move], generator: Generator) -> Move:
        """
        Draws one legal move, each set of cards with exactly the same probability.

        :raises KernelError: if there is none, or the kernel refuses the cards.
        """
        record = Memory(MOVE.size)
        with LentGenerator(generator) as random:
            self.library.call("ddz_random_move", *self._situation(rules, hand, to_beat), random, record.address)
        return Move(*MOVE.unpack(record.bytes))

    def _situation(self, rules: RuleSet, hand: Hand, to_beat: Optional[Move]) -> Tuple[int, int, int, int]:
        cards, kind = (0, -1) if to_beat is None else to_beat[:2]
        if hand >> 60 or cards >> 60:
            raise KernelError(f"hand {hand}: these cards are in no deck")
        return self.compiled(rules).address, hand, cards, kind

    def playouts(self, game: Game, count: int, generator: Generator) -> Totals:
        """
        Plays *count* games from where *game* stands to the end, every move drawn by :meth:`random_move`.

        :raises KernelError: if *game* is over, or its cards are no deck.
        """
        record = Memory(GAME.size)
        totals = Memory(TOTALS.size)
        GAME.pack_into(record.bytes, 0, *game_fields(game))
        with LentGenerator(generator) as random:
            where = (record.address, count, random, totals.address)
            self.library.call("ddz_playouts", self.compiled(game.rules).address, *where)
        games, first, second, third, plies, bombs, *scores = TOTALS.unpack(totals.bytes)
        return Totals(games, (first, second, third), plies, bombs, (scores[0], scores[1], scores[2]))

    def fewest_moves(self, rules: RuleSet, hand: Hand) -> int:
        """
        Counts the fewest legal leads that empty *hand*; exact. For example, ``33345`` needs 2.

        :raises KernelError: for more than 20 cards, or cards that are in no deck.
        """
        fewest = Memory(4)
        if hand >> 60:
            raise KernelError(f"hand {hand}: these cards are in no deck")
        self.library.call("ddz_fewest_moves", self.splits(rules), hand, fewest.address)
        return int(fewest.counts()[0])

    def fewest_moves_of(self, rules: RuleSet, hands: Sequence[Hand]) -> List[int]:
        """
        Counts the same for each of several hands.

        :raises KernelError: as :meth:`fewest_moves`.
        """
        if any(hand >> 60 for hand in hands):
            raise KernelError("one of the hands is in no deck")
        given = Memory.of(struct.pack(f"={len(hands)}Q", *hands))
        fewest = Memory(max(1, len(hands)))
        where = (given.address, len(hands), fewest.address)
        self.library.call("ddz_fewest_moves_batch", self.splits(rules), *where)
        return list(fewest.bytes[: len(hands)])

    def splits(self, rules: RuleSet) -> int:
        """Gets the address of the tables that splitting needs under *rules*, made on first use."""
        found = self._splits.get(id(rules))
        if found is None:
            made = Memory(self.library.sizes["ddz_splits"])
            self.library.call("ddz_splits_init", self.compiled(rules).address, made.address)
            found = self._splits.setdefault(id(rules), made)  # as above
        return found.address


class LentGenerator:
    """Lends a generator to the kernel, and takes back where it stands."""

    def __init__(self, generator: Generator) -> None:
        self._generator = generator
        self._memory = Memory(RANDOM.size)

    def __enter__(self) -> int:
        RANDOM.pack_into(self._memory.bytes, 0, *self._generator.state)
        return self._memory.address

    def __exit__(self, *_: object) -> None:
        self._generator.state = list(RANDOM.unpack(self._memory.bytes))


def _unpacked(scratch: _Scratch) -> List[Move]:
    return unpack_moves(scratch.moves.bytes, scratch.facts[0])


def _read_moves(compiled: Compiled, scratch: _Scratch) -> List[Move]:
    count, first_readings = scratch.facts.tolist()
    if not first_readings:
        return _unpacked(scratch)
    try:
        return list(map(compiled.known.__getitem__, scratch.words[: 2 * count : 2].tolist()))
    except KeyError:
        moves = _unpacked(scratch)
        compiled.known.update((move.cards, move) for move in moves)
        return moves
