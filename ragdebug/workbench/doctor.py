"""Whether everything a workbench needs is there, and what to do where it is not."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from ragdebug import __version__
from ragdebug.errors import RagDebugError
from ragdebug.model_files import known, verify
from ragdebug.store.workspace import Store
from ragdebug.workbench.reports import Check

PACKAGES = (
    "streamlit", "duckdb", "faiss-cpu", "bm25s", "rank-bm25", "sentence-transformers",
    "transformers", "torch", "tokenizers", "pypdfium2", "plotly", "pandas", "numpy",
)  # fmt: skip
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def checks(store: Store) -> list[Check]:
    """All checks, the important ones first; none of them loads a model."""
    return [*_models(), _store(store), _browser(), _offline(), *_versions()]


def _models() -> Iterator[Check]:
    for model in known():
        try:
            detail = verify(model.name)
        except RagDebugError as e:
            yield Check(f"model {model.name}", False, e.message, e.hint)
        else:
            yield Check(f"model {model.name}", True, detail)


def _store(store: Store) -> Check:
    try:
        detail = store.check()
    except RagDebugError as e:
        return Check("store", False, e.message, e.hint)
    return Check("store", True, detail)


def _browser() -> Check:
    found = next((p for name in BROWSERS if (p := shutil.which(name))), None)
    if found:
        return Check("Chromium", True, f"{found}, for the browser tests")
    return Check(
        "Chromium", True, "not installed; only the browser tests need it", "apt install chromium"
    )


def _offline() -> Check:
    if os.environ.get("RAGDEBUG_OFFLINE") == "1":
        return Check("downloads", True, "forbidden by RAGDEBUG_OFFLINE=1")
    return Check("downloads", True, "only when you name a hub model and agree")


def _versions() -> Iterator[Check]:
    yield Check("ragdebug", True, f"{__version__} on Python {platform.python_version()}")
    for name in PACKAGES:
        try:
            yield Check(name, True, version(name))
        except PackageNotFoundError:
            yield Check(name, False, "not installed", f"pip install {name}")
