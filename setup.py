"""
What pyproject.toml cannot say of a wheel: its version, where the tools go, and the kernel and the networks in it.

The version has the commit behind it, in the name of the wheel and inside the package (``build_version``), so that a
results file of an installed program names what played.

The folder ``tools`` is installed as ``ddzbot_tools``, since its own name may be anybody's. ``DDZ_TARGET`` names the
system that the wheel is for, one of :data:`tools.shared.targets.TARGETS`; by default it is this one. The kernel is
zig's, or on x86-64 Linux that of the file to upload; where neither can be made, the compiler that is there makes one
for systems like this. Without any the wheel is for any system, and the bot plays by Python alone.
"""

import os
import shutil
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from setuptools import Distribution, find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from ddzbot import __version__  # noqa: E402
from tools.shared.compiling import WITHOUT_KERNEL, BuildError, build, build_for, build_release  # noqa: E402
from tools.shared.machine import build_version  # noqa: E402
from tools.shared.targets import JUDGE, TARGETS, name_here  # noqa: E402


class Kernel(NamedTuple):
    """The library for the wheel, and the systems that it is for; no tag: those like this one."""

    library: Path
    tag: str


VERSION = build_version()


@cache
def kernel() -> Kernel | None:
    """
    Compiles the kernel; None, and a word on what that costs, where nothing can.

    :raises BuildError: if there can be none for the system that ``DDZ_TARGET`` names.
    """
    if named := os.environ.get("DDZ_TARGET"):
        if named not in TARGETS:
            sys.exit(f"DDZ_TARGET={named}: there is no such system; there are {', '.join(TARGETS)}")
        return _for(named)
    try:
        with suppress(BuildError, KeyError):
            return _for(name_here())
        return Kernel(build(), "")
    except BuildError as error:
        sys.stderr.write(f"{error.message.rstrip()}\n{WITHOUT_KERNEL}\n")
        return None


def _for(name: str) -> Kernel:
    return Kernel(build_release() if name == JUDGE else build_for(name), TARGETS[name].tag)


class Package(Distribution):
    """A package that belongs to one platform if a kernel is in it."""

    def has_ext_modules(self) -> bool:
        """Tells whether there is a kernel."""
        return kernel() is not None


class BuildFiles(build_py):
    """Puts kernel and networks beside the modules."""

    def run(self) -> None:
        """Builds from nothing, so that no module stays that the project has given up."""
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        if self.editable_mode:
            return  # the package lies in the checkout, and finds them there
        package = Path(self.build_lib, "ddzbot")
        write_version(package)
        found = kernel()
        if found:
            shutil.copy2(found.library, package / "kernel")
        shutil.copytree(HERE / "weights", package / "weights")


class BuildSources(sdist):
    """The sources, of which a wheel can be made without the repository."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Copies the files."""
        super().make_release_tree(base_dir, files)
        write_version(Path(base_dir, "ddzbot"))


def write_version(package: Path) -> None:
    """Writes the version, with its commit, into a copy of the package."""
    file = package / "__init__.py"
    source = file.read_text("utf-8").replace(f'"{__version__}"', f'"{VERSION}"')
    file.unlink()  # it may be a hard link to the file of the checkout
    file.write_text(source, "utf-8")


class BuildWheel(bdist_wheel):
    """A wheel for every Python, and for the systems of its kernel."""

    def get_tag(self) -> tuple[str, str, str]:
        """Names Python, its binary interface, which nothing here uses, and the systems."""
        found = kernel()
        return "py3", "none", (found.tag or super().get_tag()[2]) if found else "any"


def packages() -> list[str]:
    """Lists every package by the name that it is installed under."""
    of_tools = find_packages(include=["tools", "tools.*"])
    return [*find_packages(include=["ddzbot", "ddzbot.*"]), *(f"ddzbot_{name}" for name in of_tools)]


# In the checkout itself Python would take what setuptools notes there for an installed package.
NOTES = HERE / "build"
NOTES.mkdir(exist_ok=True)

setup(
    options={"egg_info": {"egg_base": str(NOTES)}},
    version=VERSION,
    packages=packages(),
    package_dir={"ddzbot_tools": "tools"},
    distclass=Package,
    cmdclass={"build_py": BuildFiles, "sdist": BuildSources, "bdist_wheel": BuildWheel},
)
