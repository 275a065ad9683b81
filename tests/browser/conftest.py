"""The real app in a real browser.

    def test_something(app, visit):
        page = visit(app(workspace_folder), "Search?q=refund")
        page.get_by_label("Query") ...

`app(workspace)` starts the app on a free loopback port with that workspace and returns its address;
the same workspace gets the same server. `gallery` is the address of the components' gallery.
`visit(address, path, width=..., dark=...)` opens a page in a fresh browser session and waits until
the script has run; at the end of a test, errors in a page and requests to other machines fail it.
`visit_once` is the same for a whole module. `settled(page)` waits for the script after an action;
better wait for what should be seen.
`click_row(page, table, row)` clicks a table, whose cells are drawn on a canvas.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Request

ROOT = Path(__file__).resolve().parents[2]
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = 60_000  # for slow machines; nothing waits longer than it has to
ROW_PX = 33  # of a table


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _start(script: Path, folder: Path, **variables: str) -> tuple[subprocess.Popen[bytes], str]:
    """Run a script with Streamlit and wait until it answers."""
    port = _free_port()
    inherited = {
        k: v for k, v in os.environ.items() if not k.startswith(("RAGDEBUG_", "STREAMLIT_"))
    }
    environment = {
        **inherited,
        "PYTHONPATH": str(ROOT),
        "RAGDEBUG_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
        **variables,
    }
    log = folder / f"server-{port}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(  # noqa: S603 - our own script, fixed arguments
            [
                *(sys.executable, "-m", "streamlit", "run", str(script)),
                *("--server.port", str(port), "--server.address", "127.0.0.1"),
                *("--server.headless", "true", "--server.fileWatcherType", "none"),
            ],
            cwd=ROOT,
            env=environment,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}"
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as answer:
                if answer.status == 200:
                    return process, address
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
        if process.poll() is not None:
            break
    process.kill()
    raise RuntimeError(f"The app did not start:\n{log.read_text(errors='replace')[-4000:]}")


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """Start a script; every server is stopped when the tests are over."""
    running: list[subprocess.Popen[bytes]] = []

    def run(script: Path, **variables: str) -> str:
        process, address = _start(script, tmp_path_factory.mktemp("servers"), **variables)
        running.append(process)
        return address

    yield run
    for process in running:
        process.terminate()
    for process in running:
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()


@pytest.fixture(scope="session")
def app(start: Callable[..., str]) -> Callable[[Path], str]:
    """Address of the app on a workspace."""
    addresses: dict[Path, str] = {}

    def open_workspace(workspace: Path) -> str:
        if workspace not in addresses:
            addresses[workspace] = start(ROOT / "app.py", RAGDEBUG_WORKSPACE=str(workspace))
        return addresses[workspace]

    return open_workspace


@pytest.fixture(scope="session")
def gallery(start: Callable[..., str]) -> str:
    """Address of the components' gallery."""
    return start(ROOT / "tests" / "ui" / "gallery.py")


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One browser for all tests; each test has a session of its own in it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def settled() -> Callable[[Page], None]:
    """Wait until the script has run and its results are drawn."""

    def wait(page: Page) -> None:
        page.wait_for_timeout(250)
        page.wait_for_function(
            "() => !document.querySelector('[data-testid=stStatusWidget]')"
            " && !document.querySelector('[data-stale=true]')",
            timeout=PATIENCE_MS,
        )
        page.wait_for_timeout(150)

    return wait


@pytest.fixture(scope="session")
def click_row(settled: Callable[[Page], None]) -> Callable[..., None]:
    """Click a row of a table, counted from 1, `x` pixels from its left edge (16: its tick).

    Waits until nothing is drawn any more that could move the table or take the click."""

    def click(page: Page, table: Locator, row: int, x: int = 16) -> None:
        canvas = table.locator("canvas").first
        canvas.wait_for()
        settled(page)
        canvas.scroll_into_view_if_needed()
        box, before = canvas.bounding_box(), None
        while box is None or box != before:
            page.wait_for_timeout(500)
            box, before = canvas.bounding_box(), box
        page.mouse.click(box["x"] + x, box["y"] + ROW_PX * row + ROW_PX // 2)

    return click


Visit = Callable[..., "Page"]


@contextmanager
def _visits(browser: Browser, settled: Callable[[Page], None]) -> Iterator[Visit]:
    contexts = []
    faults: list[str] = []

    def watch(page: Page, address: str) -> None:
        own = (address, address.replace("http", "ws"), "data:", "blob:")

        def requested(request: Request) -> None:
            if not request.url.startswith(own):
                faults.append(f"request to {request.url}")

        page.on("pageerror", lambda error: faults.append(f"error in the page: {error}"))
        page.on("request", requested)

    def open_page(
        address: str, path: str = "", *, width: int = 1280, height: int = 900, dark: bool = False
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
        )
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        watch(page, address)
        page.goto(f"{address}/{path}")
        page.get_by_test_id("stMain").wait_for()
        settled(page)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not faults, faults


@pytest.fixture
def visit(browser: Browser, settled: Callable[[Page], None]) -> Iterator[Visit]:
    """Open a page in a fresh session."""
    with _visits(browser, settled) as open_page:
        yield open_page


@pytest.fixture(scope="module")
def visit_once(browser: Browser, settled: Callable[[Page], None]) -> Iterator[Visit]:
    """`visit` for a page that several tests only look at."""
    with _visits(browser, settled) as open_page:
        yield open_page
