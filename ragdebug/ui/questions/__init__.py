"""The Questions page in parts."""
