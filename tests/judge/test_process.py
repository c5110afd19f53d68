"""
The process runner of the judge against bad bots: each failure gets its verdict, and nothing is left running.

Longer than a module of the project should be, because all of it is one contract: first the bots of tests/bots, one test
each, then the finer points by small shell scripts.
"""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support import ROOT, eventually
from tools.judge.process import BotProcess
from tools.judge.process_answer import Answer, ReplyError, lines_of_answer, read_output
from tools.judge.process_group import ProcessGroup
from tools.judge.process_limits import Limits

BOTS = ROOT / "tests" / "bots"
FIRST = {"own": [9, 5, 30], "history": [[], []], "publiccard": [9, 5, 30]}
LEAD: dict[str, Any] = {"history": [[], []]}
FOLLOW = {"history": [[], [40]]}
PASS = '{"response":[]}'
MARKER = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"

PATIENT = Limits(60.0, 60.0, 60.0)
"""For bots that must not fail on time, however loaded the machine is."""


def bad_bot(file: str, limits: Limits = PATIENT, **options: Any) -> BotProcess:
    return BotProcess([sys.executable, "-E", "-s", "-S", str(BOTS / f"{file}.py")], limits=limits, **options)


def shell_bot(script: str, limits: Limits = PATIENT, **options: Any) -> BotProcess:
    return BotProcess(["sh", "-c", script], limits=limits, **options)


def first_turn(bot: BotProcess) -> Answer:
    with bot:
        return bot.turn([FIRST], [])


def shell_turn(script: str, limits: Limits = PATIENT, **options: Any) -> Answer:
    return first_turn(shell_bot(script, limits, **options))


def seconds(limit: float) -> Limits:
    return Limits(limit, limit, limit)


def is_gone(pid: int) -> bool:
    """Checks if *pid* runs no more; its new parent has to reap it, which is not the judge's affair."""
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


# Every bot of tests/bots and its verdict


@pytest.mark.parametrize(
    ("name", "verdict", "problem"),
    [
        ("crash_at_start", "RE", "ended with exit code 1: RuntimeError: no weights (RE)"),
        ("crash_after_answer", "RE", "ended with exit code 3 (RE)"),
        ("garbage", "NJ", "printed no JSON: 'I think I pass' (NJ)"),
        ("chatter_on_stdout", "NJ", "printed no JSON: 'searching...' (NJ)"),
        ("output_flood", "OLE", "printed more than 1048576 bytes in one turn (OLE)"),
    ],
)
def test_a_failure_has_its_verdict_and_sentence_and_no_response(name: str, verdict: str, problem: str) -> None:
    answer = first_turn(bad_bot(name, name="seat 1"))
    assert (answer.verdict, answer.response, answer.problem) == (verdict, None, f"seat 1 {problem}")
    assert ("Traceback" in answer.stderr) == (name == "crash_at_start")


@pytest.mark.parametrize("name", ["bid_one", "never_pass", "stall_on_bad_input", "trust_limits", "crash_late",
                                  "no_restart", "long_debug", "large_but_good", "think_long_when_kept"])  # fmt: skip
def test_a_bot_whose_fault_comes_later_or_is_no_affair_of_the_process_is_ok(name: str) -> None:
    """The check of compliance finds it, with the same processes."""
    answer = first_turn(bad_bot(name))
    assert (answer.verdict, answer.response) == ("OK", [5])


def test_a_bot_that_never_answers_is_tle_at_the_limit() -> None:
    answer = first_turn(bad_bot("stall", seconds(0.4), name="seat 1"))
    assert answer.verdict == "TLE"
    assert answer.problem == "seat 1 took longer than 0.4 s (TLE)"
    assert 0.4 <= answer.seconds < 250


def test_a_stalling_bot_that_ignores_sigterm_dies_with_its_child() -> None:
    answer = first_turn(bad_bot("stall_with_child", seconds(2.0)))
    assert answer.verdict == "TLE"
    bot, child = map(int, answer.stderr.split())
    assert is_gone(bot)
    assert eventually(lambda: is_gone(child))


def test_a_daemon_that_left_the_process_group_is_killed() -> None:
    answer = first_turn(bad_bot("leave_daemon"))
    assert answer.verdict == "OK"
    assert eventually(lambda: is_gone(answer.debug))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere orphans are not given to the judge")
def test_a_daemon_without_parent_session_and_environment_is_killed_and_buried() -> None:
    answer = first_turn(bad_bot("leave_hidden_daemon"))
    assert answer.verdict == "OK"
    assert not psutil.pid_exists(answer.debug)


def test_a_bot_does_not_inherit_the_seed_of_the_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDZ_SEED", "secret")
    assert shell_turn("""echo '{"response":[],"debug":"'$DDZ_SEED'"}'""").debug == ""


DAEMONS = """
read line
(sleep 3600 >&2 & echo $! >&2)
setsid sh -c 'sleep 3600 & echo $! >&2'
echo '{"response":[]}'
echo '>>>BOTZONE_REQUEST_KEEP_RUNNING<<<'
read line
"""
"""Keeps running with two orphans: one in its session, one in another."""


def test_the_end_of_a_bot_spares_other_bots_their_daemons_and_our_own_children() -> None:
    with subprocess.Popen(["sleep", "3600"]) as own, shell_bot(DAEMONS) as bot:
        try:
            answer = bot.turn([FIRST], [])
            daemons = [int(word) for word in answer.stderr.split()]
            assert (answer.kept, len(daemons)) == (True, 2)
            assert first_turn(bad_bot("leave_daemon")).verdict == "OK"
            assert not any(is_gone(pid) for pid in (own.pid, bot.pid or 0, *daemons))
            bot.close()
            assert eventually(lambda: all(is_gone(pid) for pid in daemons))
            assert not is_gone(own.pid)
        finally:
            own.kill()


def test_where_orphans_are_not_given_to_the_judge_they_are_found_by_their_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tools.judge.process_posix._adopt_orphans", lambda: False)
    test_a_daemon_that_left_the_process_group_is_killed()


def test_chatter_on_stderr_is_harmless_and_its_end_is_kept() -> None:
    answer = first_turn(bad_bot("chatter_on_stderr"))
    assert answer.verdict == "OK"
    assert answer.stderr.endswith("node 09999 of the tree\n")
    assert len(answer.stderr) == 64 * 1024


@pytest.mark.parametrize("name", ["slow_start", "think_long"])
def test_the_start_of_the_process_counts_as_thinking_does(name: str) -> None:
    assert first_turn(bad_bot(name, seconds(0.4))).verdict == "TLE"


@pytest.mark.parametrize("name", ["memory_hog", "memory_hog_children"])
def test_too_much_memory_is_mle_for_the_whole_family(name: str) -> None:
    answer = first_turn(bad_bot(name, Limits(60.0, memory_mib=128)))
    assert answer.verdict == "MLE"
    assert 128 < answer.peak_mib < 300
    assert answer.problem.endswith("MiB of memory, allowed are 128 (MLE)")


@pytest.mark.whole
def test_the_peak_of_a_process_that_ended_unseen_is_known_if_it_exceeds_the_judges_own() -> None:
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 + (100 << 20)
    group = ProcessGroup([sys.executable, "-S", "-c", f"b'x' * {size}"])
    assert eventually(group.ended)
    group.close()
    assert size < group.peak_mib * (1 << 20) < size + (50 << 20)


def test_only_the_referee_knows_cards_and_the_end_of_output_ends_the_line() -> None:
    answer = first_turn(bad_bot("illegal_move"))
    assert (answer.verdict, answer.response) == ("OK", [0])
    answer = first_turn(bad_bot("no_newline"))
    assert (answer.verdict, answer.response) == ("OK", [])


def test_a_kept_bot_that_dies_over_its_second_request_is_re() -> None:
    with bad_bot("die_in_turn_2") as bot:
        assert bot.turn([FIRST], []).verdict == "OK"
        answer = bot.turn([FIRST, FOLLOW], [[]])
    assert answer.verdict == "RE"
    assert answer.problem == "bot ended with exit code 1: RuntimeError: no second move (RE)"
    assert not answer.fresh


@pytest.mark.parametrize("name", ["die_between_turns", "leave_between_turns"])
def test_a_kept_bot_that_ended_between_turns_is_started_again_with_the_envelope(name: str) -> None:
    with bad_bot(name) as bot:
        answers = [bot.turn([FIRST, *[FOLLOW] * later], [[5], []][:later]) for later in range(3)]
    assert [(answer.verdict, answer.fresh) for answer in answers] == [("OK", True)] * 3


@pytest.mark.parametrize("mode", ["one_shot", "auto"])
def test_a_good_one_shot_bot_is_started_for_every_turn(mode: Any) -> None:
    with bad_bot("obedient_one_shot", mode=mode) as bot:
        lead = bot.turn([FIRST], [])
        follow = bot.turn([FIRST, FOLLOW], [[5]], lead.data)
        last = bot.turn([FIRST, FOLLOW, LEAD], [[5], []], follow.data)
        assert bot.pid is None
    assert [answer.verdict for answer in (lead, follow, last)] == ["OK"] * 3
    assert [answer.response for answer in (lead, follow, last)] == [[5], [], [9]]
    assert [answer.data for answer in (lead, follow, last)] == [1, 2, 3]
    assert 0 < lead.seconds < 60


@pytest.mark.parametrize("mode", ["keep_running", "auto"])
def test_a_good_keep_running_bot_gets_one_envelope_and_then_bare_requests(mode: Any) -> None:
    with bad_bot("obedient_keep_running", mode=mode) as bot:
        lead = bot.turn([FIRST], [])
        pid = bot.pid
        follow = bot.turn([FIRST, FOLLOW], [[5]])
        last = bot.turn([FIRST, FOLLOW, LEAD], [[5], []])
        assert bot.pid == pid
    assert [answer.response for answer in (lead, follow, last)] == [[5], [], [9]]
    assert [answer.debug for answer in (lead, follow, last)] == ["envelope", "request", "request"]
    assert [answer.fresh for answer in (lead, follow, last)] == [True, False, False]
    assert all(1 < answer.peak_mib < 100 for answer in (lead, follow, last))


def test_a_warning_on_stderr_is_kept_beside_a_good_answer() -> None:
    answer = first_turn(bad_bot("warn_on_stderr"))
    assert (answer.verdict, answer.response, answer.stderr) == ("OK", [5], "warning: no weights\n")


@pytest.mark.parametrize(("mode", "verdict"), [("keep_running", "RE"), ("auto", "OK")])
def test_a_bot_that_gives_up_keep_running_is_re_where_that_is_demanded(mode: Any, verdict: str) -> None:
    with bad_bot("marker_once", mode=mode) as bot:
        assert bot.turn([FIRST], []).verdict == "OK"
        assert bot.turn([FIRST, FOLLOW], [[5]]).verdict == verdict


def test_every_bot_of_the_folder_is_tested() -> None:
    folders = (Path(__file__).parent, ROOT / "tests/check")
    source = "".join(path.read_text("utf-8") for folder in folders for path in folder.glob("*.py"))
    assert [path.stem for path in BOTS.glob("*.py") if f'"{path.stem}"' not in source] == []


# Keep-running


def test_a_kept_bot_is_stopped_between_turns_with_its_children() -> None:
    turn = f"read line; echo '{PASS}'; echo '{MARKER}'"
    with shell_bot(f"sleep 3600 & {turn}; {turn}; wait") as bot:
        assert bot.turn([FIRST], []).kept
        assert bot.pid is not None
        family = [psutil.Process(bot.pid), *psutil.Process(bot.pid).children()]
        assert len(family) == 2
        assert eventually(lambda: all(process.status() == psutil.STATUS_STOPPED for process in family))
        assert bot.turn([FIRST, FOLLOW], [[]]).kept
    assert eventually(lambda: all(is_gone(process.pid) for process in family))


def test_a_kept_bot_killed_between_turns_is_started_again() -> None:
    with bad_bot("obedient_keep_running") as bot:
        bot.turn([FIRST], [])
        assert bot.pid is not None
        os.kill(bot.pid, signal.SIGKILL)
        assert eventually(partial(is_gone, bot.pid))
        answer = bot.turn([FIRST, FOLLOW], [[5]])
    assert (answer.verdict, answer.response, answer.debug) == ("OK", [], "envelope")
    assert answer.fresh
    assert answer.kept


def test_the_first_turn_of_a_game_starts_a_new_process() -> None:
    with bad_bot("obedient_keep_running") as bot:
        bot.turn([FIRST], [])
        old = bot.pid
        answer = bot.turn([FIRST], [])
        assert bot.pid != old
    assert answer.debug == "envelope"


def test_later_turns_of_a_kept_bot_have_a_limit_of_their_own() -> None:
    limits = Limits(60.0, 60.0, keep_running_turn=0.3)
    with shell_bot(f"read line; echo '{PASS}'; echo '{MARKER}'; read line; exec sleep 3600", limits) as bot:
        assert bot.turn([FIRST], []).verdict == "OK"
        answer = bot.turn([FIRST, FOLLOW], [[]])
    assert (answer.verdict, answer.problem) == ("TLE", "bot took longer than 0.3 s (TLE)")
    assert bot.pid is None


def test_data_and_globaldata_do_not_work_for_a_kept_bot_but_debug_is_shown() -> None:
    line = json.dumps({"response": 1, "debug": "d", "data": "x", "globaldata": "y"})
    answer = shell_turn(f"read line; echo '{line}'; echo '{MARKER}'; read line")
    assert (answer.response, answer.debug, answer.data, answer.globaldata) == (1, "d", None, None)


def test_one_shot_mode_ignores_the_marker_and_ends_the_input() -> None:
    answer = first_turn(bad_bot("obedient_keep_running", mode="one_shot"))
    assert (answer.verdict, answer.response, answer.kept) == ("OK", [5], False)


def test_chatter_between_answer_and_marker_is_nj_and_ends_the_process() -> None:
    with shell_bot(f"read line; echo '{PASS}'; echo thinking; echo '{MARKER}'; read line") as bot:
        answer = bot.turn([FIRST], [])
        assert bot.pid is None
    assert (answer.verdict, answer.problem) == ("NJ", "bot printed more than its answer: 'thinking' (NJ)")


def test_output_after_the_marker_belongs_to_the_next_turn() -> None:
    rest = f"sleep 0.1; echo '{PASS}'; echo '{MARKER}'; read line"
    with shell_bot(f"read line; printf '%s\\n' '{PASS}' '{MARKER}' chatter; read line; {rest}") as bot:
        assert bot.turn([FIRST], []).verdict == "OK"
        answer = bot.turn([FIRST, FOLLOW], [[]])
    assert (answer.verdict, answer.problem) == ("NJ", "bot printed no JSON: 'chatter' (NJ)")


# One-shot, time and exit


LATE = "answered but neither ended nor asked to keep running within 0.5 s (TLE)"


@pytest.mark.parametrize(
    ("script", "limits", "mode", "problem"),
    [
        (f"echo '{PASS}'; exec sleep 3600", seconds(0.5), "one_shot", LATE),
        (f"echo '{PASS}'; exec sleep 3600", seconds(0.5), "auto", LATE),
        ("exec >&- 2>&-; exec sleep 3600", seconds(0.3), "auto", "took longer than 0.3 s (TLE)"),
        ("kill -SEGV $$", PATIENT, "auto", "was killed by SIGSEGV (RE)"),
        ("echo garbage; exit 2", PATIENT, "auto", "ended with exit code 2 (RE)"),
        ("read line", PATIENT, "auto", "printed no answer (NJ)"),
        (
            f"read line; echo '{PASS}'",
            PATIENT,
            "keep_running",
            "ended without the marker line although it is to keep running (RE)",
        ),
    ],
)
def test_a_turn_that_fails_says_why(script: str, limits: Limits, mode: Any, problem: str) -> None:
    assert shell_turn(script, limits, mode=mode).problem == f"bot {problem}"


def test_later_one_shot_turns_have_a_limit_of_their_own() -> None:
    with shell_bot("exec sleep 3600", Limits(first_turn=60.0, later_turn=0.3)) as bot:
        assert bot.turn([FIRST, FOLLOW], [[]]).problem == "bot took longer than 0.3 s (TLE)"


def test_a_background_child_neither_delays_nor_survives_the_turn() -> None:
    answer = shell_turn(f"sleep 3600 & echo '{PASS}'; echo $! >&2")
    assert answer.verdict == "OK"
    assert eventually(lambda: is_gone(int(answer.stderr)))


def test_a_missing_program_is_re_and_named() -> None:
    answer = first_turn(BotProcess("no-such-bot --fast", name="seat 0"))
    assert answer.verdict == "RE"
    assert answer.problem == "seat 0 could not be started: 'no-such-bot': No such file or directory (RE)"


def test_a_program_that_may_not_be_executed_is_re() -> None:
    answer = first_turn(BotProcess([str(BOTS / "stall.py")]))
    assert "Permission denied" in answer.problem


# Pipes


def test_a_huge_request_neither_blocks_nor_loses_a_byte() -> None:
    with shell_bot("printf '{\"response\":%d}' $(wc -c)", mode="one_shot", send_limits=False) as bot:
        answer = bot.turn(["x" * 3_000_000], [])
    assert answer.response == 3_000_000 + len('{"requests":[""],"responses":[]}\n')


@pytest.mark.parametrize("script", [f"echo '{PASS}'", f"exec <&-; sleep 0.1; echo '{PASS}'"], ids=["never", "closed"])
def test_a_bot_that_does_not_read_a_huge_request_may_answer(script: str) -> None:
    with shell_bot(script) as bot:
        assert bot.turn(["x" * 3_000_000], []).verdict == "OK"


def test_an_answer_in_many_small_chunks_is_put_together() -> None:
    script = "printf '{\"response\":['; for i in 1 2 3 4 5 6; do printf $i,; sleep 0.01; done; printf '7]}\\n'"
    assert shell_turn(script).response == [1, 2, 3, 4, 5, 6, 7]


def test_an_answer_of_almost_a_mebibyte_is_ok() -> None:
    script = "printf '{\"response\":[],\"debug\":\"'; head -c 1000000 /dev/zero | tr '\\0' 3; printf '\"}\\n'"
    assert shell_turn(script).debug == "3" * 1_000_000


def test_the_log_gets_every_word_of_stderr() -> None:
    words: list[str] = []
    shell_turn(f"echo one >&2; echo '{PASS}'; echo zwölf >&2", log=words.append)
    assert "".join(words) == "one\nzwölf\n"


def test_a_log_that_fails_leaves_no_process() -> None:
    def fail(text: str) -> None:
        pids.append(int(text))
        raise OSError("disk full")

    pids: list[int] = []
    bot = shell_bot("echo $$ >&2; exec sleep 3600", log=fail)
    with pytest.raises(OSError, match="disk full"):
        bot.turn([FIRST], [])
    assert is_gone(pids[0])


def test_a_forgotten_bot_is_killed() -> None:
    bot = bad_bot("obedient_keep_running")
    bot.turn([FIRST], [])
    pid = bot.pid
    del bot
    assert pid is not None
    assert is_gone(pid)


def test_many_turns_leave_no_descriptor_open() -> None:
    shell_turn(f"echo '{PASS}'")
    before = psutil.Process().num_fds()
    for _ in range(10):
        assert shell_turn(f"echo '{PASS}'").ok
    assert psutil.Process().num_fds() == before


# The envelope


def test_the_envelope_holds_what_the_platform_sends() -> None:
    with shell_bot('read line; printf \'{"response":%s}\' "$line"', Limits(later_turn=50.5)) as bot:
        envelope = bot.turn([FIRST, FOLLOW], [[5]], "mine", {"k": 1}).response
    assert envelope == {
        "requests": [FIRST, FOLLOW],
        "responses": [[5]],
        "data": "mine",
        "globaldata": {"k": 1},
        "time_limit": 50500,
        "memory_limit": 256,
    }


def test_data_and_limits_may_be_left_out_of_the_envelope() -> None:
    envelope = shell_turn('read line; printf \'{"response":%s}\' "$line"', send_limits=False).response
    assert envelope == {"requests": [FIRST], "responses": []}


def test_cwd_and_environment_are_the_bots_own(tmp_path: Path) -> None:
    script = 'printf \'{"response":["%s","%s"]}\' "$PWD" "$COLOUR"'
    answer = shell_turn(script, cwd=tmp_path, env={"COLOUR": "red", "PATH": os.environ["PATH"]})
    assert answer.response == [str(tmp_path), "red"]


MINE = {
    "PYTHONUNBUFFERED": "1",
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
    "LD_PRELOAD": "",
    "MALLOC_ARENA_MAX": "1",
    "NODE_OPTIONS": "--no-warnings",
    "MY_OWN": "2",
}


@pytest.mark.whole
@pytest.mark.parametrize("where", ["0", "1"], ids=["outside", "in the sandbox"])
def test_no_variable_that_changes_a_program_comes_from_the_user(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {**MINE, "DDZ_SANDBOX": where, "LC_TIME": "C", "TZ": "UTC"}.items():
        monkeypatch.setenv(name, value)
    script = "import json, os; print(json.dumps({'response': [3], 'debug': dict(os.environ)}))"
    words = ["env", "MY_OWN=3", "WITH=a=b", sys.executable, "-c", script]
    found = first_turn(BotProcess(words, limits=PATIENT)).debug
    assert {"MY_OWN": "3", "WITH": "a=b", "LC_TIME": "C", "TZ": "UTC"}.items() <= found.items()
    assert not {*MINE, "DDZ_SEED", "DDZ_SANDBOX"} - {"MY_OWN"} & {*found}


@pytest.mark.parametrize("where", ["0", "1"], ids=["outside", "in the sandbox"])
def test_a_bot_that_never_flushes_is_late_whatever_the_user_set(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    monkeypatch.setenv("DDZ_SANDBOX", where)
    name = "never_flush"
    with BotProcess([sys.executable, str(BOTS / f"{name}.py")], "keep_running", seconds(2.0)) as bot:
        assert bot.turn([FIRST], []).verdict == "TLE"


# The answer line


@pytest.mark.parametrize(
    ("output", "response"),
    [
        (b'{"response":[3,7]}\n', [3, 7]),
        (b'{"response":null}', None),
        (b'{"move":[3]}\n', None),
        (b' {"response": 2.5} \r\n\n  \n', 2.5),
        ('{"response":"大王"}\n'.encode(), "大王"),
        (b'{"response":[1],"response":[2],"more":[]}', [2]),
        (b'{"response":[-0, 1%s]}' % (b"0" * 308), [0, 10**308]),
        (b'{"response":"\\u0000"}', "\0"),
        (b'{\n  "response": [\n    3\n  ]\n}\n', [3]),
        (b'{\n"response":[3]}\n' + MARKER.encode() + b"\n", [3]),
        (b'\n{"response":[]}\n', []),
        (b'{"response":["\\ud800 \\uD83D\\uDE00 \\\\ud800",{"\\udfff":0}]}', ["\ufffd 😀 \\ud800", {"\ufffd": 0}]),
    ],
)
def test_an_object_is_an_answer(output: bytes, response: Any) -> None:
    assert read_output(output).response == response


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        (b"", "no answer"),
        (b"\n \n", "no answer"),
        (MARKER.encode(), "no answer"),
        (b'{"response":[]}\nbye\n', "more than its answer: 'bye'"),
        (b'{"response":[]}\n{"response":[]}\n', "more than its answer: '{"),
        (b'hello\n{"response":[]}\n', "no JSON: 'hello'"),
        (b'{\n"response":\n', "no JSON: '{'"),
        (b'{"response":-Infinity}\n', "no JSON: -Infinity is not a number"),
        (b'{"response":[],"data":1e400}\n', "no JSON: 1e400 is too large for a number"),
        (b'{"response":[],"debug":[-%s]}\n' % (b"9" * 5000), "-9999999999999999999... (5001 characters) is too large"),
        (b'{"response":[],"globaldata":1%s}\n' % (b"0" * 309), "(310 characters) is too large for a number"),
        (b'\xef\xbb\xbf{"response":[]}\n', "a byte order mark before its answer: print UTF-8 without one"),
        (b'{"response":[]}\0\n', "no JSON"),
        (b'{"response":"\xed\xa0\x80"}\n', "invalid UTF-8"),
        (b'{"response":[],"debug":%s}\n' % (b"[" * 450 + b"]" * 450), "nested too deeply: more than 450 levels"),
        (b'{"response":"%s"}\n' % (b"x" * 8000), "a response of 8,002 bytes: 8,000 are more than any move has"),
        (b'{"response":"\xff"}\n', "invalid UTF-8"),
        (b"[" * 100_000, "no JSON"),
        (b"[3]\n", "no JSON object, such as {\"response\": [3]}, but '[3]'"),
    ],
)
def test_anything_else_is_not_an_answer(output: bytes, reason: str) -> None:
    with pytest.raises(ReplyError, match=r"^printed ") as caught:
        read_output(output)
    assert reason in str(caught.value)


@pytest.mark.parametrize("over", ['{\\n "response": [3]\\n}', '{"response":\\n[3]}\\n\\n'])
@pytest.mark.parametrize("mode", ["one_shot", "keep_running"])
def test_an_answer_over_several_lines_counts_in_every_mode(mode: Any, over: str) -> None:
    loop = f"while read line; do printf '{over}\\n{MARKER}\\n'; done"
    with shell_bot(loop, mode=mode) as bot:
        for turn in range(2):
            answer = bot.turn([FIRST, LEAD][: turn + 1], [[3]][:turn])
            assert answer.response == [3], answer.problem


def test_lines_of_an_answer_are_counted() -> None:
    for output, lines in (
        (b'{"response":[3]}\n\n', 1),
        (b'{"response":[3]}\n' + MARKER.encode() + b"\n", 1),
        (b'{"response":\n[3]}', 2),
        (b'\n{"response":[3]}\n', 2),
    ):
        assert lines_of_answer(output) == lines


def test_the_official_local_runner_takes_bare_responses() -> None:
    assert read_output(b"[3]\n", bare_responses=True).response == [3]
    assert read_output(b'{"move":3}\n', bare_responses=True).response == {"move": 3}
    assert read_output(b'{"response":4,"debug":5}\n', bare_responses=True)[:2] == (4, 5)
    assert shell_turn("echo 3", bare_responses=True).response == 3


# Bad arguments


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: BotProcess(""), "names no program"),
        (lambda: BotProcess([]), "names no program"),
        (lambda: BotProcess("bot 'x"), "No closing quotation"),
        (lambda: BotProcess(["a\0b"]), "NUL"),
        (lambda: BotProcess("bot", "forever"), "mode 'forever' is unknown: choose one of one_shot, keep_running, auto"),
        (lambda: BotProcess("bot", cwd="/nowhere"), "nowhere' does not exist"),
        (lambda: Limits(later_turn=0), "limit later_turn must be above zero"),
        (lambda: Limits(later_turn=float("nan")), "limit later_turn must be above zero"),
        (lambda: BotProcess("bot").turn([FIRST, FOLLOW], []), "2 requests do not fit 0 responses"),
    ],
)
def test_what_makes_no_sense_is_refused(make: Callable[[], Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        make()


def test_a_failure_of_the_system_is_not_blamed_on_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_process(*_: object) -> ProcessGroup:
        raise BlockingIOError(11, "no process left")

    monkeypatch.setattr("tools.judge.process.ProcessGroup", no_process)
    with pytest.raises(OSError, match="no process left"):
        BotProcess("bot").turn([FIRST], [])
