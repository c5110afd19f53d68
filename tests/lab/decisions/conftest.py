"""A small bench that the tests of this folder share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ddzbot.kernel import native
from tests.support import require
from tools.lab.decisions import drawing, make, recipe

SMALL = ("--decisions", "8", "--limit", "8p", "--worlds", "24", "--jobs", "1", "--quiet")
UNIT = 4


def asked(command: object, *arguments: object) -> Result:
    return CliRunner().invoke(command, list(map(str, arguments)), env={"COLUMNS": "150"})  # type: ignore[arg-type]


@pytest.fixture(autouse=True, scope="session")
def _small_units() -> Iterator[None]:
    """Makes units small."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (drawing, make, recipe):
            patch.setattr(module, "UNIT", UNIT)
        yield


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory, _small_units: None) -> Path:
    require(native(), "the kernel")
    folder = tmp_path_factory.mktemp("bench")
    result = asked(make.main, folder, *SMALL)
    assert result.exit_code == 0, result.output
    return folder
