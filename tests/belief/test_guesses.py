"""
The guess of the mini report: one test for each sentence of it, and against a program that deals as the report says.

That program deals physical cards: it draws for each rank whether all that are out go to the seat that has played none,
and then tries every way to shuffle the rest.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from scipy.stats import binomtest, chisquare

from ddzbot.belief.certain import BeliefError
from ddzbot.belief.fitted import NUMBERS
from ddzbot.belief.guesses import GUESSERS, Guess, report_guesser
from ddzbot.belief.numbers import Numbers
from ddzbot.belief.ways import World
from ddzbot.belief.worlds import BELIEFS, GuessedWorlds, Worlds, check_belief, worlds_of_belief
from ddzbot.cards import RANK_COUNT, RANKS, UNIT, Hand, count, counts, hand_text, parse_hand, size
from ddzbot.game import SEATS
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.library import Memory
from ddzbot.kernel.rng import Generator
from ddzbot.kernel.worlds import KernelMixture, KernelWays
from ddzbot.rules import MINI, RULE_SETS
from ddzbot.view import View
from tests.belief.examples import late_view, view_of

PERCENT = NUMBERS.mini_percent
WITHOUT_MANY = "33445566778LJQKA2"
"""A hand of landlord_down with no 9, no T and one of each picture."""
DRAWS = 4000
EMPTY = [[1, 0, 0, 0, 0]] * RANK_COUNT


def cards_of(hand: Hand) -> list[Hand]:
    return [UNIT[rank] for rank, copies in enumerate(counts(hand)) for _ in range(copies)]


def dealt(given: tuple[Hand, Hand], rest: list[Hand], room: int) -> Counter[World]:
    """Counts the ways to shuffle *rest* of which the first seat gets so many."""
    found: Counter[World] = Counter()
    for chosen in combinations(range(len(rest)), room):
        first = sum(rest[place] for place in chosen)
        found[World(given[0] + first, given[1] + sum(rest) - first)] += 1
    return found


def as_the_report_deals(view: View) -> dict[World, Fraction]:
    """Gets the probability of every world."""
    seats = [(view.seat + 1) % SEATS, (view.seat + 2) % SEATS]
    room = [view.cards_left(seat) for seat in seats]
    bottom = [view.bottom_left if seat == 0 and view.seat else 0 for seat in seats]
    played = [view.played(seat) for seat in seats]
    found: dict[World, Fraction] = {}

    def shuffle(given: list[Hand], share: Fraction) -> None:
        rest = cards_of(view.unseen - given[0] - given[1])
        ways = dealt((given[0], given[1]), rest, room[0] - size(given[0]))
        for world, number in ways.items():
            found[world] = found.get(world, Fraction(0)) + share * Fraction(number, sum(ways.values()))

    def draw(ranks: str, given: list[Hand], share: Fraction) -> None:
        if not ranks:
            shuffle(given, share)
            return
        rank = RANKS.index(ranks[0])
        out, shown = count(view.unseen, rank), [count(hand, rank) for hand in played]
        applies = out + sum(shown) == 4 and out and min(shown) == 0 < max(shown)
        other = shown.index(0) if applies else 0
        all_of_it = (out - count(given[other], rank)) * UNIT[rank]
        fits = size(given[other] + all_of_it) <= room[other] and not count(given[1 - other], rank)
        if applies and fits:
            more = [*given]
            more[other] += all_of_it
            draw(ranks[1:], more, share * Fraction(PERCENT, 100))
            draw(ranks[1:], given, share * Fraction(100 - PERCENT, 100))
        else:
            draw(ranks[1:], given, share)

    draw(BOMB_RANKS, bottom, Fraction(1))
    return found


def probabilities(worlds: GuessedWorlds) -> dict[World, Fraction]:
    """Gets the same from the guesses, by counting physical cards."""
    total = sum(guess.share for guess in worlds.guesses)
    found: dict[World, Fraction] = {}
    for share, certain in worlds.guesses:
        rest = cards_of(certain.unseen - sum(certain.known))
        ways = dealt(certain.known, rest, certain.sizes[0] - size(certain.known[0]))
        for world, number in ways.items():
            assert certain.allows(*world)
            found[world] = found.get(world, Fraction(0)) + Fraction(share, total) * Fraction(number, sum(ways.values()))
    return found


def report_of(view: View) -> GuessedWorlds:
    return GuessedWorlds(view, GUESSERS["report"])


def supposed(view: View) -> dict[tuple[str, str], Fraction]:
    """Gets what is given to the first and the second hidden seat, beside the bottom, and how often."""
    worlds = report_of(view)
    total = sum(guess.share for guess in worlds.guesses)
    known = worlds.certain.known
    return {
        (hand_text(certain.known[0] - known[0]), hand_text(certain.known[1] - known[1])): Fraction(share, total)
        for share, certain in worlds.guesses
    }


NOTHING = {("", ""): Fraction(1)}
BOMB_RANKS = RANKS[:13]
WITHOUT = {rank: "33344455566677789TJQKA2LB".replace(rank, "")[:17] for rank in BOMB_RANKS}
"""A hand of landlord_down without each of them."""
OFTEN, SELDOM = Fraction(PERCENT, 100), Fraction(100 - PERCENT, 100)

# The sentences. landlord_down sees; landlord_up is the first hidden seat, the landlord the second.


BOTH, APART = view_of(1, WITHOUT_MANY, ["9", "", "", "T", "", ""]), view_of(1, WITHOUT_MANY, ["9", "", "T"])
ONE_OF_TWO = OFTEN * SELDOM


def once(first: str = "", second: str = "") -> dict[tuple[str, str], Fraction]:
    return {(first, second): OFTEN, ("", ""): SELDOM}


@pytest.mark.parametrize(
    ("view", "given"),
    [
        # All that are out go to the seat that played none,
        *(
            (view_of(1, WITHOUT_MANY, [played]), once(given))
            for played, given in (("9", "999"), ("99", "99"), ("999", "9"))
        ),
        (view_of(1, WITHOUT_MANY, ["", "", "9", ""]), once("", "999")),
        (view_of(0, WITHOUT_MANY + "AA2", ["", "9", ""]), once("", "999")),
        # of every rank that can be a bomb,
        *((view_of(1, hand, [rank]), once(3 * rank)) for rank, hand in WITHOUT.items()),
        *((view_of(1, "9TTJJQKA2".replace(rank, "L"), [rank], rules=MINI), once(3 * rank)) for rank in "9KA2"),
        *((view_of(1, "333444555666777QK", [rank]), NOTHING) for rank in "LB"),
        # that both others held whole,
        (view_of(1, WITHOUT_MANY, ["Q"]), NOTHING),
        (view_of(1, "33445566778LQKA2", ["9", "J", "Q"]), once("999")),
        # where exactly one of both played some and some are out.
        (view_of(1, WITHOUT_MANY, [""]), NOTHING),
        (view_of(1, WITHOUT_MANY, ["9", "", "9"]), NOTHING),
        (view_of(1, WITHOUT_MANY, ["9999"]), NOTHING),
        # Each rank has a draw of its own.
        (BOTH, {("999TTT", ""): OFTEN**2, ("999", ""): ONE_OF_TWO, ("TTT", ""): ONE_OF_TWO, ("", ""): SELDOM**2}),
        (APART, {("999", "TTT"): OFTEN**2, ("999", ""): ONE_OF_TWO, ("", "TTT"): ONE_OF_TWO, ("", ""): SELDOM**2}),
        # Cards of the bottom are not given again, nor to another seat.
        (view_of(1, WITHOUT_MANY, ["", "", "9", ""], bottom="9TT"), once("", "99")),
        (view_of(1, WITHOUT_MANY, ["9"], bottom="99T"), NOTHING),
        # landlord_up has five cards left: the lower rank comes first, and there is no room for both.
        (
            view_of(1, "56667777888AAA2LB", ["9", "", "33334444555", "T", "", "2"]),
            {("999", ""): OFTEN, ("TTT", ""): ONE_OF_TWO, ("", ""): SELDOM**2},
        ),
    ],
)
def test_the_seat_that_played_none_of_a_rank_gets_all_of_it(view: View, given: dict[tuple[str, str], Fraction]) -> None:
    assert supposed(view) == given


def test_what_is_not_given_is_shuffled_so_that_all_may_come_to_one_seat_by_chance() -> None:
    view = view_of(1, WITHOUT_MANY, ["9"])
    by_chance = Worlds(view, "uniform").probability(2, RANKS.index("9"), 3)
    assert report_of(view).probability(2, RANKS.index("9"), 3) == pytest.approx(
        PERCENT / 100 + (100 - PERCENT) / 100 * by_chance
    )


def test_a_draw_for_one_rank_leaves_that_for_another_as_it_is() -> None:
    # No product of weights for single ranks does that: with three 9s in a hand there are fewer ways for three Ts.
    worlds = worlds_of_belief(view_of(1, WITHOUT_MANY, ["9", "", "", "T", "", ""]), "report")
    drawn = worlds.samples(Generator(1), DRAWS)
    both = sum(count(first, RANKS.index("9")) == count(first, RANKS.index("T")) == 3 for first, _ in drawn)
    assert binomtest(both, DRAWS, (PERCENT / 100) ** 2).proportion_ci(0.999).high > (PERCENT / 100) ** 2


# Against the program that deals as the report says.


def small_views(name: str, most_hidden: int = 12) -> list[View]:
    """Gets views with few hidden cards; in some of them the rule holds."""
    return [late_view(RULE_SETS[name], seed, most_hidden)[0] for seed in range(12)]


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_every_world_has_the_probability_that_the_report_gives_it(name: str) -> None:
    for view in small_views(name):
        assert probabilities(report_of(view)) == as_the_report_deals(view)


def four_ranks() -> View:
    """What a peasant of the game with 30 cards knows when the rule holds for 9, T, K (landlord_up) and Q (landlord)."""
    return view_of(1, "AAA222LBJ", ["99", "", "QQ", "KK", "", "", "TT"], rules=MINI)


def test_with_several_ranks_every_world_still_has_that_probability() -> None:
    view = four_ranks()
    assert len(report_of(view).guesses) == 16
    assert probabilities(report_of(view)) == as_the_report_deals(view)


@pytest.mark.parametrize("rank", "89A")
def test_both_beliefs_give_more_than_one_of_a_rank_as_often_as_they_say(rank: str) -> None:
    # A peasant knows the bottom KQJ; the landlord has played one of the rank, landlord_up none.
    view, number = view_of(1, WITHOUT[rank], [rank], bottom="JQK"), RANKS.index(rank)
    all_by_chance = worlds_of_belief(view, "uniform").probability(2, number, 3)
    share = PERCENT / 100
    for belief, many, whole in (
        ("mini", share, share * all_by_chance / chance_of_many(view, number)),
        ("report", share + (1 - share) * chance_of_many(view, number), share + (1 - share) * all_by_chance),
    ):
        worlds = worlds_of_belief(view, belief)
        held = [count(first, number) for first, _ in worlds.samples(Generator(3), DRAWS)]
        for probability, at_least in ((many, 2), (whole, 3)):
            exact = sum(worlds.probability(2, number, cards) for cards in range(at_least, 4))
            assert exact == pytest.approx(probability)
            assert binomtest(sum(cards >= at_least for cards in held), DRAWS, probability).pvalue > 0.001


def chance_of_many(view: View, rank: int) -> float:
    uniform = worlds_of_belief(view, "uniform")
    return uniform.probability(2, rank, 2) + uniform.probability(2, rank, 3)


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_the_probability_of_a_count_is_the_share_of_the_worlds_that_have_it(name: str) -> None:
    for view in [*small_views(name, 10)[:4], four_ranks()]:
        worlds, expected = report_of(view), as_the_report_deals(view)
        for place, seat in enumerate(worlds.certain.seats):
            for rank in range(RANK_COUNT):
                for cards in range(-1, 6):
                    share = sum(each for world, each in expected.items() if count(world[place], rank) == cards)
                    assert worlds.probability(seat, rank, cards) == float(share)


def test_worlds_are_drawn_as_often_as_the_report_deals_them() -> None:
    view = four_ranks()
    expected, generator, worlds = as_the_report_deals(view), Generator(5), report_of(view)
    drawn = Counter(worlds.sample(generator) for _ in range(DRAWS))
    assert drawn.keys() <= expected.keys()
    common = [world for world, share in expected.items() if DRAWS * share >= 5]
    assert len(common) > 5
    seen = [drawn[world] for world in common]
    wanted = [float(DRAWS * expected[world]) for world in common]
    assert chisquare([*seen, DRAWS - sum(seen) + 1], [*wanted, DRAWS - sum(wanted) + 1]).pvalue > 0.001


# Kernel and Python.


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_kernel_and_python_draw_the_same_worlds(kernel: Kernel, name: str) -> None:
    for seed in range(12):
        worlds = report_of(late_view(RULE_SETS[name], seed, 10 + 2 * seed)[0])
        ours, theirs = Generator(seed), Generator(seed)
        expected = [worlds.sample(ours) for _ in range(20)]
        assert worlds.in_kernel(kernel).draw(theirs, 20) == expected
        assert theirs.state == ours.state


def test_nine_ranks_at_once_are_512_guesses_which_the_kernel_draws_too(kernel: Kernel) -> None:
    trios = ["777", "", "QQQ", "888", "", "KKK", "999", "", "AAA", "TTT", "", "222", "JJJ"]
    worlds = report_of(view_of(1, "3333444455556666L", trios))
    assert len(worlds.guesses) == 512
    generator = Generator(1)
    assert worlds.in_kernel(kernel).draw(Generator(1), 50) == [worlds.sample(generator) for _ in range(50)]


def mixture(kernel: Kernel, shares: list[int]) -> KernelMixture:
    """Mixes tables with one world each: in the first one the first hand is a 3, in the second a 4, and so on."""
    numbers = range(RANK_COUNT)
    tables = [[[0, 1, 0, 0, 0] if rank == part % 13 else EMPTY[0] for rank in numbers] for part in range(len(shares))]
    return KernelMixture(kernel.library, parse_hand("3456789TJQKA2"), 1, tables, shares)


def test_a_part_is_drawn_by_its_share(kernel: Kernel) -> None:
    shares = [1, 0, 5, 2]
    drawn = Counter(first for first, _ in mixture(kernel, shares).draw(Generator(1), 800))
    assert drawn[UNIT[1]] == 0
    assert chisquare([drawn[UNIT[part]] for part in (0, 2, 3)], [100, 500, 200]).pvalue > 0.001


def test_one_part_alone_takes_no_random_number(kernel: Kernel) -> None:
    generator = Generator(1)
    assert mixture(kernel, [1]).draw(generator, 5) == [(UNIT[0], parse_hand("456789TJQKA2"))] * 5
    assert generator.state == Generator(1).state


@pytest.mark.parametrize("shares", [[], [0], [0, 0], [1] * 513, [1 << 63], [1 << 62, 1 << 62]])
def test_shares_that_make_no_sense_are_refused(kernel: Kernel, shares: list[int]) -> None:
    parts = mixture(kernel, [1] * 512)
    given = Memory(8 * 513)
    for place, share in enumerate(shares):
        given.words()[place] = share
    mixed = Memory(1 << 14)
    first = parts.address + parts.size
    assert parts.library.status("ddz_worlds_mix", mixed.address, first, given.address, len(shares)) == 5
    assert parts.library.status("ddz_worlds_draw", mixed.address, Memory(32).address, mixed.address, 1) == 2


def test_the_largest_shares_are_taken(kernel: Kernel) -> None:
    assert len(mixture(kernel, [1 << 61, (1 << 62) - 1]).draw(Generator(1), 3)) == 3


def test_parts_of_other_cards_are_refused(kernel: Kernel) -> None:
    table = [[1, 1, 0, 0, 0], [1, 1, 0, 0, 0], *EMPTY[2:]]
    parts = KernelMixture(kernel.library, parse_hand("34"), 1, [table, table], [1, 1])
    shares, mixed = Memory(16), Memory(1 << 14)
    shares.words()[0] = shares.words()[1] = 1
    second = parts.address + 2 * parts.size
    for unseen, first_cards in (("34", 2), ("34", 0), ("35", 1)):
        weights = [weight for rank in range(RANK_COUNT) for weight in _row(parse_hand(unseen), rank)]
        room = Memory(4 * len(weights))
        for place, weight in enumerate(weights):
            room.counts()[place] = weight
        parts.library.call("ddz_worlds_init", second, parse_hand(unseen), first_cards, room.address)
        status = parts.library.status("ddz_worlds_mix", mixed.address, second - parts.size, shares.address, 2)
        assert status == 3


def _row(unseen: Hand, rank: int) -> list[int]:
    return [1, 1, 0, 0, 0] if count(unseen, rank) else [1, 0, 0, 0, 0]


def test_null_and_crooked_pointers_blank_memory_and_mixtures_of_mixtures_are_refused(kernel: Kernel) -> None:
    one = KernelWays(kernel.library, parse_hand("34"), 1, [[1, 1, 0, 0, 0]] * 2 + EMPTY[2:])
    status, memory, share = one.library.status, Memory(1 << 14), Memory(8)
    share.words()[0] = 1
    good = [memory.address, one.address, share.address]
    for place in range(3):
        for pointer in (0, good[place] + 2):
            spoiled = [*good]
            spoiled[place] = pointer
            assert status("ddz_worlds_mix", *spoiled, 1) == 1
    blank = Memory(1 << 14)
    assert status("ddz_worlds_mix", memory.address, blank.address, share.address, 1) == 2
    assert status("ddz_worlds_mix", *good, 1) == 0
    assert status("ddz_worlds_mix", blank.address, memory.address, share.address, 1) == 2


# Names.


def test_every_belief_is_found_by_its_name() -> None:
    view = four_ranks()
    assert BELIEFS == ("uniform", "mini", "fitted", "report")
    assert [type(worlds_of_belief(view, name)) for name in BELIEFS] == [*[Worlds] * 3, GuessedWorlds]
    assert worlds_of_belief(view, "mini").probability(2, 6, 2) == Worlds(view, "mini").probability(2, 6, 2)


def test_an_unknown_belief_is_named() -> None:
    sentence = "belief 'oracle' is unknown; there are uniform, mini, fitted, report"
    with pytest.raises(BeliefError, match=sentence):
        check_belief("oracle")
    with pytest.raises(BeliefError, match=sentence):
        worlds_of_belief(four_ranks(), "oracle")


@pytest.mark.parametrize(("percent", "guesses"), [(0, [""]), (100, ["999"]), (75, ["999", ""])])
def test_what_never_happens_is_no_guess(percent: int, guesses: list[str]) -> None:
    view = view_of(1, WITHOUT_MANY, ["9"])
    certain = report_of(view).certain
    made: list[Guess] = report_guesser(Numbers(percent, (), (), ()))(view, certain)
    assert [hand_text(guess.certain.known[0]) for guess in made] == guesses
    assert [guess.share for guess in made] == ([3, 1] if percent == 75 else [1])
