"""``ragdebug documents text``: the canonical text, of one page too, and a better one for a page."""

from __future__ import annotations

import shlex
import sys
from typing import IO, TYPE_CHECKING

import click

from ragdebug.cli.base import Session, command
from ragdebug.errors import InvalidSetting

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench


@click.command("text")
@click.argument("document")
@click.option("--version", default="", help="An earlier version; the present one by default.")
@click.option("--page", type=click.IntRange(min=1), default=None, help="Only this page, from 1.")
@click.option(
    "--set",
    "better",
    type=click.File("rb"),
    metavar="FILE",
    help="Take this file's text, - for standard input, in place of the page's; in UTF-8.",
)
@click.option("--unset", is_flag=True, help="Back to the text that was read from the file.")
@command
def text(
    session: Session,
    document: str,
    version: str,
    page: int | None,
    better: IO[bytes] | None,
    unset: bool,
) -> None:
    """Print the canonical text, exactly, so that every span can be checked from outside.

    With --page and --set a page gets a better text than its file gave, such as a scanned page that
    you have read. It is searched from then on. The file stays as it is, and so does the text that
    was read from it: --unset brings it back, --version shows it.
    """
    if better is not None or unset:
        if page is None:
            raise click.UsageError("--set and --unset need --page.")
        if version or (better is not None and unset):
            raise click.UsageError("Give one of --set, --unset and --version.")
        given = "" if better is None else _decoded(better)
        with session.workbench() as wb:
            _give(session, wb, document, page, given)
        return
    with session.workbench() as wb:
        found = wb.document(wb.resolve(document).id, version)
        shown = found.text if page is None else wb.page_text(found.id, page, version)
    if session.json:
        value = {"id": found.id, "version": found.version, "text": shown}
        session.result(value if page is None else {**value, "page": page}, "")
    else:
        sys.stdout.buffer.write(shown.encode("utf-8"))


def _give(session: Session, wb: Workbench, document: str, page: int, given: str) -> None:
    """Give a page another text, or with "" its own again."""
    before = wb.resolve(document)
    known = page in wb.pasted_pages(before.id)
    old = wb.page_text(before.id, page).strip()
    info = wb.paste_page(before.id, page, given)
    new = wb.page_text(info.id, page).strip()
    back = f"ragdebug documents text {shlex.quote(document)} --page {page} --unset"
    if given:
        said = f"The file and its own text stay; back to it with: {back}"
    else:
        said = "The text that was read from the file is back."
        said = said if known else "The page had its own text already."
    session.result(
        {
            "id": info.id,
            "source": info.source,
            "page": page,
            "version": info.version,
            "version_before": before.version,
            "chars": len(new),
            "chars_before": len(old),
            "pages_set": list(wb.pasted_pages(info.id)),
        },
        f"{info.source}, page {page}: {len(new):,} characters, before {len(old):,}\n{said}",
    )


def _decoded(file: IO[bytes]) -> str:
    try:
        given = file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidSetting(
            f"{file.name} is not UTF-8: byte {error.start + 1:,} is none of it.",
            hint="Save it as UTF-8.",
        ) from error
    if not given.strip():
        raise InvalidSetting(
            f"There is no text in {file.name}.", hint="To take a text away use --unset."
        )
    return given
