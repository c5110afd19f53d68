"""
Tests of another program's rules of Dou Dizhu: one line each, under every rule set, or one of your own: *rules* is a
name, a Python file that defines a :class:`ddzbot.rules.RuleSet`, or such an object.

For example, in your own test suite::

    from ddzbot.testing import check_moves
    from my_program import my_moves

    def test_my_moves():
        check_moves(my_moves, rules="botzone")

The checks need no other package. Strategies for Hypothesis are in :mod:`ddzbot.testing.strategies`, and programs in any
language are checked by the command ``ddzbot rules check``. These names stay as they are until version 2.
"""

from ddzbot.testing.checks import check_beats, check_classify, check_game, check_moves

__all__ = ["check_beats", "check_classify", "check_game", "check_moves"]
