"""The real app in a real browser.

    def test_something(app, visit):
        page = visit(app(workspace_folder), "Search?q=refund")
        page.get_by_label("Query") ...

`app(workspace)` starts the app on a free loopback port with that workspace and returns its address;
the same workspace gets the same server. `gallery` is the address of the components' gallery.
`visit(address, path, width=..., dark=...)` opens a page in a fresh browser session and waits until
the script has run; at the end of a test, errors in a page and requests to other machines fail it.
`visit_once` is the same for a whole module.
Wait for what should be seen: `expect` of Playwright waits as long as everything else here, and
`expect(locator.nth(n)).to_be_attached()` for more than n. `settled(page)` waits until the script
has run after an action: for what must not change, and before keys, which a run could take.
`at_rest(page, locator)` is where something stands when nothing moves it any more.
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
from weakref import WeakKeyDictionary

import pytest

from tests.browser.runs import Runs

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FloatRect, Locator, Page, Request, WebSocket

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
PATIENCE_MS = 120_000  # for slow machines; nothing waits longer than it has to
LONGEST_S = 1800  # a test, with what it builds first and waits for
QUIET = 3  # looks in a row at a page that has nothing to do
ROW_PX = 33  # of a table
# Whether all is drawn. Asking the server something first gives it the time to read what the page
# has sent and to say that it runs, and the page the time to draw what came, however slow they are.
LOOK = """async () => {
    await fetch('/_stcore/health');
    await new Promise(done => setTimeout(done, 100));
    const app = document.querySelector('[data-testid=stApp]')?.dataset;
    return app?.testConnectionState === 'CONNECTED'
        && !document.querySelector(
            '[data-testid=stMain] :is([data-stale=true], [data-testid=stSkeleton])');
}"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that drives a page may wait several times."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.timeout(LONGEST_S))


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _start(script: Path, folder: Path, **variables: str) -> tuple[subprocess.Popen[bytes], str]:
    """Run a script with Streamlit and wait until it answers."""
    for _ in range(3):  # a free port may be taken before the server has it
        process, address, log = _run(script, folder, **variables)
        until = time.monotonic() + PATIENCE_MS / 1000
        while time.monotonic() < until and process.poll() is None:
            try:
                with urllib.request.urlopen(f"{address}/_stcore/health", timeout=30) as answer:
                    # Whoever has the port answers; ours says so when it has it.
                    if answer.status == 200 and address.encode() in log.read_bytes():
                        return process, address
            except (urllib.error.URLError, OSError):
                pass
            time.sleep(0.1)
        process.kill()
        if b"is not available" not in log.read_bytes():
            break
    raise RuntimeError(f"The app did not start:\n{log.read_text(errors='replace')[-4000:]}")


def _run(script: Path, folder: Path, **variables: str) -> tuple[subprocess.Popen[bytes], str, Path]:
    port = _free_port()
    inherited = {
        k: v for k, v in os.environ.items() if not k.startswith(("RAGDEBUG_", "STREAMLIT_"))
    }
    environment = {
        **inherited,
        "PYTHONPATH": str(ROOT),
        "RAGDEBUG_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
        "PYTHONUNBUFFERED": "1",
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
    return process, f"http://127.0.0.1:{port}", log


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
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=chromium, args=list(FLAGS), timeout=PATIENCE_MS
        )
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def settled() -> Callable[[Page], None]:
    """Wait until the script has run and its results are drawn."""

    def wait(page: Page) -> None:
        until, quiet = time.monotonic() + 2 * PATIENCE_MS / 1000, 0
        while quiet < QUIET:
            drawn = page.evaluate(LOOK)
            quiet = quiet + 1 if drawn and not _runs[page].busy else 0
            assert time.monotonic() < until, "the page is never at rest"

    return wait


@pytest.fixture(scope="session")
def at_rest(settled: Callable[[Page], None]) -> Callable[[Page, Locator], FloatRect]:
    """Where something stands when nothing is drawn any more that could move it."""

    def place(page: Page, one: Locator) -> FloatRect:
        one.wait_for()
        settled(page)
        one.scroll_into_view_if_needed()
        box, before = one.bounding_box(), None
        while box is None or box != before:
            page.wait_for_timeout(500)
            box, before = one.bounding_box(), box
        return box

    return place


@pytest.fixture(scope="session")
def click_row(at_rest: Callable[[Page, Locator], FloatRect]) -> Callable[..., None]:
    """Click a row of a table, counted from 1, `x` pixels from its left edge (16: its tick)."""

    def click(page: Page, table: Locator, row: int, x: int = 16) -> None:
        box = at_rest(page, table.locator("canvas").first)
        page.mouse.click(box["x"] + x, box["y"] + ROW_PX * row + ROW_PX // 2)

    return click


Visit = Callable[..., "Page"]
_runs: WeakKeyDictionary[Page, Runs] = WeakKeyDictionary()


@contextmanager
def _visits(browser: Browser, settled: Callable[[Page], None]) -> Iterator[Visit]:
    contexts = []
    faults: list[str] = []

    def watch(page: Page, address: str) -> None:
        own = (address, address.replace("http", "ws"), "data:", "blob:")

        def requested(request: Request) -> None:
            if not request.url.startswith(own):
                faults.append(f"request to {request.url}")

        runs = _runs[page] = Runs()

        def connected(socket: WebSocket) -> None:
            socket.on("framesent", runs.sent)
            socket.on("framereceived", runs.received)

        page.on("websocket", connected)
        page.on("pageerror", lambda error: faults.append(f"error in the page: {error}"))
        page.on("request", requested)

    def open_page(
        address: str,
        path: str = "",
        *,
        width: int = 1280,
        height: int = 900,
        dark: bool = False,
        wait: bool = True,
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
        if wait:
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
