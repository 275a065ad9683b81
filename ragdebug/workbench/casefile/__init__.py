"""A failing question as one file that a colleague opens and believes."""

from ragdebug.workbench.casefile.casefiles import Casefiles
from ragdebug.workbench.casefile.included import Included
from ragdebug.workbench.casefile.opening import Opened
from ragdebug.workbench.casefile.records import Case

__all__ = ["Case", "Casefiles", "Included", "Opened"]
