"""Weights of sentences, and of the words of one of them, drawn on the text that is indexed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.ui import literal
from ragdebug.ui.components.weighed import Weighed, weighed
from ragdebug.ui.explain.asked import Asked, Subject, evidence_in

if TYPE_CHECKING:
    from ragdebug.explain import Occlusion
    from ragdebug.workbench.explanations import IndexedText, Reading

_PICKED = "_explain_picked"  # (query, strategy, row) -> part whose words are shown
_LEAST = 0.05  # of the score: below it no weight gets the full colour
HEIGHT = 380


def draw(
    asked: Asked,
    subject: Subject,
    indexed: IndexedText,
    reading: Reading,
    occlusion: Occlusion,
    key: str,
    *,
    words: bool = False,
) -> None:
    """Draw the whole indexed text; with `words`, a click on a sentence asks for its words."""
    weighed(
        indexed.text,
        [
            Weighed(p.start, p.end, p.weight, quiet=kind != "sentence")
            for p, kind in zip(occlusion.parts, indexed.kinds, strict=True)
        ],
        key=key,
        scale=_scale(occlusion),
        end=reading.end if reading.cut else None,
        end_label=f"reading stops here: {reading.window:,} of {reading.tokens:,} tokens",
        evidence=evidence_in(asked, subject, indexed),
        picked=-1 if not words else picked(asked, subject),
        height=HEIGHT,
        on_pick=(lambda part: _pick(asked, subject, part)) if words else None,
    )
    if not occlusion.complete:
        st.caption(f":material/hourglass_top: {occlusion.done} of {occlusion.total} sentences …")


def draw_words(indexed: IndexedText, part: int, occlusion: Occlusion, key: str) -> None:
    """Draw one part with the weights of its words."""
    start, end = indexed.parts[part]
    weighed(
        indexed.text[start:end],
        [Weighed(p.start - start, p.end - start, p.weight) for p in occlusion.parts],
        key=key,
        scale=max((abs(p.weight or 0.0) for p in occlusion.parts), default=0.0),
        numbers=False,
        height=160,
    )
    if not occlusion.complete:
        st.caption(f":material/hourglass_top: {occlusion.done} of {occlusion.total} words …")
        return
    known = sorted((p for p in occlusion.parts), key=lambda p: -(p.weight or 0.0))
    said = [f"{indexed.text[p.start : p.end]} {p.weight or 0.0:+.3f}" for p in known[:4]]
    if said:
        literal.small(f"Words of that sentence that add most: {' · '.join(said)}")


def picked(asked: Asked, subject: Subject) -> int:
    """The part whose words are asked for, -1 for none."""
    key, part = st.session_state.get(_PICKED, {}).get(subject.row, ("", -1))
    return part if key == _key(asked) else -1


def _pick(asked: Asked, subject: Subject, part: int) -> None:
    """Ask for the words of a part, -1 for none."""
    st.session_state.setdefault(_PICKED, {})[subject.row] = (_key(asked), part)


def _key(asked: Asked) -> str:
    return f"{asked.query}\n{asked.strategy}"


def _scale(occlusion: Occlusion) -> float:
    largest = max((abs(p.weight or 0.0) for p in occlusion.parts), default=0.0)
    return max(largest, _LEAST * abs(occlusion.score))


def hidden(asked: Asked, subject: Subject, indexed: IndexedText, reading: Reading) -> str:
    """What the window hides, as a sentence; "" when it hides nothing.

    The line on the text itself may stand below what a long text shows of itself at first.
    """
    if not reading.cut:
        return ""
    spans = evidence_in(asked, subject, indexed)
    if spans and all(start >= reading.end for start, _ in spans):
        return "The expected passage stands beyond what it reads: it was never seen."
    if any(end > reading.end for _, end in spans):
        return "The end of the expected passage stands beyond what it reads."
    return f"It reads {reading.window:,} of {reading.tokens:,} tokens: what is grey, it never saw."


def labelled(label: str, whole: float, without: float | None) -> str:
    """What the label does to the score, in a few words; "" where there is none."""
    if not label:
        return ""
    if without is None:
        return "Without the label: …"
    return f"Without the label {without:.4f}: it adds {whole - without:+.4f}."
