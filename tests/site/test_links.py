"""The check of the links of a built site, on small bad ones, and what the command makes of faults and warnings."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tools.release.site import command
from tools.release.site.links import check

pytestmark = pytest.mark.whole


def site(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


GOOD = (
    '<a href="b/c.html#there">1</a> <a href="#here" id="here">2</a> <img src="p%20q.png"> <a href="https://e.org/x">3</a>'
    '<link rel="stylesheet" href="s.css?v=1"> <a href="mailto:a@e.org">4</a> <img src="data:image/png;base64,AA">'
    '<link rel="canonical" href="https://e.org/">'
)


def test_links_that_lead_somewhere_are_counted(tmp_path: Path) -> None:
    site(tmp_path, a_html=GOOD, b__c_html='<h2 id="there"></h2><a href="../a.html">back</a>', s_css="a {}")
    (tmp_path / "p q.png").touch()
    found = check(tmp_path)
    assert found.faults == ()
    assert (found.pages, found.links) == (2, 5)


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        ('<a href="gone.html">', "a.html: gone.html: there is no such file"),
        ('<a href="#gone">', "a.html: #gone: the page has no anchor 'gone'"),
        ('<a href="a.html#%E5%BA%95">', "a.html: a.html#%E5%BA%95: the page has no anchor '底'"),
        ('<a href="../a.html">', "a.html: ../a.html: this leads out of the site"),
        ('<a href=".">', "a.html: .: there is no such file"),
        ('<script src="https://e.org/x.js">', "a.html: https://e.org/x.js: this is fetched from elsewhere"),
        ('<link rel="stylesheet" href="https://e.org/s">', "a.html: https://e.org/s: this is fetched from elsewhere"),
    ],
)
def test_a_bad_link_is_found(tmp_path: Path, html: str, problem: str) -> None:
    assert [str(fault) for fault in check(site(tmp_path, a_html=html)).faults] == [problem]


def test_a_style_that_fetches_from_elsewhere_is_found(tmp_path: Path) -> None:
    style = '@import "gone.css"; a { background: url(https://e.org/p.png) } b { background: url("data:x") }'
    assert [fault.problem for fault in check(site(tmp_path, s_css=style)).faults] == [
        "there is no such file",
        "this is fetched from elsewhere",
    ]


def test_a_warning_of_sphinx_is_kept(tmp_path: Path) -> None:
    source = site(tmp_path / "source", index_rst="Title\n=====\n\n:doc:`gone`\n", conf_py="")
    assert "WARNING: unknown document: 'gone'" in command.build(tmp_path / "built", source, source)


@pytest.mark.parametrize(
    ("said", "html", "status", "last"),
    [
        ("", "", 0, "1 pages, 0 links checked, 0 broken, 0 warnings"),
        ("x.md:1: WARNING: bad\nmore of it\n", "", 1, "1 pages, 0 links checked, 0 broken, 1 warnings"),
        ("", '<a href="gone">', 1, "1 pages, 1 links checked, 1 broken, 0 warnings"),
    ],
)
def test_warnings_and_broken_links_are_errors(
    said: str, html: str, status: int, last: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(folder: Path) -> str:
        site(folder, index_html=html)
        return said

    monkeypatch.setattr(command, "build", build)
    done = CliRunner().invoke(command.main, ["-o", str(tmp_path / "site")])
    assert done.exit_code == status
    assert last in done.stdout
    assert said.strip() in done.stderr


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    done = CliRunner().invoke(command.main, ["-o", str(tmp_path)])
    assert done.exit_code == 2
    assert "holds something else than a site" in done.output
    assert (tmp_path / "mine").exists()
