"""How documents are cut: ``structure:220/40:tokens:label``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from ragdebug.settings.values import (
    CHUNKERS,
    DEFAULT_EMBEDDER,
    IMPORTED,
    UNITS,
    as_written,
    fingerprint,
    plain,
    refuse,
)


@dataclass(frozen=True, slots=True)
class ChunkingSettings:
    """How documents are cut.

    Attributes:
        strategy: one of `CHUNKERS`, or ``imported``: pieces that another system cut.
        size: the most a chunk's own text may have, in `unit`; ignored by ``document``, and by
            ``imported``, whose pieces are as they were given.
        overlap: how much of a chunk is repeated at the start of the next, in `overlap_unit`.
        unit: tokens or chars.
        overlap_unit: "" for the same as `unit`, or ``sentences``.
        tokenizer: which tokenizer counts, where the unit is tokens.
        label: whether the section path is put in front of the text that is indexed.
        separators: for ``recursive``, tried in order, literal text; empty for the usual ones.
        name: for ``imported``, what the pieces were called here.
    """

    strategy: str = "structure"
    size: int = 220
    overlap: int = 40
    unit: str = "tokens"
    overlap_unit: str = ""
    tokenizer: str = DEFAULT_EMBEDDER
    label: bool = True
    separators: tuple[str, ...] = ()
    name: str = ""

    def __post_init__(self) -> None:
        if self.strategy not in (*CHUNKERS, IMPORTED):
            raise refuse(
                f"No chunker is called {self.strategy!r}.",
                f"Known: {', '.join(CHUNKERS)}, and imported:NAME.",
            )
        if bool(self.name) != self.is_imported:
            raise refuse(
                "Imported chunks have no name."
                if self.is_imported
                else f"Only imported chunks have a name; {self.strategy} has none.",
                "Write it like imported:NAME.",
            )
        if self.unit not in UNITS:
            raise refuse(f"Sizes cannot be counted in {self.unit!r}.", f"Use {' or '.join(UNITS)}.")
        if self.overlap_unit not in ("", "sentences"):
            raise refuse(f"Overlap cannot be counted in {self.overlap_unit!r}.")
        if self.is_unsized:
            return
        for name, value in (("Size", self.size), ("Overlap", self.overlap)):
            if isinstance(value, bool) or not isinstance(value, int):
                raise refuse(f"{name} is {value!r}; it must be a whole number.")
        if self.size < 1:
            raise refuse(f"Size is {self.size}; it must be 1 or more (overlap is {self.overlap}).")
        if self.overlap < 0:
            raise refuse(f"Overlap is {self.overlap}; it must be 0 or more (size is {self.size}).")
        if not self.overlap_unit and self.overlap >= self.size:
            raise refuse(
                f"Overlap {self.overlap} is not smaller than size {self.size}: "
                "no chunk would ever end.",
                f"Use an overlap of {max(0, self.size // 5)} or less.",
            )

    @property
    def is_imported(self) -> bool:
        """Whether another system cut the chunks."""
        return self.strategy == IMPORTED

    @property
    def chooser(self) -> str:
        """What a list of chunkers calls it: its strategy, or ``imported:NAME``."""
        return str(self) if self.is_imported else self.strategy

    @property
    def is_unsized(self) -> bool:
        """Whether size and overlap mean nothing."""
        return self.strategy in ("document", IMPORTED)

    def __str__(self) -> str:
        if self.is_imported:
            return f"{IMPORTED}:{as_written(self.name)}"
        label = "label" if self.label else "nolabel"
        unit = self.unit
        if unit == "tokens" and self.tokenizer != DEFAULT_EMBEDDER:
            unit = f"tokens={as_written(self.tokenizer)}"
        if self.strategy == "document":
            return f"document:{label}"
        overlap = f"{self.overlap}s" if self.overlap_unit else f"{self.overlap}"
        separators = ",".join(as_written(s, but="%:+@, ") for s in self.separators)
        tail = f":separators={separators}" if separators else ""
        return f"{self.strategy}:{self.size}/{overlap}:{unit}:{label}{tail}"

    @classmethod
    def parse(cls, text: str) -> ChunkingSettings:
        """Read a text form; parts may be left out, except the name.

        Raises:
            InvalidSetting: naming the part that is wrong.
        """
        parts = [p.strip() for p in text.split(":")]
        values: dict[str, Any] = {"strategy": parts[0]}
        if parts[0] == IMPORTED:
            if len(parts) > 2:
                raise refuse(
                    f"{':'.join(parts[2:])!r} in the chunking {text!r} is not understood.",
                    "Imported chunks have a name and nothing else: imported:NAME.",
                )
            return cls(strategy=IMPORTED, name=unquote(parts[1]) if len(parts) > 1 else "")
        if parts[0] in CHUNKERS and parts[0] != "structure":
            values |= {"overlap": 0}
        for part in parts[1:]:
            if part in ("label", "nolabel"):
                values["label"] = part == "label"
            elif part in UNITS:
                values["unit"] = part
            elif part.startswith("tokens="):
                values |= {"unit": "tokens", "tokenizer": unquote(part.removeprefix("tokens="))}
            elif part.startswith("separators="):
                given = part.removeprefix("separators=").split(",")
                values["separators"] = tuple(unquote(s) for s in given)
            elif m := re.fullmatch(r"(-?\d+)(?:/(-?\d+)(s?))?", part):
                values["size"] = int(m[1])
                if m[2] is None:
                    values["overlap"] = min(values.get("overlap", 40), max(0, int(m[1]) // 5))
                else:
                    values |= {"overlap": int(m[2]), "overlap_unit": "sentences" if m[3] else ""}
            else:
                raise refuse(
                    f"{part!r} in the chunking {text!r} is not understood.",
                    "Write it like structure:220/40:tokens:label.",
                )
        return cls(**values)

    def fingerprint(self) -> str:
        """Identity of the settings; the chunkers' own version is added by the caller."""
        return fingerprint(plain(self, "name"))
