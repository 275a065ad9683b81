"""Strategies that a person names: ``--strategy "hybrid,last year's"``."""

from __future__ import annotations

from ragdebug.cli.base import Session
from ragdebug.settings import OUTSIDE, PRESETS


def spelled_out(session: Session, text: str) -> str:
    """The text with named strategies in their text form; what is none is left as it is."""
    parts = text.split(",")
    if not any(map(_may_be_name, parts)) or not session.workspace.exists():
        return text
    with session.workbench() as wb:
        named = wb.named_strategies()
    return ",".join(str(named[p.strip()]) if p.strip() in named else p for p in parts)


def _may_be_name(part: str) -> bool:
    part = part.strip()
    outside = part.partition(":")[0] in OUTSIDE
    return bool(part) and part not in PRESETS and not set(part) & set("@+=") and not outside
