"""``ragdebug app``: the browser front end."""

from __future__ import annotations

import os
import runpy
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from pathlib import Path
from urllib.parse import quote

import click

from ragdebug.cli.base import Session, command
from ragdebug.errors import RagDebugError

SAMPLE_QUERY = "how do I get my money back after a year?"
SAMPLE_DOCUMENT = "handbook/billing-and-refunds.md"
START_S = 60


@click.command()
@click.option("--port", type=int, default=8501, show_default=True)
@click.option(
    "--address",
    default="127.0.0.1",
    show_default=True,
    help="0.0.0.0 shows the workspace to everybody in the network.",
)
@click.option("--sample", is_flag=True, help="Load the sample corpus when the workspace is empty.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@command
def app(session: Session, port: int, address: str, sample: bool, no_browser: bool) -> None:
    """Open the workbench in the browser."""
    from ragdebug.places import app_script

    script = app_script()
    refuse_taken(address, port)
    url = f"http://{'localhost' if address in ('127.0.0.1', '0.0.0.0') else address}:{port}"  # noqa: S104
    page = url
    if sample and load_sample(session):
        page = f"{url}/Search?q={quote(SAMPLE_QUERY)}"
    serve(session, script, port, address, page, open_browser=not no_browser and _has_display())


def serve(
    session: Session, script: Path, port: int, address: str, page: str, *, open_browser: bool
) -> None:
    """Run the server in this process, so that whoever ends this one ends the app.

    Raises:
        RagDebugError: when the server ends with an error, such as a port that is taken.
    """
    os.environ["RAGDEBUG_WORKSPACE"] = str(session.workspace.resolve())
    os.environ["RAGDEBUG_STARTED_IN"] = os.getcwd()  # where modules of searchers may be
    os.chdir(script.parent)  # where the server looks for the theme
    arguments = (session, f"{_loopback(address)}:{port}", page, open_browser)
    threading.Thread(target=_announce, args=arguments, daemon=True).start()
    sys.argv = [
        "streamlit", "run", str(script), f"--server.port={port}", f"--server.address={address}",
        "--server.headless=true",
    ]  # fmt: skip
    try:
        runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if end.code:
            raise RagDebugError(
                f"The server on port {port} ended with code {end.code}.",
                title="App not running",
                hint="Is the port taken? Choose another with --port.",
            ) from end


def _announce(session: Session, host: str, page: str, open_browser: bool) -> None:
    if wait_until_up(host):
        session.say(f"The workbench is open at {page}")
        if open_browser:
            webbrowser.open(page)


def refuse_taken(address: str, port: int) -> None:
    """Say at once that another program answers on the port.

    Raises:
        RagDebugError: when the port cannot be had.
    """
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as e:
            raise RagDebugError(
                f"Port {port} of {address} cannot be had: {e.strerror or e}.",
                title="App not started",
                hint="Another program may use it; choose another with --port.",
            ) from e


def load_sample(session: Session) -> bool:
    """Read sample corpus and questions into an empty workspace; True when it holds the corpus."""
    from ragdebug.places import sample_folder, sample_questions

    with session.workbench(new=True) as wb:
        present = wb.documents()
        if not present:
            session.say("Reading the sample corpus.")
            wb.ingest([sample_folder()])
            wb.import_questions(sample_questions())
            present = wb.documents()
    return any(d.source == SAMPLE_DOCUMENT for d in present)


def wait_until_up(host: str) -> bool:
    """Wait for the server to answer; False when it took too long."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"http://{host}/_stcore/health", timeout=2):
                return True
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    return False


def _loopback(address: str) -> str:
    return "127.0.0.1" if address == "0.0.0.0" else address  # noqa: S104


def _has_display() -> bool:
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
