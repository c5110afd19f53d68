"""The wheels of a release: one machine makes them all, and each has the kernel of its system."""

import zipfile
from pathlib import Path

import pytest

from ddzbot.kernel.checksum import checksum_fault, with_checksum
from ddzbot.kernel.system import made_for
from tests.support import ROOT
from tests.systems.libraries import entry_points, exports, macho
from tools.shared.compiling import library_path
from tools.shared.machine import build_version
from tools.shared.targets import TARGETS

pytestmark = [pytest.mark.whole, pytest.mark.systems, pytest.mark.timeout(3600)]

SYSTEMS = {
    "linux-x86_64": "Linux on x86-64",
    "linux-arm64": "Linux on arm64",
    "macos-arm64": "macOS on arm64",
    "macos-x86_64": "macOS on x86-64",
    "windows-x86_64": "Windows on x86-64",
}


def contents(wheel: Path) -> dict[str, bytes]:
    """The files of a wheel, without what names its system."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_every_system_of_a_release_is_tested() -> None:
    assert {*SYSTEMS} == {*TARGETS}


@pytest.mark.parametrize("name", TARGETS)
def test_a_wheel_has_the_kernel_of_its_system_and_else_what_all_have(name: str, wheels: dict[str, Path]) -> None:
    target, wheel = TARGETS[name], wheels[name]
    assert wheel.name == f"ddzbot-{build_version()}-py3-none-{target.tag}.whl"
    kernel = f"ddzbot/kernel/{target.library}"
    found, first = contents(wheel), contents(wheels[next(iter(TARGETS))])
    assert made_for(found[kernel]) == SYSTEMS[name]
    assert checksum_fault(found[kernel]) == ""
    ours = {one: content for one, content in found.items() if one != kernel and ".dist-info/" not in one}
    assert ours.items() <= first.items()
    assert len(found) == len(first)
    said = found[f"ddzbot-{build_version()}.dist-info/WHEEL"].decode()
    assert {line[5:] for line in said.splitlines() if line.startswith("Tag: ")} == {
        f"py3-none-{tag}" for tag in target.tag.split(".")
    }


@pytest.mark.parametrize("name", TARGETS)
def test_a_kernel_offers_what_the_headers_name_and_nothing_else(name: str, wheels: dict[str, Path]) -> None:
    library = library_path(name)
    assert library.read_bytes() == contents(wheels[name])[f"ddzbot/kernel/{library.name}"]
    assert len(entry_points()) > 50
    assert exports(library) == entry_points()


@pytest.mark.parametrize("name", [name for name in TARGETS if name.startswith("macos")])
def test_a_kernel_for_macos_runs_on_what_its_wheel_says_wherever_it_lies(name: str, wheels: dict[str, Path]) -> None:
    content = contents(wheels[name])[f"ddzbot/kernel/{TARGETS[name].library}"]
    said = macho(content)
    assert TARGETS[name].tag.startswith(f"macosx_{said.oldest[0]}_{said.oldest[1]}_")
    assert said.own_name == f"@rpath/{TARGETS[name].library}"
    assert said.needed == ["/usr/lib/libSystem.B.dylib"]
    assert str(ROOT).encode() not in content
    if name.endswith("arm64"):  # no Mac with it loads what is not signed
        assert said.signed_to == len(content) - len(with_checksum(b"")), "only the checksum comes after the signature"
