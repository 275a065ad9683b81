"""Take the pictures of the README: the sample corpus in a real browser.

Needs the development dependencies and Chromium: make pictures. Pages are drawn at 1440 x 900.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright

from ragdebug import Workbench
from ragdebug.pieces import GivenPiece, PieceFile
from ragdebug.places import app_script, sample_folder, sample_questions
from ragdebug.settings import DEFAULT_EMBEDDER, PRESETS, ChunkingSettings

HERE = Path(__file__).resolve().parent / "pictures"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUESTION = "how do I get my money back after a year?"
RULE = "only the months that have not yet begun are paid back"

# What a page shows when it is ready; on Search, the score of the slowest list.
SIGNS = {
    "corpus": "Take out",
    "chunks": "tokens, median",
    "search": "maxsim",
    "questions": "Add questions",
    "results": "Under each run",
    "trace": "All questions",
    "your-system": "searched as imported:prod",
}
CUT = "fixed:220/0"


@contextmanager
def app(workspace: Path) -> Iterator[str]:
    """The address of the app on a workspace."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = [sys.executable, "-m", "ragdebug", "app", "--no-browser", "--port", str(port)]
    server = subprocess.Popen([*command, "--workspace", str(workspace)], cwd=app_script().parent)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=2)
                break
            except (urllib.error.URLError, OSError):
                time.sleep(0.2)
        yield address
    finally:
        server.terminate()
        server.wait(20)


def bring_chunks(wb: Workbench) -> None:
    """Chunks as another splitter would have cut them, some of them rewritten before."""
    pieces = [
        GivenPiece(" ".join(c.text.split()) if n % 9 else f"In short: {c.text[:60]}", c.source)
        for n, c in enumerate(
            c for d in wb.documents() for c in wb.chunk_document(d.id, "recursive:800/100:chars")
        )
    ]
    wb.add_pieces(PieceFile(tuple(pieces)), "prod", "export.jsonl")


def settle(page: Page, text: str) -> None:
    """Wait for a text, then until the script has run and nothing moves any more."""
    page.get_by_text(text).first.wait_for(timeout=600_000)
    still = 0
    while still < 8:
        running = page.locator("[data-testid='stApp'][data-test-script-state='running']").count()
        busy = page.get_by_test_id("stSpinner").count() + page.get_by_test_id("stSkeleton").count()
        still = 0 if running or busy else still + 1
        page.wait_for_timeout(250)


def main() -> None:
    """Write one picture a page, and Search also in the dark theme."""
    browser_path = next(path for name in BROWSERS if (path := shutil.which(name)))
    HERE.mkdir(exist_ok=True)
    os.environ["RAGDEBUG_OFFLINE"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder) / "workspace"
        with Workbench(workspace) as wb:
            wb.ingest([sample_folder()])
            wb.build(ChunkingSettings(), DEFAULT_EMBEDDER)
            wb.search(QUESTION, ["vector", "bm25", "hybrid", "reranked"])
            wb.import_questions(sample_questions())
            wb.build(CUT, DEFAULT_EMBEDDER)
            wb.evaluate([*PRESETS, f"hybrid@{CUT}"], yes=True)
            (lost,) = wb.lost_stages([f"hybrid@{CUT}"])
            (place,) = wb.find_quote(RULE)
            rule = f"{place.document}@{place.version[:8]}:{place.start}-{place.end}"
            bring_chunks(wb)
            guide = next(d.id for d in wb.documents() if d.source == place.source)
        pages = {
            "corpus": "Corpus?" + urlencode({"doc": guide}),
            "chunks": "Chunks?"
            + urlencode(
                {"doc": guide, "chunker": "fixed", "size": 220, "overlap": 0, "at": place.start}
            ),
            "search": "Search?" + urlencode({"q": QUESTION, "expect": rule}),
            "questions": "Questions",
            "results": "Results",
            "trace": "Trace?"
            + urlencode({"question": lost.stages["cut"][0], "strategy": f"hybrid@{CUT}"}),
            "your-system": "Your_system",
        }
        with app(workspace) as address, sync_playwright() as play:
            browser = play.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
            for theme, names in (("light", tuple(pages)), ("dark", ("search",))):
                context = browser.new_context(
                    viewport={"width": 1440, "height": 1000},
                    color_scheme="dark" if theme == "dark" else "light",
                )
                for name in names:
                    page = context.new_page()
                    page.goto(f"{address}/{pages[name]}")
                    settle(page, SIGNS[name])
                    if name == "your-system":
                        page.get_by_role("button", name="How they stand").click()
                        settle(page, "chunks placed")
                    suffix = "-dark" if theme == "dark" else ""
                    page.screenshot(path=HERE / f"{name}{suffix}.png")
                    page.close()
                context.close()
            browser.close()


if __name__ == "__main__":
    main()
