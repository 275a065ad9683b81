"""Documents to save, and waiting for what another thread or process does."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import ragdebug
from ragdebug.records import ParsedDocument
from ragdebug.store.rows import StoredDocument

PACKAGE = Path(ragdebug.__file__).parents[1]

Start = Callable[..., "subprocess.Popen[str]"]


def start_process(code: str, *args: object) -> subprocess.Popen[str]:
    """Start Python code in a process of its own; it finds `args` and ``say(word)`` ready."""
    prelude = "import sys, time\nargs = sys.argv[1:]\ndef say(word):\n    print(word, flush=True)\n"
    return subprocess.Popen(
        [sys.executable, "-c", prelude + code, *map(str, args)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGE), "OMP_NUM_THREADS": "1"},
    )


def rest_of(process: subprocess.Popen[str]) -> str:
    """What a process still prints until it ends."""
    assert process.stdout is not None  # not communicate(): that would miss what is buffered here
    return process.stdout.read().strip()


def eventually(true: Callable[[], bool], within_s: float = 20) -> bool:
    """Whether something becomes true; asked often."""
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        if true():
            return True
        time.sleep(0.02)
    return true()


def text_document(
    document: str,
    text: str = "Pay within ten days.",
    *,
    version: str = "v1",
    source: str = "",
    upload: str = "",
    key: str = "",
    **parsed: object,
) -> StoredDocument:
    """A document to save, with as little said as a test needs."""
    source = source or f"{document}.txt"
    return StoredDocument(
        id=document,
        source=source,
        source_key=key or f"/docs/{source}",
        root="/docs",
        origin="folder",
        file_hash=f"hash of {text}",
        options="options",
        parsed=ParsedDocument(text=text, kind="text", parser="text/1", **parsed),  # type: ignore[arg-type]
        version=version,
        tokens=len(text.split()),
        upload=upload,
    )
