"""The referees against everything that was recorded of the platform's judges."""

import json
from typing import Any

import pytest

from tests.judge.recorded import Transcript, read_lines, scored_games, transcripts
from tools.referee.games import make_referee
from tools.referee.referee import Output, RefereeError
from tools.referee.stdio import judge_line


def outputs_of(recorded: Transcript) -> list[Output]:
    referee = make_referee(recorded.game, recorded.initdata, "unused")
    return [referee.first(), *map(referee.answer, recorded.answers)]


def last_output(game: dict[str, Any]) -> tuple[Output, list[dict[str, Any]]]:
    """Plays a scored game; gets what the judge said last, and the platform's log as far as the judge needs it."""
    referee = make_referee(game["game"], game["initdata"], "unused")
    output, log = referee.first(), list[dict[str, Any]]()
    for response in [*game["bids"], *game["moves"]]:
        (player,) = output.content
        log += [{"output": output.as_json()}, {player: {"verdict": "OK", "response": response}}]
        output = referee.answer(log[-1])
    return output, log


@pytest.mark.whole
def test_each_output_is_what_the_platform_printed_be_the_judge_kept_or_started_every_turn() -> None:
    for name, recorded in transcripts().items():
        assert [json.dumps(output.as_json()) for output in outputs_of(recorded)] == recorded.printed, name
        said = [judge_line(recorded.game, json.dumps(message), "unused") for message in recorded.messages()]
        assert said == recorded.printed, name


def test_no_recording_is_left_out() -> None:
    assert len(transcripts()) == 41
    assert sum(len(recorded.printed) for recorded in transcripts().values()) == 702
    assert len(scored_games()) == 80


# The platform's scores of FightTheLandlord carry the noise of its floating point: 0.14500000000000002.
def test_scores_are_the_platforms_be_the_judge_kept_or_started_every_turn() -> None:
    for number, game in enumerate(scored_games()):
        output, log = last_output(game)
        message = {"log": log, "initdata": game["initdata"]}
        for said in (output.as_json(), json.loads(judge_line(game["game"], json.dumps(message), "unused"))):
            assert said["command"] == "finish", number
            assert list(said["content"].values()) == game["scores"], number


def test_what_crashed_the_platforms_judge_is_refused() -> None:
    (line,) = [line for line in read_lines("transcripts.jsonl.gz") if line["steps"][0].get("crash")]
    with pytest.raises(RefereeError, match="an allocation but no publiccard"):
        judge_line(line["game"], line["last_judge_stdin"], "unused")
