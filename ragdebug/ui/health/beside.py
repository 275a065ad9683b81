"""One line beside results: what the health checks know about the lists that are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.protocols import Progress
from ragdebug.settings import StrategySettings
from ragdebug.ui import literal
from ragdebug.ui.health import background, links
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
    names = {str(c.strategy): c.short for c in filled.columns}
    shown = wb.health_of(list(filled.lists.values()))
    ready = filled.complete and not filled.busy and not filled.partial
    _checked(wb, [c.strategy for c in filled.columns], names, shown, ready, "search_health")


def strategies(wb: Workbench, names: Mapping[str, str], key: str) -> None:
    """Draw the line for strategies, as on Trace and Results.

    Args:
        wb: the workspace.
        names: text form -> what the page calls it.
        key: of the line, unique on the page.
    """
    try:
        checked = [StrategySettings.parse(text) for text in names]
    except RagDebugError:
        return  # a run of a release that had other settings
    if checked:
        _checked(wb, checked, names, [], True, key)


def _checked(
    wb: Workbench,
    checked: Sequence[StrategySettings],
    names: Mapping[str, str],
    shown: Sequence[Finding],
    ready: bool,
    line: str,
) -> None:
    found = wb.known_health(checked)
    if found is None and ready:
        corpus = wb.corpus()
        runs = tuple((r.id, r.state, r.elapsed_s) for r in wb.health_checks(checked).runs)
        key = (str(wb.path), corpus.fingerprint, corpus.failed, *map(str, checked), *runs)

        def make(progress: Progress) -> list[Finding]:
            return wb.health(checked, progress=progress)

        made = background.ask(NAME, key, make, wait_s=0.2)
        if isinstance(made, background.Waiting) and not shown:
            background.watch(NAME, key, "Health")
            return
        found = made if isinstance(made, list) else None
    _line([*shown, *(found or [])], names, line, known=found is not None)


def _line(findings: Sequence[Finding], names: Mapping[str, str], key: str, *, known: bool) -> None:
    bad = [f for f in findings if f.severity in ("serious", "warning")]
    told = list(dict.fromkeys([*bad, *(f for f in findings if f.code in ("minimum", "reranker"))]))
    parts = [_part(f, names) for f in told[:SHOWN]]
    if len(told) > SHOWN:
        parts.append(f"{len(told) - SHOWN} more")
    if not parts:
        parts = ["nothing that touches these lists" if known else "…"]
    help_text = "  \n".join(f"**{f.title}**: {literal.plain(f.sentence, 600)}" for f in told)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=key):
        st.page_link(
            links.HEALTH, label="Health", icon=":material/health_and_safety:",
            query_params=links.workspace(),
        )  # fmt: skip
        st.caption(" :gray[·] ".join(parts), help=help_text or None)


def _part(finding: Finding, names: Mapping[str, str]) -> str:
    touched = [literal.plain(name, 60) for text, name in names.items()
               if text in finding.strategies]  # fmt: skip
    where = f" in {', '.join(touched)}" if 0 < len(touched) < len(names) else ""
    count = ""
    if finding.of > 1:
        count = f" {literal.number(finding.count)} of {literal.number(finding.of)}"
    icon = _ICONS.get(finding.severity, "")
    return f"{icon} {finding.title}{count}{where}".strip()
