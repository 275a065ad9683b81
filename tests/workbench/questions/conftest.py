"""A workspace with a few small documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ragdebug import Workbench

BRIDGE = (
    "The bridge opens at six. Boats must wait by the buoy.\n\n"
    "The toll is four coins. Children pass free of charge.\n\n"
    "In winter the bridge stays shut on Mondays.\n"
)
REFUNDS = (
    "# Billing\n\n## Refunds\n\n"
    "Refunds take ten days \u2013 \u201calways\u201d by bank transfer.\n\n"
    "## Fees\n\nThe fee is due. Pay monthly. The fee is due.\n"
)
FILES = {"bridge.txt": BRIDGE, "handbook/refunds.md": REFUNDS}

Again = Callable[..., None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    for name, text in FILES.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(text, "utf-8")
    return made


@pytest.fixture
def wb(tmp_path: Path, folder: Path) -> Iterator[Workbench]:
    with Workbench(tmp_path / "workspace") as opened:
        opened.ingest([folder])
        yield opened


@pytest.fixture
def again(wb: Workbench, folder: Path) -> Again:
    """Write files (None: delete), and read the folder again."""

    def write(**files: str | None) -> None:
        for stem, text in files.items():
            path = next(folder.rglob(f"{stem}.*"), folder / f"{stem}.txt")
            if text is None:
                path.unlink()
            else:
                path.write_text(text, "utf-8")
        wb.ingest([folder], yes=True)

    return write
