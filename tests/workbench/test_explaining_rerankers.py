"""What a reranker did to a hit, with a real cross-encoder: asked again by its own library."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from ragdebug import Workbench
from ragdebug.records import ResultList
from ragdebug.settings import StrategySettings
from ragdebug.ui.explain import weights
from ragdebug.ui.explain.asked import Asked, Subject
from tests.models.conftest import make_reranker, pairs  # noqa: F401 - fixtures

WINDOW = 64
QUERY = "refund passage"
TEXTS = {
    "boiler.txt": "The boiler room. The red door. Warm days.",
    "refund.txt": "The refund query. The passage is red. Days.",
    # Longer than the cross-encoder reads; what answers stands at its end.
    "long.txt": "Refund. " + "The red door. " * 20 + "The passage of the refund.",
}
ANSWER = "The passage of the refund."


@pytest.fixture(scope="module")
def wb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with Workbench(tmp_path_factory.mktemp("rerankers") / "workspace") as opened:
        opened.ingest_files([(name, text.encode()) for name, text in TEXTS.items()])
        yield opened


@pytest.fixture(scope="module")
def strategy(pairs: Path) -> str:  # noqa: F811 - the fixture
    return f"reranked@document+model=wordllama-l2-supercat-256+reranker={pairs}"


@pytest.fixture(scope="module")
def ask(pairs: Path) -> Callable[[str, Sequence[str]], list[float]]:  # noqa: F811 - the fixture
    """Logits of (query, text), as transformers alone gives them, cut as it cuts."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(pairs)
    model: Any = AutoModelForSequenceClassification.from_pretrained(pairs).eval()

    def logits(query: str, texts: Sequence[str]) -> list[float]:
        with torch.no_grad():
            given = [
                tokenizer(query, t, truncation=True, max_length=WINDOW, return_tensors="pt")
                for t in texts
            ]
            return [float(model(**one).logits[0, 0]) for one in given]

    return logits


def searched(wb: Workbench, strategy: str) -> ResultList:
    found = wb.search_one(QUERY, strategy, build=True)
    assert not found.error
    return found


def test_score_and_rank_before_and_after_are_the_models_own(
    wb: Workbench, strategy: str, ask: Callable[[str, Sequence[str]], list[float]]
) -> None:
    result = searched(wb, strategy)
    fused = result.trace.stage("fused")
    assert fused is not None
    table = wb.chunk_table("document")
    raw = dict(zip(range(3), ask(QUERY, [table.index_text(r) for r in range(3)]), strict=True))
    order = sorted(raw, key=lambda row: -raw[row])
    assert [h.row for h in result.hits] == order
    for row in range(3):
        *_, made = wb.explain_rerank(QUERY, strategy, row, result.trace)
        assert made.score_kind == made.list_kind == "cross-encoder"
        assert made.raw == pytest.approx(raw[row], abs=1e-5)
        assert made.score == pytest.approx(raw[row], abs=1e-5)
        assert made.before == fused.rows.tolist().index(row) + 1
        assert made.after == made.would_be == order.index(row) + 1


def test_a_sentence_is_worth_what_the_score_falls_without_it(
    wb: Workbench, strategy: str, ask: Callable[[str, Sequence[str]], list[float]]
) -> None:
    result = searched(wb, strategy)
    hit = next(h for h in result.hits if h.chunk.source == "refund.txt")
    *_, made = wb.explain_rerank(QUERY, strategy, hit.row, result.trace)
    text = made.indexed.text
    assert [text[a:b].strip() for a, b in made.indexed.parts] == [
        "The refund query.", "The passage is red.", "Days.",
    ]  # fmt: skip
    assert not made.reading.cut
    assert made.occlusion is not None
    without = [text[:a] + text[b:] for a, b in made.indexed.parts]
    whole, *rest = ask(QUERY, [text, *without])
    expected = [whole - one for one in rest]
    assert [p.weight for p in made.occlusion.parts] == pytest.approx(expected, abs=1e-5)


def test_where_the_cross_encoder_stops_reading_and_that_it_never_saw_the_answer(
    wb: Workbench,
    strategy: str,
    pairs: Path,  # noqa: F811 - the fixture
) -> None:
    from transformers import AutoTokenizer

    result = searched(wb, strategy)
    hit = next(h for h in result.hits if h.chunk.source == "long.txt")
    *_, made = wb.explain_rerank(QUERY, strategy, hit.row, result.trace)
    text = made.indexed.text
    tokenizer: Any = AutoTokenizer.from_pretrained(pairs)
    given = tokenizer(
        QUERY, text, truncation=True, max_length=WINDOW, return_offsets_mapping=True
    )  # fmt: skip
    read = [
        end
        for (_, end), part in zip(given["offset_mapping"], given.sequence_ids(), strict=True)
        if part == 1
    ]
    assert made.reading.cut
    assert made.reading.end == max(read) < text.index(ANSWER)
    assert made.reading.window == len(read)
    assert made.reading.tokens == len(tokenizer(text, add_special_tokens=False)["input_ids"])
    assert made.occlusion is not None
    assert made.occlusion.complete
    seen = [p for p in made.occlusion.parts if p.start < made.reading.end]
    assert all(p.weight is not None for p in seen)
    assert {p.weight for p in made.occlusion.parts[len(seen) :]} == {None}

    def said(quote: str) -> str:
        places = tuple(wb.find_quote(quote))
        asked = Asked(QUERY, StrategySettings.parse(strategy), None, places)
        return weights.hidden(asked, Subject("#1", hit.row, hit.chunk), made.indexed, made.reading)

    assert "it was never seen" in said(ANSWER)
    start = made.reading.end - 20
    assert "The end of the expected passage" in said(text[start : start + 60])
    assert said("Refund. The red door.") == (
        f"It reads {made.reading.window} of {made.reading.tokens} tokens: what is grey, it never "
        "saw."
    )


@pytest.mark.parametrize("words", [1, 20, 29, 30, 31, 45, 80])
def test_a_long_query_leaves_the_text_what_the_tokenizer_leaves_it(
    wb: Workbench,
    strategy: str,
    pairs: Path,  # noqa: F811 - the fixture
    words: int,
) -> None:
    from transformers import AutoTokenizer

    query = " ".join(["refund"] * words)
    tokenizer: Any = AutoTokenizer.from_pretrained(pairs)
    for row in range(3):
        *_, made = wb.explain_rerank(query, strategy, row)
        text = made.indexed.text
        given = tokenizer(query, text, truncation=True, max_length=WINDOW)
        read = given.sequence_ids().count(1)
        assert made.reading.cut == (read < made.reading.tokens)
        assert min(made.reading.window, made.reading.tokens) == read


def test_late_interaction_is_explained_alike(wb: Workbench) -> None:
    from ragdebug.models import load_reranker

    strategy = "reranked@document+model=wordllama-l2-supercat-256"
    result = searched(wb, strategy)
    scorer = load_reranker(StrategySettings.parse(strategy).rerank.model)
    for hit in result.hits:
        *_, made = wb.explain_rerank(QUERY, strategy, hit.row, result.trace)
        text = made.indexed.text
        assert (made.after, made.score_kind) == (hit.rank, "maxsim")
        assert made.raw == pytest.approx(float(scorer.score(QUERY, [text])[0]), abs=1e-5)
        assert made.occlusion is not None
        assert not made.reading.cut  # 256 tokens are read
        without = [text[:a] + text[b:] for a, b in made.indexed.parts]
        rest = scorer.score(QUERY, without)
        expected = [made.raw - float(one) for one in rest]
        assert [p.weight for p in made.occlusion.parts] == pytest.approx(expected, abs=1e-5)
