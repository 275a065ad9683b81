"""Stages as a path from left to right, each with its sign, shown literally.

stages([Stage("in corpus", "ok", "✓"), Stage("parsed", "lost", "✕", "lost here")], key="path")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from ragdebug.ui.components.assets import component

_render = component("stages", scripts=("stages.js",), styles=("stages.css",))


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage.

    Attributes:
        label: its name.
        status: ``ok``, ``warning``, ``unknown``, ``lost`` or ``later``; decides the colour.
        sign: one character for the status.
        word: what happened, in a word; "" for nothing.
        known: a few words of what is known there.
    """

    label: str
    status: str
    sign: str
    word: str = ""
    known: str = ""


def stages(steps: Sequence[Stage], *, key: str) -> None:
    """Draw the path; it wraps where there is no room."""
    _render(key=key, data={"steps": [asdict(step) for step in steps]})
