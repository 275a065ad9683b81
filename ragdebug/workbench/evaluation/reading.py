"""Runs that are kept: their measures, curves, history, and two of them compared."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragdebug import __version__
from ragdebug.evaluate import curves as curve_math
from ragdebug.evaluate.intervals import intervals
from ragdebug.evaluate.names import BUDGET, definition, measure_names, split_name
from ragdebug.evaluate.table import measure
from ragdebug.evidence import FOUND_SHARE
from ragdebug.questions import Question
from ragdebug.runs import BUDGETS, DONE, KS, Interval, MeasureTable, Run, RunResults
from ragdebug.settings import DEFAULT_EMBEDDER, DEFAULT_WORKSPACE
from ragdebug.store.console import SqlResult, run_sql
from ragdebug.store.ready_queries import READY, ReadyQuery
from ragdebug.table import ChunkTable
from ragdebug.tokens import counter
from ragdebug.workbench.base import Base
from ragdebug.workbench.evaluation.lists import TokensInContext
from ragdebug.workbench.evaluation.reports import (
    Curve,
    RunRow,
)
from ragdebug.workbench.kept import Kept

FIRST = ("recall@5", "recall@2000t", "rr@10", "tokens@5")  # what a table of runs shows first


class Reading(Base):
    """Use cases of looking at runs."""

    def __init__(self, path: str | Path = DEFAULT_WORKSPACE, **options: Any) -> None:  # noqa: ANN401
        super().__init__(path, **options)
        self._results: Kept[RunResults] = Kept(16)
        self._asked: Kept[dict[str, Question]] = Kept(16)
        self._measures: Kept[MeasureTable] = Kept(64)
        self._intervals: Kept[Interval] = Kept(4000)
        self._context_tokens: Kept[TokensInContext] = Kept(3)

    def _purged(self) -> None:
        super()._purged()
        self._asked.clear()  # with quotes of theirs
        self._measures.clear()
        self._intervals.clear()

    # Runs -----------------------------------------------------------------------------------------

    def runs(self, removed: bool = False) -> list[Run]:
        """Runs, newest first."""
        return self.store.runs.runs(removed)

    def run(self, run: str) -> Run:
        """One run by its id, or the beginning of it.

        Raises:
            RunNotFound: when none or several begin so.
        """
        return self.store.runs.run(run)

    def note_run(self, run: str, note: str) -> None:
        """Write a note to a run."""
        self.store.runs.note(self.run(run).id, note)

    def remove_runs(self, runs: Sequence[str]) -> None:
        """Take runs out; `restore_runs` puts them back."""
        self.store.runs.remove([self.run(r).id for r in runs])

    def restore_runs(self, runs: Sequence[str]) -> None:
        """Put runs back that were taken out."""
        self.store.runs.restore(list(runs))

    def export_runs(
        self, runs: Sequence[str], folder: str | Path, kind: str = "parquet", texts: bool = False
    ) -> list[Path]:
        """Write runs, their questions, hits and measures to a folder; all when none is named.

        Args:
            runs: ids, or their beginnings.
            folder: made when it is not there.
            kind: ``parquet`` or ``csv``.
            texts: with the texts of questions and passages.
        """
        ids = [self.run(r).id for r in runs] or [r.id for r in self.runs()]
        return self.store.runs.export(ids, Path(folder), kind, texts)

    def run_archive(self, runs: Sequence[str], kind: str = "csv", texts: bool = False) -> bytes:
        """Runs, their questions, hits and measures as one zip of Parquet or CSV files."""
        ids = [self.run(r).id for r in runs]
        packed = io.BytesIO()
        with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(packed, "w") as archive:
            for file in self.store.runs.export(ids, Path(folder), kind, texts):
                archive.write(file, file.name, zipfile.ZIP_DEFLATED)
        return packed.getvalue()

    # SQL ------------------------------------------------------------------------------------------

    def sql(self, text: str, rows: int = 10_000, seconds: float = 10) -> SqlResult:
        """Answer one query on a read-only copy of the facts.

        Raises:
            SqlRefused: it is not allowed, is wrong, or went over a limit.
        """
        return run_sql(self.store, text, rows, seconds)

    @staticmethod
    def ready_queries() -> tuple[ReadyQuery, ...]:
        """Queries to start from."""
        return READY

    # Measures -------------------------------------------------------------------------------------

    def results(self, run: str) -> RunResults:
        """A run with its ranked lists."""
        found = self.run(run)
        return self._results.get(_moment(found), lambda: self.store.runs.load(found.id))

    def asked(self, run: str) -> Mapping[str, Question]:
        """The questions of a run by id, as they were when it ran."""
        found = self.run(run)

        def make() -> dict[str, Question]:
            # Of a run that goes on, those whose lists are at hand and no others.
            whole = found.state == DONE
            pairs = self.store.runs.asked(found.id) if whole else self.results(found.id).questions
            return {i: q for (i, _), q in self.store.questions.versions(pairs).items()}

        return self._asked.get(_moment(found), make)

    def measures(
        self, run: str, found_share: float = FOUND_SHARE, tag: str = "", name: str = ""
    ) -> MeasureTable:
        """Measures of each question of a run, from the lists that are kept.

        Args:
            run: id.
            found_share: share of a passage's characters that counts as found.
            tag: only questions that had this tag when the run was made; "" for all.
            name: a measure that has to be in the table, at whatever k or budget.

        Raises:
            InvalidSetting: there is no such measure.
        """
        found = self.run(run)
        ks, budgets = _columns(name)
        table = self._measures.get(
            (_moment(found), found_share, ks, budgets),
            lambda: (
                self._saved(found, found_share, measure_names(ks, budgets))
                or self._measure_again(found, found_share, ks, budgets)
            ),
        )
        if not tag:
            return table
        asked = self.asked(run)
        return table.only([q for q in table.questions if q in asked and tag in asked[q].tags])

    def _measure_again(
        self, run: Run, found_share: float, ks: Sequence[int], budgets: Sequence[int]
    ) -> MeasureTable:
        asked = self.asked(run.id)
        self._read_texts(p.document for q in asked.values() for n in q.needs for p in n.places)
        return measure(self.results(run.id), asked, self._text, found_share, ks, budgets)

    def _saved(self, run: Run, found_share: float, names: Sequence[str]) -> MeasureTable | None:
        """What was measured when the run ended, if that is what would be measured now."""
        if run.state != DONE or run.packages.get("ragdebug") != __version__:
            return None
        table = self.store.runs.measures(run.id, found_share)
        return table if table is not None and set(table.names) == set(names) else None

    def mean(
        self, run: str, name: str, found_share: float = FOUND_SHARE, tag: str = ""
    ) -> Interval:
        """A measure's mean over a run's questions, with its 95% interval."""
        return self.means(run, [name], found_share, tag)[name]

    def means(
        self, run: str, names: Sequence[str], found_share: float = FOUND_SHARE, tag: str = ""
    ) -> dict[str, Interval]:
        """`mean` of several measures, whose intervals are drawn together."""
        moment = _moment(self.run(run))
        keys = {name: (moment, name, found_share, tag) for name in names}
        made = {name: self._intervals.peek(key) for name, key in keys.items()}
        new = [name for name, known in made.items() if known is None]
        if new:
            columns = [self.measures(run, found_share, tag, n).column(n) for n in new]
            drawn = intervals(new, np.column_stack(columns))
            for name, one in zip(new, drawn, strict=True):
                made[name] = self._intervals.get(keys[name], lambda one=one: one)  # type: ignore[misc]
        return {name: one for name, one in made.items() if one is not None}

    @staticmethod
    def measure_names(ks: Sequence[int] = KS) -> tuple[str, ...]:
        """Names of all measures at some k."""
        return measure_names(ks, BUDGETS)

    @staticmethod
    def measure_definition(name: str) -> str:
        """What a measure means, in a sentence.

        Raises:
            InvalidSetting: there is no such measure.
        """
        return definition(name)

    def run_rows(
        self,
        runs: Sequence[str],
        names: Sequence[str] = FIRST,
        found_share: float = FOUND_SHARE,
        tag: str = "",
    ) -> list[RunRow]:
        """Runs as rows of a table."""
        rows = []
        for run in runs:
            results, table = self.results(run), self.measures(run, found_share, tag)
            seconds = results.seconds[np.isfinite(results.seconds)]
            whole = len(seconds) == len(results.seconds) > 0
            rows.append(
                RunRow(
                    run=results.run,
                    n=len(table.questions),
                    metrics=self.means(run, names, found_share, tag),
                    milliseconds=float(seconds.mean()) * 1000 if whole else None,
                    unlabelled=table.unlabelled,
                    unanswerable=table.unanswerable,
                    unusable=table.unusable,
                    errors=table.errors,
                    notes=_row_notes(results, table),
                )
            )
        return rows

    # Texts ----------------------------------------------------------------------------------------

    def _tokens_in_context(self, table: ChunkTable) -> TokensInContext:
        """What chunks take of a context; each table's are counted once."""
        return self._context_tokens.get(
            table.fingerprint,
            lambda: TokensInContext(table, counter(DEFAULT_EMBEDDER), self._read_texts),
        )

    def _read_texts(self, documents: Iterable[str]) -> None:
        """Read the texts of some documents, by id, many at a time."""
        known = self._by_id()
        self._read_ahead([known[d] for d in dict.fromkeys(documents) if d in known])

    # Curves ---------------------------------------------------------------------------------------

    def curves(
        self,
        runs: Sequence[str],
        stem: str = "recall",
        most: int = 50,
        found_share: float = FOUND_SHARE,
        tag: str = "",
    ) -> list[Curve]:
        """A measure against k from 1 to `most`, never beyond what is stored."""
        made = []
        for run in runs:
            table = self.measures(run, found_share, tag)
            reach = most if table.most_k is None else min(most, table.most_k)
            values = curve_math.curve(table, stem, reach)
            bands = intervals([f"{stem}@{k + 1}" for k in range(values.shape[1])], values)
            pool = self.results(run).spans.pool
            made.append(
                _curve(
                    self.results(run).run,
                    np.arange(1, values.shape[1] + 1),
                    bands,
                    int(pool[pool > 0].min()) if (pool > 0).any() else None,
                )
            )
        return made

    def budget_curves(
        self,
        runs: Sequence[str],
        budgets: Sequence[int] = tuple(range(250, 4001, 250)),
        found_share: float = FOUND_SHARE,
        tag: str = "",
    ) -> list[Curve]:
        """Recall against tokens of context, never beyond what is stored."""
        made = []
        for run in runs:
            table = self.measures(run, found_share, tag)
            reach = [b for b in budgets if table.most_tokens is None or b <= table.most_tokens]
            values = curve_math.budget_curve(table, reach)
            bands = intervals([f"recall@{b}t" for b in reach], values)
            made.append(_curve(self.results(run).run, np.array(reach, np.int64), bands, None))
        return made


def _moment(run: Run) -> tuple[str, str, float]:
    """Differs once the lists of a run do."""
    return run.id, run.state, run.elapsed_s


def _columns(name: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Values of k and budgets of a table that has a measure."""
    if not name:
        return KS, BUDGETS
    stem, number = split_name(name)
    if stem == BUDGET:
        return KS, BUDGETS if number in BUDGETS else (*BUDGETS, number)
    return KS if number in KS else (*KS, number), BUDGETS


def _curve(run: Run, x: NDArray[np.int64], bands: Sequence[Interval], pool: int | None) -> Curve:
    return Curve(
        run=run,
        x=x.astype(np.int64),
        mean=np.array([b.mean for b in bands]),
        low=np.array([b.low for b in bands]),
        high=np.array([b.high for b in bands]),
        n=max((b.n for b in bands), default=0),
        pool=pool,
    )


def _row_notes(results: RunResults, table: MeasureTable) -> tuple[str, ...]:
    run, notes = results.run, []
    if run.sampled:
        notes.append(f"a sample of {run.sampled} questions (seed {run.seed})")
    if run.state != "done":
        notes.append(f"{run.state}: {len(results.questions)} of {run.asked} questions")
    if table.unusable:
        notes.append(f"unusable labels: {len(table.unusable)}")
    if table.partial:
        notes.append(f"measured on some of their labels: {len(table.partial)}")
    if table.errors and run.strategy.startswith("list:"):
        asked = len(table.questions)
        notes.append(
            f"the list has no answer for {len(table.errors)} of {asked} questions, which count as 0"
        )
    elif table.errors:
        notes.append(f"failed searches, which count as 0: {len(table.errors)}")
    if run.strategy.startswith("reranked") and np.isnan(results.seconds).any():
        notes.append("no milliseconds: scores of the reranker were remembered")
    if run.taken_from:
        notes.append(f"labels were taken from {', '.join(run.taken_from)}")
    if table.most_k is not None and table.most_k < max(KS):
        notes.append(f"lists reach to k {table.most_k}")
    if lost := int((results.spans.start < 0).sum()):
        notes.append(
            f"hits that stand nowhere in the documents, and never count as found: {lost:,} of"
            f" {len(results.spans.start):,}"
        )
    return tuple(notes)
