"""Remedies tried on a lost question, and which setting lost one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.errors import Cancelled, RagDebugError
from ragdebug.questions import Label, Need
from ragdebug.settings import StrategySettings
from ragdebug.workbench.whatif.reports import PlannedFix

DRAFT = "model=wordllama-l2-supercat-256"
PLANTS = ("oak", "elm", "ash", "fir", "yew", "box", "bay", "fig", "hop", "pea", "rye", "oat")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """A heading names the plant; the chunk that answers does not, so only a label finds it."""
    folder = tmp_path_factory.mktemp("fixes")
    (folder / "docs").mkdir()
    for at, plant in enumerate(PLANTS):
        text = f"# The {plant}\n\n{WRITTEN}\n\nIt reaches {at + 11} metres and flowers in spring.\n"
        (folder / "docs" / f"{plant}.md").write_text(text, "utf-8")
    with Workbench(folder / "w") as wb:
        wb.ingest([folder / "docs"])
        for at, plant in enumerate(PLANTS):
            place = wb.find_quote(f"It reaches {at + 11} metres")[0]
            wb.add_question(f"size of the {plant}", [Need((Label(place),))])
        yield wb


WRITTEN = "This page was written by a gardener of the town."
NO_LABEL = f"bm25@structure:16/0:tokens:nolabel+{DRAFT}+k=3"
LABEL = f"bm25@structure:16/0:tokens:label+{DRAFT}+k=3"
FRESH = f"bm25@structure:{{}}/0:tokens:nolabel+{DRAFT}+k=3"  # of a size that no other test uses


def test_the_remedy_that_helps_comes_first_and_leaves_the_question_out_of_the_others(
    small: Workbench,
) -> None:
    question = small.questions()[4].id
    report = small.try_fixes(question, NO_LABEL, "not_retrieved")
    assert report.stage == "not_retrieved"
    best = report.fixes[0]
    assert best.planned.name == "with label"
    assert best.helps and best.question.before == (0,)
    assert best.question.after[0] in (2, 3)  # behind the chunk with the heading
    # The eleven others are found too, and the question itself is not one of them.
    assert best.others.n == 11
    assert set(best.rescued) == {q.id for q in small.questions() if q.needs} - {question}
    assert best.harmed == () and not best.harms_more
    # Sign-flip over eleven wins: 2 / 2^11, times the number of remedies that change anything
    # (Holm's first step).
    tests = sum(fix.others.wins + fix.others.losses > 0 for fix in report.fixes)
    assert best.others.p == pytest.approx(tests * 2 / 2**11)
    assert "with label finds 11 questions that today misses" in best.verdict
    assert best.sentence.startswith("with label brings it back; rescues 11 and harms 0 of 11")


def test_a_remedy_that_harms_more_than_it_helps_says_so(small: Workbench) -> None:
    question = small.questions()[0].id
    planned = small.plan_fixes(question, LABEL, "cut")
    (larger,) = (p for p in planned if p.name == "chunks of 32")
    bad = replace(larger, name="no label", strategy=_parsed(NO_LABEL))
    (fix,) = small.try_fixes(question, LABEL, "cut", planned=[bad]).fixes
    assert fix.harms_more and len(fix.harmed) == 11
    assert "harms more than it helps" in fix.sentence


@pytest.mark.parametrize("stage", ["not_in_corpus", "lost_in_parsing"])
def test_where_no_setting_helps_that_is_said(small: Workbench, stage: str) -> None:
    report = small.try_fixes(small.questions()[0].id, NO_LABEL, stage)
    assert report.fixes == () and report.note.startswith("No setting")


def test_a_plan_computes_nothing_and_what_is_dear_waits(
    small: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragdebug.workbench.whatif.holding.WAIT_S", 0.0)
    base = FRESH.format(9)
    question = small.questions()[0].id
    planned = {p.name: p for p in small.plan_fixes(question, base, "not_retrieved")}
    assert planned["hybrid"].cost.texts > 0 and planned["hybrid"].cost.waits
    assert planned["with label"].cost.instant
    report = small.try_fixes(question, base, "not_retrieved")
    assert "hybrid" in [p.name for p in report.waiting]
    assert "hybrid" not in [f.planned.name for f in report.fixes]


def test_a_fix_is_confirmed_by_a_run_that_is_kept(small: Workbench) -> None:
    question = small.questions()[2].id
    planned = {p.name: p for p in small.plan_fixes(question, NO_LABEL, "not_retrieved")}
    yes = small.confirm(planned["with label"], question)
    assert yes.confirmed and yes.ranks[0] in (2, 3)
    assert small.run(yes.run.id).strategy == str(planned["with label"].strategy)
    no = small.confirm(planned["words as they stand"], question)
    assert not no.confirmed and no.ranks == (0,)


def test_a_confirmation_says_what_was_measured_and_what_is_measured_today(
    small: Workbench,
) -> None:
    question = small.questions()[2].id
    planned = [p for p in small.plan_fixes(question, NO_LABEL, "not_retrieved")
               if p.name == "with label"]  # fmt: skip
    more = replace(planned[0], strategy=replace(planned[0].strategy, k=4))
    (fix,) = small.try_fixes(question, NO_LABEL, "not_retrieved", planned=[more]).fixes
    done = small.confirm(fix, question)
    then = small.mean(done.run.id, "recall@4").mean
    assert then == 1.0  # without the label no question is found, with it all twelve
    assert done.sentence == (
        f"confirmed: in run {done.run.id} the evidence stands at rank {done.ranks[0]}; "
        "recall@4 1.00; today recall@3 0.00"
    )


def test_a_run_that_confirms_a_fix_is_no_earlier_success(small: Workbench) -> None:
    question = small.questions()[2].id
    (planned,) = (p for p in small.plan_fixes(question, NO_LABEL, "not_retrieved")
                  if p.name == "with label")  # fmt: skip
    fresh = replace(planned, strategy=_parsed(LABEL + "+k1=0.7"))
    run = small.confirm(fresh, question).run
    assert run.id not in [r.id for r in small.runs_that_found(question)]
    small.note_run(run.id, "kept")  # a person's own from here on
    assert run.id in [r.id for r in small.runs_that_found(question)]


def test_where_few_others_are_left_the_verdict_says_that_this_one_is_not_counted(
    tmp_path: Path,
) -> None:
    with Workbench(tmp_path / "w") as wb:
        wb.ingest_files([(f"{p}.md", f"# {p}\n\nThe {p} is tall.".encode()) for p in PLANTS[:3]])
        for plant in PLANTS[:3]:
            place = wb.find_quote(f"The {plant} is tall")[0]
            wb.add_question(f"is it {plant}", [Need((Label(place),))])
        question = wb.questions()[0].id
        planned = [PlannedFix("k 2", "", _parsed("bm25+k=2"))]
        (fix,) = wb.try_fixes(question, "bm25+k=1", "below_k", planned=planned).fixes
        assert fix.others.n == 2
        assert fix.verdict == (
            "no verdict: without this question, 2 are left; at least 10 are needed"
        )


def test_the_stage_is_asked_for_where_it_is_not_given(small: Workbench) -> None:
    question = small.questions()[0].id
    assert small.try_fixes(question, NO_LABEL).stage == small.why(question, strategy=NO_LABEL).stage


def test_the_setting_that_matters_is_named(small: Workbench) -> None:
    found = LABEL + "+k1=0.9"
    lost = NO_LABEL + "+b=0.5"
    runs = small.evaluate([found]).runs[0], small.evaluate([lost]).runs[0]
    told = small.which_setting(runs[0].id, runs[1].id, small.questions()[3].id)
    assert told.matters == ("label",)
    assert {(x.setting, x.found, x.lost) for x in told.tried} == {
        ("label", "True", "False"),
        ("k1", "0.9", "1.2"),
        ("b", "0.75", "0.5"),
    }
    assert [x.delivered for x in told.tried] == [x.setting == "label" for x in told.tried]
    assert told.sentence == (
        "What matters is label (False instead of True): put back, it alone brings the question "
        "back."
    )


def test_what_no_longer_finds_it_is_no_matter_of_settings(small: Workbench) -> None:
    run = small.evaluate([NO_LABEL]).runs[0]
    told = small.which_setting(run.id, run.id, small.questions()[3].id)
    assert told.matters == () and told.tried == ()
    assert "documents, labels or releases" in told.sentence


def test_a_question_without_labels_cannot_be_compared(small: Workbench) -> None:
    question = small.add_question("who knows").id
    with pytest.raises(RagDebugError, match="not labelled"):
        small.what_if("bm25", {"k": 3}, question=question)


def test_stopping_a_try_stops_it(small: Workbench) -> None:
    def stop(done: int, total: int, what: str) -> None:
        raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        small.try_fixes(small.questions()[0].id, FRESH.format(8), "not_retrieved", progress=stop)


def _parsed(text: str):  # noqa: ANN202
    from ragdebug.settings import StrategySettings

    return StrategySettings.parse(text)


def test_a_run_that_found_it_is_held_against_a_strategy_without_a_run(small: Workbench) -> None:
    question = small.questions()[3].id
    found = small.evaluate([LABEL + "+k1=1.1"]).runs[0]
    small.evaluate([NO_LABEL + "+k1=1.1"])
    runs = {run.id: run.strategy for run in small.runs_that_found(question)}
    assert found.id in runs
    assert all(small.why(question, strategy=strategy).stage == "delivered"
               for strategy in runs.values())  # fmt: skip
    lost = StrategySettings.parse(NO_LABEL + "+k1=1.3")
    told = small.which_setting(found.id, lost, question)
    assert told.matters == ("label",)
    assert {x.setting for x in told.tried} == {"label", "k1"}


def test_a_run_from_before_a_question_was_asked_has_not_found_it(tmp_path: Path) -> None:
    with Workbench(tmp_path / "w") as wb:
        wb.ingest_files([("elm.md", b"# elm\n\nThe elm is tall.")])
        needs = [Need((Label(wb.find_quote("The elm is tall")[0]),))]
        first = wb.add_question("is it elm", needs).id
        (run,) = wb.evaluate(["bm25"]).runs
        later = wb.add_question("is the elm tall", needs).id
        assert [r.id for r in wb.runs_that_found(first)] == [run.id]
        assert wb.runs_that_found(later) == ()
