"""Models behind addresses: added after a trial, listed, removed, brought back, accepted anew."""

from __future__ import annotations

import time
import weakref
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ragdebug.errors import ModelChanged, ModelError, ModelNotFound
from ragdebug.model_files import remotes
from ragdebug.model_files.remotes import RemoteRecord
from ragdebug.protocols import ModelInfo
from ragdebug.settings import DEFAULT_WORKSPACE, REMOTE_PREFIX, RemoteModel
from ragdebug.web import agreed, consent, has_key
from ragdebug.workbench.base import Base

KIND = "remote model"  # in the store's table of what is registered
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


class RemoteModels(Base):
    """Use cases on models behind addresses."""

    def __init__(self, path: str | Path = DEFAULT_WORKSPACE, **options: Any) -> None:  # noqa: ANN401
        super().__init__(path, **options)
        self._remotes: tuple[float, dict[str, RemoteRecord]] | None = None
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


def _alike(old: RemoteModel, new: RemoteModel) -> bool:
    """Whether two settings mean the same model, wherever it runs."""
    return all(
        getattr(old, name) == getattr(new, name)
        for name in ("kind", "model", "dimensions", "query_prompt", "passage_prompt")
    )
