"""The workbench: one workspace, all use cases, for the app, the command line and notebooks."""

from __future__ import annotations

import os
from pathlib import Path

from ragdebug.settings import DEFAULT_WORKSPACE
from ragdebug.store.rows import PastQuery
from ragdebug.store.workspace import Store
from ragdebug.workbench import doctor
from ragdebug.workbench.casefile import Casefiles
from ragdebug.workbench.documents import Documents
from ragdebug.workbench.evaluation import Evaluating, Gate
from ragdebug.workbench.explaining import Explaining
from ragdebug.workbench.health import Health
from ragdebug.workbench.outside.lists import ResultLists
from ragdebug.workbench.pieces.importing import Pieces
from ragdebug.workbench.reports import Check
from ragdebug.workbench.sharing import Sharing
from ragdebug.workbench.tracing import Tracing
from ragdebug.workbench.viewing import Viewing
from ragdebug.workbench.whatif import WhatIfs


class Workbench(
    Sharing,
    Casefiles,
    WhatIfs,
    Health,
    Evaluating,
    Gate,
    Tracing,
    ResultLists,
    Pieces,
    Documents,
    Explaining,
    Viewing,
):
    """One workspace; several threads may share it.

    Args:
        path: the workspace folder; made when it is not there.
        on_wait: called with a sentence while another program holds the store.
        wait_s: seconds to wait for it.
        whose: names the person who asks, where several share this workbench: each takes back the
            own changes of questions only.

    Example:
        >>> with Workbench("/tmp/mine") as wb:  # doctest: +SKIP
        ...     wb.ingest(["handbook/"])
        ...     wb.search("how do refunds work", ["bm25", "hybrid"])
    """

    def history(self, most: int = 50) -> list[PastQuery]:
        """The last queries, newest first."""
        return self.store.queries.recent(most)

    def doctor(self) -> list[Check]:
        """Checks of models, store, browser and versions."""
        return doctor.checks(self.store)

    def backup(self, file: str | Path) -> Path:
        """Write the whole workspace, less what can be computed again, to one file."""
        return self.store.backup(Path(file))

    @staticmethod
    def restore_backup(file: str | Path, path: str | Path) -> Workbench:
        """Make a workspace from a backup; refuses a folder that already holds one."""
        Store.restore_backup(Path(file), Path(path))
        return Workbench(path)


def default_path() -> Path:
    """The workspace named by RAGDEBUG_WORKSPACE, else ``.ragdebug`` here."""
    return Path(os.environ.get("RAGDEBUG_WORKSPACE") or DEFAULT_WORKSPACE)
