"""A server of embeddings and of reranking on this machine, which can also misbehave.

Embeddings are made from the words of a text: each word is hashed into one of 32 dimensions, so that
texts with the same words are near each other. A request's path chooses the protocol; `plan` holds
what the next requests get instead of the right answer.
"""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

import numpy as np

from tests.support.loopback import Loopback

DIMENSION = 32


def embed(text: str, seed: int = 0, dimension: int = DIMENSION) -> list[float]:
    """Word counts, hashed into the dimensions; never all zero, not of unit length."""
    vector = np.full(dimension, 0.01)
    for word in text.lower().split():
        digest = hashlib.sha256(f"{seed}{word}".encode()).digest()
        vector[int.from_bytes(digest[:4], "big") % dimension] += 1
    return [float(x) for x in vector]


def overlap(query: str, text: str) -> float:
    """Share of the query's words that the text has."""
    words = set(query.lower().split())
    return len(words & set(text.lower().split())) / max(1, len(words))


@dataclass
class ModelServer(Loopback):
    """What the server does and what it has seen.

    Attributes:
        key: the key it wants; "" for none.
        key_header: where it wants the key; after the word Bearer where this is Authorization.
        plan: one entry for each of the next requests: a status, (status, headers, body), or a
            function handler -> None that answers by itself; None for the right answer.
        seed: changes all vectors, as another model behind the same name would.
        dimension: length of its vectors.
        order: how the items of an answer are put: "as asked" or "reversed".
        change: applied to the answer's JSON before it is sent.
        texts: how often each text came to be embedded.
        bodies: every request's JSON.
        headers: every request's headers.
        paths: every request's path.
    """

    key: str = ""
    key_header: str = "Authorization"
    plan: list[Any] = field(default_factory=list)
    seed: int = 0
    dimension: int = DIMENSION
    order: str = "as asked"
    models: tuple[str, ...] = ("small", "large")
    wait_s: float = 0.0
    noise: float = 0.0
    change: Callable[[Any], Any] | None = None
    texts: Counter[str] = field(default_factory=Counter)
    bodies: list[Any] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def asked(self) -> int:
        """How many requests came in."""
        return len(self.paths)

    @property
    def _wanted(self) -> str:
        return f"Bearer {self.key}" if self.key_header == "Authorization" else self.key

    def handle(self, handler: BaseHTTPRequestHandler, body: Any) -> None:
        with self.lock:
            self.paths.append(handler.path)
            self.headers.append(dict(handler.headers))
            if body is not None:
                self.bodies.append(body)
            planned = self.plan.pop(0) if self.plan else None
        if self.wait_s:
            time.sleep(self.wait_s)
        if callable(planned):
            planned(handler)
        elif isinstance(planned, int):
            send(handler, planned, {"error": {"message": f"planned {planned}"}})
        elif planned is not None:
            status, headers, content = planned
            send(handler, status, content, headers)
        elif self.key and handler.headers.get(self.key_header) != self._wanted:
            given = handler.headers.get(self.key_header, "")
            message = f"Incorrect API key provided: {given}"
            send(handler, 401, {"error": {"message": message}})
        else:
            self.answer(handler, body)

    def answer(self, handler: BaseHTTPRequestHandler, body: Any) -> None:
        path = handler.path.partition("?")[0]
        if path.endswith("/models"):
            send(handler, 200, {"data": [{"id": name} for name in self.models]})
        elif path.endswith("/embeddings"):
            if body["model"] not in self.models:
                send(handler, 404, {"error": {"message": f"no model {body['model']}"}})
            else:
                send(handler, 200, self.embeddings(body))
        elif path.endswith("/tei/rerank"):
            items = [
                {"index": i, "score": overlap(body["query"], text)}
                for i, text in enumerate(body["texts"])
            ]
            send(handler, 200, self.finish(sorted(items, key=lambda x: -x["score"])))
        elif path.endswith("/rerank"):
            texts = body["documents"]
            items = [
                {"index": i, "relevance_score": overlap(body["query"], text)}
                for i, text in enumerate(texts)
            ]
            ranked = sorted(items, key=lambda x: -x["relevance_score"])[: body["top_n"]]
            send(handler, 200, self.finish({"results": ranked}))
        else:
            send(handler, 404, {"detail": "Not Found"})

    def embeddings(self, body: Any) -> Any:
        texts = body["input"]
        with self.lock:
            self.texts.update(texts)
        dimension = body.get("dimensions") or self.dimension
        rng = np.random.default_rng()
        data = []
        for i, text in enumerate(texts):
            vector: Any = np.array(embed(text, self.seed, dimension))
            vector = vector + rng.normal(0, self.noise, dimension) if self.noise else vector
            if body.get("encoding_format") == "base64":
                vector = base64.b64encode(np.asarray(vector, "<f4").tobytes()).decode()
            else:
                vector = [float(x) for x in vector]
            data.append({"object": "embedding", "index": i, "embedding": vector})
        if self.order == "reversed":
            data.reverse()
        return self.finish({"object": "list", "data": data, "model": body["model"]})

    def finish(self, value: Any) -> Any:
        return self.change(value) if self.change else value


def send(
    handler: BaseHTTPRequestHandler,
    status: int,
    content: Any,
    headers: dict[str, str] | None = None,
) -> None:
    """Send JSON, or bytes as they are."""
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    handler.send_response(status)
    sent = {"Content-Type": "application/json", "Content-Length": str(len(raw)), **(headers or {})}
    for name, value in sent.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(raw)


def break_off(handler: BaseHTTPRequestHandler) -> None:
    """Promise a body, send half of it, and drop the connection."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"data": [')
    handler.wfile.flush()
    handler.close_connection = True
    handler.connection.close()
