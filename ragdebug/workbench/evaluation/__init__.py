"""Strategies over a set of questions: plan, run, measure, compare, gate."""

from ragdebug.workbench.evaluation.evaluating import Evaluating
from ragdebug.workbench.evaluation.gate import Gate

__all__ = ["Evaluating", "Gate"]
