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

import base64
import json
import random
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from requests.auth import AuthBase

from ragdebug import __version__
from ragdebug.errors import AddressError, AnswerNotUnderstood, RagDebugError
from ragdebug.web.faults import Fault, from_exception, from_status, not_json, place
from ragdebug.web.keys import key_of, redact, redacted
from ragdebug.web.waiting import Pace, look, pause

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0
LONGEST_ASKED_S = 120.0  # a Retry-After above it ends the request
CONNECT_S = 10.0
QUICK_TRIES = 2
REDIRECTS = 3
STEP_BYTES = 1 << 16


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


class JsonClient:
    """Asks one server. Threads may share it."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.pace = Pace(address.requests_per_minute, address.tokens_per_minute)
        self._session = requests.Session()
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        self._session.headers.update(
            {"User-Agent": f"ragdebug/{__version__}", "Accept": "application/json"}
        )
        self._session.headers.update(address.headers)

    def close(self) -> None:
        """Let go of its connections."""
        self._session.close()

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
            if asked is not None:
                self.pace.hold(min(asked, LONGEST_ASKED_S))
            most = min(QUICK_TRIES, self.address.tries) if outcome.quick else self.address.tries
            last = attempt >= most
            if not outcome.again or last or (asked or 0) > LONGEST_ASKED_S:
                raise outcome.error
            pause(_wait_s(attempt) if asked is None else asked)
        raise AssertionError("a request is tried at least once")

    def _followed(
        self, method: str, url: str, content: bytes | None, headers: dict[str, str], attempt: int
    ) -> Answer | Fault:
        """One request, and those that redirects on the same host make of it."""
        for _ in range(REDIRECTS + 1):
            outcome = self._once(method, url, content, headers, attempt)
            if not isinstance(outcome, str):
                return outcome
            if not _same_host(url, outcome):
                told = redact(outcome) == outcome  # it may be made of what was sent
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

    def _once(
        self, method: str, url: str, content: bytes | None, headers: dict[str, str], attempt: int
    ) -> Answer | Fault | str:
        """One request: its answer, its fault, or where it is sent on to.

        It runs in a thread of its own: a server that sends a byte now and then ends no time-out
        of a socket.
        """
        about, key = self.address, key_of(self.address.key_env)
        done: Future[Answer | Fault | str] = Future()
        begun: list[requests.Response] = []

        def run() -> None:
            try:
                done.set_result(self._sent(method, url, content, headers, attempt, key, begun))
            except BaseException as e:  # raised where it is waited for
                done.set_exception(e)

        threading.Thread(target=run, name=f"request of {about.name}", daemon=True).start()
        try:
            return done.result(min(CONNECT_S, about.timeout_s) + 2 * about.timeout_s)
        except TimeoutError:
            for response in begun:
                with suppress(Exception):  # it may have ended by now
                    response.raw.shutdown()
            late = requests.exceptions.ReadTimeout("the answer trickles")
            return from_exception(about.name, url, about.key_env, about.timeout_s, late)

    def _sent(
        self,
        method: str,
        url: str,
        content: bytes | None,
        headers: dict[str, str],
        attempt: int,
        key: str,
        begun: list[requests.Response],
    ) -> Answer | Fault | str:
        """`_once` for as long as it takes; the answer stands in `begun` while it is read."""
        about = self.address
        start = time.perf_counter()
        try:
            response = self._session.request(
                method,
                url,
                data=content,
                headers=headers,
                auth=_Key(about, key),
                timeout=(min(CONNECT_S, about.timeout_s), about.timeout_s),
                allow_redirects=False,
                proxies=_proxies(url),
                stream=True,
            )
            begun.append(response)
            with response:
                if response.is_redirect:
                    return urljoin(url, response.headers["Location"])
                body = self._read(response, start + 2 * about.timeout_s)
        except RagDebugError as e:
            return Fault(e) if isinstance(e, AddressError) else _raise(e)
        except Exception as e:  # requests', urllib3's, and the socket's own
            return from_exception(about.name, url, about.key_env, about.timeout_s, e)
        seen = {k.lower(): v for k, v in response.headers.items()}
        if response.status_code >= 300:
            return from_status(about.name, url, about.key_env, response.status_code, seen, body)
        try:
            value = redacted(json.loads(body))
        except (ValueError, RecursionError):
            return not_json(about.name, url, seen.get("content-type", ""), body)
        return Answer(value, response.status_code, time.perf_counter() - start, attempt)

    def _read(self, response: requests.Response, until: float) -> bytes:
        parts, size = [], 0
        for part in response.iter_content(STEP_BYTES):
            parts.append(part)
            size += len(part)
            if size > self.address.most_bytes:
                raise AnswerNotUnderstood(
                    f"{self.address.name}: the answer is longer than"
                    f" {self.address.most_bytes >> 20} MB.",
                    hint="Send fewer texts at once.",
                )
            if time.perf_counter() > until:
                raise requests.exceptions.ReadTimeout("the answer trickles")
        return b"".join(parts)


class _Key(AuthBase):
    """Puts the key into its header; being there at all, it keeps .netrc out."""

    def __init__(self, address: Address, key: str) -> None:
        self._address, self._key = address, key

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._key:
            scheme, key = self._address.key_scheme, self._key
            if scheme == "Basic":
                key = base64.b64encode(key.encode()).decode()
            request.headers[self._address.key_header] = f"{scheme} {key}".strip()
        return request


def _proxies(url: str) -> dict[str, str] | None:
    """None for those of the environment; a server on this machine is asked without any."""
    host = urlsplit(url).hostname or ""
    here = host in ("localhost", "::1") or host.startswith("127.")
    # A name that is given, even as nothing, is not looked up in the environment.
    return dict.fromkeys(("http", "https", "all"), "") if here else None


def _packed(body: object) -> bytes:
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")


def _raise(error: RagDebugError) -> Fault:
    raise error


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
