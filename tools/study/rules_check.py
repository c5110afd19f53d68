"""The commands ``rules check`` and ``rules corpus``: other people's rules against ours, and what both are tried on."""

import sys
from typing import NoReturn

from ddzbot.rules import KIND_NAMES, RuleSet
from ddzbot.testing.checks import find
from ddzbot.testing.corpus import cases_of, grown, lines_of
from ddzbot.testing.game_steps import STEPS
from ddzbot.testing.questions import ANSWER, QUESTIONS
from ddzbot.testing.search import Limits, Report

from ..programs.sandbox import warn_of_open_programs
from ..shared.commands import missing_in, program_words
from ..shared.errors import InputError
from ..shared.json_text import json_text
from ..shared.terminal import say
from .line_program import LineProgram, NoAnswerError

AGREES, DIFFERS = 0, 1
ASKED = {**QUESTIONS, STEPS.name: STEPS}


def run_check(
    program: str, rules: RuleSet, question: str, limits: Limits, answer_seconds: float, seed: int, as_json: bool
) -> NoReturn:
    """
    Searches for differences and prints what was found; leaves with 0 for none and 1 for some.

    :raises InputError: for a program that cannot be started, or gives no answer to a question that any program answers.
    """
    asks = ASKED[question]
    try:
        command = program_words(program)
        if missing := missing_in(command):
            raise ValueError(missing)
        warn_of_open_programs([command])
        with LineProgram(command, answer_seconds) as asked:
            asked.try_out(asks.asked(rules, asks.simplest(rules)))
            report = find(asks, asked.ask, rules, limits, seed)
    except NoAnswerError as error:
        raise InputError(f"program {program!r} {error}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"program {program!r} cannot be started: {error}") from None
    of_corpus = min(report.tried, sum(1 for _ in cases_of(question, rules)))
    if as_json:
        _print_json(report, rules, question, seed, of_corpus)
    else:
        _print_text(report, rules, question, seed, of_corpus)
    sys.exit(DIFFERS if report.differences else AGREES)


def _print_text(report: Report, rules: RuleSet, question: str, seed: int, of_corpus: int) -> None:
    count = len(report.differences)
    verdict = f"{count} kind{'s' * (count != 1)} of difference" if count else "No difference"
    tried = f"{report.tried:,} cases, {of_corpus:,} of them of the corpus"
    say(f"{verdict} in {tried} ({question}, rules {rules.name}, seed {seed}).")
    for difference in report.differences:
        say("* " + difference.sentence(rules))
    agreed = _agreeing_kinds(report, rules)
    if count and agreed and question != STEPS.name:
        say(f"Nothing differs about: {', '.join(agreed)}.")


def _agreeing_kinds(report: Report, rules: RuleSet) -> list[str]:
    """Lists the kinds that no difference is about; none where answers were missing."""
    if any(difference.deciding.rule == ANSWER for difference in report.differences):
        return []
    kinds = [*(KIND_NAMES[shape.kind] for shape in rules.legal), "rocket"]
    named = {word for difference in report.differences for word in difference.deciding.rule.split()}
    return [kind for kind in dict.fromkeys(kinds) if kind not in named]


def _print_json(report: Report, rules: RuleSet, question: str, seed: int, of_corpus: int) -> None:
    asked = ASKED[question].asked
    differences = [
        {
            "kind": difference.kind,
            "yours_has_more": difference.more,
            **asked(rules, difference.case),
            "sentence": difference.sentence(rules),
        }
        for difference in report.differences
    ]
    about = {"ask": question, "rules": rules.name, "seed": seed, "tried": report.tried, "of_corpus": of_corpus}
    say(json_text({**about, "differences": differences}, ascii_only=True))


def print_corpus(rules: RuleSet, more: int, seed: int) -> None:
    """Prints the corpus of a rule set, and *more* random positions."""
    for line in lines_of(rules):
        say(line)
    for line in grown(rules, more, seed):
        say(line)
