"""ragdebug: a workbench for debugging retrieval.

`Workbench` is the whole library for notebooks and scripts:

    from ragdebug import Workbench

    with Workbench(".ragdebug") as wb:
        wb.ingest(["docs/"])
        result = wb.search("how do refunds work", ["vector", "bm25", "hybrid", "reranked"])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

__version__ = "0.1.0"
__all__ = ["Workbench", "__version__"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 -- the signature that Python asks for
    """Load `Workbench` when it is first asked for, so that `import ragdebug` costs nothing."""
    if name == "Workbench":
        from ragdebug.workbench import Workbench

        return Workbench
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
