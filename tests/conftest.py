"""What all tests share: no settings from outside, no network, and a loud word about browsers."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
REQUIRE_BROWSER = "RAGDEBUG_REQUIRE_BROWSER"
OWN = {REQUIRE_BROWSER, "RAGDEBUG_CHROMIUM"}

# Set before any test module is imported: the hub client reads this once, when it is loaded.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_OFFLINE"] = "1"
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

# The same examples every time, on any machine; HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile(
    "default",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=40,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("explore", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

_home: tempfile.TemporaryDirectory[str] | None = None


def find_chromium() -> str | None:
    """Path of a Chromium, or None. RAGDEBUG_CHROMIUM names one outside the search path."""
    named = os.environ.get("RAGDEBUG_CHROMIUM", "")
    if named:
        return named if Path(named).is_file() else None
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def browser_required() -> bool:
    """Whether a browser test that does not run is a failure."""
    return os.environ.get(REQUIRE_BROWSER, "") not in ("", "0")


# No settings from outside ------------------------------------------------------------------------


def pytest_configure(config: pytest.Config) -> None:
    """Give the whole run a home of its own, so that no one's own config or cache is seen."""
    global _home
    _home = tempfile.TemporaryDirectory(prefix="ragdebug-home-", ignore_cleanup_errors=True)
    for name in ("HOME", "USERPROFILE"):
        os.environ[name] = _home.name
    for name in ("HF_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        os.environ.pop(name, None)
    for name in list(os.environ):
        if name.startswith("STREAMLIT_"):
            del os.environ[name]


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the home again."""
    if _home is not None:
        _home.cleanup()


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test starts offline, with no workspace or option set in the environment."""
    for name in list(os.environ):
        if name.startswith("RAGDEBUG_") and name not in OWN:
            monkeypatch.delenv(name)
    monkeypatch.setenv("RAGDEBUG_OFFLINE", "1")


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder as the current one."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path


# Browsers ----------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the Chromium to drive; tests that take it carry the mark `browser`."""
    path = find_chromium()
    if path is None:
        pytest.skip("Chromium is not installed")
    return path


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Do not start a browser test without a browser; where one is required, that is a failure."""
    if item.get_closest_marker("browser") and find_chromium() is None:
        if browser_required():
            pytest.fail(f"{REQUIRE_BROWSER} is set and Chromium is not installed", pytrace=False)
        pytest.skip("Chromium is not installed")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a browser test that was skipped, for whatever reason, into a failure where required."""
    report = yield
    if report.skipped and browser_required() and item.get_closest_marker("browser"):
        report.outcome = "failed"
        report.longrepr = f"A browser test was skipped, and {REQUIRE_BROWSER} is set: {item.nodeid}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one loud line that the pages were not looked at."""
    if find_chromium() is None and not browser_required():
        terminalreporter.write_line(
            "CHROMIUM IS NOT INSTALLED: no browser test ran, the pages were not looked at.",
            red=True,
            bold=True,
        )
