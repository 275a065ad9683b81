"""What the Results page shows as one file: runs, curves, comparisons with their verdicts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from ragdebug import __version__
from ragdebug.counting import many
from ragdebug.errors import RagDebugError
from ragdebug.evidence import FOUND_SHARE
from ragdebug.runs import Interval, Run
from ragdebug.workbench.casefile import frame, parts
from ragdebug.workbench.casefile.curves import chart
from ragdebug.workbench.casefile.leaving_out import Cleaner
from ragdebug.workbench.casefile.markup import Html, el, join
from ragdebug.workbench.casefile.records import Table
from ragdebug.workbench.evaluation.comparing import Comparing
from ragdebug.workbench.evaluation.reports import RunComparison, RunRow

MOST_RUNS = 6
MOST_K = 50


class Reporting(Comparing):
    """The use case of a report on runs."""

    def runs_html(
        self,
        runs: Sequence[str],
        measure: str = "recall@5",
        base: str = "",
        found_share: float = FOUND_SHARE,
        tag: str = "",
    ) -> bytes:
        """A report as one HTML document that opens by itself; it quotes no document.

        Args:
            runs: ids of one to six runs.
            measure: for comparisons; the table shows it, too.
            base: the run that others are compared with; the first one by default.
            found_share: share of a passage's characters that counts as found.
            tag: only questions with this tag.

        Raises:
            RagDebugError: no run is named, or too many.
        """
        kept = list(dict.fromkeys(self.run(r).id for r in runs))
        if not 1 <= len(kept) <= MOST_RUNS:
            raise RagDebugError(f"A report is on 1 to {MOST_RUNS} runs.", title="No report")
        clean = Cleaner(str(self.path), str(self.path.resolve())).said
        names = list(dict.fromkeys([measure, "recall@5", "recall@2000t", "rr@10", "tokens@5"]))
        rows = self.run_rows(kept, names, found_share, tag)
        called, shared = _called([row.run for row in rows], clean)
        first = self.run(base).id if base else kept[0]
        others = [r for r in kept if r != first]
        compared = self.compare_with(first, others, measure, found_share, tag) if others else []
        by_k = self.curves(kept, "recall", MOST_K, found_share, tag)
        by_budget = self.budget_curves(kept, found_share=found_share, tag=tag)
        corpus = self.corpus()
        settings = f"found counts from {found_share:.0%} of a passage"
        settings += f"; only questions tagged {tag}" if tag else ""
        settings += f"; all runs: {shared}" if shared else ""
        body = join(
            el("h1", "Retrieval results"),
            el("p", f"{measure}: {self.measure_definition(measure)}", class_="dim"),
            el("p", settings, class_="dim"),
            el("section", (el("p", s) for s in _verdicts(compared, called)), class_="lead"),
            el("h2", "Runs"),
            parts.table(_runs(rows, names, called)),
            [
                el("p", f"{called[row.run.id]}: {clean(note)}", class_="dim")
                for row in rows
                for note in row.notes
            ],
            el("h2", "Curves"),
            _key([called[r] for r in kept]),
            el(
                "div",
                el("div", el("h3", "recall@k"), chart(by_k, "k", "recall")),
                el("div", el("h3", "recall at a budget"), chart(by_budget, "tokens", "recall")),
                class_="two",
            ),
            el("p", "Bands are 95% intervals of each point.", class_="dim"),
            [el("h2", "Compared on the same questions"), parts.table(_paired(compared, called))]
            if compared
            else [],
            [
                el("p", f"{called[c.a.id]}: {clean(note)}", class_="dim")
                for c in compared
                for note in c.notes
            ],
            el(
                "footer",
                el(
                    "p",
                    f"Made {datetime.now(UTC):%Y-%m-%d %H:%M} UTC by ragdebug {__version__} · "
                    f"{many(corpus.documents, 'document')}, corpus {corpus.fingerprint[:12]}",
                ),
            ),
        )
        return frame.page("Retrieval results", body).encode("utf-8")


def _called(runs: Sequence[Run], clean: Callable[[str], str]) -> tuple[dict[str, str], str]:
    """Names of runs, and what all of them share, which is said once."""
    labels = [clean(r.label or r.strategy) for r in runs]
    rests = {label.partition(" ")[2] for label in labels}
    shared = rests.pop() if len(rests) == 1 and len(labels) > 1 else ""
    names = [label.partition(" ")[0] if shared else label for label in labels]
    return {
        r.id: name if names.count(name) == 1 else f"{name} · {r.id}"
        for r, name in zip(runs, names, strict=True)
    }, shared


def _verdicts(compared: Sequence[RunComparison], called: dict[str, str]) -> list[str]:
    return [f"{called[c.a.id]} against {called[c.b.id]}: {c.verdict}." for c in compared]


def _runs(rows: Sequence[RunRow], names: Sequence[str], called: dict[str, str]) -> Table:
    head = ("run", "n", *names, "ms a question")
    made = [
        (
            called[row.run.id],
            f"{row.n:,}",
            *(_interval(row.metrics[name], name) for name in names),
            "–" if row.milliseconds is None else f"{row.milliseconds:,.0f}",
        )
        for row in rows
    ]
    return Table("", head, tuple(made), "Means with their 95% intervals.")


def _interval(value: Interval, name: str) -> str:
    if not value.n or not math.isfinite(value.mean):
        return "–"
    digits = 0 if name.startswith("tokens") else 2
    return f"{value.mean:,.{digits}f} ({value.low:,.{digits}f}–{value.high:,.{digits}f})"


def _paired(compared: Sequence[RunComparison], called: dict[str, str]) -> Table:
    head = ("run", "against", "better on", "same on", "worse on", "difference", "p (Holm)", "n")
    rows = []
    for c in compared:
        p = c.paired
        adjusted = c.p_adjusted if c.p_adjusted is not None else p.p
        rows.append(
            (
                called[c.a.id],
                called[c.b.id],
                f"{p.wins:,}",
                f"{p.ties:,}",
                f"{p.losses:,}",
                f"{p.difference:+.3f} ({p.low:+.3f} to {p.high:+.3f})" if p.n else "–",
                f"{adjusted:.3f}" if math.isfinite(adjusted) else "–",
                f"{p.n:,}",
            )
        )
    return Table("", head, tuple(rows))


def _key(names: Sequence[str]) -> Html:
    return el(
        "p",
        (
            el(
                "span",
                el(
                    "svg",
                    el("line", x1=0, y1=5, x2=22, y2=5, class_=f"curve s{at}"),
                    width=24,
                    height=10,
                    viewBox="0 0 24 10",
                    class_="swatch",
                ),
                name,
                class_="key",
            )
            for at, name in enumerate(names)
        ),
    )
