"""A text whose parts have weights, drawn on it: what adds to a score, and what takes from it.

    weighed(text, [Weighed(0, 24, 0.113), Weighed(25, 61, None)], key="why", on_pick=choose)

Blue adds, orange takes away, the stronger the larger the weight; a part whose weight is not known
yet is dotted. What stands behind `end` was never read and is grey.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ragdebug.ui.components.assets import component
from ragdebug.ui.offsets import Utf16Map

_render = component("weighed", scripts=("weighed.js",), styles=("weighed.css",))


@dataclass(frozen=True, slots=True)
class Weighed:
    """A part of a text, as code points, with its weight; None where it is not known.

    `quiet` parts are not the text's own, such as a label.
    """

    start: int
    end: int
    weight: float | None
    quiet: bool = False


def weighed(
    text: str,
    parts: Sequence[Weighed],
    *,
    key: str,
    scale: float,
    end: int | None = None,
    end_label: str = "",
    evidence: Sequence[tuple[int, int]] = (),
    numbers: bool = True,
    picked: int = -1,
    height: int | None = None,
    on_pick: Callable[[int], None] | None = None,
) -> None:
    """Draw a text with weights.

    Args:
        text: at most some thousand characters.
        parts: in order, without overlaps.
        key: unique on the page.
        scale: the weight that has the full colour.
        end: where reading stopped; None when all was read.
        end_label: what is said there.
        evidence: spans to underline.
        numbers: write each weight behind its part.
        picked: position of the part that is marked as chosen.
        height: most pixels before it scrolls.
        on_pick: called with the position of a part that was clicked, -1 when it was picked before.
    """
    to = Utf16Map(text).to_utf16

    def clicked() -> None:
        sent: Any = st.session_state.get(key)
        at = (getattr(sent, "picked", None) or {}).get("part")
        if on_pick is not None and isinstance(at, (int, float)) and -1 <= int(at) < len(parts):
            on_pick(int(at))

    _render(
        key=key,
        data={
            "text": text,
            "parts": [
                {
                    "start": to(p.start),
                    "end": to(p.end),
                    "share": None if p.weight is None else _share(p.weight, scale),
                    "said": "" if p.weight is None else f"{p.weight:+z.3f}",
                    "quiet": p.quiet,
                    "read": end is None or p.start < end,
                }
                for p in parts
            ],
            "evidence": [[to(a), to(b), "evidence"] for a, b in evidence],
            "end": None if end is None else to(end),
            "endLabel": end_label,
            "numbers": numbers,
            "picked": picked,
            "picking": on_pick is not None,
            "height": height,
        },
        on_picked_change=clicked,
    )


def _share(weight: float, scale: float) -> float:
    """-1 to 1."""
    return max(-1.0, min(1.0, weight / scale)) if scale > 0 else 0.0
