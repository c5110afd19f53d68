"""Every test that the table of injected faults names is there, and what is done to the bot is in the table."""

import re

from tests.support import ROOT

TABLE = (ROOT / "docs" / "reference" / "faults.md").read_text("utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TABLE.splitlines() if line.startswith("| ")]
FAULTS = [row for row in ROWS if row[0] != "fault"]


def test_there_are_many_faults() -> None:
    assert len(FAULTS) > 40
    assert all(len(row) == 2 and all(row) for row in FAULTS)


def test_the_test_of_a_fault_is_there() -> None:
    for _, test in FAULTS:
        found = re.fullmatch(r"`(tests/[a-z0-9_/]+\.py)::(test_\w+)`", test)
        assert found, test
        assert re.search(rf"^(async )?def {found[2]}\(", (ROOT / found[1]).read_text("utf-8"), re.MULTILINE), test


def test_every_fault_that_the_bot_is_given_is_in_the_table() -> None:
    text = (ROOT / "tests" / "protocol" / "test_faults.py").read_text("utf-8")
    names = set(re.findall(r"^def (test_\w+)\(", text, re.MULTILINE)) - {"test_the_processor_time_that_is_left_shrinks"}
    assert names <= {row[1].strip("`").partition("::")[2] for row in FAULTS}


def test_the_page_about_tests_leads_there() -> None:
    assert "(faults.md)" in (ROOT / "docs" / "reference" / "tests.md").read_text("utf-8")
