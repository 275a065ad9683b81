"""The document at a place of the question, in which words are marked as what answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.questions import PLACED, Label, Question
from ragdebug.records import DocumentInfo, Place
from ragdebug.ui import state
from ragdebug.ui.components.document_view import Layers, document_view
from ragdebug.ui.questions import confirming, doing, elsewhere, needs, words

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

HEIGHT = 560
_DOCUMENT = "_questions_document"


def draw(wb: Workbench, question: Question) -> None:
    """The place that is chosen, its document, and what marked words become."""
    at = needs.opened(question)
    label = question.needs[at[0]].labels[at[1]] if at else None
    near: Place | None = None
    if at and label is not None and label.status != PLACED:
        near = confirming.offer(wb, question, at, label)
    shown = near or (label.place if label is not None else None)
    info = _document(wb, question, shown)
    if info is None:
        st.caption("Choose the document in which the answer stands, and mark it there.")
        return
    target = _target(question, at, label)
    _view(wb, question, info, shown, target)
    if label is not None and at and label.status == PLACED and shown is not None:
        elsewhere.draw(wb, question, at[0], shown)


def _document(wb: Workbench, question: Question, shown: Place | None) -> DocumentInfo | None:
    """The document that is shown: that of the place, until another one is chosen."""
    infos = [d for d in wb.documents() if d.version]
    ids = [d.id for d in infos]
    here = shown.document if shown is not None and shown.document in ids else None
    # A field of its own for each place, so that it starts with that place's document.
    key = f"{_DOCUMENT}_{question.id}_{here}_{shown.start if shown else ''}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        chosen = st.selectbox(
            "Document",
            infos,
            index=ids.index(here) if here else None,
            format_func=lambda d: d.source,
            key=key,
            placeholder="Choose a document",
            label_visibility="collapsed",
        )
        if chosen is not None:
            inside = shown is not None and shown.document == chosen.id
            state.link_to_document(
                "Document", chosen.id, shown.start if shown is not None and inside else None
            )
    return chosen


def _target(
    question: Question, at: tuple[int, int] | None, label: Label | None
) -> tuple[str, int | None]:
    """What marked words become: ``repair``, or a place of a need (None for a new one)."""
    options: list[tuple[str, int | None]] = [
        *(("add", n) for n in range(len(question.needs))),
        ("add", None),
    ]
    if at and label is not None and label.status != PLACED:
        options.insert(0, ("repair", None))
    if len(options) == 1:
        return options[0]

    many = len(question.needs) > 1

    def said(at: int) -> str:
        kind, need = options[at]
        if kind == "repair":
            return "where this label really is"
        if need is None:
            return "a new need"
        return f"a place of need {need + 1}" if many else "a further place of the answer"

    repairs = options[0][0] == "repair"
    chosen = st.segmented_control(
        "Words that you mark become",
        range(len(options)),
        default=0 if repairs or not at else at[0],
        required=True,
        format_func=said,
        key=f"_questions_target_{question.id}_{len(question.needs)}_{at}_{repairs}",
    )
    return options[chosen or 0]


def _view(
    wb: Workbench,
    question: Question,
    info: DocumentInfo,
    shown: Place | None,
    target: tuple[str, int | None],
) -> None:
    found = wb.document(info.id)
    # A stale passage has no place in the present text, which is the one that is marked.
    here = shown is not None and (shown.document, shown.version) == (found.id, found.version)
    focus = (shown.start, shown.end) if here and shown is not None else None
    kind, need = target

    def marked(start: int, end: int) -> None:
        _marked(wb, question, kind, need, (info.id, start, end, found.version))

    label = "This is where it stands" if kind == "repair" else "This answers it"
    document_view(
        found.text,
        key="questions_document",
        layers=Layers(
            evidence=[
                (p.start, p.end)
                for p in (*words.placed(question), *([shown] if here and shown else []))
                if (p.document, p.version) == (found.id, found.version)
            ],
            pages=found.parsed.pages,
        ),
        focus=focus,
        height=HEIGHT,
        mono=found.parsed.kind in ("code", "table", "json"),
        mark_label=label,
        token=f"{found.id}@{found.version}",
        on_mark=marked,
    )
    st.caption("Mark with the mouse, or with Shift and the arrows; Enter takes what is marked.")


def _marked(
    wb: Workbench,
    question: Question,
    kind: str,
    need: int | None,
    span: tuple[str, int, int, str],
) -> None:
    made = doing.attempt(wb.place, *span)
    if made is None:
        return
    at = needs.opened(question)
    if kind == "repair" and at:
        doing.attempt(wb.accept, question.id, *at, made, question.needs[at[0]].labels[at[1]])
        confirming.go_on(wb, question.id)
        return
    saved = doing.attempt(wb.label, question.id, [made], need)
    if saved is not None:
        number = len(saved.needs) - 1 if need is None else need
        needs.show(question.id, number, len(saved.needs[number].labels) - 1)
        doing.say(f"Marked: {words.quote(made, 60)}")
