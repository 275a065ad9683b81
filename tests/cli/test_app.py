"""``ragdebug app`` is one process: whoever ends it ends the server."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from click.testing import CliRunner

from ragdebug.cli import cli


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
            return True
    except (urllib.error.URLError, OSError):
        return False


def test_a_taken_port_is_refused_at_once_and_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = CliRunner().invoke(cli, ["app", "--port", str(port), "-w", str(tmp_path / "w")])
    assert result.exit_code == 1
    assert str(port) in result.stderr


def test_ending_the_command_ends_the_server(tmp_path: Path) -> None:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "ragdebug", "app", "--port", str(port), "--no-browser",
         "-w", str(tmp_path / "w")],
        cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=dict(os.environ),
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 90
        while not answers(port):
            assert process.poll() is None, process.stderr and process.stderr.read()
            assert time.monotonic() < deadline
            time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
        assert not answers(port)
    finally:
        process.kill()
        process.wait()
