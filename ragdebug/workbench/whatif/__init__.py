"""What other settings would do: knobs, remedies, and which setting made the difference."""

from ragdebug.workbench.whatif.fixing import Fixing
from ragdebug.workbench.whatif.named import NamedStrategies
from ragdebug.workbench.whatif.reverting import Reverting


class WhatIfs(Fixing, Reverting, NamedStrategies):
    """Use cases of other settings."""


__all__ = ["WhatIfs"]
