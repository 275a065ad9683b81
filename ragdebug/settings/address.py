"""What may be written as the address of something elsewhere, and as the name of its key.

An address is kept, shown and handed on; a key must never be part of it. What is refused here is
not quoted, since it may hold one.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

from ragdebug.settings.values import refuse

# Names of query parameters that carry a key with some service or other.
_KEYS = re.compile(r"key|token|secret|passw|pwd|auth|credential|signature|^sig$", re.IGNORECASE)
# No digits, and no sk- in front: so that no key can be taken for it.
_KEY_HEADER = re.compile(r"(?!sk[-_])[A-Za-z]{1,24}(?:[-_][A-Za-z]{1,24}){0,5}")
_TAKEN = frozenset(
    "accept accept-encoding connection content-length content-type cookie host te"
    " transfer-encoding upgrade user-agent".split()
)  # headers that mean something else to every server
_KEY_ENV = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")
_HINT = "Put the key into an environment variable, and give the variable's name."


def checked_address(url: str) -> str:
    """The address without blanks around it and without a slash at its end.

    Raises:
        InvalidSetting: when it is no http or https address, or holds a password or a key.
    """
    url = url.strip()
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if parts.username is not None or parts.password is not None:
        raise refuse("The address holds a user's name or password before its host.", _HINT)
    if parts.scheme not in ("http", "https") or not host or re.search(r"[\s\x00-\x1f\x7f\\]", url):
        raise refuse(
            "This is no address of a server.",
            "An address looks like https://api.example.com/v1 or http://localhost:11434/v1.",
        )
    if parts.fragment:
        raise refuse("The address holds a part after '#', which is never sent.")
    for name, _ in parse_qsl(parts.query, keep_blank_values=True):
        if _KEYS.search(name):
            raise refuse(
                f"The address holds the parameter {name[:40]!r}, which looks like a key.", _HINT
            )
    return url.rstrip("/") if not parts.query else url


def is_this_machine(url: str) -> bool:
    """Whether an address leads nowhere but to this machine."""
    host = urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def checked_key_header(name: str) -> str:
    """The name of the header that carries a key; "" for ``Authorization: Bearer``.

    Raises:
        InvalidSetting: when it is no such name; a key that was pasted in its place is not quoted.
    """
    name = name.strip()
    if name.lower() == "authorization":
        return ""
    if name and (not _KEY_HEADER.fullmatch(name) or name.lower() in _TAKEN):
        raise refuse(
            "This is not the name of a header for a key: words of letters, joined by '-' or '_'.",
            "Give the name alone, such as api-key, and never the key itself; left out, the key is"
            " sent as Authorization: Bearer.",
        )
    return name


def checked_key_env(name: str) -> str:
    """The name of an environment variable that holds a key; "" for none.

    Raises:
        InvalidSetting: when it is no such name; a key that was pasted in its place is not quoted.
    """
    name = name.strip()
    if name and not _KEY_ENV.fullmatch(name):
        raise refuse(
            "This is not the name of an environment variable: capital letters, digits and _ only.",
            "Give the name of the variable that holds the key, such as OPENAI_API_KEY, and never"
            " the key itself.",
        )
    return name
