"""What can be done with chosen documents: tag them, correct the language, take them out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.records import DocumentInfo
from ragdebug.settings import fingerprint, parse_pairs
from ragdebug.ui import literal, state
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

CHOSEN = "_corpus_chosen"  # ids of the rows that are ticked
ROUND = "_corpus_table_round"  # counts the times that all ticks were taken away
UNDO = "_corpus_undo"
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*")


def draw(wb: Workbench, chosen: Sequence[DocumentInfo]) -> None:
    """A line with the names of the ticked documents and the buttons."""
    one = chosen[0].source if len(chosen) == 1 else f"{len(chosen):,} documents"
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="corpus_actions"
    ):
        st.markdown(f"**{literal.plain(one, 70)}**", width="content")
        buttons(wb, chosen, "ticked")
        st.button("Untick", type="tertiary", key="corpus_untick", on_click=untick)


def buttons(wb: Workbench, chosen: Sequence[DocumentInfo], name: str) -> None:
    """The buttons alone; `name` tells two sets on one page apart."""
    if any(d.version for d in chosen):
        with (
            st.popover("Metadata", icon=":material/sell:", key=f"corpus_tags_{name}"),
            st.container(width=340),
        ):
            _tags(wb, [d for d in chosen if d.version], name)
    st.button(
        "Take out",
        icon=":material/remove_circle:",
        key=f"corpus_take_out_{name}",
        help="Out of every index. It can be brought back.",
        on_click=_take_out,
        args=(wb, chosen),
    )


def untick() -> None:
    """Take all ticks away. For callbacks."""
    st.session_state[CHOSEN] = []
    st.session_state[ROUND] = st.session_state.get(ROUND, 0) + 1


def _take_out(wb: Workbench, chosen: Sequence[DocumentInfo]) -> None:
    wb.remove([d.id for d in chosen])
    if kept := [d.id for d in chosen if d.version]:  # files never read are just forgotten
        st.session_state[UNDO] = kept
    if state.peek(Key.DOCUMENT) in {d.id for d in chosen}:
        state.put(Key.DOCUMENT, "")
    untick()


def _tags(wb: Workbench, chosen: Sequence[DocumentInfo], where: str) -> None:
    shared = {
        k: v for k, v in chosen[0].metadata.items() if all(d.metadata.get(k) == v for d in chosen)
    }
    # Fields of their own for every choice and every state of it, so that they start as it is now.
    name = where + fingerprint([[d.id for d in chosen], sorted(shared.items())])[:12]
    text = st.text_area(
        "One key=value a line",
        "\n".join(f"{k}={v}" for k, v in sorted(shared.items())),
        height=150,
        placeholder="tenant=acme\nproduct=Kettle",
        key=f"_tags_{name}",
        help="What all chosen documents share. A line that is deleted is taken from them.",
    )
    languages = {d.language for d in chosen}
    before = languages.pop() if len(languages) == 1 else ""
    language = (
        st.text_input(
            "Language",
            before,
            placeholder="several; such as en, de, zh",
            max_chars=12,
            key=f"_language_{name}_{before}",
        )
        .strip()
        .lower()
    )
    if not st.button("Save", type="primary", key=f"corpus_save_{where}"):
        return
    if language and not _LANGUAGE.fullmatch(language):
        literal.note(f"{language} is not a code of a language.", "Write it like en, de or zh.")
        return
    try:
        given = dict(parse_pairs((p for p in text.splitlines() if p.strip()), "metadata"))
        wb.tag([d.id for d in chosen], given, [k for k in shared if k not in given])
        for d in chosen:
            if language and language != d.language:
                wb.set_language(d.id, language)
    except RagDebugError as error:
        literal.problem(error)
        return
    st.toast("Saved.", icon=":material/check:")
    st.rerun()
