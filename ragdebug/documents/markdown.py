"""Markdown: the text is the source itself; markdown-it-py says where its blocks lie.

Only the block structure is parsed (CommonMark with tables); markup inside of paragraphs stays as it
is written. One top-level block is parsed at a time and forgotten, so that memory does not grow with
the tokens of a large file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragdebug.documents.canonical import one_line
from ragdebug.documents.encoding import decode
from ragdebug.documents.frontmatter import read_front_matter
from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.documents.structure import Heading, Lines, fill_gaps, section_tree
from ragdebug.errors import EmptyDocument
from ragdebug.records import Block, ParsedDocument, ParseWarning

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

PARSER = "markdown/1"
_TITLE_CHARS = 300
_ATTRIBUTES = re.compile(r"\s*\{[#.:][^{}]*\}\s*$")
_CONTAINERS = {"list_item_open": "list_item", "blockquote_open": "quote"}


def parse_markdown(data: bytes, name: str, options: ParseOptions, limits: Limits) -> ParsedDocument:
    """Read a Markdown file.

    Front matter becomes metadata; it stays in the text, as a code block, outside of all sections.

    Raises:
        DocumentError: the file is empty, is not text, or has a line beyond the limit.
    """
    decoded = decode(data, name, options.encoding, limits, declared=False)
    if not decoded.text.strip():
        raise EmptyDocument(f"{name} holds no text.")
    front = read_front_matter(decoded.text)
    lines = Lines(decoded.text)
    reader = _Reader(lines, front.lines)
    # To Markdown a line of U+2028 is a paragraph; to us it is blank.
    blocks = [b for b in reader.blocks() if b.start < b.end]
    if front.lines:
        span = lines.span(0, front.lines)
        blocks.insert(0, Block("code", span.start, span.end))
    sections = section_tree(reader.headings, len(decoded.text))
    title = one_line(front.values.get("title", "")) or (sections[0].title if sections else "")
    return ParsedDocument(
        text=decoded.text,
        kind="markdown",
        parser=PARSER,
        title=title,
        sections=sections,
        blocks=fill_gaps(decoded.text, blocks),
        metadata=front.values,
        warnings=(*decoded.warnings, *front.warnings, *reader.warnings),
    )


class _Reader:
    """Walks the tokens of one text; headings and warnings gather on the way."""

    def __init__(self, lines: Lines, first_line: int) -> None:
        self.lines = lines
        self.first_line = first_line
        self.headings: list[Heading] = []
        self.warnings: list[ParseWarning] = []
        self._md = _parser()

    def blocks(self) -> Iterator[Block]:
        for tokens in _top_level(self._md, self.lines.text, self.first_line):
            yield from self._blocks_of(tokens)

    def _blocks_of(self, tokens: list[Token]) -> Iterator[Block]:
        """Leaves of one top-level block; text of one list item or quote is kept in one block."""
        around: list[tuple[str, int]] = []  # kinds and levels of the containers we are in
        last: Block | None = None  # a text block that may still grow
        at: tuple[int, int] = (-1, -1)  # lines of `last`
        item = 0
        items: list[int] = []  # numbers of the containers, to tell two items apart
        last_item = -1
        for i, token in enumerate(tokens):
            if token.type in _CONTAINERS:
                item += 1
                items.append(item)
                around.append((_CONTAINERS[token.type], len(around) + 1))
                continue
            if token.type in ("list_item_close", "blockquote_close"):
                items.pop()
                around.pop()
                continue
            if token.map is None or token.type not in _LEAVES:
                continue
            kind = _LEAVES[token.type]
            first, end = token.map
            if token.type == "heading_open" and not around:
                self._heading(token, tokens[i + 1], first, end)
            elif kind in ("paragraph", "heading") and around:
                kind = around[-1][0]
                if last and last_item == items[-1] and at[1] <= first:
                    at = (at[0], end)
                    last = self._block(kind, *at, level=last.level)
                    continue
            if last:
                yield last
                last = None
            if kind in ("list_item", "quote"):
                depth = sum(k == kind for k, _ in around)
                last, last_item, at = self._block(kind, first, end, depth), items[-1], (first, end)
            elif kind == "table":
                yield self._table(first, end, tokens[i:])
            else:
                if token.type == "fence" and not around:
                    self._check_fence(token, first, end)
                level = int(token.tag[1]) if kind == "heading" else 0
                yield self._block(kind, first, end, level)
        if last:
            yield last

    def _block(self, kind: str, first: int, end: int, level: int = 0) -> Block:
        span = self.lines.span(first, end)
        return Block(kind, span.start, span.end, level)

    def _table(self, first: int, end: int, tokens: list[Token]) -> Block:
        span = self.lines.span(first, end)
        # The header's row and the rule under it are one row, so that nothing cuts between them.
        header = self.lines.span(first, first + 2)
        rows = [header]
        for token in tokens:
            if token.type == "table_close":
                break
            if token.type == "tr_open" and token.map and token.map[0] > first + 1:
                rows.append(self.lines.span(*token.map))
        kept = tuple(r for r in rows if len(r))
        return Block("table", span.start, span.end, rows=kept, header=header)

    def _heading(self, token: Token, inline: Token, first: int, end: int) -> None:
        title = self._plain(inline.content)
        if title:
            level = int(token.tag[1])
            start, body = self.lines.start(first), self.lines.start(end)
            self.headings.append(Heading(start, body, level, title))

    def _plain(self, content: str) -> str:
        """A heading without its marks: links, emphasis, code, images' descriptions, attributes."""
        content = _ATTRIBUTES.sub("", content[:_TITLE_CHARS])
        words: list[str] = []
        for token in self._md.parseInline(content)[0].children or []:
            if token.type in ("text", "code_inline", "image", "text_special"):
                words.append(token.content)
            elif token.type in ("softbreak", "hardbreak"):
                words.append(" ")
        return one_line("".join(words))

    def _check_fence(self, token: Token, first: int, end: int) -> None:
        closing = self.lines.line(end - 1).strip()
        marks = closing.strip(token.markup[0])
        closed = end - first > 1 and not marks and len(closing) >= len(token.markup)
        if not closed and end >= len(self.lines):
            message = f"The code fence opened in line {first + 1} is never closed."
            self.warnings.append(ParseWarning("unclosed_fence", message, line=first + 1))


_LEAVES = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "code",
    "code_block": "code",
    "html_block": "paragraph",
    "table_open": "table",
}


def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table")


def _top_level(md: MarkdownIt, text: str, first_line: int) -> Iterator[list[Token]]:
    """Tokens of one top-level block after the other; the loop of markdown-it's own `tokenize`."""
    from markdown_it.rules_block import StateBlock

    state = StateBlock(text, md, {}, [])
    rules = md.block.ruler.getRules("")
    line = first_line
    while line < state.lineMax:
        state.line = line = state.skipEmptyLines(line)
        if line >= state.lineMax:
            return
        for rule in rules:
            if rule(state, line, state.lineMax, False):
                break
        yield state.tokens
        state.tokens = []
        # The rule for paragraphs takes whatever no other rule does; this is for a fault in one.
        line = max(state.line, line + 1)
