"""Models behind addresses: added after a trial, listed, removed, brought back, accepted anew."""

from __future__ import annotations

import time
import weakref
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ragdebug.embed import EmbedPlan
from ragdebug.errors import ModelChanged, ModelError, ModelNotFound, SendingNotAllowed
from ragdebug.model_files import remotes
from ragdebug.model_files.remotes import RemoteRecord
from ragdebug.protocols import ModelInfo
from ragdebug.settings import DEFAULT_WORKSPACE, REMOTE_PREFIX, RemoteModel
from ragdebug.table import ChunkTable
from ragdebug.tokens import counter
from ragdebug.web import agreed, consent, has_key
from ragdebug.web.consent import Sending
from ragdebug.workbench.base import Base
from ragdebug.workbench.kept import Kept

KIND = "remote model"  # in the store's table of what is registered
COUNTED = 5_000  # texts whose tokens are counted; a second or so
FRESH_S = 1.0  # how long the list is believed; another program may add a model


@dataclass(frozen=True, slots=True)
class RemoteTrial:
    """What a model answered when it was asked its fixed question.

    Attributes:
        record: its settings and the answer.
        same: whether the answer is that of the model as it is registered; None for a new one.
        difference: in what it differs, in words.
    """

    record: RemoteRecord
    same: bool | None = None
    difference: str = ""

    @property
    def milliseconds(self) -> float:
        """Of the request."""
        return self.record.elapsed_s * 1000

    @property
    def sentence(self) -> str:
        """What it answered, for a person."""
        r = self.record
        if r.model.kind == "reranker":
            given = "scores " + ", ".join(f"{x:.3g}" for x in r.probe)
        else:
            given = f"vectors of length {r.dimension}"
        said = f"{r.model.full_name} answers in {self.milliseconds:,.0f} ms with {given}."
        if self.same:
            return f"{said} It is the model that was added."
        return f"{said} It is not the model that was added: {self.difference}." if (
            self.difference
        ) else said  # fmt: skip


@dataclass(frozen=True, slots=True)
class RemoteRow:
    """A registered model for a list.

    Attributes:
        record: its settings and what it answered when it was added.
        has_key: whether the key it needs is there; True where it needs none.
        removed: taken out of use; it can be brought back.
    """

    record: RemoteRecord
    has_key: bool
    removed: bool = False

    @property
    def agreed(self) -> bool:
        """Whether somebody on this machine agreed to ask its address."""
        return self.record.agreed


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


class RemoteModels(Base):
    """Use cases on models behind addresses."""

    def __init__(self, path: str | Path = DEFAULT_WORKSPACE, **options: Any) -> None:  # noqa: ANN401
        super().__init__(path, **options)
        self._remotes: tuple[float, dict[str, RemoteRecord]] | None = None
        self._text_tokens: Kept[NDArray[np.float64]] = Kept(4)
        me = weakref.ref(self)  # a workspace that nobody closed must not be held

        def provider(name: str) -> RemoteRecord | None:
            there = me()
            return None if there is None else there._records().get(name)

        self._provider = provider
        remotes.add_provider(provider)

    def close(self) -> None:
        """Stop jobs and release the store."""
        remotes.remove_provider(self._provider)
        super().close()

    @staticmethod
    def sending(names: Iterable[str] | None = None) -> AbstractContextManager[None]:
        """``with wb.sending():`` texts may go to the addresses of models; a person agreed to it.

        Holds for what runs in the same thread. Without it whatever would send texts of the corpus,
        or many questions, raises SendingNotAllowed, which says what would go where.

        Args:
            names: of the models, ``api:NAME``; None for all.
        """
        return consent.sending(names)

    # List -----------------------------------------------------------------------------------------

    def remote_models(self, removed: bool = False) -> list[RemoteRow]:
        """The registered models by name; those in use, or those removed."""
        if removed:
            values = self.store.registered.all(KIND, removed=True).values()
            return [RemoteRow(RemoteRecord.from_dict(v), True, True) for v in values]
        return [RemoteRow(r, has_key(r.model.key_env)) for r in self._records().values()]

    def remote_infos(self) -> list[ModelInfo]:
        """What is known of the registered models, embedders first."""
        infos = [r.info for r in self._records().values()]
        return sorted(infos, key=lambda i: (i.kind, i.name))

    def remote_model(self, name: str) -> RemoteRecord:
        """A registered model by its name, with or without ``api:``.

        Raises:
            ModelNotFound: there is none.
        """
        short = name.removeprefix(REMOTE_PREFIX)
        found = self._records().get(short)
        if found is None:
            raise ModelNotFound(
                f"There is no model {REMOTE_PREFIX}{short} in this workspace.",
                hint="See: ragdebug models list",
            )
        return found

    # Change ---------------------------------------------------------------------------------------

    def try_remote_model(self, model: RemoteModel | str) -> RemoteTrial:
        """Ask a model its fixed question; nothing is kept. The name of a registered one will do.

        Raises:
            AddressError: no usable answer.
            ModelNotFound: no model of that name is registered.
        """
        from ragdebug.models import remote

        if isinstance(model, RemoteModel):
            return RemoteTrial(remote.try_model(model))
        known = self.remote_model(model)
        now = remote.try_again(known.model.full_name)
        difference = remote.difference(known, now)
        return RemoteTrial(now, not difference, difference)

    def add_remote_model(self, model: RemoteModel) -> RemoteTrial:
        """Ask a model its fixed question, and register it under its name when it answers.

        A model that is registered already may get another address, key, pace or price. Where it
        answers as before, its fingerprint, and so all vectors, stay.

        Raises:
            AddressError: no usable answer; nothing is kept.
            ModelChanged: it answers otherwise than the one that is there.
            ModelError: the name is that of another model, in use or removed.
        """
        from ragdebug.models import remote

        removed = {r.record.model.name: r.record for r in self.remote_models(removed=True)}
        old = self._records().get(model.name) or removed.get(model.name)
        if old is not None and not _alike(old.model, model):
            was = "" if model.name not in removed else ", which was removed and can be brought back"
            raise ModelError(
                f"{model.full_name} is already the name of another model here{was}.",
                title="Name already used",
                hint="Choose another name.",
            )
        record = remote.try_model(model)
        difference = "" if old is None else remote.difference(old, record)
        if old is not None and not difference:
            record = RemoteRecord(model, old.dimension, old.probe, record.elapsed_s)
        if difference:
            raise ModelChanged(
                f"{model.full_name} is there already, and now answers otherwise: {difference}.",
                hint=f"Take the new one with: ragdebug models accept {model.name}",
            )
        self._put(record)
        self._agree(model)
        return RemoteTrial(record, None if old is None else True)

    def accept_remote_model(self, name: str) -> RemoteTrial:
        """Take what a model answers now as the model: a new fingerprint, where it differs.

        What the old one gave stays in the workspace, under the old fingerprint.
        """
        from ragdebug.models import remote

        old = self.remote_model(name)
        now = remote.try_again(old.model.full_name)
        difference = remote.difference(old, now)
        if difference:
            self._put(now)
        return RemoteTrial(now if difference else old, not difference, difference)

    def allow_remote_model(self, name: str) -> RemoteRecord:
        """Agree, on this machine, to ask a registered model's address with its key.

        Whoever adds a model has agreed. A workspace that came from elsewhere, or was moved, needs
        this before anybody is asked.
        """
        record = self.remote_model(name)
        self._agree(record.model)
        return self.remote_model(name)

    def _agree(self, model: RemoteModel) -> None:
        with suppress(OSError):  # a home that cannot be written to: for this process alone
            agreed.agree(self.path, model.agreement, remember=True)
        self._remotes = None

    def remove_remote_model(self, name: str) -> bool:
        """Take a model out of use; whether it was there. Its vectors stay."""
        self._remotes = None
        return self.store.registered.remove(KIND, name.removeprefix(REMOTE_PREFIX))

    def restore_remote_model(self, name: str) -> bool:
        """Bring a removed model back; whether there was one."""
        self._remotes = None
        return self.store.registered.restore(KIND, name.removeprefix(REMOTE_PREFIX))

    def _put(self, record: RemoteRecord) -> None:
        self.store.registered.put(KIND, record.model.name, record.as_dict())
        self._remotes = None

    def _records(self) -> dict[str, RemoteRecord]:
        known = self._remotes
        if known is None or time.monotonic() - known[0] > FRESH_S:
            values = self.store.registered.all(KIND)
            made = {name: self._read(value) for name, value in values.items()}
            known = self._remotes = (time.monotonic(), made)
        return known[1]

    def _read(self, value: Mapping[str, Any]) -> RemoteRecord:
        record = RemoteRecord.from_dict(value)
        yes = agreed.agreed(self.path, record.model.agreement) is not None
        return replace(record, agreed=yes)

    # What would be sent ---------------------------------------------------------------------------

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
        what = f"{n:,} pair{'' if n == 1 else 's'} of question and text"
        self._refuse(model, self._sent(model, what, tokens))

    @staticmethod
    def _refuse(model: ModelInfo, sent: Sending) -> None:
        raise SendingNotAllowed(
            f"The model {model.name} would get {sent}, at {sent.host}; nothing was sent.",
            hint=consent.AGREE,
        )


def _texts(n: int) -> str:
    return f"{n:,} text{'' if n == 1 else 's'}"


def _alike(old: RemoteModel, new: RemoteModel) -> bool:
    """Whether two settings mean the same model, wherever it runs."""
    return all(
        getattr(old, name) == getattr(new, name)
        for name in ("kind", "model", "dimensions", "query_prompt", "passage_prompt")
    )
