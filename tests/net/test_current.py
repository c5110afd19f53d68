"""The current networks, from the manifest; a faulty manifest does not stop the bot."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ddzbot.net.current import current_network, read_manifest, weights_folder
from ddzbot.net.packed import WeightsError
from tests.net.networks import DESCRIPTION, small_network, written
from tools.release.weights_file import enter, faults, promote, write


def promoted(folder: Path) -> Path:
    path = written(folder)
    promote(path, "botzone")
    return path


def test_the_promoted_network_plays(tmp_path: Path) -> None:
    path = promoted(tmp_path)
    found = current_network("mcm-1", "botzone", str(tmp_path))
    assert found.network is not None
    assert found.network.path == str(path)
    assert found.description == path.name


def test_a_network_that_is_only_listed_does_not_play(tmp_path: Path) -> None:
    enter(written(tmp_path))
    assert current_network("mcm-1", "botzone", str(tmp_path)) == (
        None,
        "no network: none is current for mcm-1 under botzone",
    )


def test_a_network_may_be_current_for_two_rule_sets(tmp_path: Path) -> None:
    promote(promoted(tmp_path), "botzone2")
    assert current_network("mcm-1", "botzone", str(tmp_path)) == current_network("mcm-1", "botzone2", str(tmp_path))


def test_a_later_promote_replaces_an_earlier_one(tmp_path: Path) -> None:
    promoted(tmp_path)
    later = write(tmp_path, "later", small_network(architecture="test-2"))
    promote(later, "botzone")
    assert current_network("mcm-1", "botzone", str(tmp_path)).description == later.name
    assert len(read_manifest(str(tmp_path))["files"]) == 2


def test_a_setting_may_have_a_network_of_its_own(tmp_path: Path) -> None:
    usual, own = promoted(tmp_path), write(tmp_path, "own", small_network(architecture="test-2"))
    promote(own, "botzone", "thesis")
    found = [current_network(features, "botzone", str(tmp_path)) for features in ("mcm-1", "mcm-1/thesis")]
    assert [one.description for one in found] == [usual.name, own.name]
    assert faults(tmp_path) == []


def test_the_manifest_says_how_a_network_was_made(tmp_path: Path) -> None:
    path = promoted(tmp_path)
    assert read_manifest(str(tmp_path))["files"][path.name] == {
        "sha256": path.read_bytes()[-32:].hex(),
        "features": "mcm-1",
        "rules": "botzone",
        "architecture": "test-1",
        **DESCRIPTION,
    }


def test_without_a_manifest_no_network_plays(tmp_path: Path) -> None:
    found = current_network("mcm-1", "botzone", str(tmp_path))
    assert found == (None, f"no network: there is no manifest.json in {tmp_path}")


def test_a_damaged_network_does_not_play(tmp_path: Path) -> None:
    path = promoted(tmp_path)
    path.write_bytes(path.read_bytes()[:-5])
    found = current_network("mcm-1", "botzone", str(tmp_path))
    assert found.network is None
    assert found.description.startswith(f"no network: {path.name}: the file is cut short")


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda manifest: manifest.pop("files"), "the fields must be version, current, files"),
        (lambda manifest: manifest.update(color=1), "the fields must be"),
        (lambda manifest: manifest.update(version=2), "version 2 is unknown"),
        (lambda manifest: manifest.update(files=[]), "must be objects"),
        (lambda manifest: manifest.update(current={"mcm-1": "x"}), "must be an object of file names"),
        (lambda manifest: manifest.update(current={"mcm-1": {"botzone": 1}}), "must be an object of file names"),
        (lambda manifest: manifest["current"]["mcm-1"].update(botzone="x.ddzw"), "x.ddzw: the manifest does not list"),
        (lambda manifest: manifest["current"]["mcm-1"].update(botzone="\0"), "does not list this file"),
        (lambda manifest: next(iter(manifest["files"].values())).pop("data"), "the fields of net-"),
        (lambda manifest: next(iter(manifest["files"].values())).update(sha256=""), "has another hash"),
    ],
)
def test_a_bad_manifest_lets_no_network_play(
    tmp_path: Path, spoil: Callable[[dict[str, Any]], object], fault: str
) -> None:
    promoted(tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    spoil(manifest)
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    found = current_network("mcm-1", "botzone", str(tmp_path))
    assert found.network is None
    assert fault in found.description


@pytest.mark.parametrize("text", ["", "[]", "{", "\udc80", "[" * 100_000])
def test_a_manifest_that_is_no_object_lets_no_network_play(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert current_network("mcm-1", "botzone", str(tmp_path)).network is None


def test_the_folder_can_be_named() -> None:
    assert weights_folder({"DDZ_WEIGHTS": "elsewhere"}) == "elsewhere"
    assert Path(weights_folder({})).parts[-1] == "weights"


def test_an_installed_package_has_its_weights_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ddzbot.net.current.ROOT", str(tmp_path))
    assert Path(weights_folder({})) == tmp_path / "weights"
    (tmp_path / "ddzbot" / "weights").mkdir(parents=True)
    assert Path(weights_folder({})) == tmp_path / "ddzbot" / "weights"


def test_a_sound_folder_has_no_faults(tmp_path: Path) -> None:
    promoted(tmp_path)
    assert faults(tmp_path) == []


def test_what_is_wrong_with_a_folder_is_listed(tmp_path: Path) -> None:
    damaged = promoted(tmp_path)
    damaged.write_bytes(damaged.read_bytes()[:-5])
    stray = write(tmp_path, "stray", small_network(architecture="test-2"))
    changed = write(tmp_path, "changed", small_network(architecture="test-3"))
    enter(changed)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest["files"][changed.name]["data"] = "better data"
    manifest["current"]["mcm-1"]["mini"] = "gone.ddzw"
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    found = "\n".join(faults(tmp_path))
    assert f"{stray}: the manifest does not list" in found
    assert f"{changed}: the manifest differs from this file's own header" in found
    assert f"{damaged}: the file is cut" in found
    assert "gone.ddzw: is current, but is not listed" in found
    assert len(found.splitlines()) == 4


def test_a_folder_without_manifest_has_that_fault(tmp_path: Path) -> None:
    assert faults(tmp_path) == [f"there is no manifest.json in {tmp_path}"]


def test_only_a_known_rule_set_has_a_promote(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="rule set poker is unknown"):
        promote(written(tmp_path), "poker")
