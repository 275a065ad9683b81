"""Importing a module costs nothing heavy, and each layer imports only what it may.

import-linter reads the source; it cannot see what another library loads in turn. So each module of
the package is imported here in a fresh interpreter, and what that loaded is looked at.
"""

from __future__ import annotations

import ast
import json
import os
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
UI = (
    frozenset({"streamlit", "pandas", "pyarrow", "plotly"}),
    "streamlit runs the pages and loads the rest by itself",
)
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


# A layer -> those below it that all of it stands on. What was found clean there is loaded once, and
# not again for each module above.
LAYERS = {"stages": (), "ui": ("stages",), "store": ("stages",), "workbench": ("stages", "store")}


def layer(module: str) -> str:
    name = (module.split(".") + [""])[1]
    return name if name in LAYERS else "stages"


def is_clean(module: str, names: list[str] | str) -> bool:
    light = isinstance(names, list) and not HEAVY.intersection(names) - allowed(module)
    return light and not module.startswith(("ragdebug.cli", "ragdebug.figures"))


# Imports the libraries that are allowed anyway, then each module in a fork of its own: as fresh as
# an interpreter of its own, for a tenth of the time.
PROBE = """
import importlib, json, os, sys, traceback

allowed, modules = json.loads(sys.argv[1])
for name in allowed:
    importlib.import_module(name)
for module in modules:
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            importlib.import_module(module)
            print(json.dumps([module, sorted({name.partition(".")[0] for name in sys.modules})]))
        except BaseException:
            print(json.dumps([module, traceback.format_exc()]))
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.fixture(scope="module")
def loaded() -> dict[str, list[str] | str]:
    """Module -> top-level names that importing it leaves in a fresh interpreter, or its error."""
    groups: dict[str, list[str]] = {}
    for module in modules():
        groups.setdefault(layer(module), []).append(module)
    result: dict[str, list[str] | str] = {}
    # The base is known to need nothing else; see the next test.
    harmless = ["numpy", *(f"ragdebug.{name}" for name in BASE)]
    for name in sorted(groups, key=list(LAYERS).index):
        below = [m for lower in LAYERS[name] for m in groups[lower] if is_clean(m, result[m])]
        members = groups[name]
        libraries = sorted(allowed(members[0]))
        task = json.dumps([libraries + harmless + below, members])
        run = subprocess.run(
            [sys.executable, "-c", PROBE, task],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        result |= dict(map(json.loads, run.stdout.splitlines()))
    return result


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("module", modules())
def test_importing_a_module_loads_nothing_heavy(
    module: str, loaded: dict[str, list[str] | str]
) -> None:
    names = loaded[module]
    assert isinstance(names, list), f"{module} cannot be imported alone:\n{names}"
    assert sorted(HEAVY.intersection(names) - allowed(module)) == []


def test_the_package_itself_loads_only_what_python_brings() -> None:
    code = "import sys, ragdebug; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert {"numpy", *HEAVY}.isdisjoint(run.stdout.split())


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
    alone = PACKAGE / f"{name}.py"
    files = [alone] if alone.exists() else sorted((PACKAGE / name).glob("*.py"))
    assert files
    foreign = {
        module
        for path in files
        for module in imports(path)
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
