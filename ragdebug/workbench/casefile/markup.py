"""HTML made of elements; every text in it is shown as it is, whatever it holds."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

# Would cut a text off, or reorder what follows it on the screen.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_REORDERING = {
    code: f"⟦{name}⟧"
    for code, name in (
        (0x061C, "ALM"),
        (0x200E, "LRM"),
        (0x200F, "RLM"),
        (0x202A, "LRE"),
        (0x202B, "RLE"),
        (0x202C, "PDF"),
        (0x202D, "LRO"),
        (0x202E, "RLO"),
        (0x2066, "LRI"),
        (0x2067, "RLI"),
        (0x2068, "FSI"),
        (0x2069, "PDI"),
    )
}
_VOID = {"meta", "image", "rect", "line", "polyline", "circle", "hr", "br", "polygon"}


class Html(str):
    """Markup that is ready; anything else is text."""

    __slots__ = ()


Child = str | Iterable[str]


def literal(text: str) -> str:
    """A text without what would act on its own: control characters and reordering marks."""
    return _CONTROLS.sub("\ufffd", text.translate(_REORDERING))


def escaped(text: str) -> Html:
    """Text as markup that shows it."""
    return text if isinstance(text, Html) else Html(html.escape(literal(text), quote=True))


def el(tag: str, *children: Child, **attributes: str | float | bool) -> Html:
    """An element. Children that are no `Html` are escaped, and so are values of attributes.

    A trailing "_" of an attribute's name is dropped, other "_" are "-"; True stands for an
    attribute without a value, False and "" for none.
    """
    named = []
    for name, value in attributes.items():
        key = name.rstrip("_").replace("_", "-")
        if value is True:
            named.append(f" {key}")
        elif value is not False and value != "":
            named.append(f' {key}="{escaped(str(value))}"')
    inner = "".join(_flat(children))
    if tag in _VOID and not inner:
        return Html(f"<{tag}{''.join(named)}/>")
    return Html(f"<{tag}{''.join(named)}>{inner}</{tag}>")


def join(*children: Child) -> Html:
    """Several after each other."""
    return Html("".join(_flat(children)))


def _flat(children: Iterable[Child]) -> Iterable[str]:
    for child in children:
        if isinstance(child, str):
            yield escaped(child)
        else:
            yield from (escaped(one) for one in child)


def marked(text: str, marks: Iterable[tuple[int, int]], cuts: Iterable[int] = ()) -> Html:
    """A text with marked spans and lines where it is cut; positions are code points of it."""
    spans, lines = sorted(marks), set(cuts)
    borders = sorted({0, len(text), *lines, *(p for span in spans for p in span)})
    borders = [b for b in borders if 0 <= b <= len(text)]
    made: list[str] = []
    for at, start in enumerate(borders):
        if start in lines:
            made.append(el("span", "chunk begins", class_="cut"))
        end = borders[at + 1] if at + 1 < len(borders) else start
        if start == end:
            continue
        piece = text[start:end]
        inside = any(a <= start and end <= b for a, b in spans)
        made.append(el("mark", piece) if inside else escaped(piece))
    return join(made)
