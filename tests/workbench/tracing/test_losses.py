"""What is lost on Trace is what is not found on Results, need by need and question by question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdebug import Workbench
from ragdebug.questions import UNPLACED, Label, Need
from ragdebug.records import Place
from ragdebug.settings import StrategySettings
from tests.workbench.tracing.corpus import ANIMALS, FACTS, opened, place, strategy


def _need(wb: Workbench, *quotes: tuple[str, str]) -> Need:
    return Need(tuple(Label(place(wb, q, f"kingdom={name}")) for q, name in quotes))


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """The corpus with questions of every kind."""
    with opened(tmp_path_factory.mktemp("asked")) as wb:
        rng = np.random.default_rng(7)
        infos = wb._active()
        for at, animal in enumerate(ANIMALS):
            name = f"{'water' if at % 2 else 'wood'}/{animal}.txt"
            facts = rng.permutation(FACTS)
            wb.add_question(f"what does the {animal} eat at dawn", [_need(wb, (FACTS[0], name))])
            # Two needs, the second in any of two documents.
            wb.add_question(
                f"where does the {animal} hide and swim",
                [
                    _need(wb, (facts[0], name)),
                    _need(wb, (facts[1], name), (facts[2], "wood/heron.txt")),
                ],
                tags=("two",),
            )
            # Any span, so that it is cut more often than not.
            info = infos[at]
            start = int(rng.integers(0, info.chars - 60))
            wb.add_question(
                f"the {animal} and again",
                [Need((Label(wb.place(info.id, start, start + int(rng.integers(20, 60)))),))],
            )
            wb.add_question(
                f"all of the {animal}", [Need((Label(wb.region(info.id)),))], tags=("region",)
            )
        nowhere = Place("", "", "kingdom=wood/heron.txt", -1, -1, "The heron flies to the moon")
        wb.add_question("moon", [Need((Label(nowhere, UNPLACED),))])
        wb.add_question(
            "half", [_need(wb, (FACTS[0], "wood/heron.txt")), Need((Label(nowhere, UNPLACED),))]
        )
        wb.add_question("nobody has said")
        wb.add_question("nothing says", not_answerable=True)
        # Whole documents are judged here, and ranked by their best chunk.
        for animal in ("otter", "falcon", "weasel"):
            made = wb.add_question(f"who is like the {animal}", [Need((Label(wb.region(
                next(d.id for d in infos if d.source.endswith(f"{animal}.txt"))
            )),))])  # fmt: skip
            wb.change_question(made.id, level="document")
        yield wb


@settings(max_examples=25)
@given(
    preset=st.sampled_from(["vector", "bm25", "hybrid", "reranked"]),
    k=st.integers(1, 6),
    depth=st.integers(2, 20),
    more=st.lists(
        st.sampled_from(["pool=7", "budget=25", "filter=kingdom=wood", "blend=yes"]),
        unique=True,
        max_size=3,
    ),
    minimum=st.none() | st.sampled_from([0.2, 0.5, 2, 30]),
    share=st.sampled_from([0.5, 0.9, 1.0]),
)
def test_a_need_is_lost_exactly_when_results_does_not_find_it(
    asked: Workbench,
    preset: str,
    k: int,
    depth: int,
    more: list[str],
    minimum: float | None,
    share: float,
) -> None:
    if minimum is not None:
        more = [*more, f"minimum={minimum}"]
    text = strategy(preset, f"k={k}", f"depth={depth}", *more)
    (run,) = asked.evaluate([text], yes=True).runs
    table = asked.measures(run.id, share)
    budget = StrategySettings.parse(text).budget
    for id_, ranks, tokens in zip(table.questions, table.found, table.tokens, strict=True):
        report = asked.why(id_, strategy=text, found_share=share)
        measured = [need for need in report.needs if need.measured]
        found = (ranks > 0) & (ranks <= k)
        if budget is not None:
            found &= (tokens >= 0) & (tokens <= budget)
        assert [need.stage == "delivered" for need in measured] == found.tolist(), id_
    asked.remove_runs([run.id])


@pytest.mark.parametrize("preset", ["vector", "bm25", "hybrid", "reranked"])
def test_each_question_stands_at_the_stage_that_why_names(asked: Workbench, preset: str) -> None:
    text = strategy(preset, "k=3", "pool=7", "depth=9")
    (now,) = asked.lost_stages([text])
    (run,) = asked.evaluate([text], yes=True).runs
    (kept,) = asked.lost_stages([run.id])
    by_text = asked.lost_stages([text])[0]
    assert (now.run, kept.run, by_text.run) == ("", run.id, run.id)
    assert now.stages == by_text.stages
    assert not (kept.moved or kept.failed or kept.notes)
    stands = {q: stage for stage, ids in by_text.stages.items() for q in ids}
    assert set(stands) == {q.id for q in asked.questions() if q.needs}
    # A reranker reads for labelled questions only; its run has no others.
    ran = {q for q, _ in asked.results(run.id).questions}
    assert {q: stage for stage, ids in kept.stages.items() for q in ids} == {
        q: stage for q, stage in stands.items() if q in ran
    }
    for id_, stage in stands.items():
        assert asked.why(id_, strategy=text).stage == stage
    table = asked.measures(run.id)
    found = {
        q for q, r in zip(table.questions, table.found, strict=True) if ((r > 0) & (r <= 3)).all()
    }
    partial = {q for q, _ in table.partial}
    assert set(kept.stages["delivered"]) == found
    assert set(kept.partial) == partial == {q.id for q in asked.questions() if q.text == "half"}
    assert by_text.total == len(stands)
    asked.remove_runs([run.id])


def test_questions_are_counted_by_tag_and_k(asked: Workbench) -> None:
    text = strategy("bm25", "k=3")
    (some,) = asked.lost_stages([text], tag="two")
    assert some.total == len(ANIMALS)
    (more,) = asked.lost_stages([text], tag="two", k=40)
    assert more.k == 40
    assert set(more.stages["delivered"]) >= set(some.stages["delivered"])
    assert not more.stages["below_k"]


def test_what_a_run_lost_and_a_search_now_finds_has_moved(tmp_path: Path) -> None:
    with opened(tmp_path) as wb:
        wanted = place(wb, "eats fish at dawn", "kingdom=water/otter.txt")
        question = wb.add_question("what does the heron eat", [Need((Label(wanted),))])
        text = strategy("bm25", "k=3")
        (run,) = wb.evaluate([text]).runs
        assert wb.lost_stages([run.id])[0].stages["below_k"] == (question.id,)
        wb.remove([d.id for d in wb._active() if "otter" not in d.source])
        (lost,) = wb.lost_stages([run.id])
        assert (lost.moved, lost.total) == ((question.id,), 0)
        assert lost.notes == ("The corpus has changed since the run.",)
        # As a strategy it is asked anew: that run is of another corpus.
        (now,) = wb.lost_stages([text])
        assert (now.run, now.stages["delivered"]) == ("", (question.id,))
