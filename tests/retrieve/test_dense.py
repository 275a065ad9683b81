from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.errors import Cancelled, IndexNotReadable, ModelError, ModelMismatch
from ragdebug.protocols import ModelInfo
from ragdebug.retrieve import DenseIndex, dense
from ragdebug.settings import DenseSettings

EXACT, HNSW = DenseSettings(), DenseSettings("hnsw")


def model(name: str = "toy-a", dimension: int = 0, fingerprint: str = "") -> ModelInfo:
    return ModelInfo(name, "embedder", fingerprint or name, dimension=dimension)


def index_of(
    vectors: object,
    rows: object = None,
    total: int | None = None,
    settings: DenseSettings = EXACT,
) -> DenseIndex:
    array = np.array(vectors, np.float32)
    at = np.arange(len(array)) if rows is None else np.array(rows, np.int64)
    size = int(at.max(initial=-1)) + 1 if total is None else total
    width = array.shape[1] if array.ndim > 1 else 2
    return DenseIndex.build(array, at, size, model(dimension=width), settings)


def vec(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


@pytest.fixture(scope="module")
def cloud() -> np.ndarray:
    """4,000 vectors of 16 dimensions around 40 centres, 100 of them equal."""
    rng = np.random.default_rng(3)
    centres = rng.standard_normal((40, 16))
    vectors = centres[rng.integers(0, 40, 4000)] + 0.3 * rng.standard_normal((4000, 16))
    vectors[1000:1100] = vectors[1000]
    return vectors.astype(np.float32)


def by_hand(vectors: np.ndarray, query: np.ndarray, allowed: np.ndarray | None = None) -> list[int]:
    wide = vectors.astype(np.float64)
    # sums along rows, so that equal rows give equal numbers
    cosines = (wide * query.astype(np.float64)).sum(axis=1) / np.sqrt((wide**2).sum(axis=1))
    rows = np.arange(len(vectors)) if allowed is None else np.flatnonzero(allowed)
    return sorted(rows.tolist(), key=lambda r: -cosines[r])


# Scores -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [EXACT, HNSW])
@pytest.mark.parametrize("k", [3, 10, 1000])
def test_asking_for_more_than_there_is_makes_nothing_up(settings: DenseSettings, k: int) -> None:
    rows, scores = index_of([[1, 0], [0, 1], [0.8, 0.6]], settings=settings).search(vec(1, 0), k)
    assert rows.tolist() == [0, 2, 1]
    assert scores == pytest.approx([1.0, 0.8, 0.0], abs=1e-7)


@pytest.mark.parametrize("settings", [EXACT, HNSW])
def test_long_vectors_do_not_win_over_close_ones(settings: DenseSettings) -> None:
    index = index_of([[60, 80], [0.8, 0.1]], settings=settings)
    rows, scores = index.search(vec(3, 0), 2)
    assert rows.tolist() == [1, 0]
    assert scores == pytest.approx([0.8 / np.hypot(0.8, 0.1), 0.6])


@given(
    st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3).filter(
        lambda v: np.linalg.norm(v) > 1e-3
    )
)
def test_cosines_never_leave_the_range(values: list[float]) -> None:
    index = index_of([values, [-v for v in values]])
    _, scores = index.search(vec(*values), 2)
    assert scores == pytest.approx([1, -1], abs=1e-6)
    assert scores[0] <= 1
    assert scores[1] >= -1
    assert np.all(np.abs(index.scores(vec(*values))) <= 1)


def test_a_closer_vector_has_a_higher_score() -> None:
    rows, scores = index_of([[0.28, 0.96], [0.8, 0.6]]).search(vec(1, 0), 2)
    assert rows.tolist() == [1, 0]
    assert scores == pytest.approx([0.8, 0.28])


def test_scores_of_all_chunks_are_those_of_the_list(cloud: np.ndarray) -> None:
    index = index_of(cloud)
    every = index.scores(cloud[1000])
    rows, scores = index.search(cloud[1000], 150)
    assert every[rows].tolist() == scores.tolist()
    assert rows.tolist() == np.lexsort((np.arange(len(every)), -every))[:150].tolist()


# Order --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 7, 50, 99, 100, 101, 2500])
def test_the_exact_index_is_exact_and_ties_go_by_row(cloud: np.ndarray, k: int) -> None:
    index = index_of(cloud)
    for query in (cloud[1000], cloud[3], cloud[3] + cloud[1000]):
        rows, scores = index.search(query, k)
        assert np.all(np.diff(scores) <= 0)
        assert all(
            a < b for a, b, d in zip(rows, rows[1:], np.diff(scores), strict=False) if d == 0
        )
        cosines = np.array(index.scores(query))
        assert scores == pytest.approx(np.sort(cosines)[::-1][:k], abs=1e-12)
    assert index.search(cloud[1000], min(k, 100))[0].tolist() == list(
        range(1000, 1000 + min(k, 100))
    )


@pytest.mark.parametrize("settings", [EXACT, HNSW])
@pytest.mark.parametrize("size", [9, 12, 20, 21, 60])
def test_scores_stay_with_their_chunks_where_all_are_candidates(
    cloud: np.ndarray, settings: DenseSettings, size: int
) -> None:
    vectors = cloud[:size]
    index = index_of(vectors, settings=settings)
    for query in cloud[500:520]:
        rows, scores = index.search(query, 4)
        assert rows.tolist() == by_hand(vectors, query)[:4]
        assert scores == pytest.approx(index.scores(query)[rows])


def test_many_queries_at_once_give_what_each_gives_alone(cloud: np.ndarray) -> None:
    for settings in (EXACT, HNSW):
        index = index_of(cloud, settings=settings)
        mask = np.arange(len(cloud)) % 3 > 0
        for allowed in (None, mask):
            together = index.search_many(cloud[990:1030], 20, allowed)
            for query, (rows, scores) in zip(cloud[990:1030], together, strict=True):
                alone = index.search(query, 20, allowed)
                assert rows.tolist() == alone[0].tolist()
                assert scores.tolist() == alone[1].tolist()
        assert index.search_many(np.empty((0, 16), np.float32), 5) == []


def test_threads_may_search_at_the_same_time(cloud: np.ndarray) -> None:
    index = index_of(cloud)
    alone = [index.search(q, 10)[0].tolist() for q in cloud[:60]]
    with ThreadPoolExecutor(6) as pool:
        assert [r[0].tolist() for r in pool.map(lambda q: index.search(q, 10), cloud[:60])] == alone


def test_building_hnsw_tells_how_far_it_is_and_can_be_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dense, "_BATCH", 100)
    vectors = np.random.default_rng(5).standard_normal((250, 8)).astype(np.float32)
    told: list[tuple[int, int]] = []

    def build(progress: Callable[[int, int, str], None]) -> DenseIndex:
        return DenseIndex.build(vectors, np.arange(250), 250, model(dimension=8), HNSW, progress)

    index = build(lambda done, total, what: told.append((done, total)))
    assert told == [(0, 250), (100, 250), (200, 250)]
    exact = DenseIndex.build(vectors, np.arange(250), 250, model(dimension=8), EXACT)
    assert index.search(vectors[249], 1)[0].tolist() == [249]
    assert index.search(vectors[3], 10)[0].tolist() == exact.search(vectors[3], 10)[0].tolist()

    def stop(done: int, total: int, what: str) -> None:
        if done:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        build(stop)


def test_hnsw_finds_nearly_what_the_exact_index_finds(cloud: np.ndarray) -> None:
    exact, hnsw = index_of(cloud), index_of(cloud, settings=HNSW)
    shared = [
        len(set(exact.search(q, 10)[0].tolist()) & set(hnsw.search(q, 10)[0].tolist()))
        for q in cloud[:900:30]
    ]
    assert np.mean(shared) > 9


# Filter -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [EXACT, HNSW])
@pytest.mark.parametrize("every", [2, 3, 400])
def test_k_allowed_chunks_come_back_when_k_are_allowed(
    cloud: np.ndarray, settings: DenseSettings, every: int
) -> None:
    index = index_of(cloud, settings=settings)
    mask = np.arange(len(cloud)) % every == 0
    for query in cloud[[0, 1, 1000, 2222]]:
        rows, _ = index.search(query, 10, mask)
        assert len(rows) == 10
        assert mask[rows].all()
        if settings is EXACT or every == 400:
            assert rows.tolist() == by_hand(cloud, query, mask)[:10]
    assert index.search(cloud[0], 10, np.zeros(len(cloud), bool))[0].tolist() == []


def test_hnsw_that_misses_allowed_chunks_is_helped_and_says_so() -> None:
    # The allowed ones lie where no walk from the query's end of the graph gets to.
    rng = np.random.default_rng(1)
    near = rng.standard_normal((6000, 8)) * 0.01 + [1] * 8
    far = rng.standard_normal((3000, 8)) * 0.01 - [1] * 8
    vectors = np.concatenate([near, far]).astype(np.float32)
    index = index_of(vectors, settings=DenseSettings("hnsw", hnsw_m=4, ef_search=1))
    mask = np.arange(9000) >= 6000
    rows, _, note = index.search_with_note(vectors[0], 20, mask)
    assert len(rows) == 20
    assert mask[rows].all()
    assert "of 20" in note
    assert index.search_with_note(vectors[0], 5)[2] == ""


# Rows ---------------------------------------------------------------------------------------------


def test_rows_are_those_of_the_chunk_table_after_a_chunk_is_gone() -> None:
    vectors = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    index = index_of(vectors[1:], rows=[0, 1])  # the table without its first chunk
    assert index.search(vec(0, 1, 0), 1)[0].tolist() == [0]
    assert index.search(vec(0, 0, 1), 1)[0].tolist() == [1]
    assert len(index.search(vec(1, 0, 0), 9)[0]) == 2


def test_a_partial_index_knows_what_share_it_holds() -> None:
    index = index_of([[1, 0], [0, 1]], rows=[3, 1], total=5)
    assert index.indexed == pytest.approx(0.4)
    assert index.search(vec(1, 0), 5)[0].tolist() == [3, 1]
    scores = index.scores(vec(1, 0))
    assert np.isnan(scores).tolist() == [True, False, True, False, True]
    assert scores[3] == 1.0
    mask = np.array([True, True, False, False, True])
    assert index.share(mask) == pytest.approx(1 / 3)
    assert index.search(vec(1, 0), 5, mask)[0].tolist() == [1]
    assert index.share(np.zeros(5, bool)) == 1.0


@pytest.mark.parametrize("settings", [EXACT, HNSW])
def test_an_empty_index_finds_nothing(settings: DenseSettings, tmp_path: Path) -> None:
    index = DenseIndex.build(
        np.empty((0, 2), np.float32), np.empty(0, np.int64), 4, model(dimension=2), settings
    )
    assert index.search(vec(1, 0), 3)[0].tolist() == []
    assert index.indexed == 0.0
    index.save(tmp_path / "index")
    assert DenseIndex.load(tmp_path / "index", model(dimension=2)).scores(vec(1, 0)).size == 4
    assert index_of([], total=0).indexed == 1.0


def test_a_text_without_a_vector_direction_scores_zero_and_such_a_query_finds_nothing() -> None:
    index = index_of([[1, 0], [0, 0], [-1, 0]])
    rows, scores = index.search(vec(1, 0), 3)
    assert rows.tolist() == [0, 1, 2]
    assert scores.tolist() == [1.0, 0.0, -1.0]
    assert index.search(vec(0, 0), 3)[0].tolist() == []


# Refusals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_broken_numbers_are_refused(bad: float) -> None:
    with pytest.raises(ModelError, match="number 2"):
        index_of([[1, 0], [bad, 0]])
    with pytest.raises(ModelError, match="toy-a"):
        index_of([[1, 0]]).search(vec(bad, 1), 1)


def test_a_query_of_another_width_is_refused_with_both_widths() -> None:
    index = index_of(np.eye(3, 384))
    with pytest.raises(ModelMismatch, match=r"toy-a \(384 dim.* 768 dim"):
        index.search(np.ones(768, np.float32), 3)
    with pytest.raises(ModelMismatch):
        DenseIndex.build(np.eye(2, dtype=np.float32), np.arange(2), 2, model(dimension=3), EXACT)


def test_another_model_is_refused_even_of_the_same_width() -> None:
    index = index_of([[1, 0, 0, 0]])
    index.check(model(dimension=4))
    with pytest.raises(ModelMismatch, match=r"toy-a \(4 .*toy-b \(4 ") as e:
        index.check(model("toy-b", 4))
    assert "again with toy-b" in e.value.hint
    with pytest.raises(ModelMismatch, match="another revision"):
        index.check(model("toy-a", 4, "other weights"))


# Keeping ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [EXACT, HNSW])
def test_a_saved_index_answers_as_it_did(
    cloud: np.ndarray, settings: DenseSettings, tmp_path: Path
) -> None:
    index = index_of(cloud, settings=settings)
    index.save(tmp_path / "index")
    again = DenseIndex.load(tmp_path / "index", model(dimension=16))
    assert again.settings == settings
    for query in cloud[:5]:
        assert again.search(query, 20)[0].tolist() == index.search(query, 20)[0].tolist()
        assert again.scores(query).tolist() == index.scores(query).tolist()


def test_a_saved_index_of_another_model_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    index_of(np.eye(3, 384)).save(tmp_path / "index")
    before = {p.name: p.read_bytes() for p in (tmp_path / "index").iterdir()}
    with pytest.raises(ModelMismatch, match="toy-a .384 .*toy-b .768 "):
        DenseIndex.load(tmp_path / "index", model("toy-b", 768))
    assert {p.name: p.read_bytes() for p in (tmp_path / "index").iterdir()} == before


def test_a_cut_file_is_refused(tmp_path: Path) -> None:
    index_of(np.eye(3, 8)).save(tmp_path / "index")
    stored = tmp_path / "index" / "vectors.faiss"
    stored.write_bytes(stored.read_bytes()[:-4])
    with pytest.raises(IndexNotReadable):
        DenseIndex.load(tmp_path / "index", model(dimension=8))
    with pytest.raises(IndexNotReadable):
        DenseIndex.load(tmp_path / "absent", model(dimension=8))


def test_vectors_are_held_once_and_the_callers_are_left_alone() -> None:
    vectors = np.array([[3, 4], [1, 0]], np.float32)
    index = DenseIndex.build(vectors, np.arange(2), 2, model(dimension=2), EXACT)
    assert vectors.tolist() == [[3, 4], [1, 0]]
    assert not index._vectors.flags.owndata
