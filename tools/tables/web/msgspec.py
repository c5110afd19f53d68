"""
What the page uses of msgspec, with the same refusals: the page has no compiled package (docs/lab/speed.md).

It is put beside the tools as ``msgspec``; see :mod:`tools.tables.web.build`.
"""

import operator
import re
import sys
import types
import typing
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar


class ValidationError(ValueError):
    """Raised for a value of another type; the message names the place."""


class UnsetType:
    """The type of what is not there."""

    def __bool__(self) -> bool:
        return False


UNSET = UnsetType()


class Meta:
    """Bounds of a number, or of the length of what has one, and the pattern of a text."""

    def __init__(self, **bounds: Any) -> None:
        self._bounds = bounds

    def check(self, value: Any, place: str) -> None:
        """Refuses a value out of bounds."""
        for rule, bound in self._bounds.items():
            if not _FITS[rule](value, bound):
                raise ValidationError(f"Expected {rule} {bound!r} - at `{place}`")


_FITS: dict[str, Callable[[Any, Any], Any]] = {
    "ge": operator.ge,
    "gt": operator.gt,
    "le": operator.le,
    "lt": operator.lt,
    "min_length": lambda value, bound: len(value) >= bound,
    "max_length": lambda value, bound: len(value) <= bound,
    "pattern": lambda value, bound: re.search(bound, value),
}


class Struct:
    """A row with typed fields."""

    _options: ClassVar[dict[str, Any]] = {}
    __struct_fields__: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__()
        cls._options = {**cls._options, **options}
        own = (field for field in vars(cls).get("__annotations__", {}) if not field.startswith("_"))
        cls.__struct_fields__ = (*getattr(cls, "__struct_fields__", ()), *own)

    def __init__(self, *values: Any, **named: Any) -> None:
        fields = type(self).__struct_fields__
        given = {**dict(zip(fields, values, strict=False)), **named}
        for field in fields:
            if field not in given and not hasattr(type(self), field):
                raise TypeError(f"Missing required argument '{field}'")
            setattr(self, field, given.get(field, getattr(type(self), field, None)))

    def __eq__(self, other: Any) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{field}={value!r}' for field, value in vars(self).items())})"


@cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(kind, include_extras=True)
    return {field: hints[field] for field in kind.__struct_fields__}


def convert(value: Any, kind: Any) -> Any:
    """Takes a JSON value as what it must be."""
    return _convert(value, kind, "$")


def _convert(value: Any, kind: Any, place: str) -> Any:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any or isinstance(kind, typing.TypeVar):
        return value
    if origin is typing.Annotated:
        inner = _convert(value, arguments[0], place)
        for bound in arguments[1:]:
            bound.check(inner, place)
        return inner
    if origin in (typing.Union, types.UnionType):
        return _one_of(value, arguments, place)
    if origin is typing.Literal:
        if any(value == literal and type(value) is type(literal) for literal in arguments):
            return value
        raise ValidationError(f"Invalid enum value {value!r:.40} - at `{place}`")
    if origin in (list, tuple, dict):
        return _many(value, origin, arguments, place)
    struct = origin or kind
    if isinstance(struct, type) and issubclass(struct, Struct):
        return _struct(value, kind, struct, place)
    if kind is type(None) and value is None:
        return None
    if kind is float and type(value) is int:
        return float(value)
    if isinstance(kind, type) and type(value) is kind:
        return value
    raise ValidationError(f"Expected `{getattr(kind, '__name__', kind)}`, got `{type(value).__name__}` - at `{place}`")


def _one_of(value: Any, kinds: Any, place: str) -> Any:
    kinds = [kind for kind in kinds if kind is not UnsetType]
    tagged = [
        kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Struct) and kind._options.get("tag_field")
    ]
    if tagged and isinstance(value, dict):
        for kind in tagged:
            if value.get(kind._options["tag_field"]) == kind._options["tag"](kind.__name__):
                return _convert(value, kind, place)
        raise ValidationError(f"Invalid value {value.get(tagged[0]._options['tag_field'])!r:.40} - at `{place}`")
    problem = None
    for kind in kinds:
        try:
            return _convert(value, kind, place)
        except ValidationError as error:
            problem = problem or error
    raise problem or ValidationError(f"nothing fits - at `{place}`")


def _many(value: Any, origin: Any, arguments: Any, place: str) -> Any:
    if not isinstance(value, dict if origin is dict else (list, tuple)):
        raise ValidationError(f"Expected `{origin.__name__}`, got `{type(value).__name__}` - at `{place}`")
    if origin is dict:
        items: Any = value
        return {
            _convert(key, arguments[0], place): _convert(items[key], arguments[1], f"{place}[...]") for key in items
        }
    kinds = arguments
    if origin is list or arguments[-1] is Ellipsis:
        kinds = arguments[:1] * len(value)
    elif len(value) != len(arguments):
        raise ValidationError(f"Expected `array` of length {len(arguments)}, got {len(value)} - at `{place}`")
    pairs = zip(value, kinds, strict=True)
    return origin(_convert(item, kind, f"{place}[{index}]") for index, (item, kind) in enumerate(pairs))


def _struct(value: Any, kind: Any, struct: Any, place: str) -> Any:
    if not isinstance(value, dict):
        raise ValidationError(f"Expected `object`, got `{type(value).__name__}` - at `{place}`")
    hints, options = _hints(struct), struct._options
    bound = dict(zip(getattr(struct, "__parameters__", ()), typing.get_args(kind), strict=False))
    field_names = {*hints, options.get("tag_field")}
    if options.get("forbid_unknown_fields") and (unknown := [key for key in value if key not in field_names]):
        raise ValidationError(f"Object contains unknown field `{unknown[0]}` - at `{place}`")
    values = {}
    for field, hint in hints.items():
        if field in value:
            values[field] = _convert(value[field], bound.get(hint, hint), f"{place}.{field}")
        elif not hasattr(struct, field):
            raise ValidationError(f"Object missing required field `{field}` - at `{place}`")
    return struct(**values)


class structs:  # noqa: N801 - a module there
    """Rows."""

    @staticmethod
    def replace(row: Any, **changes: Any) -> Any:
        """Makes a row with other values."""
        return type(row)(**{**vars(row), **changes})


sys.modules[f"{__name__}.structs"] = structs  # type: ignore[assignment]
