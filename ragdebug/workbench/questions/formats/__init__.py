"""Files of questions, one format a module."""
