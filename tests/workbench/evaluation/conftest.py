"""The corpus of the topics, cut so that each document is a chunk."""

from __future__ import annotations

from tests.workbench.topics import TOPICS, corpus, question_text, wb

__all__ = ["CHUNKING", "DRAFT", "TOPICS", "corpus", "question_text", "wb"]

CHUNKING = "structure:60/0:tokens:nolabel"
DRAFT = "model=wordllama-l2-supercat-256"  # embeds a small corpus in no time
