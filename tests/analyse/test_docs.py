"""The examples of docs/guide/analyse.md and docs/reference/analysis.md do what the page says."""

import json
import re
from dataclasses import fields

import pytest
from click.testing import CliRunner

from tests.support import ROOT
from tools.look.analyse.__main__ import main
from tools.look.analyse.model import Analysis, BidAnalysis, MoveAnalysis
from tools.look.analyse.query import KNOWN, Query, QueryError, Terminate, parse_line

PAGE = "".join((ROOT / "docs" / page).read_text("utf-8") for page in ("guide/analyse.md", "reference/analysis.md"))
LINES = [line.strip() for line in PAGE.splitlines()]
QUERIES = [line for line in LINES if re.match(r'\{"id": \d', line)]


def test_the_error_is_what_is_answered() -> None:
    (line,) = (line for line in LINES if line.startswith('{"id": "q2"'))
    told = json.loads(line)
    (view,) = re.findall(r'"view": "(botzone 0 [^"]*)"', PAGE)
    with pytest.raises(QueryError) as caught:
        parse_line(json.dumps({"id": "q2", "view": view, "playouts": -1}).encode())
    assert (caught.value.id, str(caught.value), caught.value.field) == (told["id"], told["error"], told["field"])


def test_the_command_for_people_says_what_the_page_says() -> None:
    (text,) = re.findall(r'--human "([^"]*)"', PAGE)
    result = CliRunner().invoke(main, ["--human", text, "--top", "3"], env={"COLUMNS": "80"})
    assert result.exit_code == 0
    shown = result.stdout.splitlines()
    first = LINES.index(shown[0])
    assert [line.strip() for line in shown[:9]] == LINES[first : first + 9]
    at = next(number for number, line in enumerate(LINES) if line.startswith("hidden cards"))
    mine = next(number for number, line in enumerate(shown) if line.startswith("hidden cards"))
    # The probabilities below become better with more playouts.
    assert [line.strip() for line in shown[mine : mine + 4]] == LINES[at : at + 4]


def test_the_queries_are_understood_and_every_field_is_on_the_page() -> None:
    assert len(QUERIES) == 3
    for line in QUERIES:
        assert isinstance(parse_line(line.encode()), Terminate if "terminate" in line else Query)
    names = {*KNOWN, *(field.name for kind in (Analysis, MoveAnalysis, BidAnalysis) for field in fields(kind))}
    assert [name for name in sorted(names) if f"`{name}`" not in PAGE] == []
