"""A value as text that Python reads back: what a public type prints, so that a counterexample can be typed in."""

from typing import Any, Callable, Dict, Tuple, Type, TypeVar

_Tuple = TypeVar("_Tuple", bound=Tuple[Any, ...])


def described(**fields: str) -> Callable[[Type[_Tuple]], Type[_Tuple]]:
    """Makes a decorator that gives each field of a NamedTuple the words that ``help()`` shows of it."""

    def describe(kind: Type[_Tuple]) -> Type[_Tuple]:
        for field, words in fields.items():
            getattr(kind, field).__doc__ = words
        return kind

    return describe


def call_text(function: str, *given: object, **named: object) -> str:
    """Writes the call of a function. For example ``call_text("rule_set", "mini") == "rule_set('mini')"``."""
    return "{}({})".format(
        function, ", ".join([*map(repr, given), *(f"{key}={argument!r}" for key, argument in named.items())])
    )


def plain(value: Any) -> str:
    """Writes a NamedTuple with all its fields."""
    return call_text(type(value).__name__, **dict(zip(value._fields, value)))


def typed_back(value: Any, given: Callable[[], Dict[str, Any]], **usual: object) -> str:
    """
    Writes *value*, a NamedTuple, as the call of its ``from_text`` that makes it again.

    *given* gets the arguments of that call by name, and *usual* has the defaults of the last ones, which are left out
    where they hold. A value that no such call makes, because of a field of another type or cards that no deck has, is
    written with all its fields.
    """
    kind = type(value)
    try:
        arguments = given()
        if kind.from_text(**arguments) == value:
            by_place = [argument for key, argument in arguments.items() if key not in usual]
            by_name = {key: arguments[key] for key in usual if arguments[key] != usual[key]}
            return call_text(f"{kind.__name__}.from_text", *by_place, **by_name)
    except Exception:  # a field may hold anything
        pass
    return plain(value)
