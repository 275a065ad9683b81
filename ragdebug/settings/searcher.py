"""Somebody's own search: a Python function or an HTTP address, how it is asked, nothing secret."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any
from urllib.parse import urlsplit

from ragdebug.settings.address import checked_address, checked_key_env
from ragdebug.settings.template import check_body, placeholders
from ragdebug.settings.values import MAX_DEPTH, fingerprint, finite, refuse

PYTHON, HTTP = "python", "http"
METHODS = ("POST", "GET", "PUT")
ROLES = ("text", "id", "source", "score", "page", "start", "end", "metadata")
BODY = '{"query": {query}, "k": {k}, "filter": {filter}}'

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}")
_DOTTED = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"
_TARGET = re.compile(rf"{_DOTTED}:{_DOTTED}")
_ENTRY_POINT = re.compile(r"[A-Za-z0-9_.-]{1,80}")
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,80}")
_FROM_ENV = re.compile(r"\$\{([A-Z_][A-Z0-9_]{0,63})\}")
_SECRET_HEADER = re.compile(r"auth|key|token|secret|cookie|passw|credential", re.IGNORECASE)
# Twenty characters without a blank that hold a digit and a letter: no word of a header is like it.
_SECRET_VALUE = re.compile(
    r"(?i:bearer|basic|apikey)\s+\S|\bsk-|(?=\S*\d)(?=\S*[A-Za-z])[A-Za-z0-9_\-+/=]{20,}"
)
_KEY_HINT = (
    "Put the key into an environment variable and write its name, such as ${SEARCH_KEY}; the value"
    " is looked up when the searcher is asked, and never kept."
)


@dataclass(frozen=True, slots=True)
class SearcherSettings:
    """How somebody's own search is asked.

    Attributes:
        name: strategies call it ``searcher:NAME``.
        kind: python or http.
        target: of a Python function ``module:function``, or the name of an entry point of the
            group ``ragdebug.searchers``.
        url: address; ``{query}``, ``{k}`` and ``{filter}`` in its path or query are filled in.
        method: POST, GET or PUT.
        body: template of the JSON that is sent, see `ragdebug.settings.template`; "" for `BODY`.
            GET sends none.
        headers: (name, value) pairs; ``${NAME}`` in a value stands for an environment variable.
        key_env: name of the environment variable whose value is sent as bearer token; "" for none.
        hits: where the hits stand in the answer, such as ``hits.hits``; "" to look for them.
        fields: (role, path in a hit) pairs; roles are in `ROLES`. Those not given are guessed.
        depth: hits it is asked for at least, so that ranks beyond k are known; 0 for k alone.
        timeout_s: longest wait for an answer.
        retries: further tries after a failure that may pass; of HTTP only.
        requests_per_minute: 0 for no limit.
        parallel: how many queries are asked at the same time where there are many.
    """

    name: str
    kind: str
    target: str = ""
    url: str = ""
    method: str = "POST"
    body: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    key_env: str = ""
    hits: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    depth: int = 20
    timeout_s: float = 30.0
    retries: int = 2
    requests_per_minute: float = 0
    parallel: int = 1

    def __post_init__(self) -> None:
        name = self.name.strip().removeprefix("searcher:")
        if not _NAME.fullmatch(name):
            raise refuse(
                f"{name[:60]!r} is no name for a searcher.",
                "Letters, digits, blanks, '-', '_' and '.', at most 40: prod.",
            )
        object.__setattr__(self, "name", name)
        if self.kind == PYTHON:
            self._check_python()
        elif self.kind == HTTP:
            self._check_http()
        else:
            raise refuse(f"No kind of searcher is called {self.kind!r}.", "Use python or http.")
        object.__setattr__(self, "hits", self.hits.strip())
        self._check_fields()
        finite("The depth", self.depth, 0, MAX_DEPTH)
        finite("The time-out", self.timeout_s, 0.1, 3600)
        finite("The number of retries", self.retries, 0, 20)
        finite("Requests a minute", self.requests_per_minute, 0)
        finite("Queries at the same time", self.parallel, 1, 64)

    def _check_python(self) -> None:
        target = self.target.strip()
        object.__setattr__(self, "target", target)
        fits = _TARGET if ":" in target else _ENTRY_POINT
        if not fits.fullmatch(target):
            raise refuse(
                f"{target[:80]!r} names no function.",
                "Write module:function, such as mysearch:search, or the name of an entry point.",
            )
        if self.url or self.headers or self.key_env or self.body:
            raise refuse("A Python function has no address, headers, body or key.")

    def _check_http(self) -> None:
        if self.target:
            raise refuse("An address has no module and function.")
        url = checked_address(self.url)
        if "{" in urlsplit(url).netloc:
            raise refuse("The host of the address cannot be filled in.", "Write it out.")
        object.__setattr__(self, "url", url)
        method = self.method.strip().upper()
        if method not in METHODS:
            raise refuse(f"The method {method[:20]!r} is not known.", f"Use {', '.join(METHODS)}.")
        object.__setattr__(self, "method", method)
        if method == "GET" and self.body:
            raise refuse("GET sends no body.", "Use POST, or put {query} into the address.")
        if method == "GET" and "query" not in placeholders(url):
            raise refuse(
                "With GET the query has to stand in the address.",
                "Such as https://search.example.com/find?q={query}&n={k}",
            )
        if self.body:
            check_body(self.body)
            if "query" not in placeholders(self.body) | placeholders(url):
                raise refuse("The query stands neither in body nor address.", f"Such as {BODY}")
        object.__setattr__(self, "key_env", checked_key_env(self.key_env))
        object.__setattr__(self, "headers", tuple(_header(n, v) for n, v in self.headers))

    def _check_fields(self) -> None:
        made: dict[str, str] = {}
        for role, path in self.fields:
            if role not in ROLES:
                raise refuse(
                    f"{role[:40]!r} is nothing a hit can have.", f"There are {', '.join(ROLES)}."
                )
            made[role] = path.strip()
        object.__setattr__(self, "fields", tuple(made.items()))

    @property
    def where(self) -> str:
        """The address without its parameters, or the function: for a sentence or a table."""
        if self.kind == PYTHON:
            return self.target
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}{parts.path}"

    @property
    def environment(self) -> tuple[str, ...]:
        """Names of the environment variables whose values are sent."""
        named = [n for _, value in self.headers for n in _FROM_ENV.findall(value)]
        return tuple(dict.fromkeys([*named, *([self.key_env] if self.key_env else [])]))

    @property
    def agreement(self) -> str:
        """Identity of what a person agrees to: code that runs, or who gets queries and keys."""
        if self.kind == PYTHON:
            return f"python:{self.target}"
        sent = [self.url, self.method, self.headers, self.key_env]
        return f"http:{self.where}:{fingerprint(sent)}"

    def takes_filter(self) -> bool:
        """Whether an address is told the filter. A function's own parameters say it for itself."""
        found = placeholders(self.url)
        if self.method != "GET":
            found |= placeholders(self.body or BODY)
        return "filter" in found

    def asked(self, k: int) -> int:
        """How many hits it is asked for where `k` are wanted."""
        return max(k, self.depth)

    def fingerprint(self) -> str:
        """Identity of what it answers: the same for another name, pace or time-out."""
        same = replace(self, name="x", timeout_s=30, retries=0, requests_per_minute=0, parallel=1)
        return fingerprint(asdict(same))

    def as_dict(self) -> dict[str, Any]:
        """Plain values, as JSON holds them."""
        return asdict(self) | {"headers": dict(self.headers), "fields": dict(self.fields)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> SearcherSettings:
        """Read `as_dict`; what another release added is left out.

        Raises:
            InvalidSetting: it is not what `as_dict` gives.
        """
        names = {f.name for f in fields(cls)}
        known = {k: v for k, v in values.items() if k in names}
        try:
            for name in ("headers", "fields"):
                known[name] = tuple((str(k), str(v)) for k, v in dict(known.get(name, {})).items())
            return cls(**known)
        except (TypeError, ValueError, AttributeError) as e:
            raise refuse("These are no settings of a searcher.") from e


def fill_from_environment(value: str, look_up: Any) -> str:  # noqa: ANN401 - name -> value
    """A header's value with each ``${NAME}`` as `look_up` gives it."""
    return _FROM_ENV.sub(lambda m: str(look_up(m[1])), value)


def _header(name: str, value: str) -> tuple[str, str]:
    """A header that may be kept. What is refused is not quoted: it may be a key."""
    name, value = name.strip(), value.strip()
    if not _HEADER.fullmatch(name):
        raise refuse("This is not the name of a header.", "Such as X-Api-Key: ${SEARCH_KEY}")
    if not value.isprintable() or not value.isascii():
        raise refuse(f"The value of the header {name} holds characters that no header has.")
    rest = _FROM_ENV.sub("", value)
    if "${" in rest:
        raise refuse(
            f"The header {name} names an environment variable in a way that is not understood.",
            "Write ${NAME}: capital letters, digits and _ only.",
        )
    secret = _SECRET_HEADER.search(name) and rest == value and value
    if secret or _SECRET_VALUE.search(rest):
        raise refuse(f"The value of the header {name} looks like a key.", _KEY_HINT)
    return name, value


def parse_header(text: str) -> tuple[str, str]:
    """``Name: value`` as the pair that settings hold.

    Raises:
        InvalidSetting: there is no colon, or the value looks like a key.
    """
    name, colon, value = text.partition(":")
    if not colon:
        raise refuse("A header is written Name: value.", "Such as 'X-Api-Key: ${SEARCH_KEY}'.")
    return _header(name, value)


def parse_field(text: str) -> tuple[str, str]:
    """``role=path`` as the pair that settings hold.

    Raises:
        InvalidSetting: there is no equals sign.
    """
    role, equals, path = text.partition("=")
    if not equals:
        raise refuse(f"{text[:80]!r} is not role=path.", "Such as text=_source.body.")
    return role.strip(), path.strip()


def describe(settings: SearcherSettings) -> str:
    """The settings as JSON for a person."""
    return json.dumps(settings.as_dict(), indent=2, ensure_ascii=False)
