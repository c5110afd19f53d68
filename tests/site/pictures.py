"""Takes pictures of the built site: ``python -m tests.site.pictures``, after ``make site``."""

import tempfile
from pathlib import Path

import click
from selenium.webdriver.chrome.webdriver import WebDriver

from tests.browser import open_browser, resize
from tests.support import ROOT

PICTURES = {
    "site": ("index.html", 1280, 800, "light"),
    "site-zh": ("index.zh.html", 1280, 800, "light"),
    "site-dark": ("guide/submit.html", 1280, 800, "dark"),
    "site-phone": ("index.html", 390, 844, "light"),
    "site-phone-zh": ("guide/submit.zh.html", 390, 844, "light"),
    "site-modules": ("reference/modules/api.html", 1280, 800, "light"),
}
"""By name: the page, the window, and the colours."""


def open_page(browser: WebDriver, address: str, theme: str) -> None:
    """Opens a page in the colours that a reader chose."""
    browser.get(address)
    browser.execute_script("localStorage.setItem('theme', arguments[0])", theme)
    browser.get(address)


@click.command()
@click.option("--site", type=click.Path(path_type=Path), default=ROOT / "build" / "site", help="The built site.")
@click.option("--to", type=click.Path(path_type=Path), default=ROOT / "build" / "pictures", help="Folder of pictures.")
def main(site: Path, to: Path) -> None:
    """Take one picture of each kind of page."""
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        browser = open_browser(Path(profile))
        try:
            for name, (page, width, height, theme) in PICTURES.items():
                resize(browser, (width, height))
                open_page(browser, (site / page).resolve().as_uri(), theme)
                browser.save_screenshot(str(to / f"{name}.png"))
                click.echo(to / f"{name}.png")
        finally:
            browser.quit()


if __name__ == "__main__":
    main()
