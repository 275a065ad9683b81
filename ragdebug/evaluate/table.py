"""All measures of all questions of one run."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ragdebug.errors import InvalidSetting
from ragdebug.evaluate.columns import content_columns, tokens_until
from ragdebug.evaluate.curves import budget_curve, rank_curve
from ragdebug.evaluate.found import Hits, Ints
from ragdebug.evaluate.masks import TextOf, positions
from ragdebug.evaluate.names import CONTENTS, RANKED, measure_names
from ragdebug.evaluate.rows import Lists, Row, row_of
from ragdebug.evidence import FOUND_SHARE
from ragdebug.questions import NOT_ANSWERABLE, UNLABELLED, Question
from ragdebug.runs import BUDGETS, KS, MeasureTable, RunResults


def measure(
    results: RunResults,
    questions: Mapping[str, Question],
    text_of: TextOf,
    found_share: float = FOUND_SHARE,
    ks: Sequence[int] = KS,
    budgets: Sequence[int] = BUDGETS,
) -> MeasureTable:
    """Measure a run.

    A labelled question with an empty list, or whose search failed, counts with 0. Questions that
    are not labelled, not answerable, or whose labels cannot be used are left out and counted. A
    measure that the stored lists cannot tell, because they were cut off before its k or budget, is
    NaN for all questions.

    Args:
        results: the lists.
        questions: by id, as they were at the run; others than the run's are ignored.
        text_of: canonical text of (document, version); raises KeyError or RagDebugError for a
            document that is not in the corpus.
        found_share: share of a passage's non-blank characters that counts as found.
        ks: numbers of hits, 1 or more.
        budgets: sizes of the context in tokens, 1 or more.

    Raises:
        InvalidSetting: a share, k or budget that means nothing.
    """
    if not 0 < found_share <= 1:
        raise InvalidSetting(f"found_share must be above 0 and at most 1, not {found_share}.")
    if any(n < 1 for n in (*ks, *budgets)):
        raise InvalidSetting("Measures count at least one hit and one token.")
    spans = results.spans
    lists = Lists(
        positions(spans.documents),
        {id_: i for i, (id_, _, _) in enumerate(spans.documents)},
        functools.cache(text_of),
        found_share,
        np.array(ks, np.int64),
    )
    rows: dict[int, Row] = {}
    unusable: list[tuple[str, str]] = []
    left_out = {UNLABELLED: 0, NOT_ANSWERABLE: 0}
    for i, (id_, _) in enumerate(results.questions):
        question = questions.get(id_)
        if question is None:
            unusable.append((id_, "the question as it was asked is not there any more"))
        elif question.state in left_out:
            left_out[question.state] += 1
        else:
            row = row_of(question, Hits.of(spans, i), lists)
            if len(row.found):
                rows[i] = row
            else:
                unusable.append((id_, "; ".join(row.reasons)))
    measured, at = list(rows.values()), np.array(list(rows), np.int64)
    tokens = tokens_until(measured, at, spans)
    most_k, most_tokens = _reach(results, list(zip(rows, tokens, strict=True)))
    ids = {i: results.questions[i][0] for i in rows}
    table = MeasureTable(
        questions=tuple(ids.values()),
        names=measure_names(ks, budgets),
        values=np.zeros((len(rows), 0)),
        found=tuple(row.found for row in measured),
        unlabelled=left_out[UNLABELLED],
        unanswerable=left_out[NOT_ANSWERABLE],
        unusable=tuple(unusable),
        errors=tuple((ids[i], results.errors[i]) for i in rows if results.errors[i]),
        found_share=found_share,
        grades=tuple(row.grades for row in measured),
        tokens=tokens,
        most_k=most_k,
        most_tokens=most_tokens,
        partial=tuple((ids[i], "; ".join(row.reasons)) for i, row in rows.items() if row.reasons),
    )
    ranked = [rank_curve(table, stem, ks) for stem in RANKED]
    contents = content_columns(measured, at, spans, ks)
    if most_k is not None:
        contents[:, :, np.asarray(ks) > most_k] = np.nan
    by_question = contents.reshape(len(rows), len(CONTENTS) * len(ks))
    return replace(table, values=np.hstack([*ranked, budget_curve(table, budgets), by_question]))


def _reach(
    results: RunResults, measured: Sequence[tuple[int, Ints]]
) -> tuple[int | None, int | None]:
    """Largest k and budget that the stored lists can tell; None where nothing was cut off.

    Args:
        results: the lists.
        measured: which of them were, and the `tokens_until` of their needs.
    """
    first, sizes = results.spans.first, results.spans.tokens
    most_k, most_tokens = None, None
    for i, tokens in measured:
        if first[i + 1] - first[i] < results.run.depth:
            continue
        most_k = results.run.depth
        if (tokens < 0).any():
            total = int(sizes[first[i] : first[i + 1]].sum())
            most_tokens = total if most_tokens is None else min(most_tokens, total)
    return most_k, most_tokens
