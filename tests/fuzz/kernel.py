"""Compiles the harness of tests/kernel/fuzz with the kernel, under libFuzzer and the sanitizers, and runs it."""

import json
import os
import random
import re
import shutil
import subprocess
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from ddzbot.game import SEATS
from ddzbot.kernel.codec import pack_shapes, pack_terms
from ddzbot.rules import RULE_SETS, RuleSet
from tests.support import ROOT
from tools.shared.compiling import SOURCES

HARNESS = ROOT / "tests" / "kernel" / "fuzz"
PROGRAM = "fuzz_kernel"
"""How the program is called that is compiled of it."""
KEPT = ROOT / "tests" / "data" / "crashes" / "kernel"
"""Inputs that were a fault once."""

FLAGS = ["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-fno-omit-frame-pointer"]
WATCH = ["-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all"]
LIBFUZZER = "-fsanitize=fuzzer"
COVER = ["-fprofile-instr-generate", "-fcoverage-mapping"]
LONGEST_INPUT = 400
PARTS = 15
"""As many as PARTS in main.c has."""
INPUTS_OF_A_PART = 20
SLOWEST_INPUT = 120
"""Seconds after which an input counts as a fault: with the sanitizers, weighing worlds takes 10."""

_SLOW_IS_FINE = [f"-report_slow_units={SLOWEST_INPUT}"]
"""Without this each slow input leaves a file where the program runs."""
_EXECUTED = re.compile(r"^(?:#(\d+)\s|stat::number_of_executed_units:\s+(\d+))", re.MULTILINE)


class KernelRun(NamedTuple):
    """What a run has done."""

    executions: int
    seconds: float
    found: list[Path]
    """The inputs that ended it; libFuzzer stops at the first."""
    output: str
    coverage: list[tuple[str, float]]
    """The files of the kernel, and the share of their lines that were reached, in percent."""


def find_clang() -> str | None:
    """Finds a clang that has libFuzzer, or None."""
    clang = os.environ.get("DDZ_CLANG") or shutil.which("clang")
    if not clang:
        return None
    folder = subprocess.run([clang, "-print-resource-dir"], capture_output=True, text=True).stdout.strip()
    return clang if list(Path(folder or "/nowhere").glob("lib/*/libclang_rt.fuzzer*")) else None


def rule_sets_header(rule_sets: Iterable[RuleSet] = RULE_SETS.values()) -> str:
    """Writes the rule sets as C."""

    def numbers(content: bytes) -> str:
        return ", ".join(map(str, content))

    tables, rows = [], []
    for index, rules in enumerate(rule_sets):
        for table, content in (
            ("LEGAL", pack_shapes(rules.legal)),
            ("KNOWN", pack_shapes(rules.recognised)),
            ("TERMS", pack_terms(rules)),
        ):
            tables.append(f"static const _Alignas(8) uint8_t {table}_{index}[] = {{{numbers(content)}}};")
        seats = ", ".join(str(rules.seat_cards(seat)) for seat in range(SEATS))
        counts = f"LEGAL_{index}, {len(rules.legal)}, KNOWN_{index}, {len(rules.recognised)}, TERMS_{index}"
        rows.append(f'    {{"{rules.name}", {counts}, {rules.deck}ULL, {{{seats}}}, {rules.bottom_size}}},')
    head = [
        "/* The rule sets of ddzbot/rule_sets.py, made by tests/fuzz/kernel.py. */",
        "typedef struct { const char *name; const uint8_t *legal; uint32_t legal_count; const uint8_t *recognised;",
        "    uint32_t recognised_count; const uint8_t *terms; uint64_t deck; uint8_t seat_cards[3], bottom_cards;",
        "} rule_set_rows;",
        f"enum {{ RULE_SET_COUNT = {len(rows)} }};",
    ]
    return "\n".join([*head, *tables, "static const rule_set_rows RULE_SET_ROWS[] = {", *rows, "};", ""])


def first_inputs() -> list[bytes]:
    """Makes some inputs for each part of the harness, always the same."""
    dice = random.Random("kernel")
    return [bytes([part]) + dice.randbytes(LONGEST_INPUT - 1) for part in range(PARTS) for _ in range(INPUTS_OF_A_PART)]


def build_fuzzer(folder: Path, compiler: Sequence[str], options: Sequence[str]) -> Path:
    """Compiles kernel and harness into *folder*; without libFuzzer among *options* the program replays files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rule_sets.h").write_text(rule_sets_header())
    sources = [*sorted(SOURCES.rglob("*.c")), *sorted(HARNESS.glob("*.c"))]
    if LIBFUZZER in options:
        sources.remove(HARNESS / "replay.c")
    program = folder / PROGRAM
    objects = [str(folder / f"{source.stem}.o") for source in sources]
    command = [*compiler, *FLAGS, *options, f"-I{SOURCES}", f"-I{folder}", "-c"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made = zip(sources, objects, strict=True)
        for done in pool.map(
            subprocess.run, [[*command, str(source), "-o", object_file] for source, object_file in made]
        ):
            done.check_returncode()
    subprocess.run([*compiler, *options, *objects, "-lm", "-o", str(program)], check=True)
    return program


def fuzz_kernel(clang: str, folder: Path, seconds: float, seed: int = 1) -> KernelRun:
    """Fuzzes the kernel for so long; the corpus stays in *folder* for the next run."""
    program = build_fuzzer(folder, [clang], [LIBFUZZER, *WATCH, *COVER])
    corpus, artifacts, seeds = folder / "corpus", folder / "found", folder / "seeds"
    for each in (corpus, artifacts, seeds):
        each.mkdir(exist_ok=True)
    for index, data in enumerate(first_inputs()):
        (seeds / str(index)).write_bytes(data)
    command = [str(program), str(corpus), str(seeds), *([str(KEPT)] if KEPT.is_dir() else [])]
    command += [f"-max_total_time={max(1, int(seconds))}", f"-max_len={LONGEST_INPUT}", f"-timeout={SLOWEST_INPUT}"]
    command += [*_SLOW_IS_FINE, f"-artifact_prefix={artifacts}/", f"-seed={max(1, seed)}", "-len_control=0"]
    command += ["-print_final_stats=1", "-rss_limit_mb=3000"]
    before, started = set(artifacts.iterdir()), time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=_profiled(os.devnull))
    executed = [int(first or second) for first, second in _EXECUTED.findall(done.stderr)]
    crashes = sorted(set(artifacts.iterdir()) - before)
    output = "" if done.returncode == 0 else done.stderr[-6000:]
    spent = time.monotonic() - started
    return KernelRun(max(executed, default=0), spent, crashes, output, _coverage(clang, program, corpus))


def _profiled(file: str | Path) -> dict[str, str]:
    return {**os.environ, "LLVM_PROFILE_FILE": str(file)}


def _coverage(clang: str, program: Path, corpus: Path) -> list[tuple[str, float]]:
    """Measures what the inputs that are kept reach: a run that was ended has written nothing."""
    tools = f"{Path(clang).resolve().parent}{os.pathsep}{os.environ['PATH']}"
    profdata, cov = (shutil.which(tool, path=tools) for tool in ("llvm-profdata", "llvm-cov"))
    if not profdata or not cov:
        return []
    raw, merged = program.with_suffix(".profraw"), program.with_suffix(".profdata")
    subprocess.run([str(program), "-runs=0", *_SLOW_IS_FINE, str(corpus)], capture_output=True, env=_profiled(raw))
    subprocess.run([profdata, "merge", "-sparse", str(raw), "-o", str(merged)], check=True)
    command = [cov, "export", "-summary-only", f"-instr-profile={merged}", str(program)]
    report = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    named = [(Path(file["filename"]), file["summary"]["lines"]["percent"]) for file in report["data"][0]["files"]]
    return sorted((path.name, percent) for path, percent in named if SOURCES in path.parents and path.suffix == ".c")


def replay(program: Path, inputs: Sequence[Path]) -> subprocess.CompletedProcess[str]:
    """Runs the harness once on each of *inputs*."""
    return subprocess.run([str(program), *map(str, inputs)], capture_output=True, text=True, errors="replace")
