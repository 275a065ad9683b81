"""One client for all servers that speak JSON: time-outs, retries, pace, limits, and no key shown.

    client = JsonClient(Address("The model api:small", key_env="OPENAI_API_KEY", timeout_s=30))
    answer = client.post("https://api.example.com/v1/embeddings", {"model": "m", "input": ["a"]})
    answer.value      # what the JSON holds
    client.close()

What it does at every request:

- looks the key up (`ragdebug.web.keys`), and sends it in one header, to the host of the address
  alone: a redirect to another host is an error. Cookies and .netrc are never used; proxies (not
  for this machine) and REQUESTS_CA_BUNDLE of the environment are.
- keeps the pace (requests and tokens a minute) that was set, over all threads.
- tries again after 408, 409, 425, 429, 5xx, a broken connection or a time-out: half a second,
  doubled each time up to 30, with jitter; a server's Retry-After goes before, and one that asks for
  more than two minutes ends it.
- stops between requests, and while it waits, where `ragdebug.web.watched(check)` says so.
- reads no more than `most_bytes` of an answer, for no longer than `timeout_s` after its first byte.
- takes keys out of every text of an answer: a server may send back what it was sent.
- raises only subclasses of `AddressError`, without cause and context: the exceptions of the library
  beneath hold the request with its headers.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from ragdebug.errors import AddressError, TooManyRequests
from ragdebug.web.faults import Fault, place
from ragdebug.web.keys import MARK, redact
from ragdebug.web.once import Sender
from ragdebug.web.records import Address, Answer
from ragdebug.web.waiting import Pace, look, pause

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0
LONGEST_ASKED_S = 120.0  # a Retry-After above it ends the request
QUICK_TRIES = 2
REDIRECTS = 3


class JsonClient:
    """Asks one server. Threads may share it."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.pace = Pace(address.requests_per_minute, address.tokens_per_minute)
        self._sender = Sender(address)

    def close(self) -> None:
        """Let go of its connections."""
        self._sender.close()

    def get(self, url: str) -> Answer:
        """`ask` with GET."""
        return self.ask("GET", url)

    def post(self, url: str, body: object, tokens: int = 0) -> Answer:
        """`ask` with POST."""
        return self.ask("POST", url, body, tokens)

    def ask(
        self,
        method: str,
        url: str,
        body: object = None,
        tokens: int = 0,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request, again where that may help, and read the JSON of its answer.

        Args:
            method: GET, POST, PUT, DELETE.
            url: whole address.
            body: sent as JSON; None for none; bytes go as they are (name their type in `headers`).
            tokens: how many it sends, for the pace.
            headers: further ones of this request.

        Raises:
            KeyMissing, KeyRefused, AddressNotFound, TooManyRequests, ServerFailed, RequestRefused,
            AddressUnreachable, AnswerNotUnderstood: all are `AddressError`.
            Cancelled: from whoever watches.
        """
        sent = {"Content-Type": "application/json"} if body is not None else {}
        sent.update(headers or {})
        content = body if isinstance(body, bytes) or body is None else _packed(body)
        for attempt in range(1, self.address.tries + 1):
            look()
            self.pace.wait(tokens)
            outcome = self._followed(method, url, content, sent, attempt)
            if isinstance(outcome, Answer):
                return outcome
            asked = outcome.wait_s
            wait_s = _wait_s(attempt) if asked is None else asked
            if asked is not None or isinstance(outcome.error, TooManyRequests):
                self.pace.hold(min(wait_s, LONGEST_ASKED_S))  # for all threads: it has enough now
            most = min(QUICK_TRIES, self.address.tries) if outcome.quick else self.address.tries
            if not outcome.again or attempt >= most or wait_s > LONGEST_ASKED_S:
                raise outcome.error
            pause(wait_s)
        raise AssertionError("a request is tried at least once")

    def _followed(
        self, method: str, url: str, content: bytes | None, headers: dict[str, str], attempt: int
    ) -> Answer | Fault:
        """One request, and those that redirects on the same host make of it."""
        for _ in range(REDIRECTS + 1):
            outcome = self._sender.send(method, url, content, headers, attempt)
            if not isinstance(outcome, str):
                return outcome
            if not _same_host(url, outcome):
                # It may be made of what was sent: of a key in which there is a slash, too.
                before_path = re.split(r"[/?#]", redact(outcome).partition("://")[2])[0]
                told = MARK not in before_path
                host = urlsplit(outcome).hostname if told else "its name holds the key"
                return Fault(
                    AddressError(
                        f"{self.address.name}: {place(url)} sends on to another host ({host}).",
                        title="Sent on elsewhere",
                        hint="Nothing was sent there. Give the final address if you trust it.",
                    )
                )
            url = outcome
        return Fault(AddressError(f"{self.address.name}: {place(url)} sends on in a circle."))


def _packed(body: object) -> bytes:
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")


def _wait_s(attempt: int) -> float:
    """Half of a doubling wait for certain, the other half by chance, so that threads part."""
    longest = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** (attempt - 1))
    return longest * (0.5 + random.random() / 2)


def _same_host(url: str, other: str) -> bool:
    """Whether a key that went to one address may go to the other."""
    old, new = urlsplit(url), urlsplit(other)
    if (old.scheme, old.hostname, old.port) == (new.scheme, new.hostname, new.port):
        return True
    safer = (old.scheme, new.scheme) == ("http", "https") and not (old.port or new.port)
    return safer and old.hostname == new.hostname
