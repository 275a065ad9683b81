"""A small receiver for Kettlewick webhooks, to start from.

It checks the signature, drops events that came before, answers at once and does the work later.
Run it behind a server that speaks HTTPS.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import queue
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

SIGNATURE = "X-Kettlewick-Signature"
KEEP_IDS = 10_000


class BadSignature(Exception):
    """The body was not signed with our secret."""


@dataclass(frozen=True)
class Event:
    """One call of the webhook: what happened, to which machine, and when."""

    id: str
    kind: str
    serial: str
    at: str
    data: Mapping[str, object]


def signature(secret: bytes, body: bytes) -> str:
    """HMAC-SHA256 of the raw body, in hexadecimal digits."""
    return hmac.new(secret, body, hashlib.sha256).hexdigest()


def read_event(secret: bytes, headers: Mapping[str, str], body: bytes) -> Event:
    """Check the signature in constant time, then read the body.

    The signature has to be computed over the bytes as they came. Reading the JSON and writing it
    again changes blanks and the order of the fields, and the comparison fails.
    """
    given = headers.get(SIGNATURE, "")
    if not hmac.compare_digest(given, signature(secret, body)):
        raise BadSignature("signature does not fit the body")
    fields = json.loads(body)
    return Event(fields["id"], fields["kind"], fields["serial"], fields["at"], fields["data"])


class SeenEvents:
    """The ids of the last events; delivery is at least once, so some come twice."""

    def __init__(self, keep: int = KEEP_IDS) -> None:
        self._ids: OrderedDict[str, None] = OrderedDict()
        self._keep = keep

    def is_new(self, event: Event) -> bool:
        """Remember an event; False when it was seen before."""
        if event.id in self._ids:
            return False
        self._ids[event.id] = None
        while len(self._ids) > self._keep:
            self._ids.popitem(last=False)
        return True


class Receiver:
    """Takes calls, answers at once, and hands the events to handlers in a thread of its own."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._seen = SeenEvents()
        self._waiting: queue.Queue[Event] = queue.Queue()
        self._handlers: dict[str, Callable[[Event], None]] = {}

    def on(self, kind: str, handler: Callable[[Event], None]) -> None:
        """Choose what happens with events of a kind, for instance ``machine.error``."""
        self._handlers[kind] = handler

    def receive(self, headers: Mapping[str, str], body: bytes) -> int:
        """The HTTP status to answer with: 204, or 401 when the signature is wrong."""
        try:
            event = read_event(self._secret, headers, body)
        except BadSignature:
            return 401
        if self._seen.is_new(event):
            self._waiting.put(event)
        return 204

    def work(self) -> None:
        """Handle events for ever; start it with `start`."""
        while True:
            event = self._waiting.get()
            handler = self._handlers.get(event.kind)
            if handler is not None:
                handler(event)
            self._waiting.task_done()

    def start(self) -> None:
        """Begin to handle events."""
        threading.Thread(target=self.work, daemon=True).start()


def retry_delays(first: float = 1.0, factor: float = 2.0, most: float = 60.0) -> list[float]:
    """Seconds to wait between tries after status 429: doubled each time, never above `most`."""
    delays = []
    delay = first
    while delay < most:
        delays.append(delay)
        delay *= factor
    return [*delays, most]
