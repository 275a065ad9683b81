"""Passages to be judged for one question, by keys: which sentences answer it, or that none does.

    judge(
        [Candidate(chunk.id, chunk.text, sentences, first=2, last=3, source="handbook.md")],
        key="questions_judge",                       # stable: the cursor keeps its place
        targets=("an answer of its own", "the same as need 1"),
        on_answer=lambda id, first, last, target: ...,
        on_reject=lambda id: ...,
        on_skip=lambda: ..., on_nothing=lambda: ...,  # None hides the button and its key
    )

Keyboard: j/k move, y opens the choice of sentences, n says that it does not answer, s skips, 0 says
that nothing here answers, u takes back. In the choice the likeliest sentences are chosen: left and
right move its end, with Shift its start, up and down move all of it, t changes what it counts as,
Enter takes it, Escape leaves it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ragdebug.ui.components.assets import component
from ragdebug.ui.offsets import Utf16Map

_render = component("judge", scripts=("judge.js",), styles=("judge.css",))

LONG_WORDS = 60  # about 80 tokens; a longer choice is flagged, since it favours large chunks
Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One passage; positions are code points of `text`.

    Attributes:
        id: unique in the list.
        text: what is shown.
        sentences: in order, without overlaps.
        first: position in `sentences` of the first one that is chosen to begin with.
        last: of the last one, itself included.
        source: document, literally; `section` and `page` stand beside it.
        terms: the question's words.
        evidence: what is marked as an answer already.
        judged: "yes", "part", "no", or "" for not yet.
        note: why it is in the list, when that is not that a search found it.
    """

    id: str
    text: str
    sentences: Spans
    first: int = 0
    last: int = 0
    source: str = ""
    section: tuple[str, ...] = ()
    page: str = ""
    terms: Spans = ()
    evidence: Spans = ()
    judged: str = ""
    note: str = ""


def judge(
    candidates: Sequence[Candidate],
    *,
    key: str,
    targets: Sequence[str] = ("an answer",),
    target: int = 0,
    choosing: str = "",
    grab: str = "",
    height: int | None = None,
    on_answer: Callable[[str, int, int, int], None] | None = None,
    on_reject: Callable[[str], None] | None = None,
    on_skip: Callable[[], None] | None = None,
    on_nothing: Callable[[], None] | None = None,
    on_leave: Callable[[], None] | None = None,
    on_undo: Callable[[bool], None] | None = None,
    skip_label: str = "skip",
) -> None:
    """Draw the passages.

    Args:
        candidates: in the order in which they are judged.
        key: unique on the page.
        targets: what chosen sentences can count as, in words.
        target: which of them to begin with.
        choosing: id of a candidate whose choice of sentences is open to begin with.
        grab: takes the keyboard whenever this changes.
        height: most pixels before it scrolls; None for all it needs.
        on_answer: called with an id, the first and last sentence, and the target.
        on_reject: called with the id of a passage that does not answer.
        on_skip: called for the next question.
        on_nothing: called when nothing here answers.
        on_leave: called when a choice that was opened by `choosing` is left.
        on_undo: called for u with False, to take back, and for Shift+u with True, to do again.
        skip_label: what skipping is called.
    """
    known = {c.id: len(c.sentences) for c in candidates}

    def message(name: str) -> dict[str, Any]:
        value = getattr(st.session_state.get(key), name, None)
        return value if isinstance(value, dict) else {}

    def answered() -> None:
        said = message("answered")
        first, last, chosen = (_whole(said.get(n)) for n in ("first", "last", "target"))
        name = str(said.get("id"))
        inside = 0 <= first <= last < known.get(name, 0) and 0 <= chosen < len(targets)
        if on_answer is not None and inside:
            on_answer(name, first, last, chosen)

    def rejected() -> None:
        name = message("rejected").get("id")
        if on_reject is not None and name in known:
            on_reject(str(name))

    def left() -> None:
        how = str(message("left").get("how"))
        call = {"skip": on_skip, "nothing": on_nothing, "leave": on_leave}.get(how)
        if call is not None:
            call()
        elif on_undo is not None and how in ("undo", "redo"):
            on_undo(how == "redo")

    _render(
        key=key,
        data={
            "candidates": [_candidate(c) for c in candidates],
            "targets": list(targets),
            "target": target,
            "choosing": choosing,
            "grab": grab,
            "height": height,
            "can": [
                name
                for name, call in (
                    ("reject", on_reject),
                    ("skip", on_skip),
                    ("nothing", on_nothing),
                    ("leave", on_leave),
                    ("undo", on_undo),
                    ("redo", on_undo),
                )
                if call is not None
            ],
            "skipLabel": skip_label,
            "longWords": LONG_WORDS,
        },
        on_answered_change=answered,
        on_rejected_change=rejected,
        on_left_change=left,
    )


def _whole(value: object) -> int:
    return int(value) if isinstance(value, (int, float)) else -1


def _candidate(c: Candidate) -> dict[str, Any]:
    to = Utf16Map(c.text).to_utf16

    def pairs(spans: Spans) -> list[list[int]]:
        return [[to(a), to(b)] for a, b in spans]

    return {
        "id": c.id,
        "text": c.text,
        "sentences": pairs(c.sentences),
        "first": c.first,
        "last": c.last,
        "source": c.source,
        "section": list(c.section),
        "page": c.page,
        "marks": [[*p, "term"] for p in pairs(c.terms)]
        + [[*p, "evidence"] for p in pairs(c.evidence)],
        "judged": c.judged,
        "note": c.note,
    }
