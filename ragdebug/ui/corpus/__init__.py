"""Parts of the Corpus page."""
