"""One request to a server that speaks JSON: its answer, its fault, or where it is sent on to."""

from __future__ import annotations

import base64
import json
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from http.cookiejar import DefaultCookiePolicy
from urllib.parse import urljoin

import requests
from requests.auth import AuthBase

from ragdebug import __version__
from ragdebug.errors import AddressError, AnswerNotUnderstood, RagDebugError
from ragdebug.settings.address import is_this_machine
from ragdebug.web.faults import Fault, from_exception, from_status, not_json
from ragdebug.web.keys import key_of, redacted
from ragdebug.web.records import Address, Answer

CONNECT_S = 10.0
STEP_BYTES = 1 << 16


class Sender:
    """Sends single requests to one server. Threads may share it."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._session = requests.Session()
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        self._session.headers.update(
            {"User-Agent": f"ragdebug/{__version__}", "Accept": "application/json"}
        )
        self._session.headers.update(address.headers)

    def close(self) -> None:
        """Let go of its connections."""
        self._session.close()

    def send(
        self, method: str, url: str, content: bytes | None, headers: dict[str, str], attempt: int
    ) -> Answer | Fault | str:
        """One request: its answer, its fault, or where it is sent on to.

        It runs in a thread of its own: a server that sends a byte now and then ends no time-out
        of a socket.
        """
        about, key = self._address, key_of(self._address.key_env)
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
        """`send` for as long as it takes; the answer stands in `begun` while it is read."""
        about = self._address
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
            if size > self._address.most_bytes:
                raise AnswerNotUnderstood(
                    f"{self._address.name}: the answer is longer than"
                    f" {self._address.most_bytes >> 20} MB.",
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
    # A name that is given, even as nothing, is not looked up in the environment.
    return dict.fromkeys(("http", "https", "all"), "") if is_this_machine(url) else None


def _raise(error: RagDebugError) -> Fault:
    raise error
