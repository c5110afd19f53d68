"""
:class:`ddzbot.env.DouDizhu` under the names that PettingZoo's own modules have.

For example ``doudizhu_v1.env(rules="mini", render_mode="ansi")``. It needs no wrapper, so ``env`` and ``raw_env`` are
the same.
"""

from ddzbot.env.doudizhu import DouDizhu

env = raw_env = DouDizhu

__all__ = ["env", "raw_env"]
