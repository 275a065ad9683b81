"""What of a machine must not travel: paths, names of hosts, keys.

Two rules. In what this program says (names of strategies, models, notes) a path shrinks to its last
part, and this machine's name goes. In the texts of people (questions, documents) only what looks
like a key is made unreadable, sign by sign, so that positions and marks still hold.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from ragdebug.workbench.casefile.records import Table

T = TypeVar("T")

BLACK = "█"
TEXTS = {"text", "query", "quote", "section", "reads"}  # fields that hold words of people
FEWEST, LONG = 8, 16  # characters of a secret in the environment; where all are letters
PIECE = 4  # fewest characters of a key of which a piece is made unreadable
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_KEYS = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|\bsk-(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{16,}"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{20,}"
    r"|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bhf_[A-Za-z0-9]{20,}|\bxox[abprs]-[\w-]{10,}"
    r"|\bAIza[\w-]{30,}|\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+"
    r"|(?<=://)[^\s/:@]+:[^\s/@]+(?=@)"
    r"|(?i:(?<=key=)|(?<=key: )|(?<=key:)|(?<=key = ))"
    r"[\"']?(?=[A-Za-z+/_-]*\d)[A-Za-z0-9+/_-]{20,}=*"
    r"|(?<=Bearer )[\w.~+/-]{16,}=*",
    re.DOTALL,
)
# A variable of the environment, unless it is a key of a table; else a name that is one of a secret
# and a value with a digit.
_GIVEN = re.compile(
    r"(?P<name>\b(?!(?:PRIMARY|FOREIGN|SORT|PARTITION|UNIQUE|CANDIDATE|NATURAL)_KEY|MAX_)"
    r"[A-Z][A-Z0-9_]*(?:_KEY|TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|CREDENTIALS?)"
    r"[\"']?\s?[=:]\s?[\"']?)(?P<value>[^\s\"',;<>█]{6,})"
    r"|(?P<called>(?i:(?:api|access|private|auth)[ _-]?key|token|secret|passw(?:or)?d)"
    r"[\"']?\s?[=:]\s?[\"']?)(?P<held>(?=\S*\d)(?=\S*[A-Za-z])[^\s\"',;<>█]{8,})"
)
_FRAME = re.compile(r"-----[A-Z ]+-----")  # what stands around a key is no secret
_WORD = re.compile(r"(?=\d*[^\W\d]|\d{6})\w{4,}")  # no numbers of a table
_PATH = re.compile(
    r"(?<![\w./~-])(?:file://)?(?:~|[A-Za-z]:)?[\\/](?:[^\s\\/,;:'\"<>|=+]+[\\/])+"
    r"(?P<last>[^\s\\/,;:'\"<>|=+]*)"
)


class Cleaner:
    """Takes out what must not travel, and counts what it made unreadable.

    Args:
        names: more words to take out of what the program says, such as the workspace's path.
    """

    def __init__(self, *names: str) -> None:
        self.blacked_out = 0
        self._secrets = sorted(
            {
                v
                for k, v in os.environ.items()
                if _SECRET_NAME.search(k) and len(v) >= (LONG if v.isalpha() else FEWEST)
            },
            key=len,
            reverse=True,
        )
        self._held: list[str] = []
        paths = {str(Path(n)) for n in names if n} | {str(Path.home()), str(Path.cwd())}
        self._paths = sorted((p for p in paths if len(p) > 1), key=len, reverse=True)
        hosts = {h for h in (socket.gethostname(), socket.getfqdn()) if _telling(h)}
        self._hosts = sorted(hosts, key=len, reverse=True)  # the whole name before its first part

    def learn(self, text: str) -> None:
        """Remember the keys of a text that is shown in pieces: a piece of one goes as well.

        A chunk may begin or end within a key, and a term of BM25 may be a part of it.
        """
        found = {m[0] for m in _KEYS.finditer(text)}
        given = (m["value"] or m["held"] for m in _GIVEN.finditer(text))
        found |= {value for value in given if not value.isalpha()}  # no everyday word
        low = text.lower()
        found |= {s for s in self._secrets if s.lower() in low}
        self._held = sorted({*self._held, *found}, key=len, reverse=True)

    def text(self, value: str) -> str:
        """A text of people; as long as it was."""
        for secret in (*self._held, *self._secrets):
            value = re.sub(re.escape(secret), self._black, value, flags=re.IGNORECASE)
        value = _GIVEN.sub(self._black_value, _KEYS.sub(self._black, value))
        return self._edges(value) if self._held else value

    def said(self, value: str) -> str:
        """What this program says."""
        value = self.text(value)
        for path in self._paths:
            value = re.sub(rf"{re.escape(path)}(?=[\\/])[\\/]?|{re.escape(path)}(?!\w)", "", value)
        value = _PATH.sub(lambda m: m["last"] or "…", value)
        for host in self._hosts:
            value = re.sub(rf"(?<![\w.-]){re.escape(host)}(?![\w-])", "…", value)
        return value

    def all(self, value: T, name: str = "") -> T:
        """Any record with all that it holds; `name` is the field that it stands in."""
        return self._all(value, name)  # type: ignore[no-any-return]

    def _all(self, value: Any, name: str) -> Any:  # noqa: ANN401 - records of any kind
        if isinstance(value, str):
            return self.text(value) if name in TEXTS else self.said(value)
        if isinstance(value, Table):
            rows = tuple(tuple(self._words(c) for c in row) for row in value.rows)
            value = replace(value, rows=rows, note=self._words(value.note))
        if is_dataclass(value) and not isinstance(value, type):
            held = {f.name: self._all(getattr(value, f.name), f.name) for f in fields(value)}
            return replace(value, **held)
        if isinstance(value, Mapping):
            return {self._all(k, "key"): self._all(v, str(k)) for k, v in value.items()}
        if isinstance(value, tuple | list):
            return type(value)(self._all(one, name) for one in value)
        return value

    def _edges(self, value: str) -> str:
        """A text that begins within a key, ends within one, or lies in one; a label may lead it."""
        begins = [0, value.find("\n") + 1]
        for secret in self._held:
            key, frame = secret.lower(), " ".join(_FRAME.findall(secret)).lower()
            for begin in dict.fromkeys(begins):
                core = value[begin:].strip(" \t\r\n…")
                low, at = core.lower(), value.find(core, begin)
                if len(low) != len(core) or len(core) < PIECE:
                    continue
                sizes = range(min(len(key), len(core)), PIECE - 1, -1)
                head = next((n for n in sizes if low.startswith(key[-n:])), 0)
                tail = next((n for n in sizes if low.endswith(key[:n])), 0)
                if low in key and low not in frame:
                    head, tail = len(core), 0
                value = self._blacked(value, at, at + head)
                value = self._blacked(value, at + len(core) - tail, at + len(core))
        return value

    def _blacked(self, value: str, start: int, end: int) -> str:
        if start >= end:
            return value
        self.blacked_out += 1
        return value[:start] + re.sub(r"\S", BLACK, value[start:end]) + value[end:]

    def _words(self, value: str) -> str:
        """What is told of the terms of a query: parts of a key are terms, too."""

        def part(found: re.Match[str]) -> str:
            word = found[0].lower()
            held = any(word in _FRAME.sub("", key).lower() for key in self._held)
            return self._black(found) if held else found[0]

        return _WORD.sub(part, self.said(value)) if self._held else value

    def _black(self, found: re.Match[str]) -> str:
        self.blacked_out += 1
        return BLACK * len(found[0])

    def _black_value(self, found: re.Match[str]) -> str:
        name = found["name"] or found["called"]
        return name + self._black(found)[len(name) :]


def _telling(host: str) -> bool:
    """Whether a name says something about a machine, and is no everyday word."""
    return len(host) >= 4 and host != "localhost" and not host.startswith("localhost.")
