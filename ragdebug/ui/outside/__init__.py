"""The page of what another system brings."""
