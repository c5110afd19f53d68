"""A folder of saved things: whose it is, what is found in it, and what is said of what cannot be written."""

import stat
from pathlib import Path

import pytest

from tools.shared.kept.folder import Folder, FolderError, state_folder


class Cups(Folder):
    THING, THINGS, OWNER, SUFFIX, ASIDE = "cup", "cups", "cupboard", ".cup", ".broken"


@pytest.fixture
def said() -> list[str]:
    return []


def test_a_folder_is_for_one_process_and_for_its_owner(tmp_path: Path, said: list[str]) -> None:
    path = tmp_path / "new" / "cups"
    first = Cups(path, said.append)
    with pytest.raises(FolderError, match="cups: another cupboard keeps its cups there"):
        Cups(path, said.append)
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.iterdir()} == {0o600}
    first.close()
    Cups(path, said.append).close()
    assert said == []


def test_files_are_found_by_name_laid_aside_and_removed(tmp_path: Path, said: list[str]) -> None:
    cups = Cups(tmp_path, said.append)
    for name in ("b.cup", "a.cup", "c.broken", "d"):
        (tmp_path / name).write_text(name)
    assert cups.names() == ["a", "b"]
    cups.lay_aside("a", "a crack" + 300 * "!")
    assert (tmp_path / "a.broken").read_text() == "a.cup"
    assert [sentence[:-193] for sentence in said] == [f"cup a is laid aside as {tmp_path}/a.broken: a crack"]
    assert (cups.remove("b"), cups.remove("b"), cups.names()) == (True, False, [])


def test_what_cannot_be_written_is_said_once_and_so_is_that_it_is_over(tmp_path: Path, said: list[str]) -> None:
    cups = Cups(tmp_path, said.append)
    full = OSError(28, "No space left on device")
    for name in ("a", "b", "c", "b"):
        cups.failed(name, full)
    cups.worked("a")
    cups.worked("b")
    before = cups.failing
    cups.remove("c")
    assert (before, cups.failing) == (True, False)
    cups.failed("a", full)
    cups.worked("a")
    went = (
        f"{tmp_path}: cups cannot be kept there (No space left on device): they go on in memory, "
        "and would not outlive a restart"
    )
    assert said == [went, went, f"{tmp_path}: cups are kept there again"]


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path, said: list[str]) -> None:
    path = tmp_path / "file" / "cups"
    path.parent.write_text("x")
    with pytest.raises(FolderError, match="cups cannot be kept there: "):
        Cups(path, said.append, needed=True)
    cups = Cups(path, said.append)
    assert (cups.failing, len(said), cups.names()) == (True, 1, [])
    cups.close()


def test_the_folder_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_folder() == tmp_path / "ddzbot"
    for value in ("", "relative"):
        monkeypatch.setenv("XDG_STATE_HOME", value)
        assert state_folder() == Path.home() / ".local" / "state" / "ddzbot"
