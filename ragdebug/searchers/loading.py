"""Finds somebody's function: an entry point, or a name in a module. This is what runs their code.

Nothing here is called before the person at this machine agreed, see `ragdebug.web.agreed`.
"""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable
from importlib import metadata
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from ragdebug.errors import SearcherFailed
from ragdebug.searchers.calling import failure

GROUP = "ragdebug.searchers"
_lock = threading.RLock()
_stamps: dict[str, float] = {}


def entry_points() -> tuple[str, ...]:
    """Names of the searchers that installed packages offer; none of their code runs."""
    return tuple(sorted({e.name for e in metadata.entry_points(group=GROUP)}))


def module_and_name(target: str) -> tuple[str, str]:
    """The module and the name in it that a target stands for; an entry point is looked up.

    Raises:
        SearcherFailed: there is no such entry point, or it is no searcher's place.
    """
    if ":" not in target:
        found = next((e for e in metadata.entry_points(group=GROUP) if e.name == target), None)
        if found is None:
            known = ", ".join(entry_points()) or "none"
            raise SearcherFailed(
                f"No installed package offers a searcher called {target}.",
                title="Searcher not found",
                hint=f"Entry points of the group {GROUP}: {known}. Or write module:function.",
            )
        target = found.value
    module, _, name = target.partition(":")
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names or top == "builtins":
        raise SearcherFailed(
            f"{module} belongs to Python itself and is no searcher.",
            title="Searcher refused",
            hint="Write a module of your own with a function search(query, k, filter).",
        )
    return module, name


def file_of(target: str, folder: str) -> str:
    """The file or package that would be imported, without importing it; "" where none is found."""
    try:
        module, _ = module_and_name(target)
        top = module.partition(".")[0]
        known = sys.modules.get(top)
        if known is not None:
            return str(getattr(known, "__file__", "") or "")
        spec = PathFinder.find_spec(top, [*sys.path, *([folder] if folder else [])])
    except (SearcherFailed, ImportError, ValueError):
        return ""
    return str(spec.origin or "") if spec is not None else ""


def load(target: str, folder: str) -> tuple[Callable[..., Any], str]:
    """The function of a target, and the file of its module. A file that changed is read again.

    Args:
        target: ``module:function`` or an entry point.
        folder: where modules are looked for after all other places; "" for nowhere else.

    Raises:
        SearcherFailed: there is none, or its module raises an error.
    """
    module, name = module_and_name(target)
    with _lock:
        if folder and folder not in sys.path:
            sys.path.append(folder)
        made = _import(module, folder)
    found: Any = made
    for part in name.split("."):
        if not hasattr(found, part):
            names = [n for n in vars(made) if not n.startswith("_") and callable(vars(made)[n])]
            raise SearcherFailed(
                f"The module {module} has no {name}.",
                title="Searcher not found",
                hint=f"It has {', '.join(names[:10]) or 'no functions'}.",
            )
        found = getattr(found, part)
    if isinstance(found, type) or not callable(found):
        raise SearcherFailed(
            f"{module}:{name} is {'a class' if isinstance(found, type) else 'no function'}.",
            title="Searcher refused",
            hint="Name a function search(query, k, filter), or a method of an object that the"
            " module makes, such as mysearch:index.search.",
        )
    return found, str(getattr(made, "__file__", "") or "")


def stamp(file: str) -> float:
    """When a module's file was last changed; 0 where that is not known."""
    try:
        return Path(file).stat().st_mtime if file else 0.0
    except OSError:
        return 0.0


def _import(module: str, folder: str) -> Any:  # noqa: ANN401 - a module
    known = sys.modules.get(module)
    file = str(getattr(known, "__file__", "") or "")
    try:
        importlib.invalidate_caches()  # a file may be younger than the last look at its folder
        if known is not None and module in _stamps and stamp(file) != _stamps[module]:
            del sys.modules[module]
        made = importlib.import_module(module)
    except ModuleNotFoundError as e:
        if e.name and (module == e.name or module.startswith(f"{e.name}.")):
            raise SearcherFailed(
                f"There is no module {e.name}.",
                title="Searcher not found",
                hint="It was looked for in the installed packages"
                + (f" and in {folder}." if folder else "."),
            ) from None
        raise failure(f"The module {module} could not be imported", e) from None
    except Exception as e:
        raise failure(f"The module {module} could not be imported", e) from None
    except SystemExit as e:
        raise failure(f"The module {module} ends the program when it is imported", e) from None
    _stamps[module] = stamp(str(getattr(made, "__file__", "") or ""))
    return made
