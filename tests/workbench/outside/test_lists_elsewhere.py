"""Lists of another system everywhere else: what-if, fixes, health, silence, exports, cases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.errors import InvalidSetting, RagDebugError
from ragdebug.questions import Label, Need
from ragdebug.workbench import export, plain

TOPICS = ("heron", "copper", "violin", "glacier", "saffron", "compass", "beehive", "turbine",
          "basalt", "monsoon", "parchment", "lighthouse")  # fmt: skip


def second(topic: str) -> str:
    return f"The second part of the {topic} tells of its price."


@pytest.fixture(scope="module")
def prod(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """Twelve documents with a question each. The list has the answer at rank 1, 4, or nowhere."""
    at = tmp_path_factory.mktemp("prod")
    folder = at / "docs"
    folder.mkdir()
    lines = []
    for i, topic in enumerate(TOPICS):
        text = (
            f"# {topic}\n\nAll there is to say about the {topic} stands here.\n\n{second(topic)}\n"
        )
        (folder / f"{topic}.md").write_text(text, "utf-8")
        others: list[dict[str, object]] = [
            {"id": f"{TOPICS[(i + j) % 12]}.md", "score": 0.9 - j / 10} for j in (1, 2, 3)
        ]
        mine: dict[str, object] = {"text": second(topic), "score": 0.95 if i % 3 == 0 else 0.1}
        gone: dict[str, object] = {"text": f"A paraphrase of the {topic}", "source": "gone.pdf"}
        hits = [mine, *others] if i % 3 == 0 else [*others, mine] if i % 3 == 1 else others
        lines.append({"query": f"tell me of the {topic}", "hits": [*hits, gone]})
    (at / "prod.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines), "utf-8")
    with Workbench(at / "workspace") as wb:
        wb.ingest([folder])
        for topic in TOPICS:
            label = Label(wb.find_quote(second(topic))[0])
            wb.add_question(f"tell me of the {topic}", [Need((label,))])
        wb.add_question("nothing here says", not_answerable=True)
        wb.import_lists(at / "prod.jsonl", "prod")
        yield wb


def test_k_minimum_filter_and_budget_turn_a_list(prod: Workbench) -> None:
    def recall(**knobs: object) -> float:
        return prod.what_if("list:prod+k=3", knobs).recall.mean

    assert recall(k=3) == pytest.approx(4 / 12)
    assert recall(k=5) == pytest.approx(8 / 12)
    assert recall(k=5, minimum=0.5) == pytest.approx(4 / 12)
    assert recall(k=5, filter="source=heron.md") == pytest.approx(1 / 12)
    assert recall(k=5, budget=1) == 0
    for text in ("list:prod+k=5", "list:prod+k=5+minimum=0.5", "list:prod+budget=60"):
        (run,) = prod.evaluate([text]).runs
        table = prod.measures(run.id, name="recall@5")
        wanted = [bool(n) for n in prod._found(run, settings(text), "", 0.9).values()]
        told = prod.what_if(text, {})
        assert told.values.tolist() == [float(x) for x in wanted]
        assert told.questions == table.questions


def settings(text: str):  # type: ignore[no-untyped-def]
    from ragdebug.settings import StrategySettings

    return StrategySettings.parse(text)


@pytest.mark.parametrize("knobs", [{"rrf_k": 10}, {"preset": "hybrid"}, {"chunking": "fixed:50/0"}])
def test_what_a_list_has_not_is_refused_in_a_sentence(
    prod: Workbench, knobs: dict[str, object]
) -> None:
    with pytest.raises(InvalidSetting, match="only k, minimum score, filter and budget"):
        prod.what_if("list:prod", knobs)


def test_fixes_of_a_list_are_its_cuts(prod: Workbench) -> None:
    by_text = {q.text: q.id for q in prod.questions()}
    fixes = prod.try_fixes(by_text["tell me of the copper"], "list:prod+k=3")
    assert fixes.stage == "below_k"
    assert [f.planned.name for f in fixes.fixes] == ["k 6"]
    none = prod.try_fixes(by_text["tell me of the violin"], "list:prod")
    assert none.stage == "not_retrieved"
    assert not none.fixes
    assert "another system's search" in none.note
    confirmed = prod.confirm(fixes.fixes[0], by_text["tell me of the copper"])
    assert confirmed.confirmed


def test_no_setting_tells_two_systems_apart(prod: Workbench) -> None:
    by_text = {q.text: q.id for q in prod.questions()}
    first, second_ = prod.evaluate(["bm25", "list:prod+k=3"]).runs
    if first.strategy.startswith("list"):
        first, second_ = second_, first
    told = prod.which_setting(first.id, second_.id, by_text["tell me of the violin"])
    assert "different systems" in told.sentence
    cuts = prod.evaluate(["list:prod+k=5"]).runs[0]
    same = prod.which_setting(cuts.id, second_.id, by_text["tell me of the copper"])
    assert same.matters == ("k",)


def test_runs_of_lists_stand_beside_others(prod: Workbench) -> None:
    runs = prod.evaluate(["bm25", "list:prod"]).runs
    ids = [r.id for r in runs]
    compared = prod.compare_runs(*ids, name="recall@5")
    assert compared.paired.n == 12
    assert prod.unique_finds(ids).union.mean == 1
    assert prod.overlap_report(*ids).rows
    assert prod.curves(ids) and prod.budget_curves(ids)
    silence = prod.top_scores(next(r.id for r in runs if r.strategy.startswith("list")))
    assert silence.score_kind == "given"
    assert len(silence.answerable) == 12
    assert prod.run_archive(ids, texts=True)
    gate = prod.gate(ids, {"recall@5": 0.6}, baseline=ids[0])
    assert [c.ok for c in gate.checks if c.measured].count(False) == 0


def test_silence_needs_scores(prod: Workbench) -> None:
    for text, said in (
        ('["tell", "me"]', "without scores"),
        ('{"ids": ["a"], "documents": ["b c d"], "distances": [0.2]}', "less is nearer"),
    ):
        name = prod.paste_list("tell me of the heron", text, "other")
        (run,) = prod.evaluate([f"list:{name}"]).runs
        assert said in prod.top_scores(run.id).note
        prod.remove_runs([run.id])
    prod.remove_list("other")


def test_health_says_how_many_stand_nowhere(prod: Workbench) -> None:
    found = [f for f in prod.health(["list:prod"]) if f.code == "not_placed"]
    assert len(found) == 1
    assert found[0].sentence.startswith("12 of ")
    assert "hits of list:prod" in found[0].sentence


def test_explanations_refuse_in_a_sentence(prod: Workbench) -> None:
    with pytest.raises(RagDebugError, match="scored by another system"):
        prod.explain_fusion("tell me of the heron", "list:prod", 0)
    with pytest.raises(RagDebugError, match="scored by another system"):
        next(prod.explain_rerank("tell me of the heron", "list:prod", 0))
    with pytest.raises(RagDebugError, match="scored by another system"):
        next(prod.explain_vector("tell me of the heron", "list:prod", 0))
    with pytest.raises(RagDebugError, match="scored by another system"):
        prod.explain_bm25("tell me of the heron", "list:prod", 0)


def test_search_compare_and_export_have_a_column_for_it(prod: Workbench, tmp_path: Path) -> None:
    result = prod.search("tell me of the heron", ["list:prod", "bm25"])
    lists = list(result.lists.values())
    compared = prod.compare(lists)
    assert [s.rank for s in compared.hits[0][0].standings] == [1, 1]
    assert compared.hits[0][-1].standings[1].rank is None
    assert lists[0].notes == ("1 of 5 not placed",)
    gone = lists[0].hits[-1].chunk
    assert prod.info(gone.document).source == "gone.pdf"
    assert prod.document(gone.document).text == ""
    assert gone.text == "A paraphrase of the heron"
    made = plain.search(result)
    assert json.dumps(made)
    assert b"gone.pdf" in export.search_csv(result.query, result.lists)
