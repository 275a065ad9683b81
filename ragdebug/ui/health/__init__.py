"""The parts of the Health page, and its line on Search."""
