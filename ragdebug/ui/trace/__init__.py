"""Parts of the Trace page."""
