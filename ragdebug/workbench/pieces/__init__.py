"""Chunks that another system cut: brought in, placed in the documents, used like any other."""
