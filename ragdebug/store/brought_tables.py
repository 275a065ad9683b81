"""The tables of what other systems bring, as the third migration makes them.

Pieces are what another splitter cut, result lists what another engine returned. What is registered
are models and searchers behind an address or in a module: settings only, never a key.
"""

from __future__ import annotations

BROUGHT: tuple[str, ...] = (
    """CREATE TABLE IF NOT EXISTS registered (
        kind VARCHAR NOT NULL,  -- remote model, searcher
        name VARCHAR NOT NULL,
        value VARCHAR NOT NULL,  -- JSON
        saved_at TIMESTAMP NOT NULL,
        removed_at TIMESTAMP,
        tenant VARCHAR
    )""",
    """CREATE TABLE IF NOT EXISTS piece_sets (
        id VARCHAR NOT NULL,  -- of name and content
        name VARCHAR NOT NULL,
        file VARCHAR NOT NULL,
        model VARCHAR NOT NULL,  -- of the given vectors; '' without
        dimension INTEGER NOT NULL,  -- of the given vectors; 0 without
        pieces BIGINT NOT NULL,
        about VARCHAR NOT NULL,  -- JSON: columns, problems
        created_at TIMESTAMP NOT NULL,
        removed_at TIMESTAMP,
        tenant VARCHAR
    )""",
    """CREATE TABLE IF NOT EXISTS pieces (
        piece_set VARCHAR NOT NULL,
        position INTEGER NOT NULL,  -- 0, 1, ... in the order of the file
        document VARCHAR NOT NULL,
        source VARCHAR NOT NULL,  -- as the file calls it
        given_id VARCHAR NOT NULL,
        text VARCHAR NOT NULL,
        start_char BIGINT,  -- as the file says
        end_char BIGINT,
        page INTEGER,
        metadata VARCHAR NOT NULL,  -- JSON
        tenant VARCHAR
    )""",
    """CREATE TABLE IF NOT EXISTS piece_vectors (
        piece_set VARCHAR NOT NULL,
        position INTEGER NOT NULL,
        vector FLOAT[] NOT NULL USING COMPRESSION uncompressed,
        tenant VARCHAR
    )""",
    """CREATE TABLE IF NOT EXISTS result_lists (
        id VARCHAR NOT NULL,  -- of name and content
        name VARCHAR NOT NULL,
        file VARCHAR NOT NULL,
        piece_set VARCHAR NOT NULL,  -- id of the set its hits are pieces of
        queries BIGINT NOT NULL,
        about VARCHAR NOT NULL,  -- JSON: score kind, depth, problems
        created_at TIMESTAMP NOT NULL,
        removed_at TIMESTAMP,
        tenant VARCHAR
    )""",
    """CREATE TABLE IF NOT EXISTS result_list_hits (
        result_list VARCHAR NOT NULL,
        query VARCHAR NOT NULL,  -- its text
        question VARCHAR NOT NULL,  -- id the file gives, '' without
        rank INTEGER NOT NULL,  -- from 1; 0 in a row that says the list was empty
        piece INTEGER NOT NULL,  -- position in the set; -1 in an empty list
        score DOUBLE,
        tenant VARCHAR
    )""",
)
