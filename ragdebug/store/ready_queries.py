"""Views that read pleasantly, and queries to start from; both for SQL typed by people.

The views are no part of the stored tables: they are made for each query on its copy of the facts,
so that changing one needs no migration.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadyQuery:
    """A query to run as it is, or to change."""

    title: str
    sql: str


VIEWS: Mapping[str, str] = {
    "question_list": """
        SELECT q.id AS question, q.text, q.tags, q.state, q.notes, q.level, q.origin,
            count(n.need) AS needs, q.created_at, q.updated_at
        FROM questions q LEFT JOIN needs n ON n.question = q.id
        WHERE q.removed_at IS NULL GROUP BY ALL""",
    "evidence": """
        SELECT q.id AS question, q.text, n.need, n.grade, l.source, l.quote, l.region, l.status,
            l.origin, l.given, l.document, l.version, l.start_char, l.end_char
        FROM questions q JOIN needs n ON n.question = q.id
            JOIN labels l ON l.question = n.question AND l.need = n.need
        WHERE q.removed_at IS NULL""",
    "run_list": """
        SELECT r.id AS run, coalesce(nullif(r.label, ''), r.strategy) AS label, r.strategy,
            r.chunking, r.embedder, r.state, r.note, r.created_at,
            count(a.position) AS questions, r.elapsed_s,
            1000 * avg(a.seconds) AS ms_each, count(*) FILTER (a.error <> '') AS errors,
            r.fingerprint, r.corpus, r.tokenizer, r.number
        FROM runs r LEFT JOIN run_questions a ON a.run = r.id
        WHERE r.removed_at IS NULL GROUP BY ALL""",
    "latest_runs": """
        SELECT * FROM run_list WHERE state = 'done'
        QUALIFY row_number() OVER (PARTITION BY strategy, chunking ORDER BY number DESC) = 1""",
    "run_measures": """
        SELECT m.run, r.label, m.found_share, m.name AS measure, avg(m.value) AS mean,
            count(m.value) AS n, r.note, r.created_at
        FROM measures m JOIN run_list r USING (run) GROUP BY ALL""",
    "question_measures": """
        SELECT m.run, r.label, m.found_share, m.question, v.text, m.name AS measure, m.value,
            m.value_missing
        FROM measures m JOIN run_list r USING (run)
            JOIN run_questions a ON a.run = m.run AND a.question = m.question
            LEFT JOIN question_versions v
                ON v.question = a.question AND v.version = a.version""",
    "needs_found": """
        SELECT n.run, r.label, n.found_share, n.question, v.text, n.need, n.rank, n.tokens,
            n.grade
        FROM need_ranks n JOIN run_list r USING (run)
            JOIN run_questions a ON a.run = n.run AND a.question = n.question
            LEFT JOIN question_versions v
                ON v.question = a.question AND v.version = a.version""",
    "hits": """
        SELECT h.run, r.label, a.question, v.text, h.rank, d.source, h.score, s.score_kind,
            h.tokens, h.start_char, h.end_char, d.document, d.version,
            substr(t.text, h.start_char + 1, h.end_char - h.start_char) AS passage
        FROM run_hits h JOIN run_list r USING (run) JOIN runs s ON s.id = h.run
            JOIN run_questions a USING (run, position)
            JOIN run_documents d USING (run, document_number)
            LEFT JOIN question_versions v ON v.question = a.question AND v.version = a.version
            LEFT JOIN document_versions t ON t.document = d.document AND t.version = d.version""",
}

READY: tuple[ReadyQuery, ...] = (
    ReadyQuery(
        "Best runs",
        """SELECT label, run, max(n) AS questions,
    max(mean) FILTER (measure = 'recall@5') AS "recall@5",
    max(mean) FILTER (measure = 'recall@2000t') AS "recall@2000t",
    max(mean) FILTER (measure = 'rr@10') AS "rr@10",
    max(mean) FILTER (measure = 'tokens@5') AS "tokens@5",
    note
FROM run_measures WHERE found_share = 0.9
GROUP BY ALL ORDER BY "recall@5" DESC NULLS LAST""",
    ),
    ReadyQuery(
        "Worst questions",
        """SELECT text, avg(value) AS "recall@5", count(value) AS runs, question
FROM question_measures
WHERE measure = 'recall@5' AND found_share = 0.9 AND run IN (SELECT run FROM latest_runs)
GROUP BY ALL ORDER BY "recall@5", text LIMIT 50""",
    ),
    ReadyQuery(
        "Found by one strategy only",
        """SELECT text, need, any_value(label) FILTER (rank <= 5) AS only_by,
    min(rank) AS rank, count(DISTINCT run) AS runs
FROM needs_found
WHERE found_share = 0.9 AND run IN (SELECT run FROM latest_runs)
GROUP BY question, text, need
HAVING count(*) FILTER (rank <= 5) = 1 AND runs > 1
ORDER BY only_by, text""",
    ),
    ReadyQuery(
        "Never found",
        """SELECT f.text, f.need, string_agg(DISTINCT e.quote, ' / ') AS evidence,
    count(DISTINCT f.run) AS runs
FROM needs_found f LEFT JOIN evidence e ON e.question = f.question AND e.need = f.need
WHERE f.found_share = 0.9 AND f.run IN (SELECT run FROM latest_runs)
GROUP BY f.question, f.text, f.need HAVING count(f.rank) = 0 ORDER BY f.text""",
    ),
    ReadyQuery(
        "Found, but below the first five",
        """SELECT label, text, need, rank FROM needs_found
WHERE found_share = 0.9 AND rank BETWEEN 6 AND 20 AND run IN (SELECT run FROM latest_runs)
ORDER BY rank, label, text""",
    ),
    ReadyQuery(
        "History of recall@5",
        """SELECT created_at, label, mean AS "recall@5", n, note, run FROM run_measures
WHERE measure = 'recall@5' AND found_share = 0.9 ORDER BY created_at""",
    ),
    ReadyQuery(
        "Not answerable: top scores against the others",
        """SELECT h.label, h.score_kind, q.state, count(*) AS questions, min(h.score) AS lowest,
    median(h.score) AS middle, max(h.score) AS highest
FROM hits h JOIN question_list q USING (question)
WHERE h.rank = 1 AND h.run IN (SELECT run FROM latest_runs)
GROUP BY ALL ORDER BY h.label, q.state""",
    ),
    ReadyQuery(
        "Documents that fill the first five",
        """SELECT label, source, count(*) AS hits, count(DISTINCT question) AS questions FROM hits
WHERE rank <= 5 AND run IN (SELECT run FROM latest_runs)
GROUP BY ALL ORDER BY hits DESC, source LIMIT 50""",
    ),
    ReadyQuery(
        "First five passages of each question",
        """SELECT label, text, rank, source, score, passage FROM hits
WHERE rank <= 5 AND run IN (SELECT run FROM latest_runs LIMIT 1) ORDER BY text, rank""",
    ),
    ReadyQuery(
        "Questions by tag",
        """SELECT tag, count(*) AS questions, avg(m.value) AS "recall@5"
FROM (SELECT question, unnest(tags) AS tag FROM question_list) t
    LEFT JOIN question_measures m ON m.question = t.question AND m.measure = 'recall@5'
    AND m.found_share = 0.9 AND m.run IN (SELECT run FROM latest_runs)
GROUP BY tag ORDER BY "recall@5" NULLS LAST""",
    ),
    ReadyQuery(
        "Labels that wait for a person",
        """SELECT text, status, source, quote, origin FROM evidence
WHERE status <> 'placed' ORDER BY status, text""",
    ),
    ReadyQuery(
        "Questions that nobody has labelled",
        """SELECT text, tags, notes, created_at FROM question_list
WHERE state = 'unlabelled' ORDER BY created_at""",
    ),
    ReadyQuery(
        "Values that could not be computed",
        """SELECT label, measure, value_missing, count(*) AS questions FROM question_measures
WHERE value IS NULL GROUP BY ALL ORDER BY questions DESC""",
    ),
    ReadyQuery("All tables", "SHOW TABLES"),
)
