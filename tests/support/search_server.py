"""A search engine on this machine, over passages it was given, which can also misbehave."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.support.loopback import Loopback
from tests.support.model_server import overlap, send


@dataclass
class SearchServer(Loopback):
    """What the server does and what it has seen. A request's path chooses the form of the answer.

    Attributes:
        passages: (id, source, text) of what it searches.
        key: value of X-Api-Key it wants; "" for none.
        plan: one entry for each of the next requests, see `ModelServer.plan`.
        wait_s: before each answer.
        asked: path and body of every request.
        headers: of every request.
    """

    passages: Sequence[tuple[str, str, str]]
    key: str = ""
    plan: list[Any] = field(default_factory=list)
    wait_s: float = 0.0
    asked: list[tuple[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def queries(self) -> list[str]:
        return [body["query"] for _, body in self.asked if body]

    def handle(self, handler: BaseHTTPRequestHandler, body: Any) -> None:
        with self.lock:
            self.asked.append((handler.path, body))
            self.headers.append(dict(handler.headers))
            planned = self.plan.pop(0) if self.plan else None
        if self.wait_s:
            time.sleep(self.wait_s)
        if isinstance(planned, int):
            send(handler, planned, {"error": {"message": f"planned {planned}"}})
        elif planned is not None:
            send(handler, *planned)
        elif self.key and handler.headers.get("X-Api-Key") != self.key:
            send(handler, 401, {"error": f"bad key {handler.headers.get('X-Api-Key')}"})
        else:
            self.answer(handler, body)

    def answer(self, handler: BaseHTTPRequestHandler, body: Any) -> None:
        parts = urlsplit(handler.path)
        query = body["query"] if body else parse_qs(parts.query)["q"][0]
        k = body.get("k", 3) if body else int(parse_qs(parts.query)["n"][0])
        ranked = [(s, p) for p in self.passages if (s := overlap(query, p[2])) > 0]
        ranked.sort(key=lambda item: -item[0])
        hits = ranked[:k]
        if parts.path == "/elastic":
            found = [
                {"_id": own, "_score": s, "_source": {"body": text, "meta": {"file": source}}}
                for s, (own, source, text) in hits
            ]
            send(handler, 200, {"took": 3, "hits": {"total": len(ranked), "hits": found}})
        else:
            found = [
                {"text": text, "id": own, "source": source, "score": s}
                for s, (own, source, text) in hits
            ]
            send(handler, 200, {"results": found})
