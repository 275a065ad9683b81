"""The panel that says why a hit has its score, for one hit or for two side by side."""
