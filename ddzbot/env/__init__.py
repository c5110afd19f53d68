"""
Dou Dizhu as an environment for reinforcement learning, under every rule set, with the auction where there is one.

:class:`DouDizhu` has PettingZoo's interface, :class:`Seat` is one seat for Gymnasium, against named players, and
:class:`Tables` plays thousands of games at once in the kernel. They need what ``pip install 'ddzbot[env]'`` brings;
:class:`Tables` needs numpy alone. For example::

    from ddzbot.env import Tables

    tables = Tables(1000, "botzone", seed=1)
    while True:
        tables.step(tables.drawn(generator))  # what you choose, by its index among the choices of each table

Once this is imported, ``gymnasium.make("ddzbot/Seat-v0")`` makes the seat. :mod:`ddzbot.env.doudizhu_v1` has the agents
as PettingZoo's modules have theirs. An observation is a row of :data:`ddzbot.env.layout.SEEN` numbers, the same in all
three. These names stay as they are until version 2.
"""

from ddzbot.env.actions import Actions
from ddzbot.env.doudizhu import DouDizhu
from ddzbot.env.packages import register
from ddzbot.env.seat import Seat
from ddzbot.env.tables import Tables

__all__ = ["Actions", "DouDizhu", "Seat", "Tables"]

register("ddzbot/Seat-v0", "ddzbot.env.seat:Seat")
