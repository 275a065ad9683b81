"""Moments as a person reads them."""

from __future__ import annotations


def moment(stored: str) -> str:
    """``2031-05-04 12:00`` of ``2031-05-04T12:00:00Z``; UTC."""
    return stored.replace("T", " ")[:16]
