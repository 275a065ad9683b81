"""Importing a module costs nothing heavy, and each layer imports only what it may.

import-linter reads the source; it cannot see what another library loads in turn. So each module of
the package is imported here in a fresh interpreter, and what that loaded is looked at.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "ragdebug"

HEAVY = frozenset(
    {
        "bm25s",
        "duckdb",
        "faiss",
        "pandas",
        "plotly",
        "pyarrow",
        "rank_bm25",
        "scipy",
        "sentence_transformers",
        "sklearn",
        "streamlit",
        "tokenizers",
        "torch",
        "transformers",
    }
)

# Who may load what when it is imported, and why.
UI = (frozenset({"streamlit", "pandas", "pyarrow"}), "streamlit runs the pages and brings the rest")
ALLOWED: dict[str, tuple[frozenset[str], str]] = {
    "ragdebug.ui": UI,
    "ragdebug.store": (frozenset({"duckdb"}), "nothing in it works without the database"),
    "ragdebug.workbench": (frozenset({"duckdb"}), "every use case opens the store"),
}

BASE = ("errors", "places", "protocols", "records", "settings")


def modules() -> list[str]:
    names = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if "_app" in parts or parts[-1] == "__main__":
            continue
        names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return names


def allowed(module: str) -> frozenset[str]:
    for name, (libraries, _) in ALLOWED.items():
        if module == name or module.startswith(f"{name}."):
            return libraries
    return frozenset()


def loaded_by(module: str) -> set[str]:
    """Top-level names that a fresh interpreter has after importing a module."""
    code = (
        "import importlib, json, sys\n"
        f"importlib.import_module({module!r})\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, f"{module} cannot be imported alone:\n{run.stderr}"
    return set(json.loads(run.stdout.splitlines()[-1]))


@pytest.mark.parametrize("module", modules())
def test_importing_a_module_loads_nothing_heavy(module: str) -> None:
    assert sorted((loaded_by(module) & HEAVY) - allowed(module)) == []


def imports(path: Path) -> Iterator[str]:
    """Modules that a file imports anywhere, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import; write the whole name"
            yield node.module or ""


@pytest.mark.parametrize("name", BASE)
def test_the_base_needs_only_the_standard_library_and_numpy(name: str) -> None:
    foreign = {
        module
        for module in imports(PACKAGE / f"{name}.py")
        if module.partition(".")[0] not in sys.stdlib_module_names | {"numpy", "ragdebug"}
    }
    assert foreign == set()


PAGES = sorted(path for path in (ROOT / "app.py", *(ROOT / "pages").glob("*.py")) if path.exists())
PAGES_MAY_IMPORT = (
    "ragdebug",
    "ragdebug.errors",
    "ragdebug.figures",
    "ragdebug.records",
    "ragdebug.settings",
    "ragdebug.ui",
    "ragdebug.workbench",
    "streamlit",
)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_draws_and_leaves_the_work_to_the_workbench(path: Path) -> None:
    foreign = {
        module
        for module in imports(path)
        if module.partition(".")[0] not in sys.stdlib_module_names
        and module not in PAGES_MAY_IMPORT
        and not module.startswith(("ragdebug.ui.", "ragdebug.workbench."))
    }
    assert foreign == set()


def test_the_package_itself_loads_only_what_python_brings() -> None:
    third_party = {"numpy", *HEAVY}
    assert loaded_by("ragdebug") & third_party == set()
