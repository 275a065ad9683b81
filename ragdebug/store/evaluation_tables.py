"""The tables of questions, runs and measures, as the second migration makes them.

A question is kept as one JSON record, and its needs and labels once more as rows for queries.

Columns that hold positions are called ``start_char`` and ``end_char``, since ``end`` is a word of
SQL. None of these tables has a key: their rows are replaced as a whole, in transactions that follow
one another, and after a crash there is no key index over which a log would have to be replayed.
"""

from __future__ import annotations

_PLACE = """
    document VARCHAR NOT NULL,  -- '' for a quote whose source is not in the corpus
    version VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    start_char BIGINT NOT NULL,  -- -1 for a quote that stands nowhere
    end_char BIGINT NOT NULL,
    quote VARCHAR NOT NULL,
    region VARCHAR NOT NULL"""

QUESTIONS: tuple[str, ...] = (
    """CREATE TABLE IF NOT EXISTS questions (
        id VARCHAR NOT NULL,
        number BIGINT NOT NULL,  -- in the order they came
        text VARCHAR NOT NULL,
        tags VARCHAR[] NOT NULL,
        notes VARCHAR NOT NULL,
        state VARCHAR NOT NULL,  -- labelled, not answerable, unlabelled, unusable
        level VARCHAR NOT NULL,
        origin VARCHAR NOT NULL,
        version VARCHAR NOT NULL,
        record VARCHAR NOT NULL,  -- JSON of all of it, which the program reads
        removed_at TIMESTAMP,
        created_at TIMESTAMP NOT NULL,
        updated_at TIMESTAMP NOT NULL,
        tenant VARCHAR
    )""",
    """CREATE TABLE IF NOT EXISTS needs (
        question VARCHAR NOT NULL,
        need INTEGER NOT NULL,  -- 0, 1, ... within its question
        grade DOUBLE NOT NULL,
        tenant VARCHAR
    )""",
    f"""CREATE TABLE IF NOT EXISTS labels (
        question VARCHAR NOT NULL,
        need INTEGER NOT NULL,
        label INTEGER NOT NULL,  -- 0, 1, ... within its need
        {_PLACE},
        status VARCHAR NOT NULL,
        origin VARCHAR NOT NULL,
        given VARCHAR NOT NULL,  -- as an imported file says it, where the place says otherwise
        tenant VARCHAR
    )""",
    f"""CREATE TABLE IF NOT EXISTS rejected_places (
        question VARCHAR NOT NULL,
        position INTEGER NOT NULL,
        {_PLACE},
        tenant VARCHAR
    )""",
    """CREATE TABLE IF NOT EXISTS question_versions (
        question VARCHAR NOT NULL,
        version VARCHAR NOT NULL,
        text VARCHAR NOT NULL,
        record VARCHAR NOT NULL,  -- JSON of all of it
        saved_at TIMESTAMP NOT NULL,
        tenant VARCHAR
    )""",
)

RUNS: tuple[str, ...] = (
    """CREATE TABLE IF NOT EXISTS runs (
        id VARCHAR NOT NULL,
        number BIGINT NOT NULL,  -- in the order they were started
        fingerprint VARCHAR NOT NULL,
        label VARCHAR NOT NULL,
        strategy VARCHAR NOT NULL,
        chunking VARCHAR NOT NULL,
        embedder VARCHAR NOT NULL,
        corpus VARCHAR NOT NULL,  -- fingerprint
        questions VARCHAR NOT NULL,  -- fingerprint
        depth INTEGER NOT NULL,
        slice VARCHAR NOT NULL,
        sampled INTEGER NOT NULL,
        seed BIGINT NOT NULL,
        asked INTEGER NOT NULL,
        state VARCHAR NOT NULL,
        error VARCHAR NOT NULL,
        created_at TIMESTAMP NOT NULL,
        elapsed_s DOUBLE,
        seconds MAP(VARCHAR, DOUBLE) NOT NULL,
        packages MAP(VARCHAR, VARCHAR) NOT NULL,
        tokenizer VARCHAR NOT NULL,
        note VARCHAR NOT NULL,
        taken_from VARCHAR[] NOT NULL,
        score_kind VARCHAR NOT NULL,
        owner VARCHAR NOT NULL,  -- process that works on it, '' when none does
        removed_at TIMESTAMP,
        tenant VARCHAR
    )""",
    """CREATE TABLE IF NOT EXISTS run_questions (
        run VARCHAR NOT NULL,
        position INTEGER NOT NULL,  -- 0, 1, ... within its run
        question VARCHAR NOT NULL,
        version VARCHAR NOT NULL,
        seconds DOUBLE,
        error VARCHAR NOT NULL,
        pool INTEGER NOT NULL,  -- hits that were reranked
        hits INTEGER NOT NULL,
        tenant VARCHAR
    )""",
    """CREATE TABLE IF NOT EXISTS run_documents (
        run VARCHAR NOT NULL,
        document_number INTEGER NOT NULL,  -- 0, 1, ... within its run
        document VARCHAR NOT NULL,
        version VARCHAR NOT NULL,
        source VARCHAR NOT NULL,
        tenant VARCHAR
    )""",
    """CREATE TABLE IF NOT EXISTS run_hits (
        run VARCHAR NOT NULL,
        position INTEGER NOT NULL,  -- of the question
        rank INTEGER NOT NULL,
        document_number INTEGER NOT NULL,
        start_char BIGINT NOT NULL,
        end_char BIGINT NOT NULL,
        tokens INTEGER NOT NULL,
        score DOUBLE,
        score_missing VARCHAR,  -- why there is no score
        tenant VARCHAR
    )""",
)

MEASURES: tuple[str, ...] = (
    """CREATE TABLE IF NOT EXISTS measure_sets (
        run VARCHAR NOT NULL,
        found_share DOUBLE NOT NULL,
        names VARCHAR[] NOT NULL,
        questions VARCHAR[] NOT NULL,
        unlabelled INTEGER NOT NULL,
        unanswerable INTEGER NOT NULL,
        unusable MAP(VARCHAR, VARCHAR) NOT NULL,  -- question -> why
        partial MAP(VARCHAR, VARCHAR) NOT NULL,  -- question -> why some needs do not count
        errors MAP(VARCHAR, VARCHAR) NOT NULL,  -- question -> message
        most_k INTEGER,  -- how far the lists reach; null where none was cut off
        most_tokens BIGINT,
        saved_at TIMESTAMP NOT NULL,
        tenant VARCHAR
    )""",
    """CREATE TABLE IF NOT EXISTS measures (
        run VARCHAR NOT NULL,
        found_share DOUBLE NOT NULL,
        position INTEGER NOT NULL,  -- of the question in the set's list
        question VARCHAR NOT NULL,
        name VARCHAR NOT NULL,
        value DOUBLE,
        value_missing VARCHAR,  -- why there is no value
        tenant VARCHAR
    )""",
    """CREATE TABLE IF NOT EXISTS need_ranks (
        run VARCHAR NOT NULL,
        found_share DOUBLE NOT NULL,
        position INTEGER NOT NULL,
        question VARCHAR NOT NULL,
        need INTEGER NOT NULL,  -- 0, 1, ... among the usable needs
        rank INTEGER,  -- null when it was never found
        tokens BIGINT,  -- size of the context once it is in there; null when it never is
        grade DOUBLE,
        tenant VARCHAR
    )""",
)

EVALUATION = (*QUESTIONS, *RUNS, *MEASURES)
