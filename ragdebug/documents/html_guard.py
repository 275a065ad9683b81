"""Makes hostile or broken HTML harmless before a tree is built of it.

The tree builder of HTML5 looks up the stack of open elements for each new one, and compares each
attribute with all before it: a few hundred kilobytes of ``<div>`` or of attributes keep it busy for
minutes. Pages made for people have neither.
"""

from __future__ import annotations

import re
from collections import Counter

MAX_ATTRIBUTES = 200
_MAX_TAG_CHARS = 2000
_MAX_FORMATTING = 10
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>\x00]{0,40})([^>]*)(>?)")
_MANY = re.compile(rf"(?:[\s/][^\s/>]*){{{MAX_ATTRIBUTES}}}")
# Elements without an end, or whose end the next one of their kind implies.
_FLAT = frozenset(
    "area base br col embed hr img input link meta param source track wbr p li dt dd tr td th "
    "thead tbody tfoot rp rt colgroup caption html head body".split()
)
# A browser opens these again in every block until they are closed by name.
_FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())
_INLINE = _FORMATTING | frozenset(
    "abbr bdi bdo cite data del dfn ins kbd label mark q samp span sub sup time var".split()
)


def tame(source: str, max_depth: int) -> tuple[str, bool]:
    """HTML with elements nested deeper than `max_depth` and absurd attributes taken out.

    Text is kept; only tags go, those of blocks leaving a line break. Returns the source, unchanged
    where nothing had to be done, and whether something was.
    """
    guard = _Guard(max_depth)
    parts: list[str] = []
    at = 0
    for tag in _TAG.finditer(source):
        instead = guard.replacement(bool(tag[1]), tag[2].lower(), tag[3])
        if instead is not None:
            parts += (source[at : tag.start()], instead)
            at = tag.end()
    if not parts:
        return source, False
    parts.append(source[at:])
    return "".join(parts), True


class _Guard:
    """Keeps count of what is open, roughly as a browser would."""

    def __init__(self, max_depth: int) -> None:
        self.max_depth = max_depth
        self.stack: list[str] = []
        self.open = Counter[str]()
        self.formatting = Counter[str]()
        self.seen_root: set[str] = set()

    def replacement(self, closing: bool, name: str, attributes: str) -> str | None:
        """What stands for a tag that has to go; None where it may stay."""
        gone = "" if name in _INLINE else "<br>"
        if name in ("html", "body") and not closing:
            # Later ones only add their attributes to the first.
            again = name in self.seen_root
            self.seen_root.add(name)
            return "" if again else self._shortened(name, attributes)
        if name in _FORMATTING and self._formatting_ends(closing, name):
            return ""
        if name not in _FLAT:
            if closing:
                return gone if self._close(name) >= self.max_depth else None
            if not attributes.endswith("/"):
                self.stack.append(name)
                self.open[name] += 1
                if len(self.stack) > self.max_depth:
                    return gone
        return None if closing else self._shortened(name, attributes)

    def _formatting_ends(self, closing: bool, name: str) -> bool:
        """Whether there are too many of these open already; then the tag says nothing anyway."""
        if closing:
            self.formatting[name] = max(0, self.formatting[name] - 1)
            return False
        self.formatting[name] += 1
        return self.formatting.total() > _MAX_FORMATTING

    def _close(self, name: str) -> int:
        """Close the innermost element of that name and all inside it; its depth, or -1."""
        if not self.open[name]:
            return -1
        while True:
            last = self.stack.pop()
            self.open[last] -= 1
            if last == name:
                return len(self.stack)

    def _shortened(self, name: str, attributes: str) -> str | None:
        if len(attributes) > _MAX_TAG_CHARS and _MANY.match(attributes):
            return f"<{name}>"
        return None
