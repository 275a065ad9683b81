"""What would be sent to a model behind an address: counted, told, and refused without a yes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ragdebug.counting import many
from ragdebug.embed import EmbedPlan
from ragdebug.errors import SendingNotAllowed
from ragdebug.model_files import remotes
from ragdebug.protocols import ModelInfo
from ragdebug.settings import DEFAULT_WORKSPACE
from ragdebug.table import ChunkTable
from ragdebug.tokens import counter
from ragdebug.web import consent
from ragdebug.web.consent import Sending
from ragdebug.workbench.kept import Kept
from ragdebug.workbench.remote import RemoteModels

COUNTED = 5_000  # texts whose tokens are counted; a second or so


class Scored(Protocol):
    """Passages with the questions they are to be scored for."""

    @property
    def queries(self) -> Sequence[str]:
        """The questions' texts."""
        ...

    @property
    def texts(self) -> Mapping[str, str]:
        """Passages by hash."""
        ...

    def left(self) -> Mapping[str, Sequence[int]]:
        """By hash, positions of the questions that are not scored yet."""
        ...


class RemoteSending(RemoteModels):
    """Use cases on what models behind addresses would get."""

    def __init__(self, path: str | Path = DEFAULT_WORKSPACE, **options: Any) -> None:  # noqa: ANN401
        super().__init__(path, **options)
        self._text_tokens: Kept[NDArray[np.float64]] = Kept(4)

    def _sending(self, table: ChunkTable, model: ModelInfo) -> Sending:
        """The texts of a table that a model behind an address has no vectors for."""
        hashes = table.hashes()
        known = self.store.vectors.known(model.fingerprint, hashes)
        first = np.zeros(len(hashes), np.bool_)
        first[np.unique(np.array(hashes), return_index=True)[1]] = True
        new = first & ~known
        per_text = self._text_tokens_of(table, model.tokenizer)[new]
        prompt = counter(model.tokenizer).count(model.passage_prompt)
        tokens = int(per_text.sum()) + prompt * int(new.sum())
        return self._sent(model, _texts(int(new.sum())), tokens)

    def _text_tokens_of(self, table: ChunkTable, tokenizer: str) -> NDArray[np.float64]:
        """Tokens of each index text of a table; of a large one some are counted, in even steps."""

        def count() -> NDArray[np.float64]:
            n = len(table)
            if n <= COUNTED:
                return np.array(counter(tokenizer).count_many(list(table.index_texts())), float)
            rows = np.linspace(0, n - 1, COUNTED).astype(int).tolist()
            some = counter(tokenizer).count_many([table.index_text(row) for row in rows])
            return np.full(n, np.mean(some))

        return self._text_tokens.get((table.fingerprint, tokenizer), count)

    def _sent(self, model: ModelInfo, what: str, tokens: int) -> Sending:
        host = remotes.remote(model.name).model.host
        return Sending(what, host, tokens, model.tokenizer, model.price_per_million)

    def _ask_to_embed(self, model: ModelInfo, plan: EmbedPlan) -> None:
        """Refuse to send texts of the corpus where nobody agreed."""
        if model.remote and plan.new and plan.sending and not consent.may_send(model.name):
            self._refuse(model, plan.sending)

    def _ask_to_rerank(self, model: ModelInfo, pairs: Scored) -> None:
        """Refuse to send what a reranker has not scored yet, where nobody agreed."""
        if not model.remote or consent.may_send(model.name):
            return
        left = pairs.left()
        if not left:
            return
        counter_ = counter(model.tokenizer)
        texts = counter_.count_many([pairs.texts[key] for key in left])
        asked = {at for some in left.values() for at in some}
        tokens = sum(n * len(some) for n, some in zip(texts, left.values(), strict=True))
        tokens += sum(counter_.count_many([pairs.queries[at] for at in sorted(asked)]))
        n = sum(map(len, left.values()))
        what = f"{many(n, 'pair')} of question and text"
        self._refuse(model, self._sent(model, what, tokens))

    @staticmethod
    def _refuse(model: ModelInfo, sent: Sending) -> None:
        raise SendingNotAllowed(
            f"The model {model.name} would get {sent}, at {sent.host}; nothing was sent.",
            hint=consent.AGREE,
        )


def _texts(n: int) -> str:
    return many(n, "text")
