"""The recorded games of the platform's judges, as tests need them."""

import functools
import gzip
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.support import ROOT

FOLDER = ROOT / "tests" / "data" / "botzone"

Answers = dict[str, Any]


class Transcript(NamedTuple):
    """One recorded match: what the judge printed at each step, and what the bots answered in between."""

    name: str
    game: str
    initdata: dict[str, Any]
    printed: list[str]
    answers: list[Answers]

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yields what the platform hands its judge before each step: the log so far, and the deal."""
        log: list[dict[str, Any]] = []
        for printed, answers in zip(self.printed, [*self.answers, {}], strict=True):
            yield {"log": list(log), "initdata": self.initdata}
            log += [{"output": json.loads(printed), "verdict": "OK"}, answers]


def read_lines(name: str) -> list[dict[str, Any]]:
    with gzip.open(FOLDER / name, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@functools.cache
def transcripts() -> dict[str, Transcript]:
    """Gets the transcripts on which the judge did not crash, by name."""
    return {
        line["name"]: transcript(line)
        for line in read_lines("transcripts.jsonl.gz")
        if not line["steps"][0].get("crash")
    }


def transcript(line: dict[str, Any]) -> Transcript:
    steps = line["steps"]
    printed = [step["judge_stdout"].strip() for step in steps]
    answers = [{seat: answer_of(answer) for seat, answer in step.get("bots", {}).items()} for step in steps[:-1]]
    return Transcript(line["name"], line["game"], json.loads(printed[0])["initdata"], printed, answers)


def answer_of(said: dict[str, Any]) -> dict[str, Any]:
    if "injected" in said:
        return dict(said["injected"])
    return {"verdict": "OK", "response": json.loads(said["stdout"].splitlines()[0])["response"]}


@functools.cache
def scored_games() -> list[dict[str, Any]]:
    """Gets whole games with the scores that the judge gave."""
    return read_lines("scored_games.jsonl.gz")
