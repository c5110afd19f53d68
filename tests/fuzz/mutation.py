"""Damages bytes as files get damaged, and as an attacker would: words, lines and JSON values too."""

import copy
import json
import random
import re
from typing import Any

ODD_VALUES: list[Any] = [
    None, True, False, -1, 0, 1, 2, 3, 12.0, 54, 53.5, 1e300, -1e-300, 10**30, 1 << 63, "", "0", "x", "pass", "?", "-",
    "\ud800", "\n", "[/b]", [], [[]], [0, 0], [None], {}, {"own": 1}, {"": []}, "3" * 70, [0] * 70,
]  # fmt: skip

ODD_WORDS = [
    b"-", b"?", b"*", b"pass", b"33", b"LB", b"BB", b"33333", b"0", b"-1", b"9999", b"1e999", b"NaN", b"null", b'""',
    b"[]", b"{}", b"@0", b"@9", b"=", b"=3", b",", b"/", b":", b"#", b"\n", b"\n\n", b"\r", b"\t", b"\x00", b"\xff",
    b"\xed\xa0\x80", b"\xe2\x80\xa8", b'"\\ud800"', b"[" * 600, b'{"a":' * 600, b"7" * 400, b"7" * 5000, b"debug={}",
    b"seconds=-1", b"value=1e308",
]  # fmt: skip

_WORD = re.compile(rb"[^\s,/:@=]+")


def mutated(data: bytes, other: bytes, dice: random.Random) -> bytes:
    """Damages *data* one to five times; *other* lends it parts."""
    for _ in range(dice.choice((1, 1, 1, 2, 3, 5))):
        way = dice.choice((_json_line, _json_line, _word, _word, _line, _byte, _byte, _cut, _splice))
        data = way(data, other, dice)
    return data


def damage(value: Any, dice: random.Random) -> Any:
    """Changes, drops, doubles, shuffles or moves one value somewhere inside a JSON value."""
    container, key = dice.choice(_nodes(value) or [({"": 0}, "")])
    what = dice.randrange(5)
    if what == 0:
        container[key] = copy.deepcopy(dice.choice(ODD_VALUES))
    elif what == 1:
        del container[key]
    elif what == 2 and isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key]))
    elif what == 3 and isinstance(container, list):
        dice.shuffle(container)
    else:
        from_container, from_key = dice.choice(_nodes(value) or [(container, key)])
        container[key] = copy.deepcopy(from_container[from_key])
    return value


def _nodes(value: Any) -> list[tuple[Any, Any]]:
    """Lists every (container, key) inside *value*."""
    found, places = [], [value]
    while places:
        place = places.pop()
        items = place.items() if isinstance(place, dict) else enumerate(place) if isinstance(place, list) else ()
        for key, item in items:
            found.append((place, key))
            places.append(item)
    return found


def _json_line(data: bytes, other: bytes, dice: random.Random) -> bytes:
    lines = data.split(b"\n")
    place = dice.randrange(len(lines))
    try:
        value = json.loads(lines[place])
        lines[place] = json.dumps(damage(value, dice), ensure_ascii=dice.random() < 0.8).encode(
            "utf-8", "surrogatepass"
        )
    except (ValueError, RecursionError):
        return _word(data, other, dice)
    return b"\n".join(lines)


def _word(data: bytes, other: bytes, dice: random.Random) -> bytes:
    words = list(_WORD.finditer(data))
    if not words:
        return data + dice.choice(ODD_WORDS)
    found = dice.choice(words)
    lent = [word[0] for word in _WORD.finditer(other)] or ODD_WORDS
    fresh = dice.choice(dice.choice((ODD_WORDS, lent, [word[0] for word in words], [b""])))
    return data[: found.start()] + fresh + data[found.end() :]


def _line(data: bytes, other: bytes, dice: random.Random) -> bytes:
    lines = data.split(b"\n")
    place, what = dice.randrange(len(lines)), dice.randrange(4)
    if what == 0:
        del lines[place]
    elif what == 1:
        lines.insert(place, dice.choice(lines))
    elif what == 2:
        lines.insert(place, dice.choice(other.split(b"\n")))
    else:
        dice.shuffle(lines)
    return b"\n".join(lines)


def _byte(data: bytes, other: bytes, dice: random.Random) -> bytes:
    if not data:
        return bytes([dice.randrange(256)])
    place = dice.randrange(len(data))
    fresh = dice.choice((bytes([data[place] ^ 1 << dice.randrange(8)]), bytes([dice.randrange(256)]), b""))
    return data[:place] + fresh + data[place + 1 :]


def _cut(data: bytes, other: bytes, dice: random.Random) -> bytes:
    return data[: dice.randrange(len(data) + 1)]


def _splice(data: bytes, other: bytes, dice: random.Random) -> bytes:
    return data[: dice.randrange(len(data) + 1)] + other[dice.randrange(len(other) + 1) :]
