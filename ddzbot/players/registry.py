"""
The players by name: ``NAME``, ``NAME:KEY=VALUE,KEY=VALUE``, or ``MODULE:CLASS`` for a player of one's own.

This is the one list of players, each imported only when asked for, and the one parser of their names: the bot, the
judge, matches, tables and analyses all read ``mcm:setting=thesis,corrects=all`` alike. A program that has players of
its own may add them.
"""

import importlib
import json
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Type

from ddzbot.players.base import Player
from ddzbot.players.options import unknown_option, with_option

_CLASSES = {
    "champion": ("ddzbot.players.champion", "ChampionPlayer"),
    "cql": ("ddzbot.players.cql", "CqlPlayer"),
    "deeprocket": ("ddzbot.players.deeprocket", "DeepRocketPlayer"),
    "mcm": ("ddzbot.players.mcm", "McmPlayer"),
    "mctshs": ("ddzbot.players.mctshs", "MctshsPlayer"),
    "random": ("ddzbot.players.random_player", "RandomPlayer"),
    "rhcp": ("ddzbot.players.rhcp", "RhcpPlayer"),
    "rule": ("ddzbot.players.rule", "RulePlayer"),
}

_LOADING = {"champion": 1, "cql": 4, "deeprocket": 4, "mcm": 1, "mctshs": 1}
"""How long players take to load, beside each other: 1 with kernel and network, 4 with numpy."""
_LOADING_ALONE = {"mcm": 4}
"""The same of what they load without their search: the network of mcm alone is asked where there is no kernel."""

_BARE_OPTIONS: Dict[str, str] = {}
"""By player: the option that a word without a key belongs to."""

DEFAULT_PLAYER = "champion"
"""The strongest player."""

_TAKES_ANY_OPTION = 8
"""A function's flag for ``**options``."""


class PlayerError(ValueError):
    """Raised for a text that names no player; the message is one sentence that names it and what there is."""


class PlayerSpec(NamedTuple):
    """A player as it was written, and as it is understood."""

    text: str
    name: str
    """The registered name or ``MODULE:CLASS``."""
    options: Dict[str, Any]

    def make(self, seed: int = 0) -> Player:
        """
        Makes the player.

        :raises PlayerError: if there is no such player, or one of its options or values is unknown.
        """
        return _new_player(self.text, self.name, seed, self.options)


def add_player(name: str, module: str, class_name: str, bare_option: str = "") -> None:
    """
    Adds a player to the list, for this process. For example ``add_player("mine", "my_package.players", "MyPlayer")``.

    With a *bare_option* such as ``model``, ``mine:big`` means ``mine:model=big``.

    :raises ValueError: if the name is taken by another class.
    """
    if _CLASSES.setdefault(name, (module, class_name)) != (module, class_name):
        raise ValueError(f"player {name!r} is taken")
    if bare_option:
        _BARE_OPTIONS[name] = bare_option


def player_names() -> List[str]:
    """Lists the registered names."""
    return sorted(_CLASSES)


def is_player(text: str) -> bool:
    """Checks if a text has the form of a player, such as ``mcm:k=3``; an option or a class may still be unknown."""
    name = _divided(text)[0]
    return name in _CLASSES or _is_class(name)


def loading_of(text: str, alone: bool = False) -> int:
    """
    Gets how long a player takes to load, in units; with *alone* what it takes more to play without its search.

    It imports nothing. For example ``loading_of("champion:margin=2") == 1``, and ``loading_of("rule") == 0``.
    """
    return (_LOADING_ALONE if alone else _LOADING).get(_divided(text)[0], 0)


def parse_player(text: str) -> PlayerSpec:
    """
    Reads a player, without making it. For example ``parse_player("mctshs:worlds=8").options == {"worlds": 8}``.

    A value that is a number or true or false in JSON is one, and any other is a text.

    :raises PlayerError: for what has neither of the three forms, and for an unknown name.
    """
    name, tail = _divided(text)
    if name not in _CLASSES and not _is_class(name):
        raise PlayerError(
            "player {!r:.200} is unknown; there are {}, or MODULE:CLASS of your own".format(
                text, ", ".join(player_names())
            )
        )
    return PlayerSpec(text, name, dict(_option(text, name, word) for word in tail.split(",")) if tail else {})


def checked_player(text: str) -> PlayerSpec:
    """
    Reads a player and makes it once, so that a wrong option or value is known now.

    :raises PlayerError: as :func:`parse_player` and :meth:`PlayerSpec.make`.
    """
    spec = parse_player(text)
    spec.make()
    return spec


def make_player(name: str, seed: int = 0, **options: object) -> Player:
    """
    Makes a player of a text and further options. For example ``make_player("mctshs", seed=7, setting="thesis")``.

    :raises PlayerError: as :func:`parse_player` and :meth:`PlayerSpec.make`.
    """
    spec = parse_player(name)
    for option, setting in options.items():
        name = with_option(name, f"{option}={setting}")
    return PlayerSpec(name, spec.name, {**spec.options, **options}).make(seed)


def player_class(name: str) -> Type[Player]:
    """
    Imports the class of a player: a registered name, or ``MODULE:CLASS``, any class with ``choose(view, limit)``.

    :raises PlayerError: for an unknown name, and for what is no player.
    """
    module, class_name = _CLASSES.get(name) or _parts(name)
    try:
        player: Any = getattr(importlib.import_module(module), class_name)
    except (ImportError, AttributeError, ValueError) as error:
        raise PlayerError(f"player {name!r:.200} cannot be imported: {error}") from error
    except Exception as error:  # a module of the user's own may raise anything
        raise PlayerError(f"player {name!r:.200} cannot be imported: {type(error).__name__}: {error}") from error
    if not isinstance(player, type) or not callable(getattr(player, "choose", None)):
        raise PlayerError(f"player {name!r:.200} is no class with choose(view, limit)")
    if not issubclass(player, Player):
        from ddzbot.players.own import as_player  # the players of this project need none

        return as_player(player)
    its: Type[Player] = player
    return its


def option_names(player: Type[Player]) -> Optional[List[str]]:
    """Lists the options that a player takes beside the seed; None if it takes any."""
    if player.options_type is not None:
        return list(player.options_type._fields)
    code = getattr(player.__init__, "__code__", None)
    if code is None or code.co_flags & _TAKES_ANY_OPTION:
        return None
    names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    return [option for option in names if option != "seed"]


def _divided(text: str) -> Tuple[str, str]:
    """Divides a text into the name and the options, which follow the last colon before the first equals sign."""
    if "=" not in text:
        head, _, options = text.partition(":")
        return (head, options) if head in _CLASSES else (text, "")
    colon = text.rfind(":", 0, text.index("="))
    return (text[:colon], text[colon + 1 :]) if colon >= 0 else (text, "")


def _is_class(name: str) -> bool:
    module, class_name = _parts(name)
    return bool(module and class_name) and all(part.isidentifier() for part in (*module.split("."), class_name))


def _parts(name: str) -> Tuple[str, str]:
    module, _, class_name = name.partition(":")
    return module, class_name


def _option(text: str, player: str, word: str) -> Tuple[str, Any]:
    option, equals, value = word.partition("=")
    if option and not equals and player in _BARE_OPTIONS:
        return _BARE_OPTIONS[player], _value(word)
    if not option or not equals:
        raise PlayerError(f"player {text!r:.200}: the option {word!r:.60} must be KEY=VALUE")
    return option, _value(value)


def _value(text: str) -> Any:
    try:
        parsed = json.loads(text)
    except ValueError:
        return text
    return parsed if isinstance(parsed, (int, float)) else text


def _new_player(text: str, name: str, seed: int, options: Dict[str, Any]) -> Player:
    kind = player_class(name)
    options_of_kind = option_names(kind)
    problem = None if options_of_kind is None else unknown_option(options, options_of_kind)
    if problem:
        raise PlayerError(f"player {text!r:.200}: {problem}")
    try:
        player = kind(seed, **options)
    except (TypeError, ValueError) as error:
        # Players name themselves where they refuse a value.
        reason = str(error)
        raise PlayerError(reason if reason.startswith(name + ": ") else f"player {text!r:.200}: {reason}") from error
    player.label = text
    return player
