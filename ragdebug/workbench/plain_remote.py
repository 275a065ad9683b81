"""Models behind addresses as plain values, for JSON. Keys are named, never shown."""

from __future__ import annotations

from typing import Any

from ragdebug.model_files.remotes import RemoteRecord
from ragdebug.workbench.remote import RemoteRow, RemoteTrial

Plain = dict[str, Any]


def record(r: RemoteRecord) -> Plain:
    """Settings, and what was answered when it was added."""
    return {
        **r.model.as_dict(),
        "name": r.model.full_name,
        "fingerprint": r.fingerprint,
        "dimension": r.dimension or None,
        "milliseconds": r.elapsed_s * 1000,
    }


def row(r: RemoteRow) -> Plain:
    """One of a list."""
    return {**record(r.record), "has_key": r.has_key, "agreed": r.agreed, "removed": r.removed}


def trial(t: RemoteTrial) -> Plain:
    """What a model answered."""
    return {
        **record(t.record),
        "scores": list(t.record.probe) if t.record.model.kind == "reranker" else None,
        "same": t.same,
        "difference": t.difference or None,
    }
