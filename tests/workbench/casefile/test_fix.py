"""A fix that was tried for real: its case says what a run of it finds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ragdebug import Workbench
from ragdebug.errors import InvalidSetting, RagDebugError
from ragdebug.questions import Label, Need
from ragdebug.settings import StrategySettings
from ragdebug.workbench.casefile import embedded
from ragdebug.workbench.casefile.naming import names
from ragdebug.workbench.whatif.reports import PlannedFix
from tests.workbench.casefile.test_page import Reader

PLANTS = ("oak", "elm", "ash", "fir", "yew", "box", "bay", "fig", "hop", "pea", "rye", "oat")
WRITTEN = "This page was written by a gardener of the town."
DRAFT = "model=wordllama-l2-supercat-256"  # embeds in no time
NO_LABEL = f"bm25@structure:16/0:tokens:nolabel+{DRAFT}+k=3"
LABEL = f"bm25@structure:16/0:tokens:label+{DRAFT}+k=3"


@pytest.fixture(scope="module")
def plants(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """A heading names the plant; the chunk that answers does not, so only a label finds it."""
    folder = tmp_path_factory.mktemp("fix")
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


def delivered(wb: Workbench, strategy: str) -> dict[str, bool]:
    """Which questions a run of its own finds within k."""
    (run,) = wb.evaluate([strategy], yes=True).runs
    table = wb.measures(run.id)
    hits = [0 < found[0] <= 3 for found in table.found]
    return dict(zip(table.questions, hits, strict=True))


def test_sentence_table_and_data_agree_with_the_confirming_run(
    plants: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What has to embed or rerank is not tried for the best fix.
    monkeypatch.setattr("ragdebug.workbench.whatif.holding.WAIT_S", 0.0)
    question = plants.questions()[4].id
    fix = plants.case_fix(question, NO_LABEL)
    assert fix.planned.name == "with label"
    done = plants.confirm(fix, question)
    case = plants.case(question, strategies=[NO_LABEL], fix=fix)
    today, then = delivered(plants, NO_LABEL), delivered(plants, LABEL)
    others = [q for q in today if q != question]
    rescued = sum(then[q] > today[q] for q in others)
    harmed = sum(then[q] < today[q] for q in others)
    assert (rescued, harmed, len(others)) == (11, 0, 11)
    (rank,) = done.ranks
    # The sentence.
    assert done.confirmed and plants.case_sentences(case)[2].startswith(
        f"with label brings it back at rank {rank}; of 11 other questions it rescues 11 and harms "
        "0 (with label finds 11 questions that today misses"
    )
    # What stands side by side.
    document = plants.case_html(case).decode()
    text = Reader(document).text
    assert f"it is delivered at rank {rank}, and 3 are returned." in text
    assert "Today: bm25 structure:16/0:tokens:nolabel" in text
    assert "Proposed: bm25 structure:16/0:tokens:label" in text
    assert case.proposed is not None
    assert [h.rank for h in case.proposed.list.hits if h.coverage == 1] == [rank]
    assert not [h for h in case.today.list.hits if h.coverage]
    # The data.
    value = embedded.read(document)
    assert value["effect"] == {
        "name": "with label", "helps": True, "ranks": [rank], "rescued": rescued, "harmed": harmed,
        "others": 11, "verdict": fix.verdict, "distinguishable": True,
        "milliseconds_added": fix.milliseconds_added,
    }  # fmt: skip
    assert value["proposed"]["strategy"] == done.run.strategy
    assert value["proposed"]["why"]["stage"] == "delivered" != value["today"]["why"]["stage"]
    assert value["sentences"] == list(plants.case_sentences(case))


def test_a_fix_that_harms_more_than_it_helps_says_so_first(plants: Workbench) -> None:
    question = plants.questions()[0].id
    bad = PlannedFix("no label", "", StrategySettings.parse(NO_LABEL))
    (fix,) = plants.try_fixes(question, LABEL, "cut", planned=[bad]).fixes
    case = plants.case(question, strategies=[LABEL], fix=fix)
    assert plants.case_sentences(case)[2].startswith(
        "no label loses it; it harms more than it helps: of 11 other questions it rescues 0 and "
        "harms 11 (today finds 11 questions that no label misses"
    )
    value = embedded.read(plants.case_html(case).decode())
    assert (value["effect"]["helps"], value["effect"]["harmed"]) == (False, 11)
    assert value["proposed"]["why"]["stage"] != "delivered" == value["today"]["why"]["stage"]


def test_a_fix_of_another_question_is_refused(plants: Workbench) -> None:
    first, second = (q.id for q in plants.questions()[:2])
    fix = plants.case_fix(first, NO_LABEL, "with label")
    with pytest.raises(InvalidSetting, match="another|tried on the question"):
        plants.case(second, strategies=[NO_LABEL], fix=fix)


def test_fixes_are_known_by_their_names(plants: Workbench) -> None:
    question = plants.questions()[1].id
    assert plants.case_fix(question, NO_LABEL, "with label").planned.name == "with label"
    with pytest.raises(InvalidSetting, match="called magic") as refused:
        plants.case_fix(question, NO_LABEL, "magic")
    assert "with label" in refused.value.hint and "best" in refused.value.hint
    with pytest.raises(RagDebugError, match="Nothing is lost"):
        plants.case_fix(question, LABEL)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["bm25", "hybrid"], ["bm25", "hybrid"]),
        (["hybrid", "hybrid+rrf_k=10", "bm25+k=3"],
         ["hybrid rrf_k=60", "hybrid rrf_k=10", "bm25"]),
        (["bm25@fixed:50/0", "bm25@fixed:90/0+k=3"],
         ["bm25 fixed:50/0:tokens:label k=5", "bm25 fixed:90/0:tokens:label k=3"]),
    ],
)  # fmt: skip
def test_strategies_are_named_by_what_sets_them_apart(
    given: list[str], expected: list[str]
) -> None:
    assert names([StrategySettings.parse(one) for one in given]) == expected


def test_the_same_strategy_twice_is_one(plants: Workbench) -> None:
    case = plants.case(plants.questions()[0].id, strategies=[NO_LABEL, NO_LABEL])
    assert len(case.lists) == 1 and case.proposed is None
