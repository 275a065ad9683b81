"""A model behind an address: how it is asked, and nothing secret."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from ragdebug.settings.address import (
    checked_address,
    checked_key_env,
    checked_key_header,
    is_this_machine,
)
from ragdebug.settings.values import fingerprint, finite, refuse

REMOTE_PREFIX = "api:"
# Which kinds of model speak which protocol, and where it is asked below the base address.
FORMS: dict[str, tuple[str, str]] = {
    "openai": ("embedder", "embeddings"),
    "cohere": ("reranker", "rerank"),
    "tei": ("reranker", "rerank"),
    "voyage": ("reranker", "rerank"),
}
# Requests at the same time, where nobody says. A server on this machine works on one graphics card
# or on these cores: more only wait there, and run out of time. One elsewhere is mostly waited for:
# four take a fourth of the time, and are few for any account's limits.
AT_ONCE_HERE, AT_ONCE_ELSEWHERE = 1, 4
MOST_AT_ONCE = 32
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")


def is_remote(name: str) -> bool:
    """Whether a model's name in a strategy means one behind an address."""
    return name.startswith(REMOTE_PREFIX)


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """How a model behind an address is asked.

    Attributes:
        name: a short name; strategies call it ``api:NAME``.
        kind: embedder or reranker.
        url: base address such as ``https://api.openai.com/v1``, or the whole one.
        model: what the server calls it.
        form: openai (``/embeddings``), or for rerankers cohere (also Jina, vLLM), tei, voyage.
        key_env: name of the environment variable or secret that holds the key; "" for none.
        key_header: name of the header that carries the key as it is, such as ``api-key`` at Azure;
            "" for ``Authorization: Bearer``.
        batch: most texts in one request.
        parallel: most requests at the same time; 0 for 1 on this machine and 4 elsewhere.
        timeout_s: longest wait for an answer.
        requests_per_minute: 0 for no limit.
        tokens_per_minute: 0 for no limit.
        dimensions: length of vectors to ask for, where the server can shorten them; 0 for its own.
        query_prompt: put in front of a query.
        passage_prompt: put in front of a text.
        window: most tokens it reads; 0 where that is not known.
        tokenizer: local model whose tokenizer counts for it; "" for the embedded one.
        price_per_million: of a million tokens, in whatever money; 0 where it is not known.
        languages: ISO codes it was made for; empty when it was made for many.
    """

    name: str
    kind: str
    url: str
    model: str
    form: str = ""
    key_env: str = ""
    key_header: str = ""
    batch: int = 64
    parallel: int = 0
    timeout_s: float = 60.0
    requests_per_minute: float = 0
    tokens_per_minute: float = 0
    dimensions: int = 0
    query_prompt: str = ""
    passage_prompt: str = ""
    window: int = 0
    tokenizer: str = ""
    price_per_million: float = 0.0
    languages: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        name = self.name.strip().removeprefix(REMOTE_PREFIX)
        if not _NAME.fullmatch(name):
            raise refuse(
                f"{name[:60]!r} is no name for a model behind an address.",
                "Small letters, digits, '-', '_' and '.', at most 40: prod-small.",
            )
        object.__setattr__(self, "name", name)
        if self.kind not in ("embedder", "reranker"):
            raise refuse(f"No kind of model is called {self.kind!r}.", "Use embedder or reranker.")
        form = self.form or ("openai" if self.kind == "embedder" else "cohere")
        known = [f for f, (kind, _) in FORMS.items() if kind == self.kind]
        if form not in known:
            raise refuse(
                f"No {self.kind} is asked in the form {form!r}.", f"Known: {', '.join(known)}."
            )
        object.__setattr__(self, "form", form)
        object.__setattr__(self, "url", checked_address(self.url))
        object.__setattr__(self, "key_env", checked_key_env(self.key_env))
        object.__setattr__(self, "key_header", checked_key_header(self.key_header))
        if self.key_header and not self.key_env:
            raise refuse(
                "There is a header for a key, and no key.",
                "Name the environment variable that holds the key, too.",
            )
        object.__setattr__(self, "model", self.model.strip())
        if not self.model and form != "tei":
            raise refuse("The model's name at the server is missing.", "Such as bge-m3.")
        finite("The batch", self.batch, 1, 10_000)
        finite("The number of requests at the same time", self.parallel, 0, MOST_AT_ONCE)
        finite("The time-out", self.timeout_s, 0.1, 3600)
        finite("Requests a minute", self.requests_per_minute, 0)
        finite("Tokens a minute", self.tokens_per_minute, 0)
        finite("The length of vectors", self.dimensions, 0, 100_000)
        finite("The window", self.window, 0)
        finite("The price", self.price_per_million, 0)

    @property
    def full_name(self) -> str:
        """As it stands in a strategy: ``api:NAME``."""
        return REMOTE_PREFIX + self.name

    @property
    def endpoint(self) -> str:
        """The whole address that is asked."""
        last = FORMS[self.form][1]
        parts = urlsplit(self.url)
        path = parts.path.rstrip("/")
        if not path.endswith(f"/{last}"):
            # Embeddings stand below /v1 with everybody; rerankers without a path are TEI's.
            base = "/v1" if not path and self.form != "tei" else path
            path = f"{base}/{last}"
        return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))

    @property
    def models_url(self) -> str:
        """Where the server lists its models, if it does."""
        parts = urlsplit(self.endpoint)
        path = parts.path.rsplit("/", 1)[0] + "/models"
        return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))

    @property
    def host(self) -> str:
        """The server, for a sentence that says where texts go."""
        return urlsplit(self.url).netloc

    @property
    def at_once(self) -> int:
        """Most requests at the same time."""
        chosen = AT_ONCE_HERE if is_this_machine(self.url) else AT_ONCE_ELSEWHERE
        return self.parallel or chosen

    @property
    def key_from(self) -> str:
        """``the key in NAME``, with the header where it is one of its own; "" without a key."""
        if not self.key_env:
            return ""
        return f"the key in {self.key_env}" + (f" as {self.key_header}" if self.key_header else "")

    @property
    def agreement(self) -> str:
        """What a person on this machine agrees to: to ask this address, with this key."""
        return f"ask {self.endpoint}" + (f" with {self.key_from}" if self.key_env else "")

    def fingerprint(self) -> str:
        """Identity of these settings."""
        return fingerprint(asdict(self))

    def as_dict(self) -> dict[str, Any]:
        """Plain values, as JSON holds them."""
        return asdict(self) | {"languages": list(self.languages)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> RemoteModel:
        """Read `as_dict`; what another release added is left out."""
        names = {f.name for f in fields(cls)}
        known = {k: v for k, v in values.items() if k in names}
        return cls(**known | {"languages": tuple(known.get("languages", ()))})
