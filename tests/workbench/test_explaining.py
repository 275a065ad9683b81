"""Explanations of hits, returned or wanted: they add up, say what is hidden, and stay small."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ragdebug import Workbench
from ragdebug.errors import InvalidSetting
from ragdebug.places import sample_folder
from ragdebug.records import ResultList
from ragdebug.settings import StrategySettings

ROOT = Path(__file__).resolve().parents[2]
DRAFT = "+model=wordllama-l2-supercat-256"
QUERIES = (
    "how do I get my money back after a year?",
    "ERR_4021",
    "Who is Frost's boss? Who is the boss of Frost?",
    "machine does not grind, water tank and milk",
    "the of and",
    "zzzz qqqq",
)


@pytest.fixture(scope="module")
def wb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with Workbench(tmp_path_factory.mktemp("explaining") / "workspace") as opened:
        opened.ingest([sample_folder()])
        yield opened


def column(wb: Workbench, query: str, strategy: str) -> ResultList:
    found = wb.search_one(query, strategy, build=True)
    assert not found.error
    return found


@pytest.mark.parametrize("variant", ["lucene", "okapi"])
def test_bm25_rows_add_up_to_the_score_of_every_hit(wb: Workbench, variant: str) -> None:
    strategy = f"bm25+variant={variant}+k=50"
    seen = 0
    for query in QUERIES:
        for hit in column(wb, query, strategy).hits:
            made = wb.explain_bm25(query, strategy, hit.row)
            assert sum(r.contribution for r in made.rows) == pytest.approx(hit.score, abs=1e-6)
            assert sum(r.times * r.idf * r.tf_part for r in made.rows) == pytest.approx(
                hit.score, abs=1e-6
            )
            assert made.rank == hit.rank
            seen += 1
    assert seen > 60


@pytest.mark.parametrize("fusion", ["", "+fusion=weighted", "+rrf_k=5+weights=vector:0.4,bm25:2"])
def test_shares_add_up_to_the_score_of_every_fused_hit(wb: Workbench, fusion: str) -> None:
    strategy = f"hybrid{DRAFT}+k=40{fusion}"
    seen = 0
    for query in QUERIES:
        result = column(wb, query, strategy)
        for hit in result.hits:
            made = wb.explain_fusion(query, strategy, hit.row, result.trace)
            assert sum(e.share for e in made.ledger.entries) == pytest.approx(hit.score, abs=1e-6)
            assert (made.ledger.rank, made.score) == (hit.rank, hit.score)
            assert (made.inside, made.changes) == (True, ())
            seen += 1
    assert seen > 100


def test_a_change_of_the_fusion_is_what_a_search_with_it_does(wb: Workbench) -> None:
    strategy = StrategySettings.parse(f"hybrid{DRAFT}+k=3+depth=4")
    query = QUERIES[3]
    trace = column(wb, query, str(strategy)).trace
    tried = 0
    near = [column(wb, query, f"{name}+k=9").hits for name in (f"vector{DRAFT}", "bm25")]
    for row in sorted({h.row for hits in near for h in hits}):
        made = wb.explain_fusion(query, strategy, row, trace)
        if made.inside:
            continue
        for change in made.changes:
            if change.after is None:
                continue
            option = {"weight": "weights"}.get(change.knob, change.knob)
            name = f"{change.list}:" if change.list else ""
            other = strategy.changed({option: f"{name}{change.after:.15g}"})
            hits = column(wb, query, str(other)).hits
            assert {h.row: h.rank for h in hits}.get(row) == change.rank
            tried += 1
    assert tried > 5


def test_a_passage_below_the_depth_is_placed_in_the_whole_corpus(wb: Workbench) -> None:
    strategy = f"hybrid{DRAFT}+k=2+depth=2"
    deep = column(wb, QUERIES[0], f"bm25+k=50{DRAFT}").hits[20]
    made = wb.explain_fusion(QUERIES[0], strategy, deep.row)
    entry = next(e for e in made.ledger.entries if e.list == "bm25")
    assert (entry.rank, entry.depth, entry.far_rank, entry.far_known) == (None, 2, 21, True)


def test_only_lists_that_are_fused_or_reranked_are_explained_as_such(wb: Workbench) -> None:
    with pytest.raises(InvalidSetting, match="fuses no lists"):
        wb.explain_fusion("money", "bm25", 0)
    with pytest.raises(InvalidSetting, match="reranks nothing"):
        next(wb.explain_rerank("money", "hybrid", 0))


# Vector -------------------------------------------------------------------------------------------


def test_the_cosine_is_the_lists_own_and_each_weight_is_a_difference(wb: Workbench) -> None:
    strategy = f"vector{DRAFT}+k=8"
    for hit in column(wb, QUERIES[0], strategy).hits:
        *_, made = wb.explain_vector(QUERIES[0], strategy, hit.row)
        assert made.score == pytest.approx(hit.score, abs=1e-6)
        assert made.rank == hit.rank
        assert made.indexed.text == hit.chunk.index_text
        assert made.occlusion.complete
        assert made.indexed.text[made.indexed.body :] == hit.chunk.text
        shown = [made.indexed.text[a:b] for a, b in made.indexed.parts]
        assert "".join("".join(shown).split()) == "".join(hit.chunk.index_text.split())


def test_without_the_label_is_the_cosine_of_the_rest(wb: Workbench) -> None:
    from ragdebug.models import load_embedder

    strategy = f"vector{DRAFT}+k=8"
    model = load_embedder("wordllama-l2-supercat-256")
    asked = model.embed_query(QUERIES[0])
    labelled = [h for h in column(wb, QUERIES[0], strategy).hits if h.chunk.label]
    assert labelled
    for hit in labelled:
        *_, made = wb.explain_vector(QUERIES[0], strategy, hit.row)
        rest = hit.chunk.index_text.removeprefix(f"{hit.chunk.label}\n")
        alone = float(model.embed_passages([rest])[0] @ asked)
        assert made.without_label == pytest.approx(alone, abs=1e-6)


class Watched:
    """An embedder that remembers how many texts it was asked for at a time."""

    def __init__(self, real: Any) -> None:  # noqa: ANN401
        self.info, self.sizes, self._real = real.info, list[int](), real

    def embed_query(self, query: str) -> NDArray[np.float32]:
        made: NDArray[np.float32] = self._real.embed_query(query)
        return made

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.sizes.append(len(texts))
        made: NDArray[np.float32] = self._real.embed_passages(texts)
        return made


def test_no_more_than_32_texts_at_a_time_and_weights_come_bit_by_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ragdebug.models

    (tmp_path / "docs").mkdir()
    text = " ".join(f"Sentence number {n} is about boats." for n in range(70))
    (tmp_path / "docs" / "long.txt").write_text(text, "utf-8")
    strategy = f"vector@document{DRAFT}"
    with Workbench(tmp_path / "workspace") as opened:
        opened.ingest([tmp_path / "docs"])
        column(opened, "boats", strategy)
        watched = Watched(ragdebug.models.load_embedder("wordllama-l2-supercat-256"))
        monkeypatch.setattr(ragdebug.models, "load_embedder", lambda *_: watched)
        found = list(opened.explain_vector("boats", strategy, 0))
        assert [f.occlusion.done for f in found] == [31, 63, 70]
        assert max(watched.sizes) == 32
        watched.sizes.clear()
        words = list(opened.explain_words("boats", strategy, 0, 3))
        assert len(words[-1].parts) == 6
        assert max(watched.sizes) <= 32
        heaviest = words[-1].heaviest
        assert heaviest is not None
        assert text[heaviest.start : heaviest.end] == "boats"


def test_each_word_of_the_query_has_its_likest_word(wb: Workbench) -> None:
    strategy = f"vector{DRAFT}+k=3"
    query = "refund money"
    row = column(wb, query, strategy).hits[0].row
    made = wb.explain_tokens(query, strategy, row)
    assert not made.in_context  # a static model has vectors of words alone
    assert [query[a:b] for a, b in (m.query for m in made.matches)] == ["refund", "money"]
    best = made.matches[0]
    assert "refund" in made.text[best.text[0] : best.text[1]].lower()
    assert all(-1 <= m.similarity <= 1 + 1e-6 for m in made.matches)


# The embedded model, which has a window -----------------------------------------------------------


@pytest.fixture(scope="module")
def windowed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("window")
    (folder / "docs").mkdir()
    filler = " ".join(f"The cargo of ship {n} is coal." for n in range(60))
    (folder / "docs" / "long.txt").write_text(f"{filler} The answer is a lighthouse.", "utf-8")
    (folder / "docs" / "short.txt").write_text("A lighthouse is near.", "utf-8")
    with Workbench(folder / "workspace") as opened:
        opened.ingest([folder / "docs"])
        yield opened


def test_the_windows_end_stands_in_the_text_and_what_is_beyond_has_no_weight(
    windowed: Workbench,
) -> None:
    strategy = "vector@document"
    hits = {h.chunk.source: h for h in column(windowed, "lighthouse", strategy).hits}
    *_, made = windowed.explain_vector("lighthouse", strategy, hits["long.txt"].row)
    assert made.reading.cut
    assert made.reading.window == 254
    assert made.reading.tokens > 254
    assert 0 < made.reading.end < len(made.indexed.text)
    beyond = [p.weight for p in made.occlusion.parts if p.start >= made.reading.end]
    assert beyond
    assert set(beyond) == {None}
    assert made.occlusion.complete
    assert made.score == pytest.approx(hits["long.txt"].score, abs=1e-5)
    *_, short = windowed.explain_vector("lighthouse", strategy, hits["short.txt"].row)
    assert not short.reading.cut
    words = windowed.explain_tokens("lighthouse", strategy, hits["short.txt"].row)
    assert words.in_context
    assert words.text[slice(*words.matches[0].text)] == "lighthouse"


def test_the_reranker_says_before_and_after_and_where_a_passage_outside_the_pool_would_stand(
    windowed: Workbench,
) -> None:
    strategy = "reranked@document+k=1+pool=1"
    result = column(windowed, "lighthouse", strategy)
    (top,) = result.hits
    *_, inside = windowed.explain_rerank("lighthouse", strategy, top.row, result.trace)
    assert (inside.before, inside.after, inside.would_be, inside.pool) == (1, 1, 1, 1)
    assert inside.raw == pytest.approx(top.score, abs=1e-5)
    (other,) = {0, 1} - {top.row}
    *_, outside = windowed.explain_rerank("lighthouse", strategy, other, result.trace)
    assert (outside.before, outside.after, outside.score) == (2, None, None)
    assert outside.would_be == (2 if (outside.raw or 0) <= top.score else 1)
    cut = {r.indexed.text[:3]: r.reading.cut for r in (inside, outside)}
    assert cut == {"The": True, "A l": False}


def test_a_reranker_that_keeps_the_order_has_no_scores(wb: Workbench) -> None:
    strategy = f"reranked{DRAFT}+reranker=identity"
    hit = column(wb, QUERIES[0], strategy).hits[1]
    (made,) = wb.explain_rerank(QUERIES[0], strategy, hit.row)
    assert (made.before, made.after, made.score_kind, made.occlusion) == (2, 2, "identity", None)


# No model -----------------------------------------------------------------------------------------

FRESH = """
import json, sys
import numpy as np
from ragdebug import Workbench
from ragdebug.fuse.run import fuse
from ragdebug.records import RankedList, Trace
from ragdebug.settings import StrategySettings

query = "money back"
with Workbench(sys.argv[1]) as wb:
    lexical = wb.search_one(query, "bm25+k=20").trace.stage("bm25")
    rows = lexical.rows[::-1].copy()
    scores = np.linspace(1, 0, len(rows))
    vector = RankedList("vector", "cosine", rows, scores, 20, lexical.allowed)
    strategy = StrategySettings.parse("hybrid+k=3")
    fused, shares = fuse([vector, lexical], strategy.fusion, 99, "fused")
    trace = Trace(query, str(strategy), (vector, lexical, fused), shares)
    bm25 = wb.explain_bm25(query, "bm25", int(rows[0]))
    made = wb.explain_fusion(query, strategy, int(fused.rows[-1]), trace)
names = ("torch", "transformers", "sentence_transformers", "faiss", "tokenizers")
print(json.dumps([
    [m for m in names if m in sys.modules],
    bm25.score - float(lexical.scores[-1]),
    made.ledger.score - float(fused.scores[-1]),
    sorted({c.knob for c in made.changes}),
    [e.far_known for e in made.ledger.entries],
]))
"""


def test_bm25_and_fusion_are_explained_without_loading_a_model(wb: Workbench) -> None:
    wb.explain_bm25("money back", "bm25", 0)  # cut and indexed
    done = subprocess.run(
        [sys.executable, "-c", FRESH, str(wb.path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    loaded, bm25, fused, knobs, known = json.loads(done.stdout)
    assert loaded == []
    assert abs(bm25) < 1e-6
    assert abs(fused) < 1e-6
    assert knobs == ["k", "rrf_k", "weight"]  # a deeper vector list would need the model
    assert known == [True, True]
