"""Models behind addresses, as the open workspaces know them.

What is known of a model is asked for by its name alone, in places that know no workspace. So each
open workspace adds a provider here, name -> record, and takes it away when it is closed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ragdebug.errors import ModelError, ModelNotFound
from ragdebug.model_files.text import estimated_tokens
from ragdebug.protocols import ModelInfo
from ragdebug.settings import DEFAULT_EMBEDDER, RemoteModel, fingerprint

# Change when the same answers would be made into other vectors or scores.
REMOTE_VERSION = 1
TYPICAL_TOKENS = 160  # of a text, for estimates of seconds


@dataclass(frozen=True, slots=True)
class RemoteRecord:
    """A registered model and what it answered when it was added.

    Attributes:
        model: its settings.
        dimension: length of its vectors; 0 for rerankers.
        probe: what it gave for a fixed sentence, of unit length; for rerankers the scores of a
            fixed question and three texts.
        elapsed_s: seconds of that request.
        agreed: whether somebody on this machine agreed to ask this address, with its key. A
            workspace may come from somebody else; it must not ask anybody by being opened.
    """

    model: RemoteModel
    dimension: int
    probe: tuple[float, ...]
    elapsed_s: float = 0.0
    agreed: bool = True

    @property
    def fingerprint(self) -> str:
        """Changes when the model, its prompts or what it answers change; not with its address."""
        m = self.model
        shaping = [m.kind, m.model, self.dimension, m.query_prompt, m.passage_prompt]
        return fingerprint(["api", REMOTE_VERSION, *shaping, [round(x, 6) for x in self.probe]])

    @property
    def info(self) -> ModelInfo:
        """What is known of it, as of any other model."""
        m = self.model
        # A prompt takes its share of the window, and special tokens about two.
        taken = 2 + estimated_tokens(m.passage_prompt) if m.window else 0
        priced = f", {m.price_per_million:g} per million tokens" if m.price_per_million else ""
        return ModelInfo(
            m.full_name,
            m.kind,
            self.fingerprint,
            dimension=self.dimension,
            window=m.window,
            special_tokens=taken,
            languages=m.languages,
            query_prompt=m.query_prompt,
            passage_prompt=m.passage_prompt,
            revision=m.model,
            texts_per_s=self._speed(),
            note=f"{m.model or 'The model'} behind an address{priced}.",
            remote=True,
            batch=m.batch,
            parallel=m.at_once,
            tokenizer=m.tokenizer or DEFAULT_EMBEDDER,
            price_per_million=m.price_per_million,
        )

    def _speed(self) -> float:
        """Texts a second: full batches taken for twice as slow as the one text of the probe."""
        m = self.model
        rates = [m.at_once * m.batch / max(2 * self.elapsed_s, 0.05)]
        if m.requests_per_minute:
            rates.append(m.requests_per_minute * m.batch / 60)
        if m.tokens_per_minute:
            rates.append(m.tokens_per_minute / TYPICAL_TOKENS / 60)
        return min(rates)

    def as_dict(self) -> dict[str, Any]:
        """Plain values, as JSON holds them."""
        return {
            "settings": self.model.as_dict(),
            "dimension": self.dimension,
            "probe": list(self.probe),
            "elapsed_s": self.elapsed_s,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> RemoteRecord:
        """Read `as_dict`."""
        return cls(
            RemoteModel.from_dict(values["settings"]),
            int(values["dimension"]),
            tuple(float(x) for x in values["probe"]),
            float(values.get("elapsed_s", 0.0)),
        )


Provider = Callable[[str], RemoteRecord | None]

_providers: list[Provider] = []
_lock = threading.Lock()


def add_provider(provider: Provider) -> None:
    """Let the models of one more open workspace be found; the short name goes in."""
    with _lock:
        _providers.append(provider)


def remove_provider(provider: Provider) -> None:
    """Forget a workspace that is closed."""
    with _lock:
        if provider in _providers:
            _providers.remove(provider)


def remote(name: str) -> RemoteRecord:
    """The registered model called ``api:NAME``.

    Raises:
        ModelNotFound: no open workspace has it.
        ModelError: two open workspaces mean different models by it.
    """
    short = name.partition(":")[2]
    with _lock:
        providers = list(_providers)
    found = [record for provider in providers if (record := provider(short)) is not None]
    if not found:
        raise ModelNotFound(
            f"There is no model {name} in this workspace.",
            hint=f"Add it: ragdebug models add {short or 'NAME'} --url ... --model ...",
        )
    if len({(r.fingerprint, r.model.fingerprint()) for r in found}) > 1:
        raise ModelError(
            f"Two open workspaces mean different models by {name}.",
            title="One name, two models",
            hint="Give one of them another name, or open the workspaces one after the other.",
        )
    return found[0]
