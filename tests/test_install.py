"""Installing what extras name, with a pip that only pretends: nothing here is installed, and no network is needed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT
from tools.shared.install import PINS, extras, how_to_get, needed, packages

FAKE_PIP = """
import os, sys
print("fake pip:", *sys.argv[1:])
print("retries", os.environ.get("PIP_RETRIES"))
sys.stderr.write({said!r})
sys.exit({status})
"""


def install(
    folder: Path, *names: str, said: str = "", status: int = 0, **more: str
) -> subprocess.CompletedProcess[str]:
    (folder / "pip").mkdir()
    (folder / "pip" / "__init__.py").touch()
    (folder / "pip" / "__main__.py").write_text(FAKE_PIP.format(said=said, status=status))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    environment.update({"PYTHONPATH": str(folder), **more})
    command = [sys.executable, "-m", "tools.make", "install", *names]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


def test_what_is_installed_and_what_for_is_said_before_pip_speaks(tmp_path: Path) -> None:
    done = install(tmp_path, "serve", "rlcard")
    assert (done.returncode, done.stderr) == (0, "")
    first, second, _ = done.stdout.splitlines()
    assert first == f"Installing {', '.join(packages(needed('serve', 'rlcard')))} (extras serve and rlcard)."
    assert second.startswith("fake pip: install ")
    assert second.endswith(f" -c {PINS} {' '.join(needed('serve', 'rlcard'))}")
    # Either would take pip's progress away.
    assert "--quiet" not in second and "-q " not in second and "--progress-bar" not in second


def test_warnings_are_left_out_and_errors_are_not(tmp_path: Path) -> None:
    done = install(tmp_path, "base", said="WARNING: a place is ignored\nERROR: one wants two<3\nDEPRECATION: old\n")
    assert (done.returncode, done.stderr) == (0, "ERROR: one wants two<3\n")


def test_when_pip_fails_its_errors_and_a_way_out_are_shown(tmp_path: Path) -> None:
    said = "WARNING: Retrying\nWARNING: Retrying\nERROR: No matching distribution found for rich>=13\n"
    done = install(tmp_path, "base", said=said, status=1)
    assert done.returncode == 1
    assert done.stderr.startswith(
        "ERROR: No matching distribution found for rich>=13\npip could not install what the extra base names"
    )
    assert "offline" in done.stderr and "PIP_FIND_LINKS=FOLDER make" in done.stderr


def test_a_folder_that_takes_nothing_is_no_want_of_a_connection(tmp_path: Path) -> None:
    said = "ERROR: Could not install packages due to an OSError: [Errno 30] Read-only file system: '/x/rich'\n"
    done = install(tmp_path, "base", said=said, status=1)
    assert done.returncode == 1 and "offline" not in done.stderr
    assert done.stderr.startswith(said) and f"Can you write to {sys.prefix}, and is there room?" in done.stderr


def test_pip_gives_up_early_unless_the_user_has_more_patience(tmp_path: Path) -> None:
    assert "retries 2\n" in install(tmp_path, "base").stdout
    other = tmp_path / "other"
    other.mkdir()
    assert "retries 9\n" in install(other, "base", PIP_RETRIES="9").stdout


def test_an_extra_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = install(tmp_path, "base", "nowhere")
    assert done.returncode == 2
    assert done.stderr == f"pyproject.toml has no extra nowhere; it has {', '.join(extras())}.\n"


@pytest.mark.parametrize(
    ("module", "sentence"),
    [
        ("click", "has no click: make tools installs it for .venv/bin/python."),
        ("scipy", "has no scipy: make tools installs it for .venv/bin/python."),
        ("torch", "-m tools.make install training installs it."),
        ("distutils", "-m tools.make install rlcard installs it."),
    ],
)
def test_how_to_get_a_package(module: str, sentence: str) -> None:
    assert str(how_to_get(module)).endswith(sentence)


def test_a_package_of_no_extra_has_no_install_command() -> None:
    assert how_to_get("no_such_package") is None


def test_other_errors_end_a_command_as_ever() -> None:
    for module in ("no_such_package", "tools.no_such_module"):
        command = [sys.executable, "-c", f"import tools, {module}"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 1
        assert done.stderr.startswith("Traceback ") and f"No module named '{module}'" in done.stderr


def test_a_command_typed_for_another_python_is_told_with_that_of_venv(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".venv/lib/python3.10/site-packages/rich").mkdir(parents=True)
    monkeypatch.setattr("tools.shared.install._ROOT", tmp_path)
    monkeypatch.setattr(sys, "orig_argv", ["python3", "-m", "tools", "play", "--resume", "a b"])
    monkeypatch.chdir(tmp_path)
    said = str(how_to_get("rich"))
    assert said.endswith("has no rich; that of .venv has: .venv/bin/python -m tools play --resume 'a b'")
    assert "make tools installs it" in str(how_to_get("scipy"))
