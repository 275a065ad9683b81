"""Lists of another system on Trace: what is lost there is what Results does not find."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdebug import Workbench
from ragdebug.errors import NotBrought, RagDebugError
from ragdebug.settings import StrategySettings
from ragdebug.workbench.tracing.reports import UNKNOWN
from ragdebug.workbench.tracing.sentences import sentence, short
from tests.workbench.conftest import write
from tests.workbench.tracing.test_losses import asked as asked  # the fixture


def random_lists(wb: Workbench, path: Path, seed: int) -> None:
    """Spans of the documents, whole documents and texts from nowhere, for most questions."""
    rng = np.random.default_rng(seed)
    infos = wb._active()
    lines = []
    for at, question in enumerate(wb.questions()):
        if at % 9 == 4:
            continue
        hits: list[dict[str, object]] = []
        for _ in range(int(rng.integers(0, 12))):
            info = infos[int(rng.integers(len(infos)))]
            kind = int(rng.integers(5))
            hit: dict[str, object] = {"score": round(float(rng.normal()), 2)}
            if kind == 0:
                hit |= {"id": info.source}
            elif kind == 1:
                hit |= {"text": f"Nobody wrote {rng.integers(9)} of this.", "source": "gone.md"}
            else:
                start = int(rng.integers(0, info.chars - 20))
                text = wb.document(info.id).text[start : start + int(rng.integers(15, 70))]
                hit |= {"text": text, "source": info.source}
            if rng.integers(4) == 0:
                del hit["score"]
            hits.append(hit)
        name = {"question_id": question.id} if at % 2 else {"query": question.text}
        lines.append({**name, "hits": hits})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    wb.import_lists(path, "prod")


@settings(max_examples=8)
@given(
    seed=st.integers(0, 3),
    k=st.integers(1, 8),
    more=st.lists(
        st.sampled_from(["budget=25", "filter=kingdom=wood", "minimum=-0.5", "minimum=0.5"]),
        unique_by=lambda x: x.split("=")[0],
        max_size=3,
    ),
    share=st.sampled_from([0.5, 0.9, 1.0]),
)
def test_a_need_is_lost_exactly_when_results_does_not_find_it(
    asked: Workbench, tmp_path_factory: pytest.TempPathFactory, seed: int, k: int,
    more: list[str], share: float,
) -> None:  # fmt: skip
    random_lists(asked, tmp_path_factory.mktemp("lists") / "prod.jsonl", seed)
    text = "+".join(["list:prod", f"k={k}", *more])
    (run,) = asked.evaluate([text]).runs
    table = asked.measures(run.id, share)
    failed = dict(table.errors)
    budget = StrategySettings.parse(text).budget
    for id_, ranks, tokens in zip(table.questions, table.found, table.tokens, strict=True):
        if id_ in failed:
            with pytest.raises(NotBrought):
                asked.why(id_, strategy=text, found_share=share)
            assert not ranks.any()
            continue
        report = asked.why(id_, strategy=text, found_share=share)
        measured = [need for need in report.needs if need.measured]
        found = (ranks > 0) & (ranks <= k)
        if budget is not None:
            found &= (tokens >= 0) & (tokens <= budget)
        assert [need.stage == "delivered" for need in measured] == found.tolist(), id_
        for need in report.needs:
            assert all(isinstance(short(step), str) for step in need.furthest.path)
        assert sentence(report)
    (lost,) = asked.lost_stages([run.id], found_share=share)
    (now,) = asked.lost_stages([text], found_share=share)
    assert lost.stages == now.stages
    assert not lost.moved
    assert any("below the hits" in note for note in lost.notes)
    asked.remove_runs([run.id])


# Stages, one by one -------------------------------------------------------------------------------

TEXT = "The heron eats fish at dawn. It sleeps in the reeds. It hides from the rain."


@pytest.fixture
def heron(wb: Workbench, folder: Path) -> Workbench:
    write(folder, heron_txt=TEXT, otter_txt="The otter swims up the river and back again.")
    wb.ingest([folder])
    return wb


def traced(wb: Workbench, hits: list[object], quote: str, options: str = "") -> tuple[str, str]:
    name = wb.paste_list("where", json.dumps(hits), "prod")
    report = wb.why(query="where", quote=quote, strategy=f"list:{name}{options}")
    return report.stage, sentence(report)


def test_what_was_not_returned_is_not_said_to_be_missing(heron: Workbench) -> None:
    name = heron.paste_list("where", json.dumps(["The otter swims up the river"]), "prod")
    report = heron.why(query="where", quote="It sleeps in the reeds", strategy=f"list:{name}")
    (step,) = [s for s in report.path if s.stage == "not_retrieved"]
    assert (report.stage, step.status, step.label) == ("not_retrieved", UNKNOWN, "returned")
    assert step.facts["returned"] == 1
    assert short(step) == "below 1: cannot know"
    assert sentence(report) == (
        "It is not among the 1 hit that list:prod returned. What stands below them cannot be known."
    )
    cut = next(s for s in report.path if s.stage == "cut")
    assert cut.status == UNKNOWN


def test_half_of_it_returned_says_nothing_of_the_other_half(heron: Workbench) -> None:
    stage, said = traced(heron, ["It sleeps in the"], "It sleeps in the reeds")
    assert stage == "not_retrieved"
    assert "One holds 72% of it" in said


def test_two_parts_that_do_not_make_it_whole_are_a_cut(heron: Workbench) -> None:
    hits: list[object] = ["It sleeps in the reeds", "hides from the rain"]
    stage, said = traced(heron, hits, "It sleeps in the reeds. It hides from the rain. And")
    assert stage == "not_in_corpus"
    stage, said = traced(heron, hits, "at dawn. It sleeps in the reeds. It hides from the rain")
    assert stage == "cut"
    assert "stands at rank 1" in said


def test_below_k_minimum_filter_and_budget_are_stages_of_a_list(heron: Workbench) -> None:
    hits: list[object] = [
        {"text": "The otter swims up the river", "score": 0.9},
        {"text": "It sleeps in the reeds.", "score": 0.2},
    ]
    quote = "It sleeps in the reeds"
    assert traced(heron, hits, quote)[0] == "delivered"
    assert traced(heron, hits, quote, "+k=1")[0] == "below_k"
    assert traced(heron, hits, quote, "+minimum=0.5")[0] == "below_minimum_score"
    assert traced(heron, hits, quote, "+budget=8")[0] == "over_budget"
    assert traced(heron, hits, quote, "+filter=source=otter.txt")[0] == "filtered_out"


def test_a_query_that_was_not_pasted_says_so(heron: Workbench) -> None:
    heron.paste_list("where", json.dumps(["The otter swims up the river"]), "prod")
    with pytest.raises(NotBrought, match="no answer to this query"):
        heron.why(query="when", quote="It sleeps in the reeds", strategy="list:prod")


def test_distances_take_no_minimum(heron: Workbench) -> None:
    pasted = {"ids": [["a", "b"]], "documents": [["It sleeps in the reeds", "The otter swims"]],
              "distances": [[0.1, 0.7]]}  # fmt: skip
    name = heron.paste_list("where", json.dumps(pasted))
    (result,) = heron.search("where", [f"list:{name}"]).lists.values()
    assert [(h.score, h.score_kind) for h in result.hits] == [(0.1, "distance"), (0.7, "distance")]
    with pytest.raises(RagDebugError, match="less is nearer"):
        heron.why(query="where", quote="It sleeps", strategy=f"list:{name}+minimum=0.5")


def test_a_list_of_other_questions_does_not_help(heron: Workbench) -> None:
    """A passage that was returned for another question is not known for this one."""
    heron.paste_list("other", json.dumps(["It sleeps in the reeds."]), "prod")
    heron.paste_list("where", json.dumps(["The otter swims up the river"]), "prod")
    place = heron.find_quote("It sleeps in the reeds")
    (result,) = heron.search("where", ["list:prod"], expect=place).lists.values()
    assert result.expected is not None
    assert result.expected.rank is None
    assert not result.expected.chunks
    assert "cannot be known" in result.expected.note
    assert math.isnan(result.hits[0].score)
