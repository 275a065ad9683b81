"""HTML: the text a reader sees, with its headings, lists, tables and code.

Blocks are kept apart and what is inline stays together, so that neither words are glued nor torn.
The tree is built by lexbor (selectolax) as a browser would build it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ragdebug.documents.canonical import normalise, one_line
from ragdebug.documents.encoding import decode
from ragdebug.documents.html_guard import tame
from ragdebug.documents.html_writer import SIGNS, Writer, collapse
from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.errors import EmptyDocument
from ragdebug.records import ParsedDocument, ParseWarning

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

PARSER = "html/1"

_UNSEEN = frozenset(
    "head script style template noscript iframe object audio video canvas datalist annotation "
    "annotation-xml".split()
)
_BLOCKS = frozenset(
    "address article aside body center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form frameset header hgroup hr legend li main menu nav ol optgroup option p search "
    "section select summary ul table caption thead tbody tfoot tr td th textarea blockquote "
    "text".split()
)
_HEADINGS = {f"h{n}": n for n in range(1, 7)}
_LAYOUT = frozenset(["table", "pre", *_HEADINGS])
_HIDDEN_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.I)
_PERMALINKS = ("\u00b6", "#", "\U0001f517")
_META = {
    "description": "description",
    "author": "author",
    "keywords": "keywords",
    "date": "date",
    "article:published_time": "date",
}
_XML = re.compile(r"\s*<\?xml\b")
_SELF_CLOSED = re.compile(
    r"<(a|div|iframe|p|script|span|style|textarea|title)\b([^<>]{0,500})/>", re.IGNORECASE
)


def parse_html(data: bytes, name: str, options: ParseOptions, limits: Limits) -> ParsedDocument:
    """Read an HTML file.

    Raises:
        DocumentError: the file is not text, shows no text, or has a line beyond the limit.
    """
    from selectolax.lexbor import LexborHTMLParser

    decoded = decode(data, name, options.encoding, limits)
    source = decoded.text
    if _XML.match(source):
        # HTML knows no self-closed script or title; everything after it would be swallowed.
        source = _SELF_CLOSED.sub(r"<\1\2></\1>", source)
    source, tamed = tame(source, limits.max_depth)
    tree = LexborHTMLParser(source)
    writer = Writer()
    root = tree.body or tree.root
    if root is not None:
        _Walker(writer).walk(root)
    text, blocks, sections = writer.finish()
    if not text:
        raise EmptyDocument(f"{name} shows no text.", hint="Is its text written by a script?")
    warnings = list(decoded.warnings)
    if tamed:
        message = f"{name}: elements nested deeper than {limits.max_depth} were flattened."
        warnings.append(ParseWarning("deep_nesting", message))
    first = tree.head.css_first("title") if tree.head else None
    title = one_line(first.text(deep=True)) if first else ""
    return ParsedDocument(
        text=text,
        kind="html",
        parser=PARSER,
        title=title or (sections[0].title if sections else ""),
        sections=sections,
        blocks=blocks,
        metadata=dict(_metadata(tree)),
        language=_language(tree),
        warnings=tuple(warnings),
    )


def _metadata(tree: LexborHTMLParser) -> Iterator[tuple[str, str]]:
    for node in tree.css("head meta"):
        attributes = node.attributes
        key = _META.get((attributes.get("name") or attributes.get("property") or "").lower())
        value = one_line(attributes.get("content") or "")
        if key and value:
            yield key, value


def _language(tree: LexborHTMLParser) -> str:
    node = tree.css_first("html")
    given = (node.attributes.get("lang") or node.attributes.get("xml:lang") or "") if node else ""
    code = re.split("[-_]", given.strip().lower())[0]
    return code if len(code) == 2 and code.isalpha() and code.isascii() else ""


class _Walker:
    """Goes through the tree without recursion and tells the writer what comes."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    def walk(self, root: LexborNode) -> None:
        parents: list[LexborNode] = []
        node = root
        while True:
            entered = self._enter(node)
            child = node.first_child if entered else None
            if child is not None:
                parents.append(node)
                node = child
                continue
            if entered:
                self._leave(node.tag or "")
            following = node.next if parents else None
            while following is None:
                if not parents:
                    return
                node = parents.pop()
                self._leave(node.tag or "")
                following = node.next if parents else None
            node = following

    def _enter(self, node: LexborNode) -> bool:
        """Take in a node; whether it is an element whose children are to be visited."""
        tag = node.tag or ""
        if tag == "-text":
            self.writer.inline(node.text_content or "")
            return False
        if tag in _UNSEEN or tag.startswith(("-", "!")) or _is_hidden(node, tag):
            return False
        writer = self.writer
        if tag == "br":
            writer.line_break()
        elif tag in _HEADINGS:
            writer.begin("heading", _HEADINGS[tag])
        elif tag == "pre":
            writer.flush()
            writer.code(_literal(node))
            return False
        elif tag == "table" and not _is_layout(node):
            writer.flush()
            _write_table(writer, node)
            return False
        elif tag in ("ul", "ol", "menu", "dl"):
            writer.open_list()
        elif tag in ("li", "dt", "dd"):
            writer.begin("list_item")
        elif tag == "blockquote":
            writer.begin("quote")
        elif tag in _BLOCKS:
            writer.flush()
        return True

    def _leave(self, tag: str) -> None:
        """An element that was entered ends."""
        if tag not in _BLOCKS and tag not in _HEADINGS:
            return
        self.writer.flush()
        if tag in ("ul", "ol", "menu", "dl"):
            self.writer.close_list()
        elif tag in ("li", "dt", "dd", "blockquote") or tag in _HEADINGS:
            self.writer.end()


def _is_hidden(node: LexborNode, tag: str) -> bool:
    attributes: Mapping[str, str | None] = node.attributes
    if not attributes:
        return tag in ("title", "desc")
    if "hidden" in attributes and (attributes["hidden"] or "").lower() != "until-found":
        return True
    if _HIDDEN_STYLE.search(attributes.get("style") or ""):
        return True
    # The sign that documentation tools put behind each heading, to link to it.
    return tag == "a" and (node.text(deep=True) or "").strip() in _PERMALINKS


def _is_layout(table: LexborNode) -> bool:
    """Whether a table only arranges a page: its cells are then blocks like any other."""
    if (table.attributes.get("role") or "").lower() in ("presentation", "none"):
        return True
    return any(node.tag in _LAYOUT for node in _elements(table))


def _elements(root: LexborNode) -> Iterator[LexborNode]:
    """All elements below a node, in order, without recursion."""
    waiting = [n for n in (root.first_child,) if n is not None]
    while waiting:
        node = waiting.pop()
        if node.next is not None:
            waiting.append(node.next)
        if node.is_element_node:
            yield node
            if node.first_child is not None:
                waiting.append(node.first_child)


def _literal(node: LexborNode) -> str:
    """Text of a ``pre`` with its line breaks as they are."""
    parts: list[str] = []
    waiting = [n for n in (node.first_child,) if n is not None]
    while waiting:
        at = waiting.pop()
        if at.next is not None:
            waiting.append(at.next)
        tag = at.tag or ""
        if tag == "-text":
            parts.append(at.text_content or "")
        elif tag == "br":
            parts.append("\n")
        elif at.is_element_node and tag not in _UNSEEN and not _is_hidden(at, tag):
            if at.first_child is not None:
                waiting.append(at.first_child)
    return "".join(parts)


def _write_table(writer: Writer, table: LexborNode) -> None:
    rows: list[list[str]] = []
    headers = 0
    for node in _elements(table):
        if node.tag == "caption":
            writer.inline(_cell(node))
            writer.flush()
        elif node.tag == "tr" and not _is_hidden(node, "tr"):
            cells = [c for c in _children(node) if c.tag in ("td", "th")]
            texts = [_cell(c) for c in cells if not _is_hidden(c, c.tag or "")]
            if not any(texts):
                continue
            parent = node.parent.tag if node.parent else ""
            if headers == len(rows) and (
                parent == "thead" or (not rows and all(c.tag == "th" for c in cells))
            ):
                headers += 1
            rows.append(texts)
    writer.table(rows, headers)


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


def _cell(node: LexborNode) -> str:
    """Text of a cell on one line, its blocks and line breaks as blanks."""
    if all(child.tag == "-text" for child in _children(node)):
        return collapse(normalise(node.text(deep=False) or "").translate(SIGNS))
    inner = Writer()
    _Walker(inner).walk(node)
    return collapse(inner.finish()[0].replace("\n", " "))
