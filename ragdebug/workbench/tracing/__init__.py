"""Where a strategy lost what answers a question, and how many questions are lost where."""

from ragdebug.workbench.tracing.losses import Tracing

__all__ = ["Tracing"]
