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
    change = dice.randrange(5)
    if change == 0:
        container[key] = copy.deepcopy(dice.choice(ODD_VALUES))
    elif change == 1:
        del container[key]
    elif change == 2 and isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key]))
    elif change == 3 and isinstance(container, list):
        dice.shuffle(container)
    else:
        from_container, from_key = dice.choice(_nodes(value) or [(container, key)])
        container[key] = copy.deepcopy(from_container[from_key])
    return value


def _nodes(value: Any) -> list[tuple[Any, Any]]:
    """Lists every (container, key) inside *value*."""
    nodes, places = [], [value]
    while places:
        node = places.pop()
        items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, item in items:
            nodes.append((node, key))
            places.append(item)
    return nodes


def _json_line(data: bytes, other: bytes, dice: random.Random) -> bytes:
    lines = data.split(b"\n")
    index = dice.randrange(len(lines))
    try:
        value = json.loads(lines[index])
        lines[index] = json.dumps(damage(value, dice), ensure_ascii=dice.random() < 0.8).encode(
            "utf-8", "surrogatepass"
        )
    except (ValueError, RecursionError):
        return _word(data, other, dice)
    return b"\n".join(lines)


def _word(data: bytes, other: bytes, dice: random.Random) -> bytes:
    matches = list(_WORD.finditer(data))
    if not matches:
        return data + dice.choice(ODD_WORDS)
    replaced = dice.choice(matches)
    lent = [word[0] for word in _WORD.finditer(other)] or ODD_WORDS
    fresh = dice.choice(dice.choice((ODD_WORDS, lent, [word[0] for word in matches], [b""])))
    return data[: replaced.start()] + fresh + data[replaced.end() :]


def _line(data: bytes, other: bytes, dice: random.Random) -> bytes:
    lines = data.split(b"\n")
    index, change = dice.randrange(len(lines)), dice.randrange(4)
    if change == 0:
        del lines[index]
    elif change == 1:
        lines.insert(index, dice.choice(lines))
    elif change == 2:
        lines.insert(index, dice.choice(other.split(b"\n")))
    else:
        dice.shuffle(lines)
    return b"\n".join(lines)


def _byte(data: bytes, other: bytes, dice: random.Random) -> bytes:
    if not data:
        return bytes([dice.randrange(256)])
    index = dice.randrange(len(data))
    fresh = dice.choice((bytes([data[index] ^ 1 << dice.randrange(8)]), bytes([dice.randrange(256)]), b""))
    return data[:index] + fresh + data[index + 1 :]


def _cut(data: bytes, other: bytes, dice: random.Random) -> bytes:
    return data[: dice.randrange(len(data) + 1)]


def _splice(data: bytes, other: bytes, dice: random.Random) -> bytes:
    return data[: dice.randrange(len(data) + 1)] + other[dice.randrange(len(other) + 1) :]
