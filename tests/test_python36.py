"""The bot starts on the oldest Python that a judge has, and on the newest."""

import subprocess
from pathlib import Path

import pytest

from tests.support import ROOT, find_python, require

# Runs under the other interpreter, so it is written for 3.6. A module is compiled here as well as imported:
# the import may take a .pyc, and the compiler's warnings would go unseen.
IMPORT_ALL = """
import importlib, os, sys
root, files = sys.argv[1], sys.argv[2:]
sys.path.insert(0, root)
for file in files:
    with open(os.path.join(root, file), encoding="utf-8") as source:
        compile(source.read(), file, "exec", dont_inherit=True)
    name = file[:-len(".py")].replace("/", ".")
    importlib.import_module(name[:-len(".__init__")] if name.endswith(".__init__") else name)
print(len(files))
"""


def import_all(python: str, root: Path) -> subprocess.CompletedProcess[str]:
    """Imports every module of the ddzbot in *root* without any package, with each warning as an error."""
    files = [path.relative_to(root).as_posix() for path in sorted((root / "ddzbot").rglob("*.py"))]
    command = [python, "-I", "-S", "-B", "-W", "error", "-c", IMPORT_ALL, str(root), *files]
    return subprocess.run(command, capture_output=True, text=True)


def package_of(root: Path, source: str) -> Path:
    (root / "ddzbot").mkdir()
    (root / "ddzbot" / "it.py").write_text(source)
    return root


@pytest.mark.parametrize("version", ["3.6", "3.13"])
def test_every_module_imports_without_a_warning_or_a_package(version: str) -> None:
    done = import_all(require(find_python(version), f"CPython {version}"), ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) == len(list((ROOT / "ddzbot").rglob("*.py")))


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("if (n := 3):\n    pass", "SyntaxError"),
        ("import dataclasses", "ModuleNotFoundError: No module named 'dataclasses'"),
        ("import numpy", "ModuleNotFoundError: No module named 'numpy'"),
        ("text = '\\d'", "invalid escape sequence"),
        ("import warnings\nwarnings.warn('old')", "UserWarning: old"),
    ],
    ids=["walrus", "dataclass", "package", "escape", "warning"],
)
def test_what_python_36_refuses_is_found(tmp_path: Path, source: str, error: str) -> None:
    done = import_all(require(find_python("3.6"), "CPython 3.6"), package_of(tmp_path, source))
    assert done.returncode == 1
    assert error in done.stderr
