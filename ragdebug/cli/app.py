"""``ragdebug app``: the browser front end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import webbrowser
from urllib.parse import quote

import click

from ragdebug.cli.base import Session, command
from ragdebug.errors import RagDebugError

SAMPLE_QUERY = "how do I get my money back after a year?"
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
    url = f"http://{'localhost' if address in ('127.0.0.1', '0.0.0.0') else address}:{port}"  # noqa: S104
    page = url
    if sample and load_sample(session):
        page = f"{url}/Search?q={quote(SAMPLE_QUERY)}"
    env = {**os.environ, "RAGDEBUG_WORKSPACE": str(session.workspace.resolve())}
    arguments = [
        sys.executable, "-m", "streamlit", "run", str(script),
        f"--server.port={port}", f"--server.address={address}", "--server.headless=true",
    ]  # fmt: skip
    # The theme is found in the folder the server is started in.
    process = subprocess.Popen(arguments, cwd=script.parent, env=env)
    try:
        if wait_until_up(process, f"{_loopback(address)}:{port}"):
            session.say(f"The workbench is open at {page}")
            if not no_browser and _has_display():
                webbrowser.open(page)
        code = process.wait()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        code = 0
        process.wait(timeout=10)
    finally:
        if process.poll() is None:
            process.terminate()
    if code:
        raise RagDebugError(
            f"The server on port {port} ended with code {code}.",
            title="App not running",
            hint="Is the port taken? Choose another with --port.",
        )


def load_sample(session: Session) -> bool:
    """Read the sample corpus into an empty workspace; True when the workspace holds it."""
    from ragdebug.places import sample_folder

    with session.workbench() as wb:
        present = wb.documents()
        if not present:
            session.say("Reading the sample corpus.")
            wb.ingest([sample_folder()])
            present = wb.documents()
    return bool(present)


def wait_until_up(process: subprocess.Popen[bytes], host: str) -> bool:
    """Wait for the server to answer; False when it ended or took too long."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
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
