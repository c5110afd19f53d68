"""
The kernel's entry points and records, all of them: what src/*.h declares, once more for ctypes.

:class:`ddzbot.kernel.library.Library` declares an entry point when it is called first, and checks all sizes when it is
loaded.
"""

import ctypes
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from ddzbot.kernel import codec

_TYPES: Dict[str, Any] = {"p": ctypes.c_void_p, "Q": ctypes.c_uint64, "I": ctypes.c_uint32, "i": ctypes.c_int32}


class Header(NamedTuple):
    """The declarations of one header."""

    entries: Dict[str, str]
    """The parameters of each entry point, a letter each: p for a pointer, Q, I and i for integers as in struct."""
    layout: str
    """The entry point that returns the sizes of the records."""
    records: Tuple[Tuple[str, Optional[int]], ...]
    """The records in the order in which it does; None for the size of one that is opaque."""


HEADERS = (
    Header(  # ddz_kernel.h; a situation is rules, hand, table_cards and table_kind
        {
            "ddz_layout": "pI",
            "ddz_rules_init": "ppIpIp",
            "ddz_classify": "pQIpIp",
            "ddz_moves": "pQQi pIpp",
            "ddz_list": "p",
            "ddz_leads_batch": "ppIpIp",
            "ddz_random_seed": "pQ",
            "ddz_random_move": "pQQi pp",
            "ddz_playouts": "ppIpp",
            "ddz_replay": "pppIpp",
            "ddz_splits_init": "pp",
            "ddz_fewest_moves": "pQp",
            "ddz_fewest_moves_batch": "ppIp",
        },
        "ddz_layout",
        (
            ("ddz_shape", codec.SHAPE.size),
            ("ddz_terms", codec.TERMS.size),
            ("ddz_rules", None),
            ("ddz_move", codec.MOVE.size),
            ("ddz_random", codec.RANDOM.size),
            ("ddz_game", codec.GAME.size),
            ("ddz_totals", codec.TOTALS.size),
            ("ddz_splits", None),
            ("ddz_listing", codec.LISTING.size),
        ),
    ),
    Header(  # ddz_python.h; all but the first two return an object
        {
            "ddz_python_layout": "pI",
            "ddz_shelve": "pQp",
            "ddz_legal_moves": "pp",
            "ddz_game_moves": "pp",
            "ddz_game_play": "pp",
            "ddz_game_seen": "pp",
        },
        "ddz_python_layout",
        (
            ("ddz_shelved", codec.SHELVED.size),
            ("ddz_shelf", codec.SHELF.size),
            ("ddz_ruled", codec.RULED.size),
            ("ddz_lister", codec.LISTER.size),
        ),
    ),
    Header(  # ddz_worlds.h
        {"ddz_worlds_layout": "pI", "ddz_worlds_init": "pQIp", "ddz_worlds_mix": "pppI", "ddz_worlds_draw": "pppI"},
        "ddz_worlds_layout",
        (("ddz_worlds", None),),
    ),
    Header(  # ddz_search.h
        {
            "ddz_candidates": "ppQQiII pIp",
            "ddz_search_layout": "pI",
            "ddz_search_init": "pIppppp",
            "ddz_search_branches": "ppII",
            "ddz_search_run": "pI",
            "ddz_search_arms": "ppIp",
            "ddz_search_watch": "pppIp",
            "ddz_certain_win": "ppppppp",
        },
        "ddz_search_layout",
        (
            ("ddz_situation", codec.SITUATION.size),
            ("ddz_search_options", codec.SEARCH_OPTIONS.size),
            ("ddz_arm", codec.SEARCH_ARM.size),
            ("ddz_search", None),
            ("node", None),
            ("ddz_certain", None),
        ),
    ),
    Header(  # ddz_solver.h
        {
            "ddz_solver_layout": "pI",
            "ddz_solver_init": "pppIpQ",
            "ddz_solver_begin": "pp",
            "ddz_solver_run": "ppp",
            "ddz_solver_key": "ppp",
        },
        "ddz_solver_layout",
        (("ddz_endgame", codec.ENDGAME.size), ("ddz_solver", None), ("ddz_endgame_key", codec.ENDGAME_KEY.size)),
    ),
    Header(  # ddz_cpu.h, ddz_cnn.h
        {
            "ddz_cpu_avx2": "p",
            "ddz_cpu_avx512": "p",
            "ddz_cnn_layout": "pI",
            "ddz_cnn_init": "ppIpI",
            "ddz_cnn_values": "pppppIp",
        },
        "ddz_cnn_layout",
        (("ddz_cnn", None), ("ddz_cnn_work", None), ("ddz_cnn_record", codec.CNN_RECORD.size)),
    ),
    Header(  # ddz_net.h
        {
            "ddz_net_layout": "pI",
            "ddz_net_init": "ppIIp",
            "ddz_net_values": "ppppppIp",
            "ddz_net_features": "pppQpp",
        },
        "ddz_net_layout",
        (("ddz_net_parameters", codec.NET_PARAMETERS.size), ("ddz_seen", codec.SEEN.size), ("ddz_net", None)),
    ),
    Header(  # ddz_rollout.h
        {
            "ddz_rollout_layout": "pI",
            "ddz_rollout_init": "ppppppp",
            "ddz_rollout_only": "ppI",
            "ddz_rollout_run": "pI",
            "ddz_rollout_arms": "ppIp",
            "ddz_rollout_worlds": "pppIp",
        },
        "ddz_rollout_layout",
        (
            ("ddz_rollout_options", codec.ROLLOUT_OPTIONS.size),
            ("ddz_rollout_arm", codec.ROLLOUT_ARM.size),
            ("ddz_rollout", None),
        ),
    ),
    Header(  # ddz_selfplay.h
        {
            "ddz_selfplay_layout": "pI",
            "ddz_selfplay": "ppppppppp",
            "ddz_rows_sum": "pppI pppII",
            "ddz_rows_spread": "pppI ppIIII",
        },
        "ddz_selfplay_layout",
        (
            ("ddz_selfplay_options", codec.SELFPLAY_OPTIONS.size),
            ("ddz_samples", codec.SAMPLES.size),
            ("ddz_selfplay_totals", codec.SELFPLAY_TOTALS.size),
            ("ddz_selfplay_memory", None),
        ),
    ),
    Header(  # ddz_auction.h
        {"ddz_auction_layout": "pI", "ddz_deals_play": "ppppppI", "ddz_bid_values": "ppppIp"},
        "ddz_auction_layout",
        (
            ("ddz_deals_options", codec.DEALS_OPTIONS.size),
            ("ddz_dealt", codec.DEALT.size),
            ("ddz_deals_memory", None),
            ("ddz_bid_net", codec.BID_NET.size),
        ),
    ),
    Header(  # ddz_env.h
        {"ddz_env_layout": "pI", "ddz_env_start": "pppIQ", "ddz_env_step": "pppIppp", "ddz_env_tell": "ppIp"},
        "ddz_env_layout",
        (
            ("ddz_env_options", codec.ENV_OPTIONS.size),
            ("ddz_env_table", codec.ENV_TABLE.size),
            ("ddz_env_told", codec.ENV_TOLD.size),
        ),
    ),
)

HOLDS_LOCK = {
    "ddz_layout",
    "ddz_rules_init",
    "ddz_classify",
    "ddz_moves",
    "ddz_list",
    "ddz_python_layout",
    "ddz_shelve",
    "ddz_random_seed",
    "ddz_random_move",
    "ddz_replay",
    "ddz_fewest_moves",
    "ddz_worlds_layout",
    "ddz_worlds_init",
    "ddz_worlds_mix",
    "ddz_worlds_draw",
    "ddz_cpu_avx2",
    "ddz_cpu_avx512",
}
"""These keep Python's lock: they are over before a switch of threads would be. The others let other threads run."""


def parameters_of(entry: str) -> List[Any]:
    """Gets the ctypes of an entry point's parameters."""
    letters = next(header.entries[entry] for header in HEADERS if entry in header.entries)
    return [_TYPES[letter] for letter in letters.replace(" ", "")]
