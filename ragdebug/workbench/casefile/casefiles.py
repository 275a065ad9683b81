"""Use cases of case files: look at what would be written, write it, open it again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ragdebug.errors import RagDebugError
from ragdebug.workbench.casefile.gathering import Gathering
from ragdebug.workbench.casefile.included import Included, included
from ragdebug.workbench.casefile.markdown import markdown
from ragdebug.workbench.casefile.opening import Opening
from ragdebug.workbench.casefile.records import Case
from ragdebug.workbench.casefile.report import Reporting
from ragdebug.workbench.casefile.sentences import sentences
from ragdebug.workbench.casefile.size import fitted
from ragdebug.workbench.casefile.withholding import withhold


class Casefiles(Gathering, Opening, Reporting):
    """Use cases of case files; `case` gathers one."""

    @staticmethod
    def case_sentences(case: Case) -> tuple[str, ...]:
        """What a case file opens with."""
        return sentences(case)

    @staticmethod
    def case_without(case: Case, hits: Sequence[int | str]) -> Case:
        """The case without the texts of some hits: ranks of today's list, or ``hybrid:3``.

        Raises:
            InvalidSetting: there is no such hit.
        """
        return withhold(case, hits)

    @staticmethod
    def case_included(case: Case) -> tuple[Included, ...]:
        """What the file would hold, to be looked at before it is written."""
        return included(fitted(case)[0])

    @staticmethod
    def case_html(case: Case) -> bytes:
        """The file: one HTML document below 3 MB."""
        return fitted(case)[1]

    @staticmethod
    def case_markdown(case: Case) -> str:
        """The case for a ticket."""
        return markdown(case)

    def write_case(self, case: Case, file: str | Path) -> Path:
        """Write the file; its folder must be there.

        Raises:
            RagDebugError: it cannot be written.
        """
        path = Path(file)
        try:
            path.write_bytes(self.case_html(case))
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else "not the name of a file"
            raise RagDebugError(
                f"{path}: {why}.", title="Not written", hint="Name another file."
            ) from error
        return path
