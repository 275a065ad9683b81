"""Questions with what answers them: in, out, labelled, followed, checked."""

from ragdebug.workbench.questions.helping import Questions
from ragdebug.workbench.questions.records import ImportReport, SentenceChoice, Unplaced

__all__ = ["ImportReport", "Questions", "SentenceChoice", "Unplaced"]
