"""What went wrong with a request, in words: from a status and a body, or from an exception."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import requests

from ragdebug.errors import (
    AddressError,
    AddressNotFound,
    AddressUnreachable,
    AnswerNotUnderstood,
    KeyRefused,
    RequestRefused,
    ServerFailed,
    TooManyRequests,
)
from ragdebug.web.keys import redact

QUOTED = 200  # characters of an answer that are shown
AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})


@dataclass(frozen=True, slots=True)
class Fault:
    """A failed request.

    Attributes:
        error: what to raise when it stays so.
        again: whether the same request may go through later.
        wait_s: how long the server asked to wait; None when it said nothing.
        quick: whether few further tries are enough to know.
    """

    error: AddressError
    again: bool = False
    wait_s: float | None = None
    quick: bool = False


def place(url: str) -> str:
    """Scheme, host and path of an address, for a message; no query, and no key in its path."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    return redact(f"{parts.scheme}://{host}{f':{parts.port}' if parts.port else ''}{parts.path}")


def quoted(body: bytes, most: int = QUOTED) -> str:
    """The beginning of an answer on one line; keys are taken out before it is cut."""
    text = " ".join(redact(body.decode("utf-8", "replace")).split())
    return text if len(text) <= most else text[:most] + "\u2026"


def said(body: bytes) -> str:
    """What the server gives as its reason, in any of the usual forms; else how the body begins."""
    try:
        value: Any = json.loads(body)
    except (ValueError, RecursionError):
        return quoted(body)
    for name in ("error", "message", "detail", "msg"):
        if isinstance(value, dict) and value.get(name):
            value = value[name]
            if isinstance(value, list):
                value = value[0]
            if isinstance(value, str):
                return quoted(value.encode("utf-8", "replace"), 400)
    inner = json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)
    return quoted(inner.encode("utf-8", "replace"), 400)


def from_status(
    name: str, url: str, key_env: str, status: int, headers: dict[str, str], body: bytes
) -> Fault:
    """The fault behind a status of 400 or above. Header names are in lower case."""
    where, why = place(url), said(body)
    asked = retry_after(headers)
    if status in (401, 403):
        which = f"The key in {key_env} was not accepted" if key_env else "A key is needed"
        hint = f"Check the value of {key_env} and what it may do." if key_env else (
            "Name the environment variable that holds the key."
        )  # fmt: skip
        return Fault(KeyRefused(f"{name}: {which} ({status}: {why}).", hint=hint))
    if status == 404:
        return Fault(
            AddressNotFound(
                f"{name}: {where} answers 404: {why}.",
                hint="Check the address and the model's name.",
            )
        )
    if status == 429:
        # OpenAI's word for an account without money: waiting does not help.
        spent = b"insufficient_quota" in body
        waits = f" It asks to wait {_duration(asked)}." if asked else ""
        error = TooManyRequests(
            f"{name}: too many requests (429: {why}).{waits}",
            hint="The account has no quota left."
            if spent
            else "Wait, or set fewer requests or tokens a minute, and go on from where it stopped.",
        )
        return Fault(error, not spent, asked)
    if status >= 500 or status in AGAIN:
        return Fault(
            ServerFailed(
                f"{name}: the server failed ({status}: {why}).",
                hint="Try again later; what is finished is kept.",
            ),
            status in AGAIN,
            asked,
        )
    return Fault(
        RequestRefused(f"{name}: the server refused the request ({status}: {why}).", status=status)
    )


def from_exception(name: str, url: str, key_env: str, timeout_s: float, e: Exception) -> Fault:
    """The fault behind an exception of requests, which itself ends here: it holds the headers."""
    parts = urlsplit(url)
    host = f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
    text = redact(f"{type(e).__name__}: {e}")
    if isinstance(e, requests.exceptions.SSLError):
        why = next((w for w in ("self-signed", "self signed", "hostname mismatch", "expired")
                    if w in text.lower()), "")  # fmt: skip
        return Fault(
            AddressUnreachable(
                f"{name}: no safe connection to {host}: its certificate or its TLS is not"
                f" accepted{f' ({why})' if why else ''}.",
                title="No safe connection",
                hint="For a certificate of your own, name its file in REQUESTS_CA_BUNDLE; a server"
                " without TLS has an address that begins with http://.",
            )
        )
    if isinstance(e, requests.exceptions.Timeout):
        return Fault(
            AddressUnreachable(
                f"{name}: no answer from {host} within {timeout_s:g} s.",
                title="No answer in time",
                hint="Try again, send fewer texts at once, or give it more time.",
            ),
            again=True,
            quick=True,
        )
    if isinstance(e, requests.exceptions.ProxyError):
        return Fault(
            AddressUnreachable(
                f"{name}: the proxy does not lead to {host}.",
                hint="Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY.",
            ),
            again=True,
            quick=True,
        )
    if "refused" in text.lower():
        return Fault(
            AddressUnreachable(
                f"{name}: nothing answers at {host}: the connection was refused.",
                hint="Is the server running? Check host and port.",
            ),
            again=True,
            quick=True,
        )
    if "resolve" in text.lower() or "name or service" in text.lower():
        return Fault(
            AddressUnreachable(
                f"{name}: there is no host {parts.hostname}, or no network.",
                hint="Check the address and the network.",
            )
        )
    kept = isinstance(
        e, requests.exceptions.ConnectionError | requests.exceptions.ChunkedEncodingError
    )
    return Fault(
        AddressUnreachable(
            f"{name}: the connection to {host} broke off ({type(e).__name__}).",
            hint="Try again; what is finished is kept.",
        ),
        again=kept,
    )  # fmt: skip


def not_json(name: str, url: str, kind: str, body: bytes) -> Fault:
    """The fault of an answer that says 200 and is no JSON."""
    if not body.strip():
        what = "an empty answer"
    elif "html" in kind.lower() or body.lstrip()[:1] == b"<":
        what = "a page of HTML where JSON was expected"
    else:
        what = "an answer that is no JSON"
    begins = f": {quoted(body)}" if body.strip() else "."
    return Fault(
        AnswerNotUnderstood(
            f"{name}: {place(url)} gives {what}{begins}",
            hint="Check that the address is the one of the programming interface.",
        )
    )


def retry_after(headers: dict[str, str]) -> float | None:
    """Seconds that a server asks to wait: Retry-After as seconds or date, or in milliseconds."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        text = headers.get("retry-after", "").strip()
        if not text:
            return None
        if text.replace(".", "", 1).isdigit():
            return float(text)
        when = parsedate_to_datetime(text)
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return max(0.0, (when - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} minutes"
