"""A browser without a screen, for the tests of pages."""

import shutil
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.webdriver import WebDriver

from tests.support import require

_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--lang=en-US",
)


def open_browser(profile: Path, *logs: str) -> WebDriver:
    """Starts Chromium with an empty profile; it keeps those *logs*, ``browser`` (the console) and ``performance``."""
    options = webdriver.ChromeOptions()
    options.binary_location = require(shutil.which("chromium"), "Chromium")
    driver = require(shutil.which("chromedriver"), "chromedriver")
    for flag in (*_FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", dict.fromkeys(logs, "ALL"))
    return webdriver.Chrome(options, webdriver.ChromeService(driver))


def resize(browser: WebDriver, size: tuple[int, int]) -> None:
    """Makes the page as large as that, which a window without a screen may not be."""
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": min(size) < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def press(browser: WebDriver, *keys: str) -> None:
    """Presses keys wherever the focus is."""
    browser.switch_to.active_element.send_keys(*keys)
