"""How a server is asked, and what it answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Address:
    """How a server is asked.

    Attributes:
        name: what messages call it, at their beginning: "The model api:small".
        key_env: name of the key, see `ragdebug.web.keys`; "" for none.
        key_header: header that carries the key.
        key_scheme: word before the key: Bearer, ApiKey, "" for none; Basic encodes user:password.
        timeout_s: longest wait for the first byte, and from there for the last.
        requests_per_minute: 0 for no limit.
        tokens_per_minute: 0 for no limit.
        tries: how often a request is sent before its error is raised.
        most_bytes: longest answer, unpacked.
        headers: further headers; no keys.
    """

    name: str
    key_env: str = ""
    key_header: str = "Authorization"
    key_scheme: str = "Bearer"
    timeout_s: float = 60.0
    requests_per_minute: float = 0
    tokens_per_minute: float = 0
    tries: int = 5
    most_bytes: int = 64 << 20
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered.

    Attributes:
        value: of its JSON.
        status: HTTP status, below 300.
        elapsed_s: seconds of the request that went through, waiting before it not counted.
        tries: how many requests it took.
    """

    value: Any
    status: int
    elapsed_s: float
    tries: int
