"""What other settings would do to the question at hand and to all others."""
