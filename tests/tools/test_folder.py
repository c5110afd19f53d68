"""A folder of typed objects: its owner, what is found in it, and the messages on what cannot be written."""

import os
import stat
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec import Struct

from tests.dying import Dying, DyingError
from tools.shared.storage.folder import Folder, FolderError, Names
from tools.shared.storage.form import Form
from tools.shared.storage.state import state_folder


class Cup(Struct):
    size: int
    marks: list[str] = []


FORM = Form(Cup, "test-cup", 3)
NAMES = Names("cup", "cups", "cupboard", ".cup", ".broken")


@pytest.fixture
def said() -> list[str]:
    return []


def cups(path: Path, said: list[str], **options: bool) -> Folder[Cup]:
    return Folder(path, FORM, NAMES, said.append, **options)


def test_a_folder_is_for_one_process_and_for_its_owner(tmp_path: Path, said: list[str]) -> None:
    path = tmp_path / "new" / "cups"
    umask = os.umask(0)
    first = cups(path, said)
    first.replace("a", Cup(1))
    os.umask(umask)
    with pytest.raises(FolderError, match="cups: another cupboard keeps its cups there"):
        cups(path, said)
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert stat.S_IMODE(first.file("a").stat().st_mode) == 0o600
    first.close()
    cups(path, said).close()
    assert said == []


def test_objects_are_replaced_found_and_removed(tmp_path: Path, said: list[str]) -> None:
    folder = cups(tmp_path, said)
    for cup in (Cup(1), Cup(2, ["red", "\ud800\n"])):
        folder.replace("a", cup)
    folder.replace("b", Cup(3))
    assert dict(folder.load()) == {"a": Cup(2, ["red", "\ud800\n"]), "b": Cup(3)}
    assert folder.file("a").read_bytes().startswith(b'{"format":"test-cup","version":3,')
    assert (folder.remove("b"), folder.remove("b"), dict(folder.load())) == (
        True,
        False,
        {"a": Cup(2, ["red", "\ud800\n"])},
    )
    assert said == []


@pytest.mark.whole
@pytest.mark.parametrize("part", [0.0, 0.5, 1.0])
def test_a_process_that_dies_at_any_write_leaves_the_object_as_it_was_or_as_it_is(
    tmp_path: Path, said: list[str], part: float
) -> None:
    found, at = [], 0
    while Cup(2) not in found:
        folder = cups(tmp_path, said)
        folder.replace("a", Cup(1))
        with Dying(at, part), suppress(DyingError):
            folder.replace("a", Cup(2))
        after = cups(tmp_path, said)
        found += dict(after.load()).values()
        after.replace("a", Cup(1))
        assert {path.name for path in tmp_path.iterdir()} <= {"a.cup", "lock", ".lock.lock"}
        after.close()
        at += 1
    assert len(found) == at and set(map(repr, found)) == {"Cup(size=1, marks=[])", "Cup(size=2, marks=[])"}
    assert said == []


WRONG = {
    "torn": b'{"format":"test-cup","version":3,"size":1',
    "typed": b'{"format":"test-cup","version":3,"size":"large"}\n',
    "twice": 2 * b'{"format":"test-cup","version":3,"size":1}\n',
    "bytes": b'{"format":"test-cup","version":3,"size":"\xff"}\n',
}
OTHERS = {
    "empty": b"",
    "film": b"of another program",
    "list": b'["test-cup"]\n',
    "deep": b"[" * 100_000,
    "plate": b'{"format":"test-plate","version":3,"size":1}\n',
}


def test_a_damaged_file_is_set_aside_and_those_of_others_stay(tmp_path: Path, said: list[str]) -> None:
    older = b'{"format":"test-cup","version":2,"size":1}\n{"more":1}\n'
    for name, content in {**WRONG, **OTHERS, "older": older}.items():
        (tmp_path / f"{name}.cup").write_bytes(content)
    os.mkfifo(tmp_path / "pipe.cup")
    folder = cups(tmp_path, said)
    folder.replace("good", Cup(1))
    assert dict(folder.load()) == {"good": Cup(1)}
    assert {path.stem: path.read_bytes() for path in tmp_path.glob("*.broken")} == WRONG
    assert {name: folder.file(name).read_bytes() for name in OTHERS} == OTHERS
    assert folder.file("older").read_bytes() == older and folder.file("pipe").is_fifo()
    aside = [f"cup {name} is set aside as {tmp_path}/{name}.broken" for name in sorted(WRONG)]
    assert sorted(sentence.partition(":")[0] for sentence in said if "aside" in sentence) == aside
    assert f"{tmp_path}/older.cup is of version 2 and stays as it is: this program reads version 3 alone" in said
    listed = "'deep.cup', 'empty.cup', 'film.cup' and 3 more"
    assert f"{tmp_path}: by the first line no cup, and left as it is: {listed}" in said
    assert len(said) == len(WRONG) + 2


def test_a_long_problem_is_cut(tmp_path: Path, said: list[str]) -> None:
    folder = cups(tmp_path, said)
    folder.replace("a", Cup(1))
    folder.set_aside("a", "a crack" + 300 * "!")
    assert (tmp_path / "a.broken").exists()
    assert said == [f"cup a is set aside as {tmp_path}/a.broken: a crack" + 193 * "!"]


def test_what_cannot_be_written_is_said_once_and_so_is_that_it_is_over(
    tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    folder = cups(tmp_path, said)
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        for name in ("a", "b", "c", "b"):
            folder.replace(name, Cup(1))
        assert folder.failing and not folder.is_kept("b")
    folder.replace("a", Cup(1))
    assert folder.is_kept("a") and folder.failing
    folder.remove("c")
    folder.replace("b", Cup(1))
    assert not folder.failing
    went = (
        f"{tmp_path}: cups cannot be kept there (No space left on device): they stay in memory, "
        "and would not outlive a restart"
    )
    assert said == [went, f"{tmp_path}: cups are kept there again"]
    assert dict(folder.load()) == {"a": Cup(1), "b": Cup(1)}


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path, said: list[str]) -> None:
    path = tmp_path / "file" / "cups"
    path.parent.write_text("x")
    with pytest.raises(FolderError, match="cups cannot be kept there: "):
        cups(path, said, needed=True)
    folder = cups(path, said)
    assert (folder.failing, len(said), list(folder.load())) == (True, 1, [])
    folder.close()


def test_the_folder_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_folder() == tmp_path / "ddzbot"
    for value in ("", "relative"):
        monkeypatch.setenv("XDG_STATE_HOME", value)
        assert state_folder() == Path.home() / ".local" / "state" / "ddzbot"
