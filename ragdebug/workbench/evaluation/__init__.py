"""Strategies over a set of questions: plan, run, measure, compare, gate."""

from ragdebug.workbench.evaluation.evaluating import Evaluating
from ragdebug.workbench.evaluation.reading import Reading

__all__ = ["Evaluating", "Reading"]
