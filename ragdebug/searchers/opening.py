"""Makes a searcher of its settings."""

from __future__ import annotations

from ragdebug.searchers.records import Searcher
from ragdebug.settings.searcher import PYTHON, SearcherSettings


def open_searcher(settings: SearcherSettings, folder: str = "") -> Searcher:
    """A searcher that can be asked. Of a Python function the module is imported now.

    Args:
        settings: how it is asked.
        folder: where modules are looked for, after all other places; "" for nowhere else.

    Raises:
        SearcherFailed: there is no such function, or its module raises an error.
    """
    # Loaded when one is asked: most commands ask none.
    if settings.kind == PYTHON:
        from ragdebug.searchers.python import PythonSearcher

        return PythonSearcher(settings, folder)
    from ragdebug.searchers.http import HttpSearcher

    return HttpSearcher(settings)
