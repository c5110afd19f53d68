"""The tables that stand beside the kept results: written from them, with every match of each plan."""

import shutil
from pathlib import Path

import pytest

from tests.support import ROOT
from tools.lab.experiments.compressed import unpack
from tools.lab.experiments.plan import read_plan
from tools.lab.experiments.render import NOT_PLAYED, filled

pytestmark = pytest.mark.whole

PLANS = sorted(ROOT.glob("results/*/plan.toml"))


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.parent.name)
def test_the_tables_are_those_of_the_kept_results(plan: Path, tmp_path: Path) -> None:
    # A copy, since what is kept is unpacked beside its plan.
    for file in (plan, *plan.parent.glob("*.json.gz")):
        shutil.copy(file, tmp_path)
    experiments = read_plan(tmp_path / plan.name)
    for one in experiments:
        unpack(one.file(tmp_path))
    text = plan.with_name("TABLES.md").read_text("utf-8")
    shown = {name for line in text.splitlines() if line.startswith("<!-- experiments:") for name in line.split()[2:-1]}
    assert shown == {one.written for one in experiments}
    assert filled(text, experiments, tmp_path, tmp_path / "TABLES.md") == text
    assert NOT_PLAYED not in text
