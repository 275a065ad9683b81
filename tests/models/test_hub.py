from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from ragdebug.errors import DownloadNotAllowed, ModelError, ModelNotFound
from ragdebug.model_files import hub, info, locate

COMMIT = "0123456789abcdef0123456789abcdef01234567"
OTHER = "fedcba9876543210fedcba9876543210fedcba98"


@pytest.fixture
def cached(tiny: Path, caches: Path) -> Path:
    """The hub's local cache with two commits of org/tiny, the same files in both."""
    model = caches / "hub" / "models--org--tiny"
    for commit in (COMMIT, OTHER):
        shutil.copytree(tiny, model / "snapshots" / commit)
    (model / "refs").mkdir()
    (model / "refs" / "main").write_text(COMMIT)
    (model / "refs" / "v2").write_text(OTHER)
    return caches


@pytest.mark.parametrize(
    ("name", "commit"),
    [
        ("org/tiny", COMMIT),
        ("org/tiny@main", COMMIT),
        ("org/tiny@v2", OTHER),
        (f"org/tiny@{OTHER}", OTHER),
        ("org/tiny@fedcba98", OTHER),
    ],
)
def test_a_cached_model_is_found_by_name_and_revision(name: str, commit: str, cached: Path) -> None:
    files = locate(name)
    assert files.revision == commit
    assert files.folder.name == commit
    assert files.source == "hub"


def test_two_revisions_have_two_fingerprints(cached: Path) -> None:
    assert info("org/tiny").fingerprint == info(f"org/tiny@{COMMIT}").fingerprint
    assert info("org/tiny").fingerprint != info("org/tiny@v2").fingerprint
    assert info("org/tiny@v2").revision == OTHER


def test_a_revision_that_is_not_cached_is_not_replaced_by_another(cached: Path) -> None:
    with pytest.raises(DownloadNotAllowed):
        locate("org/tiny@v3")
    with pytest.raises(DownloadNotAllowed):
        locate("org/tiny@../snapshots")


def test_a_model_fetched_in_part_counts_as_not_here(cached: Path) -> None:
    weights = cached / "hub/models--org--tiny/snapshots" / COMMIT / "model.safetensors"
    weights.unlink()
    weights.symlink_to(cached / "never fetched")
    with pytest.raises(DownloadNotAllowed):
        locate("org/tiny")


def test_one_missing_part_of_the_weights_counts_as_not_here(cached: Path) -> None:
    folder = cached / "hub/models--org--tiny/snapshots" / COMMIT
    (folder / "model.safetensors").rename(folder / "model-00001-of-00002.safetensors")
    parts = {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": parts}))
    with pytest.raises(DownloadNotAllowed):
        locate("org/tiny")
    with pytest.raises(ModelError, match="only a part"):
        locate(str(folder))


def test_offline_forbids_even_what_was_agreed_to(caches: Path) -> None:
    with pytest.raises(DownloadNotAllowed, match="RAGDEBUG_OFFLINE"):
        locate("org/none", allow_download=True)


def test_without_agreement_nothing_is_fetched(
    caches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGDEBUG_OFFLINE", "0")
    monkeypatch.setattr(hub, "_download", None)
    with pytest.raises(DownloadNotAllowed, match="org/none") as caught:
        locate("org/none")
    assert "Agree" in caught.value.hint


def test_with_agreement_it_is_fetched_into_the_cache(
    tiny: Path, caches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub

    asked = {}

    def snapshot(repo: str, **options: object) -> str:
        asked.update(options, repo=repo)
        return str(shutil.copytree(tiny, caches / "got" / COMMIT))

    monkeypatch.setenv("RAGDEBUG_OFFLINE", "")
    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot)
    files = locate("tiny-model@v1", allow_download=True)
    assert asked["repo"] == "sentence-transformers/tiny-model"
    assert asked["revision"] == "v1"
    assert files.revision == COMMIT


def test_a_network_failure_is_one_sentence(caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    def fail(repo: str, **options: object) -> str:
        raise OSError("name resolution failed\nat some length")

    monkeypatch.setenv("RAGDEBUG_OFFLINE", "0")
    monkeypatch.setattr(huggingface_hub, "snapshot_download", fail)
    with pytest.raises(ModelError, match="could not be fetched") as caught:
        locate("org/none", allow_download=True)
    assert "\n" not in caught.value.message
    assert isinstance(caught.value.__cause__, OSError)


def test_a_name_the_hub_does_not_know_is_not_found(
    caches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub
    from huggingface_hub.errors import RepositoryNotFoundError

    def fail(repo: str, **options: object) -> str:
        raise RepositoryNotFoundError.__new__(RepositoryNotFoundError)

    monkeypatch.setenv("RAGDEBUG_OFFLINE", "0")
    monkeypatch.setattr(huggingface_hub, "snapshot_download", fail)
    with pytest.raises(ModelNotFound, match="org/none"):
        locate("org/none", allow_download=True)


def test_the_older_place_of_sentence_transformers_is_looked_at_too(
    tiny: Path, caches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SENTENCE_TRANSFORMERS_HOME", str(caches / "st"))
    model = caches / "st" / "models--org--tiny"
    shutil.copytree(tiny, model / "snapshots" / COMMIT)
    (model / "refs").mkdir()
    (model / "refs" / "main").write_text(COMMIT)
    assert locate("org/tiny").revision == COMMIT


def test_the_size_is_that_of_the_files_that_would_be_fetched(
    caches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub

    files = {"config.json": 600, "model.safetensors": 90_000_000, "onnx/model.onnx": 90_000_000,
             "tf_model.h5": 91_000_000, "1_Pooling/config.json": None}  # fmt: skip
    siblings = [SimpleNamespace(rfilename=n, size=s) for n, s in files.items()]
    asked = {}

    def model_info(self: object, repo: str, **options: object) -> SimpleNamespace:
        asked.update(options, repo=repo)
        return SimpleNamespace(siblings=siblings)

    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", model_info)
    with pytest.raises(DownloadNotAllowed, match="RAGDEBUG_OFFLINE"):
        hub.size_of("tiny-model@v1")
    assert not asked
    monkeypatch.setenv("RAGDEBUG_OFFLINE", "0")
    found = hub.size_of("tiny-model@v1")
    assert found == hub.Download("tiny-model@v1", "sentence-transformers/tiny-model", 3, 90_000_600)
    assert (asked["repo"], asked["revision"]) == (found.repo, "v1")


def test_a_size_that_cannot_be_asked_for_is_one_sentence(
    caches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub

    def fail(self: object, repo: str, **options: object) -> None:
        raise OSError("name resolution failed\nat some length")

    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", fail)
    monkeypatch.setenv("RAGDEBUG_OFFLINE", "0")
    with pytest.raises(ModelError) as caught:
        hub.size_of("org/none")
    assert "\n" not in caught.value.message
