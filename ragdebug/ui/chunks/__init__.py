"""Parts of the Chunks page."""
