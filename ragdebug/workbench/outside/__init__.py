"""What another system returned: its hits as pieces, placed in the documents, as a strategy."""
