"""The findings, the worst first, each with where to look; and the checks that found nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.protocols import Progress
from ragdebug.settings import StrategySettings
from ragdebug.ui import literal
from ragdebug.ui.health import background, links
from ragdebug.workbench.health import CHECKS, SEVERITIES, Finding, clean

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

HEADS = {
    "serious": (":red[:material/error:]", "Serious", "some result is wrong or empty because of it"),
    "warning": (":orange[:material/warning:]", "Warnings", "some results are worse for it"),
    "note": (":blue[:material/info:]", "Notes", "worth knowing"),
    "unchecked": (":gray[:material/help:]", "Not checked", "something is missing for the check"),
}
NAME = "findings"


def draw(wb: Workbench, strategies: Sequence[StrategySettings]) -> bool:
    """Draw what is known; the checks run beside the page until then.

    Returns whether they are over.
    """
    checked = wb.health_checks(strategies)
    runs = tuple((r.id, r.state, r.elapsed_s) for r in checked.runs)
    corpus = wb.corpus()
    key = (str(wb.path), corpus.fingerprint, corpus.failed, *map(str, strategies), *runs)

    def make(progress: Progress) -> list[Finding]:
        return wb.health(strategies, progress=progress)

    found = wb.known_health(strategies)
    if found is None:
        found = background.ask(NAME, key, make)
    if isinstance(found, background.Waiting):
        background.watch(NAME, key, "Checking")
        return False
    if isinstance(found, background.Failure):
        literal.problem(found.message, found.hint)
        return True
    for severity in SEVERITIES:
        some = [f for f in found if f.severity == severity]
        if some:
            _group(severity, some, strategies)
    _quiet(found, len(checked.runs))
    return True


def _group(
    severity: str, findings: Sequence[Finding], strategies: Sequence[StrategySettings]
) -> None:
    icon, title, meaning = HEADS[severity]
    models = {s.embedder for s in strategies}
    usual = models.pop() if len(models) == 1 else ""
    st.markdown(f"{icon} **{title}** {len(findings):,} :gray[· {meaning}]")
    for at, one in enumerate(findings):
        with st.container(border=True, gap="xsmall", key=f"health_{severity}_{at}"):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(f"**{one.title}**", width="content")
                if one.strategies and len(one.strategies) < len(strategies):
                    touched = " ".join(links.name(s, usual) for s in one.strategies)
                    st.markdown(f":gray[in] {touched}", width="content")
            st.markdown(literal.plain(one.sentence, 2000))
            if one.where:
                with st.container(horizontal=True, gap="xsmall"):
                    for number, where in enumerate(one.where):
                        links.draw(where, f"health_{severity}_{at}_{number}")


def _quiet(findings: Sequence[Finding], runs: int) -> None:
    """What was looked for and is not there."""
    codes = clean(findings)
    if not findings:
        st.success(f"None of the {len(CHECKS)} checks found anything.", icon=":material/check:")
    if codes:
        titles = " · ".join(CHECKS[code] for code in codes)
        st.caption(
            f":green[:material/check_circle:] **Nothing found** by {len(codes)} of {len(CHECKS)} "
            f"checks · {titles}"
        )
    if not runs:
        st.caption(
            "No kept run of these strategies: whether a reranker changes nothing, or a minimum "
            "score removes everything, is seen on Search and after an evaluation on Results."
        )
