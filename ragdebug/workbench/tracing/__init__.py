"""Where a strategy lost what answers a question, and how many questions are lost where."""

from ragdebug.workbench.tracing.tracing import Tracing

__all__ = ["Tracing"]
