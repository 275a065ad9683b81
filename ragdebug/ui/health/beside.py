"""One line beside results: what the health checks know about the lists that are shown."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.protocols import Progress
from ragdebug.settings import ChunkingSettings, StrategySettings
from ragdebug.ui import indexing, literal
from ragdebug.ui.health import background, links
from ragdebug.ui.search.filling import Filled
from ragdebug.workbench.health import Finding

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

SHOWN = 3  # findings in the line at most, and no more than fit on it
LINE_CHARS = 140  # of Markdown; an icon is about twenty of them
NAME = "beside"
LISTS, CHUNKS = "these lists", "these chunks"
OF_CHUNKS = (
    "boilerplate", "in_no_chunk", "beyond_window", "duplicate_chunks", "near_duplicates", "prompts",
    "model_language", "analyzer_language",
)  # fmt: skip
"""What the Chunks page is about; there the notes count, too."""
_ICONS = {
    "serious": ":red[:material/error:]",
    "warning": ":orange[:material/warning:]",
    "note": ":blue[:material/info:]",
}


def draw(wb: Workbench, filled: Filled) -> None:
    """Draw the line; checks begin when all lists are there, so that they hold up none of them."""
    names = {str(c.strategy): c.short for c in filled.columns}
    shown = wb.health_of(list(filled.lists.values()))
    ready = filled.complete and not filled.busy and not filled.partial
    _checked(wb, [c.strategy for c in filled.columns], names, shown, ready, "search_health")


def strategies(
    wb: Workbench,
    names: Mapping[str, str],
    key: str,
    wanted: Collection[str] = (),
    returned: Collection[str] = (),
) -> None:
    """Draw the line for strategies, as on Trace and Results.

    Args:
        wb: the workspace.
        names: text form -> what the page calls it.
        key: of the line, unique on the page.
        wanted: ids of the documents that are to be found; what holds for them comes first.
        returned: ids of those that were found, which come next.
    """
    try:
        checked = [StrategySettings.parse(text) for text in names]
    except RagDebugError:
        return  # a run of a release that had other settings
    if checked:
        _checked(wb, checked, names, [], True, key, nearest=(wanted, returned))


def chunks(wb: Workbench, chunkings: Mapping[str, ChunkingSettings], model: str) -> None:
    """Draw the line on the Chunks page.

    A large corpus is not cut for its sake: somebody may be looking for the right size.

    Args:
        wb: the workspace.
        chunkings: what the page calls them -> settings.
        model: which reads the chunks.
    """
    names = {
        str(StrategySettings("hybrid", settings, model)): name
        for name, settings in chunkings.items()
    }
    small = wb.corpus().chars <= indexing.AT_ONCE_CHARS
    ready = all(small or wb.is_cut(settings) for settings in chunkings.values())
    checked = [StrategySettings.parse(text) for text in names]
    _checked(wb, checked, names, [], ready, "chunks_health", CHUNKS)


def _checked(
    wb: Workbench,
    checked: Sequence[StrategySettings],
    names: Mapping[str, str],
    shown: Sequence[Finding],
    ready: bool,
    line: str,
    what: str = LISTS,
    nearest: tuple[Collection[str], Collection[str]] = ((), ()),
) -> None:
    found = wb.known_health(checked)
    if found is None and ready:
        corpus = wb.corpus()
        runs = tuple((r.id, r.state, r.elapsed_s) for r in wb.health_checks(checked).runs)
        key = (str(wb.path), corpus.fingerprint, corpus.failed, *map(str, checked), *runs)

        def make(progress: Progress) -> list[Finding]:
            return wb.health(checked, progress=progress)

        made = background.ask(NAME, key, make, wait_s=0.2 if what == LISTS else 0.0)
        if isinstance(made, background.Waiting) and not shown:
            with _place(line):
                background.watch(NAME, key, "Health")
            return
        found = made if isinstance(made, list) else None
    told = _told([*shown, *(found or [])], what, nearest)
    # Two chunkings may have one fault; the line is not to wrap, or what is below it would jump.
    first = told if what == LISTS else list({f.title: f for f in reversed(told)}.values())[::-1]
    every = [_part(f, names, counted=not f.names(nearest[0])) for f in first]
    if first and first[0].names(nearest[0]):
        every[0] = f"Its document: {every[0]}"
    parts = fitting(every)
    if len(told) > len(parts):
        parts.append(f"{len(told) - len(parts)} more")
    if not parts and found is not None:
        parts = [f"nothing that touches {what}"]
    elif not parts:
        parts = ["…" if ready or what == LISTS else "known once all documents are cut this way"]
    help_text = "  \n".join(f"**{f.title}**: {literal.plain(f.sentence, 600)}" for f in told)
    with _place(line):
        st.caption(" :gray[·] ".join(parts), help=help_text or None)


def fitting(parts: Sequence[str]) -> list[str]:
    """The first of some parts, as Markdown, that fit on one line; one at least."""
    shown: list[str] = []
    for part in parts[:SHOWN]:
        if shown and sum(map(len, [*shown, part])) > LINE_CHARS:
            break
        shown.append(part)
    return shown


def _told(
    findings: Sequence[Finding], what: str, nearest: Sequence[Collection[str]]
) -> list[Finding]:
    """The findings that are shown, each once; what holds for the nearest documents first."""
    if what == CHUNKS:
        return [f for f in findings if f.code in OF_CHUNKS and f.severity != "unchecked"]
    bad = [f for f in findings if f.severity in ("serious", "warning")]
    # Of the document that is wanted the notes count, too.
    own = [f for f in findings if f.severity == "note" and f.names(nearest[0])]
    settings = [f for f in findings if f.code in ("minimum", "reranker")]
    told = dict.fromkeys([*bad, *own, *settings])
    return sorted(told, key=lambda f: [not f.names(some) for some in nearest])


def _place(key: str) -> AbstractContextManager[object]:
    """Where the line stands, its link already there: nothing jumps when the checks are done."""
    place = st.container(horizontal=True, vertical_alignment="center", gap="small", key=key)
    place.page_link(
        links.HEALTH, label="Health", icon=":material/health_and_safety:",
        query_params=links.workspace(),
    )  # fmt: skip
    return place


def _part(finding: Finding, names: Mapping[str, str], counted: bool = True) -> str:
    touched = [literal.plain(name, 60) for text, name in names.items()
               if text in finding.strategies]  # fmt: skip
    where = f" in {', '.join(touched)}" if 0 < len(touched) < len(names) else ""
    count = ""
    if counted and finding.of > 1:  # what holds for the one document needs no count of all
        count = f": {literal.number(finding.count)} of {literal.number(finding.of)}"
    icon = _ICONS.get(finding.severity, "")
    return f"{icon} {finding.title}{count}{where}".strip()
