"""The table of what searchers answered, as the second migration of the cache makes it."""

from __future__ import annotations

ANSWERS: tuple[str, ...] = (
    """CREATE TABLE IF NOT EXISTS answers (
        key VARCHAR NOT NULL,  -- of the searcher, how many hits and the filter
        query VARCHAR NOT NULL,
        answer VARCHAR NOT NULL,  -- JSON
        whole BOOLEAN NOT NULL,  -- all questions of its evaluation were asked
        saved_at TIMESTAMP NOT NULL
    )""",
)
