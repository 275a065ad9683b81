from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ragdebug.errors import DownloadNotAllowed, ModelChanged, ModelError
from ragdebug.model_files import places
from ragdebug.models import cache, forget, is_loaded, load_embedder, load_reranker, loading, warm
from ragdebug.settings import DEFAULT_EMBEDDER


@pytest.fixture(autouse=True)
def nothing_loaded() -> Iterator[None]:
    forget()
    yield
    forget()


def test_asking_what_is_loaded_loads_nothing() -> None:
    code = (
        "import sys\n"
        "from ragdebug.models import is_loaded, load_reranker\n"
        "print(is_loaded('all-MiniLM-L6-v2'), is_loaded('late-interaction'),\n"
        "      is_loaded('identity'), is_loaded('org/none'),\n"
        "      load_reranker('identity').score_kind,\n"
        "      [m for m in ('torch', 'transformers', 'sentence_transformers') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False False True False identity []"


def test_a_model_is_loaded_once_for_all_threads(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads = []
    real = loading.embedder

    def slow(*args: object) -> object:
        loads.append(args)
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(loading, "embedder", slow)
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda: found.append(load_embedder(str(tiny)))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loads) == 1
    assert len({id(model) for model in found}) == 1
    assert is_loaded(str(tiny))


def test_a_failed_load_can_be_tried_again(tiny: Path, copy_of: Callable[[Path], Path]) -> None:
    folder = copy_of(tiny)
    good = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(b"bad")
    with pytest.raises(ModelError):
        load_embedder(str(folder))
    assert not is_loaded(str(folder))
    (folder / "model.safetensors").write_bytes(good)
    assert load_embedder(str(folder)).info.dimension == 32


def test_the_model_unused_for_longest_makes_room(make_embedder: Callable[..., Path]) -> None:
    names = [str(make_embedder(f"m{n}", seed=n)) for n in range(cache.KEPT + 1)]
    for name in names[:-1]:
        load_embedder(name)
    load_embedder(names[0])
    load_embedder(names[-1])
    assert [is_loaded(name) for name in names] == [True, False, *[True] * (cache.KEPT - 1)]


def test_late_interaction_shares_the_embedded_model(
    monkeypatch: pytest.MonkeyPatch, tiny: Path
) -> None:
    monkeypatch.setattr(cache, "DEFAULT_EMBEDDER", str(tiny))
    first = load_reranker("late-interaction")
    assert is_loaded(str(tiny))
    assert is_loaded("late-interaction")
    assert load_reranker("late-interaction") is first
    forget()
    assert not is_loaded("late-interaction")
    assert load_reranker("late-interaction") is not first


def test_a_model_swapped_in_its_folder_is_loaded_anew(
    make_embedder: Callable[..., Path], copy_of: Callable[[Path], Path]
) -> None:
    folder = copy_of(make_embedder("m", seed=1))
    before = load_embedder(str(folder))
    new = make_embedder("m", seed=2) / "model.safetensors"
    (folder / "model.safetensors").write_bytes(new.read_bytes())
    after = load_embedder(str(folder))
    assert after.info.fingerprint != before.info.fingerprint
    assert abs(after.embed_query("warm") - before.embed_query("warm")).max() > 1e-3


def test_a_model_is_warmed_in_the_background(tiny: Path, pairs: Path) -> None:
    for name in (str(tiny), str(pairs)):
        warm(name).join(60)
        assert is_loaded(name)


def test_an_error_in_the_background_waits_for_who_asks() -> None:
    warm("org/none").join(60)
    assert not is_loaded("org/none")
    with pytest.raises(DownloadNotAllowed):
        load_embedder("org/none")


def test_vectors_are_not_asked_of_a_reranker_nor_scores_of_an_embedder(
    tiny: Path, pairs: Path
) -> None:
    with pytest.raises(ModelError, match="is a reranker"):
        load_embedder(str(pairs))
    with pytest.raises(ModelError, match="is a reranker"):
        load_embedder("late-interaction")
    with pytest.raises(ModelError, match="is an embedder"):
        load_reranker(str(tiny))


def test_changed_weights_of_the_embedded_model_are_not_loaded(
    tiny: Path,
    copy_of: Callable[[Path], Path],
    caches: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = copy_of(tiny)
    folder.rename(folder.parent / "model")
    monkeypatch.setattr(places, "_package", lambda name, module: folder.parent)
    with pytest.raises(ModelChanged):
        load_embedder(DEFAULT_EMBEDDER)


def test_identity_scores_all_alike() -> None:
    scorer = load_reranker("identity")
    assert scorer.score("q", ["a", "b"]).tolist() == [0, 0]
    assert scorer.lengths("q", ["a", "b"]) == [0, 0]


def test_nothing_of_loading_reaches_the_screen(
    tiny: Path, pairs: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    load_embedder(str(tiny)).embed_passages(["warm"])
    load_reranker(str(pairs)).score("warm", ["door"])
    assert capfd.readouterr() == ("", "")
