"""Asking other servers over HTTP: one client for JSON, the keys, the pace. Nothing else asks."""

from ragdebug.web.keys import add_source, has_key, key_of, redact
from ragdebug.web.waiting import watched

__all__ = ["add_source", "has_key", "key_of", "redact", "watched"]
