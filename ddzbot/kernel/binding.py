"""The kernel's functions for Python callers: lists of moves, random games and fewest moves through the C library."""

import struct
from array import array
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from ddzbot import rules_reference as reference
from ddzbot.cards import Hand
from ddzbot.game import Game, Scores
from ddzbot.kernel.codec import (
    GAME,
    LISTING,
    MOVE,
    NO_SEAT,
    PAID,
    RANDOM,
    TOTALS,
    game_fields,
    pack_shapes,
    pack_terms,
    start_fields,
    unpack_moves,
)
from ddzbot.kernel.library import KernelError, Library, Memory
from ddzbot.kernel.objects import Builtins, Shelf
from ddzbot.kernel.rng import Generator
from ddzbot.rules import Lister, Move, RuleSet

_USUAL_MOVES = 4096
_MOST_MOVES = 65536
_MOST_READINGS = 64
NO_KIND = -1
"""The kind of a table without a move."""


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


class _Listing:
    """
    One list of moves of a rule set: the question, a ddz_listing, and the room for its answer.

    All arguments lie in one record, which ctypes passes on as it is: to convert one takes as long as to list a follow.
    """

    def __init__(self, library: Library, compiled: "Compiled", capacity: int = _USUAL_MOVES) -> None:
        self.moves, self._record = Memory(MOVE.size * capacity), Memory(LISTING.size + 8 * capacity)
        where = (self.moves.address, self._record.address + LISTING.size, capacity)
        LISTING.pack_into(self._record.bytes, 0, compiled.address, 0, 0, NO_KIND, *where, 0, 0)
        self.situation = self._record.bytes.cast("q")[1:4]
        """Hand, table's cards and table's kind."""
        self.cards = self._record.words()[LISTING.size // 8 :]
        self.run = library.prepared("ddz_list", self._record)
        self.told = self._record.counts()[LISTING.size // 4 - 2 : LISTING.size // 4]
        """The number of moves, and whether their cards alone tell which moves they are."""


class Compiled:
    """A rule set, compiled for the kernel, with the room for its lists of moves."""

    def __init__(self, library: Library, rules: RuleSet) -> None:
        self.rules = rules
        self.shelf = Shelf(library)
        self.memory = Memory(library.sizes["ddz_rules"])
        self.address = self.memory.address
        self.free: List[_Listing] = []
        try:
            legal, seen, terms = pack_shapes(rules.legal), pack_shapes(rules.recognised), pack_terms(rules)
        except struct.error as error:
            raise KernelError(f"rules {rules.name}: {error}") from None
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
        self._builtins = Builtins(self.library, self._listed_otherwise)

    def compiled(self, rules: RuleSet) -> Compiled:
        """
        Gets *rules* in the kernel's form, made once.

        :raises KernelError: if the kernel refuses them.
        """
        # By identity: to hash a rule set takes as long as to list a hand's moves. The entry keeps the object alive.
        record = self._compiled.get(id(rules))
        if record is None:
            # If several threads make it at once, all get the first one: its address may be in use already.
            record = self._compiled.setdefault(id(rules), Compiled(self.library, rules))
            self._builtins.add(rules, record.address, record.shelf)
        return record

    def lister(self) -> Lister:
        """Gets what lists moves and readings by it, for :func:`ddzbot.rules.answer_by`."""
        own = self._builtins
        at_once = (own.game_moves, own.game_play, own.game_seen)
        return Lister(self.name, own.legal_moves, self.classify, (KernelError,), *at_once)

    def legal_moves(self, rules: RuleSet, hand: Hand, to_beat: Optional[Move] = None) -> List[Move]:
        """
        Lists the legal moves: the same list as :func:`ddzbot.rules_reference.legal_moves`.

        Cards that are in no deck of 54 the kernel refuses; for them the reference answers.

        :raises KernelError: if the kernel refuses the rule set.
        :raises RulesError: if *to_beat* is a pass.
        """
        return self._builtins.legal_moves(rules, hand, to_beat)

    def _listed_otherwise(self, rules: RuleSet, hand: Hand, to_beat: Optional[Move]) -> List[Move]:
        """Lists moves that come for the first time, more than usual, and those of cards that the kernel refuses."""
        compiled = self.compiled(rules)
        try:
            listing = compiled.free.pop()  # no other thread has it until it is back
        except IndexError:
            listing = _Listing(self.library, compiled)
        situation = listing.situation
        try:
            situation[0] = hand
            if to_beat is None:
                situation[1], situation[2] = 0, NO_KIND
            elif to_beat[0]:
                situation[1], situation[2] = to_beat[0], to_beat[1]
            else:
                return reference.legal_moves(rules, hand, to_beat)  # which refuses a pass
        except ValueError:  # beyond 64 bits
            return reference.legal_moves(rules, hand, to_beat)
        if listing.run():
            large = _Listing(self.library, compiled, _MOST_MOVES)
            large.situation[:] = listing.situation
            return reference.legal_moves(rules, hand, to_beat) if large.run() else _read_moves(compiled.shelf, large)
        moves = _read_moves(compiled.shelf, listing)
        compiled.free.append(listing)
        return moves

    def classify(self, rules: RuleSet, cards: Hand, recognised: bool = False) -> List[Move]:
        """
        Lists the readings of *cards*, as :func:`ddzbot.rules_reference.classify` does, and as :meth:`legal_moves`
        refuses.
        """
        compiled = self.compiled(rules)
        if cards >> 60:
            return reference.classify(rules, cards, recognised)
        moves, count = Memory(MOVE.size * _MOST_READINGS), Memory(4)
        where = (moves.address, _MOST_READINGS, count.address)
        status = self.library.status("ddz_classify", compiled.address, cards, recognised, *where)
        return reference.classify(rules, cards, recognised) if status else unpack_moves(moves.bytes, count.counts()[0])

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

    def replay(
        self, rules: RuleSet, hands: Sequence[Hand], stake: int, moves: Sequence[Hand]
    ) -> Optional[Tuple[Optional[int], Optional[Scores]]]:
        """
        Plays moves of these cards, one after the other; the first of the three hands leads.

        Gets the seat that goes out and what each seat is paid, None for both while the game runs. None if the rules
        refuse a move, of which :func:`ddzbot.rules.explain` says why, or the kernel the hands.

        :raises KernelError: if the kernel refuses the rules.
        """
        legal, scores, cards = GAME.size, GAME.size + 8, GAME.size + 8 + PAID.size
        record = Memory(cards + 8 * len(moves))
        GAME.pack_into(record.bytes, 0, *start_fields(hands, stake))
        try:
            record.words()[cards // 8 : cards // 8 + len(moves)] = array("Q", moves)
        except OverflowError:
            return None  # no cards of any deck
        where = [record.address + offset for offset in (0, cards, legal, scores)]
        status = self.library.status("ddz_replay", self.compiled(rules).address, *where[:2], len(moves), *where[2:])
        if status or record.counts()[legal // 4] < len(moves):
            return None
        *_, winner, _ = GAME.unpack_from(record.bytes)
        if winner == NO_SEAT:
            return None, None
        landlord, down, up = PAID.unpack_from(record.bytes, scores)
        return winner, (landlord / 200, down / 200, up / 200)

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
        tables = self._splits.get(id(rules))
        if tables is None:
            made = Memory(self.library.sizes["ddz_splits"])
            self.library.call("ddz_splits_init", self.compiled(rules).address, made.address)
            tables = self._splits.setdefault(id(rules), made)  # as above
        return tables.address


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


def _read_moves(shelf: Shelf, listing: _Listing) -> List[Move]:
    count, first_readings = listing.told
    if not first_readings:
        return unpack_moves(listing.moves.bytes, count)
    known, cards = shelf.known, listing.cards[:count].tolist()
    try:
        return [known[each] for each in cards]
    except KeyError:
        for at, each in enumerate(cards):
            if each not in known:
                shelf.add(*unpack_moves(listing.moves.bytes[MOVE.size * at :], 1))
        return [known[each] for each in cards]
