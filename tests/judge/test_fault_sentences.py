"""The sentences of faults are read again as the messages that they were."""

from collections.abc import Iterator
from itertools import product
from string import Formatter

import pytest

from ddzbot.game import SEAT_NAMES
from ddzbot.rules import KIND_NAMES
from tests.tools.test_language import all_messages
from tools.judge.fault_sentences import SENTENCES
from tools.shared.language import chinese
from tools.shared.message import Message, english, to_json
from tools.shared.message_forms import OTHERS, Forms, read

MODULES = ("tools/judge/process", "tools/judge/game.py", "tools/referee/", "tools/shared/refusal_words.py")
"""The modules that say what was wrong with a program."""
ONE_WORD = {"code": "1", "verdict": "RE", "number": "2", "rules": "mini", "length": "5,000"}
ODD = (
    "RuntimeError: no [idea] (of) it",
    "player 1 (landlord) ended with exit code 1: x (RE)",
    "3: a Solo cannot answer the Pair",
    "two\nlines",
    "{a}",
    "",
)
"""Words of programs, which may be like ours."""


def messages(forms: Forms, words: str) -> Iterator[str]:
    """All messages of the forms, with the same words of a program in each."""
    for key, parts in forms.items():
        if key == OTHERS:
            yield "3"
            continue
        names = [name for _, name, _, _ in Formatter().parse(key) if name]
        choices = [[*messages(parts[name], words)] if name in parts else [ONE_WORD.get(name, words)] for name in names]
        for values in product(*choices):
            yield Message(key, **dict(zip(names, values, strict=True)))


def keys_in(forms: Forms) -> Iterator[str]:
    for key, parts in forms.items():
        yield key
        for inner in parts.values():
            yield from keys_in(inner)


def test_every_message_of_the_judge_has_a_form() -> None:
    said = {key for name, keys, _ in all_messages() if name.startswith(MODULES) for key in keys or ()}
    assert said == {*keys_in(SENTENCES)} - {OTHERS, *SEAT_NAMES, *KIND_NAMES}


@pytest.mark.parametrize("words", ["12", "ValueError"])
def test_every_sentence_is_the_message_that_it_was(words: str) -> None:
    for sentence in messages(SENTENCES, words):
        assert to_json(read(english(sentence), SENTENCES)) == to_json(sentence)


def test_what_a_program_says_is_never_taken_for_ours() -> None:
    for words in ODD:
        how = Message("ended with exit code {code}", code=1)
        what: str = Message("{how}: {words}", how=how, words=words)
        player = Message("player {number} ({seat})", number=0, seat=Message("landlord"))
        sentence = Message("{player} {what} ({verdict})", player=player, what=what, verdict="RE")
        message = read(english(sentence), SENTENCES)
        assert message == sentence and chinese(message) == f"玩家 0（地主）以退出码 1 结束：{words}（RE）"


@pytest.mark.parametrize("text", ["", "it ended", "player 0 (landlord) ended with exit code 1", "player x lost (RE)"])
def test_any_other_text_is_no_message(text: str) -> None:
    assert read(text, SENTENCES) is None
