"""What must hold of every sentence and of every record, wherever it comes from."""

import io
from typing import Any

from rich.console import Console

from tools.records.check import Summary
from tools.records.files import records_of, text_of
from tools.records.record import GameRecord
from tools.records.screen import draw_record
from tools.study.view.game_data import game_data
from tools.study.view.render import embed

LONGEST_SENTENCE = 1000
"""Characters of what a refusal says."""


def assert_is_a_sentence(error: Exception | str) -> None:
    """It is one line that a terminal takes, and not long."""
    sentence = str(error)
    assert sentence and len(sentence) < LONGEST_SENTENCE, f"{len(sentence)} characters: {sentence[:200]!r}"
    assert "\n" not in sentence, sentence
    sentence.encode("utf-8")


def check_record(record: GameRecord, ids: Any) -> None:
    """It can be checked, written, read back, put on a page and drawn."""
    for problem in Summary().add(record):
        problem.encode("utf-8")
    for form in ("text", "json"):
        written = text_of([record], form)
        written.encode("utf-8")
        assert records_of(written, form) == [record], form
    embed({"games": [game_data(record, 1, ids)]}).encode("utf-8")
    screen = Console(file=io.TextIOWrapper(io.BytesIO(), "utf-8"))
    draw_record(screen, record, debug=True)
