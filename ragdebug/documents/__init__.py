"""Parsers: bytes of a file in, canonical text with its structure out."""
