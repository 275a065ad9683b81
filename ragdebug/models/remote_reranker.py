"""Scores of (query, text) pairs by a reranker behind an address."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import RequestRefused
from ragdebug.model_files.remotes import RemoteRecord
from ragdebug.model_files.text import estimated_tokens
from ragdebug.models import remote_calls
from ragdebug.models.remote_embedder import TOO_MUCH
from ragdebug.models.remote_probe import Watch
from ragdebug.web.client import JsonClient
from ragdebug.web.consent import ask_first


class RemoteReranker:
    """A `PairScorer` over HTTP. Threads may share it.

    One request scores many texts for one query. Texts are sent only inside
    `ragdebug.web.consent.sending`. Scores are the server's own, of the kind ``api``: mostly from 0
    to 1, and comparable for one model only.
    """

    score_kind = "api"

    def __init__(self, record: RemoteRecord, client: JsonClient) -> None:
        self.info = record.info
        self._model = record.model
        self._client = client
        self._watch = Watch(client, record)
        self._batch = record.model.batch

    def check(self) -> None:
        """See `Watch.check`."""
        self._watch.check()

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (n,), float64; blank texts, and all for a blank query, get the lowest score.

        Raises:
            SendingNotAllowed: nobody agreed.
            AddressError, ModelChanged: no usable answer, or another model's.
        """
        if not texts:
            return np.zeros(0)
        tokens = sum(self.lengths(query, texts))
        what = f"a question and {len(texts):,} text{'' if len(texts) == 1 else 's'}"
        what += f", about {tokens:,} tokens by their letters,"
        ask_first(self.info.name, self._model.host, what)
        self._watch.check()
        at = [i for i, text in enumerate(texts) if text.strip() and query.strip()]
        parts: list[NDArray[np.float64]] = []
        start = 0
        while start < len(at):
            some = [texts[i] for i in at[start : start + self._batch]]
            parts.append(self._request(query, some))
            start += len(some)
        given = np.concatenate(parts) if parts else np.zeros(0)
        made = np.full(len(texts), given.min() if len(given) else 0.0)
        made[at] = given
        return made

    def score_pairs(
        self, queries: Sequence[str], texts: Sequence[str], wanted: Sequence[Sequence[int]]
    ) -> Iterator[NDArray[np.float64]]:
        """Scores of many queries; the texts of a query go together, so all come at the end."""
        asked: dict[int, list[int]] = {}
        for t, some in enumerate(wanted):
            for q in some:
                asked.setdefault(q, []).append(t)
        found: dict[tuple[int, int], float] = {}
        for q, at in asked.items():
            given = self.score(queries[q], [texts[t] for t in at])
            found |= {(q, t): float(x) for t, x in zip(at, given, strict=True)}
        for t, some in enumerate(wanted):
            yield np.array([found[q, t] for q in some], np.float64)

    def lengths(self, query: str, texts: Sequence[str]) -> list[int]:
        """Tokens of each pair, estimated from its letters: the tokenizer is the server's."""
        first = estimated_tokens(query) + self.info.special_tokens
        return [first + estimated_tokens(text) for text in texts]

    def _request(self, query: str, texts: list[str]) -> NDArray[np.float64]:
        """One batch; in halves where the server finds it too much at once."""
        try:
            return remote_calls.scores(self._client, self._model, query, texts)[0]
        except RequestRefused as e:
            refused = e
        if refused.status not in TOO_MUCH or len(texts) == 1:
            raise refused
        half = len(texts) // 2
        made = np.concatenate(
            [self._request(query, texts[:half]), self._request(query, texts[half:])]
        )
        self._batch = min(self._batch, max(half, 1))
        return made
