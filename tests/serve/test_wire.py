"""What a connection may say: every well-formed message is read, and everything else is one sentence."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.tables.serve.sentences import RefusedError
from tools.tables.serve.wire import Again, Bid, Hint, Join, Play, read_request


@pytest.mark.parametrize(
    ("message", "request_"),
    [
        ({"type": "join", "token": "abc", "watch": False}, Join("abc", False)),
        ({"type": "bid", "at": 0, "bid": 3}, Bid(0, 3)),
        ({"type": "play", "at": 7, "cards": "5433B"}, Play(7, "3345B")),
        ({"type": "hint", "at": 12}, Hint(12)),
        ({"type": "again", "game": 1}, Again(1)),
    ],
    ids=lambda value: value["type"] if isinstance(value, dict) else "",
)
def test_a_message_is_read(message: dict[str, Any], request_: object) -> None:
    assert read_request(json.dumps(message)) == request_


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the message '' is no join, bid, play, back, bots, hint, again or review: Expecting value"),
        ("[" * 500, "is no join, bid"),
        ('{"type": "shout"}', "Invalid value 'shout' - at `$.type`"),
        ('{"type": "play", "at": 1}', "Object missing required field `cards`"),
        ('{"type": "hint", "at": 1, "seat": 2}', "Object contains unknown field `seat`"),
        ('{"type": "bid", "at": 1, "bid": true}', "Expected `int`, got `bool` - at `$.bid`"),
        ('{"type": "bid", "at": -1, "bid": 3}', "Expected `int` >= 0 - at `$.at`"),
        ('{"type": "bid", "at": NaN, "bid": 3}', "NaN is not a number"),
        ('{"type": "play", "at": 1, "cards": "3x"}', "cards '3x': 'x' is not a rank"),
        ('{"type": "play", "at": 1, "cards": "BB"}', "cards 'BB': the deck has fewer B"),
        ('{"type": "join", "token": "", "watch": 0}', "Expected `bool`, got `int` - at `$.watch`"),
    ],
)
def test_anything_else_is_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(RefusedError) as refused:
        read_request(text)
    assert sentence in refused.value.sentence.en
    assert "\n" not in refused.value.sentence.en


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "at", "bid", "cards"]), inner),
    max_leaves=6,
)


@given(st.text(max_size=40) | JSON.map(json.dumps))
def test_no_text_does_anything_but_be_read_or_refused(text: str) -> None:
    try:
        request = read_request(text)
    except RefusedError:
        return
    assert isinstance(request, (Join, Bid, Play, Hint, Again))
