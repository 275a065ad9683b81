from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragdebug.errors import IndexNotReadable
from ragdebug.retrieve import Analyzer, BM25Index
from ragdebug.retrieve.saving import new_folder
from ragdebug.settings import PLAIN, AnalyzerSettings

TEXTS = ["dike and dam", "", "the dam dam gate", "gate 温度", "x_y_zz"]


@pytest.mark.parametrize("variant", ["lucene", "okapi"])
def test_a_saved_index_answers_as_it_did(build, tmp_path: Path, variant: str) -> None:
    index = build(TEXTS, variant, k1=0.9, b=0.3)
    index.save(tmp_path / "index")
    again = BM25Index.load(tmp_path / "index", Analyzer(PLAIN))
    assert again.settings == index.settings
    for query in ("dam gate", "温度", "x_y_zz", "nothing", ""):
        rows, scores = index.search(query, 5)
        found, found_scores = again.search(query, 5)
        assert found.tolist() == rows.tolist()
        assert found_scores.tolist() == scores.tolist()
        assert again.terms(query) == index.terms(query)
    assert again.explain("dam", 2) == index.explain("dam", 2)


def test_an_empty_index_can_be_saved(build, tmp_path: Path) -> None:
    build([]).save(tmp_path / "index")
    assert BM25Index.load(tmp_path / "index", Analyzer(PLAIN)).search("x", 3)[0].tolist() == []


def test_arrays_stay_in_their_files_and_nothing_is_pickled(build, tmp_path: Path) -> None:
    build(TEXTS).save(tmp_path / "index")
    assert {p.suffix for p in (tmp_path / "index").iterdir()} == {".npy", ".json"}
    again = BM25Index.load(tmp_path / "index", Analyzer(PLAIN))
    assert not again.postings.rows.flags.writeable
    assert not again.postings.rows.flags.owndata


def test_saving_again_replaces_the_index_under_those_who_read_it(build, tmp_path: Path) -> None:
    build(TEXTS).save(tmp_path / "index")
    reader = BM25Index.load(tmp_path / "index", Analyzer(PLAIN))
    build(["other words"]).save(tmp_path / "index")
    assert reader.search("gate", 5)[0].tolist() == [2, 3]
    assert BM25Index.load(tmp_path / "index", Analyzer(PLAIN)).total == 1
    assert [p.name for p in tmp_path.iterdir()] == ["index"]


def test_a_save_that_fails_leaves_the_old_index(build, tmp_path: Path) -> None:
    build(TEXTS).save(tmp_path / "index")

    def fail() -> None:
        with new_folder(tmp_path / "index") as fresh:
            (fresh / "half").write_text("")
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        fail()
    assert BM25Index.load(tmp_path / "index", Analyzer(PLAIN)).total == 5
    assert [p.name for p in tmp_path.iterdir()] == ["index"]


def test_another_analyzer_is_refused(build, tmp_path: Path) -> None:
    build(TEXTS).save(tmp_path / "index")
    with pytest.raises(IndexNotReadable, match="another analyzer"):
        BM25Index.load(tmp_path / "index", Analyzer(AnalyzerSettings(), "en"))


def test_missing_cut_and_foreign_files_are_refused_by_name(build, tmp_path: Path) -> None:
    with pytest.raises(IndexNotReadable, match="absent"):
        BM25Index.load(tmp_path / "absent", Analyzer(PLAIN))

    def spoilt(name: str) -> Path:
        build(TEXTS).save(tmp_path / name)
        return tmp_path / name

    weights = spoilt("cut") / "weights.npy"
    weights.write_bytes(weights.read_bytes()[:-8])
    (spoilt("gone") / "tf.npy").unlink()
    np.save(spoilt("longer") / "rows.npy", np.arange(99, dtype=np.int32))
    (spoilt("garbled") / "index.json").write_text("{")
    (spoilt("list") / "index.json").write_text(json.dumps({"format": "bm25/0"}))
    for name in ("cut", "gone", "longer", "garbled", "list"):
        with pytest.raises(IndexNotReadable, match=name) as e:
            BM25Index.load(tmp_path / name, Analyzer(PLAIN))
        assert "Build" in e.value.hint


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(at=st.integers(0, 10**9), flip=st.integers(1, 255))
def test_any_byte_that_flips_is_found(build, tmp_path: Path, at: int, flip: int) -> None:
    build(TEXTS).save(tmp_path / "index")
    files = sorted((tmp_path / "index").iterdir())
    at %= sum(p.stat().st_size for p in files)
    for path in files:
        if at < path.stat().st_size:
            break
        at -= path.stat().st_size
    data = bytearray(path.read_bytes())
    data[at] ^= flip
    path.write_bytes(data)
    with pytest.raises(IndexNotReadable, match="index"):
        BM25Index.load(tmp_path / "index", Analyzer(PLAIN))
