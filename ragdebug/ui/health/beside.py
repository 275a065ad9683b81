"""One line on Search: what the health checks know about the lists that are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.protocols import Progress
from ragdebug.ui import literal
from ragdebug.ui.health import background, links
from ragdebug.ui.search.columns import Column
from ragdebug.ui.search.filling import Filled
from ragdebug.workbench.health import Finding

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

SHOWN = 3
NAME = "beside"
_ICONS = {
    "serious": ":red[:material/error:]",
    "warning": ":orange[:material/warning:]",
    "note": ":blue[:material/info:]",
}


def draw(wb: Workbench, filled: Filled) -> None:
    """Draw the line; checks begin when all lists are there, so that they hold up none of them."""
    strategies = [c.strategy for c in filled.columns]
    shown = wb.health_of(list(filled.lists.values()))
    found = wb.known_health(strategies)
    if found is None and filled.complete and not filled.busy and not filled.partial:
        corpus = wb.corpus()
        runs = tuple((r.id, r.state, r.elapsed_s) for r in wb.health_checks(strategies).runs)
        key = (str(wb.path), corpus.fingerprint, corpus.failed, *map(str, strategies), *runs)

        def make(progress: Progress) -> list[Finding]:
            return wb.health(strategies, progress=progress)

        made = background.ask(NAME, key, make, wait_s=0.2)
        if isinstance(made, background.Waiting) and not shown:
            background.watch(NAME, key, "Health")
            return
        found = made if isinstance(made, list) else None
    _line([*shown, *(found or [])], filled.columns, known=found is not None)


def _line(findings: Sequence[Finding], columns: Sequence[Column], *, known: bool) -> None:
    bad = [f for f in findings if f.severity in ("serious", "warning")]
    told = list(dict.fromkeys([*bad, *(f for f in findings if f.code in ("minimum", "reranker"))]))
    parts = [_part(f, columns) for f in told[:SHOWN]]
    if len(told) > SHOWN:
        parts.append(f"{len(told) - SHOWN} more")
    if not parts:
        parts = ["nothing that touches these lists" if known else "…"]
    help_text = "  \n".join(f"**{f.title}**: {literal.plain(f.sentence, 600)}" for f in told)
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="search_health"
    ):
        st.page_link(
            links.HEALTH, label="Health", icon=":material/health_and_safety:",
            query_params=links.workspace(),
        )  # fmt: skip
        st.caption(" :gray[·] ".join(parts), help=help_text or None)


def _part(finding: Finding, columns: Sequence[Column]) -> str:
    names = [c.short for c in columns if str(c.strategy) in finding.strategies]
    where = f" in {', '.join(names)}" if 0 < len(names) < len(columns) else ""
    count = ""
    if finding.of > 1:
        count = f" {literal.number(finding.count)} of {literal.number(finding.of)}"
    icon = _ICONS.get(finding.severity, "")
    return f"{icon} {finding.title}{count}{where}".strip()
