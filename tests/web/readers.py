"""Prints what the readers of JSON make of many values, good and bad: ``readers.py RECORD``."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tools.records.files import records_of, text_of
from tools.shared.json_text import checked
from tools.study.analyse.query import parse_query
from tools.study.solve import _Row
from tools.tables.serve.rooms import _Wish
from tools.tables.serve.sentences import RefusedError
from tools.tables.serve.wire import read_request

WRONG = (None, 7, "x", [], {}, [1, 2, 3])
QUERIES = (
    *({"rules": "mini"}, {"playouts": 0}, {"hand": 3, "rules": "mini", "seat": 0}, {"request": {"requests": []}}),
    *({"top": 1.5}, {"seat": 3}, {"other": 1}, {"terminate": ""}, {"terminate": "q"}, {"seconds": True}),
    *({"id": ""}, {"id": "q" * 201}, {"id": 1 << 63}),
)
PLACES = (["a"], ["a", "b", "c"], "abc", [1, 2, 3])
SAYS = ({"type": "none"}, {"type": "hint", "at": 1}, {"type": "hint"}, {"at": 1}, {"type": "again", "at": 1}, [], 7)
ENDGAMES = ({}, {"to_move": 1}, {"to_move": "peasant"}, {"to_move": "x"}, {"hands": ["3", 4]}, {"id": 1 << 63})


def told(read: Callable[[Any], Any], value: Any) -> str:
    try:
        return repr(read(value))
    except (ValueError, RefusedError) as error:
        return f"{type(error).__name__} {getattr(error, 'field', None)}"


def all_told(record: dict[str, Any]) -> Iterator[str]:
    for value in (record, *({**record, name: wrong} for name in record for wrong in WRONG)):
        yield told(lambda one: text_of(records_of(json.dumps(one)), "json"), value)
    for value in (*({"id": 1, **one} for one in QUERIES), {}, [], None):
        yield told(parse_query, value)
    for value in (*({"rules": "mini", "places": places} for places in PLACES), {"rules": "mini"}, {"more": 1}):
        yield told(lambda one: checked(one, _Wish).places, value)
    for value in (*({"type": "play", "at": at, "cards": "33"} for at in (0, -1, 10**7, "1", 1.0, True)), *SAYS):
        yield told(lambda one: read_request(json.dumps(one)).at, value)
    for value in ENDGAMES:
        yield told(lambda one: checked(one, _Row).to_move, value)


(game,) = records_of(Path(sys.argv[1]).read_text("utf-8"))
for line in all_told(json.loads(text_of([game], "json"))):
    print(line)
