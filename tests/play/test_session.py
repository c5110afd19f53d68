"""A game in the terminal, without the terminal: what is answered, what is drawn, and what stays hidden."""

import io
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

from ddzbot.cards import Hand, hand_text, parse_hand, size
from ddzbot.game import SEATS, Deal, shuffled
from ddzbot.players.base import Decision, Player
from ddzbot.rules import BOTZONE, BOTZONE2, ICGA, MINI, PASS, SOLO, Move, RuleSet
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View
from tests.platforms import PLATFORMS
from tools.records.files import read_records
from tools.shared.json_text import points_text
from tools.shared.terminal import Console
from tools.tables.play.screen import PlayScreen, spaced
from tools.tables.play.session import Session
from tools.tables.table.bots import bot
from tools.tables.table.events import MoveMade
from tools.tables.table.table import Table

LIMIT = Limit(playouts=40)
Choose = Callable[[Table, int], str]
"""What the person at that position types, given the whole table."""


class PassingPlayer(Player):
    """Passes whenever that is legal."""

    name = "passing"

    def choose(self, view: View, limit: Limit) -> Decision:
        return Decision(PASS if view.to_beat else view.legal_moves()[0], {})


class Evening:
    """A session on paper; what was drawn before each line, and whether the game was over then, is kept."""

    def __init__(self, table: Table, position: int, choose: Choose) -> None:
        self.table = table
        self.position = position
        self.choose = choose
        self.prompts: list[str] = []
        self.output = io.StringIO()
        self.before_end = ""
        self.saves = 0
        console = Console(file=self.output, width=80)
        screen = PlayScreen(console, position, table.names)
        self.session = Session(table, position, screen, LIMIT, self.ask, self.saved)

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        self.output.write(prompt)
        line = self.choose(self.table, self.position)
        self.output.write(line + "\n")
        return line

    def saved(self) -> None:
        self.saves += 1
        if not self.table.over:
            self.before_end = self.output.getvalue()

    def play(self) -> str:
        self.session.play()
        return self.output.getvalue()


def script(lines: Iterable[str]) -> Choose:
    """Types these lines, and then no more."""
    left = iter(lines)

    def choose(table: Table, position: int) -> str:
        line = next(left, None)
        if line is None:
            raise EOFError
        return line

    return choose


def first_move(table: Table, position: int) -> str:
    view = table.view(position)
    return str(view.legal_bids[-1]) if isinstance(view, BidView) else str(view.legal_moves()[0])


def drawn(table: Table, position: int, *lines: str) -> str:
    """Draws what these lines lead to; the game is left then."""
    evening = Evening(table, position, script(lines))
    with pytest.raises(EOFError):
        evening.play()
    return evening.output.getvalue()


def against(rules: RuleSet, seed: int, position: int = 0, name: str = "rule") -> Table:
    players = [None if place == position else bot(name, seed, place) for place in range(SEATS)]
    return Table(rules, seed, players)


def with_hands(rules: RuleSet, hands: Sequence[Hand], bottom: Hand) -> Table:
    deal = Deal(rules, (hands[0], hands[1], hands[2]), bottom)
    return Table(rules, 1, [None, PassingPlayer(), PassingPlayer()], deal=deal)


@pytest.mark.parametrize(("rules", "position"), [*zip(PLATFORMS.values(), (0, 1, 2, 0, 1), strict=True)], ids=PLATFORMS)
def test_a_whole_game_shows_every_public_event_and_the_end(rules: RuleSet, position: int) -> None:
    evening = Evening(against(rules, 3, position), position, first_move)
    output = evening.play()
    lines = output.splitlines()
    table, record = evening.table, evening.table.record()
    assert table.over
    for number, event in enumerate((event for event in table.events if isinstance(event, MoveMade)), 1):
        player = "you" if event.position == position else ("landlord", "landlord_down", "landlord_up")[event.seat]
        own = player == "you"
        verb = ("pass" if own else "passes") if event.move.is_pass else ("play" if own else "plays")
        start = f"{number:3} {player} {verb}" + ("" if event.move.is_pass else f" {event.move} (")
        assert sum(line.startswith(start) for line in lines) == 1
    assert any(("You win!" in line) != ("You lose." in line) and " went out: " in line for line in lines)
    final = record.game()
    paid = "  These rules add hundredths for each move, won or lost."
    assert (lines[-1] == paid) == (min(final.scores()) > 0) == (lines.count(paid) == 1)
    shown = [line for line in lines if line != paid][-SEATS:]
    assert [line.split()[0] for line in shown] == ["landlord", "landlord_down", "landlord_up"]
    assert ["(you)" in line for line in shown] == [seat == table.seat_of(position) for seat in range(SEATS)]
    for seat, line in enumerate(shown):
        assert (spaced(final.hands[seat]) or "-") in line
        assert points_text(final.scores()[seat], sign=True) in line
    assert sum(line.startswith("  bottom ") for line in lines) == 1
    assert all(len(line) <= 80 for line in lines)
    assert "\x1b" not in output


@pytest.mark.whole
@pytest.mark.parametrize("rules", [BOTZONE, BOTZONE2, MINI], ids=["botzone", "botzone2", "mini"])
def test_the_cards_of_the_others_are_nowhere_before_the_end(rules: RuleSet) -> None:
    for seed in range(2):
        evening = Evening(against(rules, seed, seed % SEATS), seed % SEATS, chatty(seed))
        evening.play()
        record = evening.table.record()
        game = record.start
        for ply in record.plies():
            for seat, hand in enumerate(game.hands):
                own = seat == evening.table.seat_of(evening.position)
                if not own and size(hand) > 4 and hand not in {move.cards for move in record.moves}:
                    assert hand_text(hand) not in evening.before_end
                    assert spaced(hand) not in evening.before_end
            game = ply.after


def chatty(seed: int) -> Choose:
    """Says every word that draws something, and then makes a random move."""
    dice = random.Random(seed)
    said: list[str] = []

    def choose(table: Table, position: int) -> str:
        if not said:
            said.extend(["hint", "moves", "table", "history", "help", "nonsense", ""])
        if len(said) > 1:
            return said.pop(0)
        said.clear()
        view = table.view(position)
        if isinstance(view, BidView):
            return str(dice.choice(view.legal_bids))
        return str(dice.choice(view.legal_moves()))

    return choose


@pytest.mark.whole
def test_nothing_that_is_drawn_depends_on_hidden_cards() -> None:
    """The same cards for the person, other ones for the others, who always pass: the same words until the end."""
    outputs = []
    for swapped in (False, True):
        first, second, third = shuffled(BOTZONE, "hidden").hands
        hands = [first, third, second] if swapped else [first, second, third]
        evening = Evening(with_hands(BOTZONE, hands, shuffled(BOTZONE, "hidden").bottom), 0, chatty(1))
        evening.play()
        assert evening.table.record().result.winner == "landlord"
        outputs.append((evening.before_end, evening.output.getvalue()))
    assert outputs[0][0] == outputs[1][0]
    assert outputs[0][0].count("hint:") > 3
    assert outputs[0][1] != outputs[1][1]


# What is answered.


def test_a_wrong_line_is_explained_and_asked_again() -> None:
    table = against(BOTZONE, 5)
    output = drawn(table, 0, "", "zz", "33", "22222", "3 4")
    hand = hand_text(table.view(0).hand)
    assert hand.startswith("344")
    assert [line for line in output.splitlines() if line.startswith("  ! ")] == [
        "  ! a lead cannot be a pass",
        "  ! cards 'zz': 'Z' is not a rank; ranks are 3456789TJQKA2LB: T is 10, L and B",
        f"  ! 33: the hand {hand} does not hold these cards",
        "  ! cards '22222': the deck has fewer 2; 'help' lists the words",
        "  ! 34: these cards are not a move (rules botzone)",
    ]
    assert output.count("your move> ") == 6
    assert table.record().moves == ()


def test_an_empty_line_passes_where_that_is_legal() -> None:
    table = against(BOTZONE, 5)
    output = drawn(table, 0, "3", "", "不要")
    played = [event.move for event in table.events if isinstance(event, MoveMade) and event.position == 0]
    assert [str(move) for move in played[:3]] == ["3", "pass", "pass"]
    assert output.count("you pass") == 2


def test_ten_and_jokers_are_played() -> None:
    rest = BOTZONE.deck - parse_hand("TTTLB")
    others = []
    for _ in range(2):
        hand = 0
        for letter in hand_text(rest):
            if size(hand) < 17:
                hand += parse_hand(letter)
        others.append(hand)
        rest -= hand
    own = parse_hand("TTTLB") + parse_hand(hand_text(rest)[:12])
    table = with_hands(BOTZONE, [own, *others], rest - parse_hand(hand_text(rest)[:12]))
    output = drawn(table, 0, "10 10", "t", "jokers")
    assert "you play TT (pair), 18 left" in output
    assert "you play T (solo), 17 left" in output
    assert "you play LB (rocket), 15 left" in output


def test_moves_are_listed_by_kind_and_one_kind_in_full() -> None:
    table = against(BOTZONE, 5)
    view = table.view(0)
    assert isinstance(view, View)
    legal = [str(move) for move in view.legal_moves()]
    short = drawn(against(BOTZONE, 5), 0, "moves")
    assert "  trio_solo      22  3888" in short
    assert "... and " in short
    assert max(map(len, short.splitlines())) <= 80
    full = drawn(against(BOTZONE, 5), 0, "moves four_two_solo").split("your move> ")[1].split()[4:]
    assert full == [text for text in legal if len(text) == 6 and any(4 * rank in text for rank in text)]
    assert "  ! 'pass': you have no such move now; there are solo, pair" in drawn(table, 0, "moves pass")


def test_every_legal_move_is_counted_and_the_history_stands_in_columns() -> None:
    table = against(BOTZONE, 5)
    view = table.view(0)
    assert isinstance(view, View)
    rows = drawn(table, 0, "moves").split("your move> ")[1].splitlines()[1:]
    assert sum(int(row.split()[1]) for row in rows if row.strip()) == len(view.legal_moves())
    table = against(BOTZONE, 5)
    output = drawn(table, 0, "3", "", "history")
    history = output.split("history\n")[1].splitlines()
    assert history[0].split() == ["landlord", "(you)", "down", "up"]
    moves = [hand_text(move.cards) or "-" for move in table.record().moves]
    assert [word for line in history[1:3] for word in line.split()[1:]] == moves[:6]


def test_a_hint_is_a_legal_move_or_bid() -> None:
    for seed in range(3):
        table = against(BOTZONE, seed)
        (hint,) = [line for line in drawn(table, 0, "hint").splitlines() if line.startswith("hint: ")]
        table.play(0, parse_hand(hint.split()[1]))
        assert "wins " in hint
    output = drawn(against(ICGA, 1, 0), 0, "hint", "moves", "history")
    assert any(f"hint: {text}" in output for text in ("do not bid", "bid 1", "bid 2", "bid 3"))
    assert output.count("earlier bids: none; you may bid 0, 1, 2, 3") == 2


def test_a_wrong_bid_is_explained_and_one_that_is_not_heard_is_not_drawn() -> None:
    table = against(BOTZONE2, 1)
    output = drawn(table, 0, "4", "three", "2")
    assert "  ! bid 4: it must be one of 0, 1, 2, 3" in output
    assert "  ! 'three': a bid is a number from 0 to 3" in output
    assert table.record().bids[0] == 2
    assert "you bid 2\n" in output
    table = against(BOTZONE2, 1, 0)
    output = drawn(table, 0, "0")
    assert "you do not bid\n" in output
    assert "player 1" not in output.split("  landlord ")[0]


@pytest.mark.parametrize(("rules", "first"), [(BOTZONE, "3"), (BOTZONE2, "3")], ids=["move", "bid"])
def test_a_move_or_bid_is_taken_back_with_the_answers(rules: RuleSet, first: str) -> None:
    table = against(rules, 5)
    output = drawn(table, 0, "back", first, "back", "undo")
    assert output.count("! there is no move to take back") == 2
    assert not table.record().moves and not table.record().bids
    assert output.count(spaced(table.view(0).hand) + "\n") == 2


def test_a_game_is_saved_on_the_way(tmp_path: Path) -> None:
    table = against(BOTZONE, 5)
    path = tmp_path / "the game.ddzn"
    output = drawn(
        table, 0, "3", f"save {path}", f"save {tmp_path / 'no' / 'folder.ddzn'}", "save game.txt", f"save {path}"
    )
    assert read_records(path) == [table.record()]
    assert sum(line.startswith("  !") for line in output.splitlines()) == 3
    assert "this file exists already" in " ".join(output.split())
    assert "it cannot be written" in " ".join(output.split())
    assert "the suffix '.txt' says no format" in output


def test_quit_leaves_at_once_and_every_turn_is_kept() -> None:
    table = against(BOTZONE, 5)
    output = drawn(table, 0, "quit", "3")
    assert table.record().moves == ()
    assert output.endswith("your move> quit\n")
    evening = Evening(against(BOTZONE, 3), 0, first_move)
    evening.play()
    assert evening.saves == 1 + len(evening.table.record().moves)


def test_a_game_that_goes_on_shows_what_happened() -> None:
    table = against(BOTZONE, 5)
    drawn(table, 0, "3")
    again = Table.resumed(table.record(), 5, [None, bot("rule", 5, 1), bot("rule", 5, 2)])
    before = again.record()
    output = drawn(again, 0, "moves nothing", "table", "pass")
    moves = [hand_text(move.cards) or "-" for move in table.record().moves]
    assert "  1  " + moves[0] in output
    assert "player 0: you" in output
    assert before == table.record()
    assert "  1 you play" not in output
    assert "  4 you pass" in output


def test_a_partner_is_named() -> None:
    output = drawn(against(BOTZONE, 5, 1), 1)
    assert "landlord_up    17  cards (rule, your partner)" in output
    assert "landlord       19  cards (rule)" in output


def test_few_cards_are_a_warning_and_names_are_no_markup() -> None:
    paper = io.StringIO()
    screen = PlayScreen(Console(file=paper, width=80, force_terminal=True), 0, ["person", "a [red] bot", "b"])
    own, down, up = shuffled(BOTZONE, "few").hands
    played = (PASS, Move(down - parse_hand(hand_text(down)[-2:]), SOLO, 0, 1), Move(up & 0xFF, SOLO, 0, 1))
    screen.position(View(BOTZONE, 0, own, 0, (), 1, 0, played))
    assert "\x1b[1;31m   2\x1b[0m  cards (a [red] bot)" in paper.getvalue()
    assert paper.getvalue().count("\x1b[1;31m") == 1
