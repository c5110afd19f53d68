"""What a program at a table is told, and what comes of its answers."""

import sys

from hypothesis import given
from hypothesis import strategies as st

from ddzbot.engine import Engine
from ddzbot.game import shuffled, start
from ddzbot.protocol.botzone import rebuild
from ddzbot.rules import RuleSet, rule_set
from ddzbot.search.limit import Limit
from ddzbot.testing.strategies import views
from ddzbot.view import BidView, View
from tests.support import ROOT
from tools.tables.table.program import ProgramPlayer, messages_of

RULES = [rule_set(name) for name in ("botzone", "botzone2", "mini")]


@given(rules=st.sampled_from(RULES), data=st.data())
def test_the_messages_tell_what_the_seat_knows(rules: RuleSet, data: st.DataObject) -> None:
    view = data.draw(views(rules))
    told = rebuild(*messages_of(view)).view
    assert told == view.with_possible_bids()


def engine_of(file: str) -> Engine:
    return Engine(ProgramPlayer("bot:one", [sys.executable, "-S", str(ROOT / "tests" / "bots" / file)]))


def test_a_program_bids_and_plays_and_where_it_is_at_fault_a_fallback_does() -> None:
    rules = rule_set("botzone2")
    deal = shuffled(rules, "program")
    good = engine_of("obedient_one_shot.py")
    bid = BidView(rules, deal.hands[1], (1,))
    assert good.bid(bid).bid == 0 and rebuild(*messages_of(bid)).view == bid
    game = start(deal, (1, 0, 0))
    view = View.of(game, 0)
    decision = good.choose(view, Limit())
    assert decision.player == "bot:one" and decision.move == view.legal_moves()[0]
    patient = engine_of("read_to_the_end.py").choose(view, Limit())
    assert patient.player == "bot:one" and patient.move == decision.move
    decision = engine_of("illegal_move.py").choose(View.of(game.play(decision.move), 1), Limit(playouts=20))
    assert decision.player == "mctshs" and decision.failures[0].player == "bot:one"
