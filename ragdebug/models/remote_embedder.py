"""Texts to unit vectors by a model behind an address."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ragdebug.errors import RequestRefused
from ragdebug.model_files.remotes import RemoteRecord
from ragdebug.models import remote_calls
from ragdebug.models.remote_probe import Watch, changed
from ragdebug.protocols import Vectors
from ragdebug.web.client import JsonClient
from ragdebug.web.consent import ask_first
from ragdebug.web.parallel import in_parallel

# A server that takes fewer texts at once, or a shorter text, says so with one of these.
TOO_MUCH = (400, 413, 422)


class RemoteEmbedder:
    """An `Embedder` over HTTP. Threads may share it.

    A text without any letter has the zero vector and is not sent. Passages and lists of questions
    are sent only inside `ragdebug.web.consent.sending`.
    """

    def __init__(self, record: RemoteRecord, client: JsonClient) -> None:
        self.info = record.info
        self._model = record.model
        self._client = client
        self._watch = Watch(client, record)
        self._batch = record.model.batch

    def check(self) -> None:
        """See `Watch.check`."""
        self._watch.check()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Shape (n, dimension), float32, unit length; the passage prompt is added here.

        Raises:
            SendingNotAllowed: nobody agreed.
            AddressError, ModelChanged: no usable answer, or another model's.
        """
        ask_first(self.info.name, self._model.host, _texts(len(texts)))
        return self._embed(texts, self.info.passage_prompt)

    def embed_query(self, query: str) -> Vectors:
        """Shape (dimension,), float32, unit length; the query prompt is added here."""
        vector: Vectors = self._embed([query], self.info.query_prompt)[0]
        return vector

    def embed_queries(self, queries: Sequence[str]) -> Vectors:
        """Shape (n, dimension): `embed_query` of each, in batches; raises as `embed_passages`."""
        ask_first(self.info.name, self._model.host, _questions(len(queries)))
        return self._embed(queries, self.info.query_prompt, self.info.parallel)

    def _embed(self, texts: Sequence[str], prompt: str, at_once: int = 1) -> Vectors:
        made = np.zeros((len(texts), self.info.dimension), np.float32)
        at = [i for i, text in enumerate(texts) if text.strip()]
        if at:
            self._watch.check()
            made[at] = self._sent([prompt + texts[i] for i in at], at_once)
        return made

    def _sent(self, texts: list[str], at_once: int) -> Vectors:
        """Unit vectors of texts that are not blank, in requests of at most a batch."""
        made = np.zeros((len(texts), self.info.dimension), np.float32)

        def batches() -> Iterator[slice]:
            start = 0
            while start < len(texts):
                yield slice(start, start := min(start + self._batch, len(texts)))

        def keep(at: slice, vectors: Vectors) -> None:
            made[at] = vectors

        in_parallel(lambda at: self._request(texts[at]), batches(), keep, at_once)
        return made

    def _request(self, texts: list[str]) -> Vectors:
        """One batch; in halves where the server finds it too much at once."""
        try:
            raw, _ = remote_calls.vectors(self._client, self._model, texts)
        except RequestRefused as e:
            refused = e
        else:
            if raw.shape[1] != self.info.dimension:
                why = f"its vectors have {raw.shape[1]} numbers instead of {self.info.dimension}"
                raise changed(self._model, why)
            unit: Vectors = (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.float32)
            return unit
        if refused.status not in TOO_MUCH:
            raise refused
        if len(texts) == 1:
            raise _one_refused(refused, texts[0])
        half = len(texts) // 2
        made = np.concatenate([self._request(texts[:half]), self._request(texts[half:])])
        self._batch = min(self._batch, max(half, 1))  # both went through: it was the number
        return made


def _one_refused(error: RequestRefused, text: str) -> RequestRefused:
    """The error for a text that is refused by itself."""
    begins = " ".join(text[:60].split())
    return RequestRefused(
        f"{error.message} The text has {len(text):,} characters and begins: {begins}",
        hint="If it is too long for the model, use a chunking of smaller size.",
        status=error.status,
    )


def _texts(n: int) -> str:
    return f"{n:,} text{'' if n == 1 else 's'}"


def _questions(n: int) -> str:
    return f"{n:,} question{'' if n == 1 else 's'}"
