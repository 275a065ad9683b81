"""Source code: the text is the source itself; functions and classes are its units and sections.

Python is read by `ast`. Other languages are cut where a new definition starts at the left margin,
which needs no grammar and holds for nearly everything people write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from ragdebug.documents.encoding import decode
from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.documents.python_units import python_units
from ragdebug.documents.structure import Lines, fill_gaps
from ragdebug.errors import EmptyDocument
from ragdebug.records import Block, ParsedDocument, ParseWarning, Section

PARSER = "code/1"
_PYTHON = (".py", ".pyi", ".pyw")

# A definition at the left margin, in the words of two dozen languages.
_NAME = r"[A-Za-z_$][\w$]*"
_DEFINITION = re.compile(
    r"(?:(?:export|default|declare|public|private|protected|internal|abstract|final|sealed|static|"
    r"async|override|open|data|case|virtual|inline|extern|unsafe|const|partial|pub(?:\([a-z ]+\))?|"
    r"local|suspend|noncopyable|typedef|create|or|replace)\s+)*"
    r"(?:class|struct|interface|enum|trait|protocol|module|namespace|object|record|union|actor|"
    r"mixin|extension|function\*?|func|fun|fn|def|defp|defmodule|sub|procedure|proc|macro_rules!|"
    r"type|table|view|trigger|contract|library|resource|message|service|impl)\b"
    r"\s*(?:\([^()]*\)\s*)?(?:<[^<>]*>\s*)?(?:if not exists\s+)?"
    rf"(?P<name>\"?{_NAME}(?:[.:]+{_NAME})*)"
)
_ASSIGNED = re.compile(
    rf"(?:export\s+)?(?:const|let|var)\s+(?P<name>{_NAME})\s*(?::[^=]+)?=\s*"
    r"(?:async\s*)?(?:function\b|\(|[\w$]+\s*=>)"
)
_C_FUNCTION = re.compile(
    rf"(?!(?:return|else|if|for|while|switch|do|case|goto|typedef|using|import|package)\b)"
    rf"[A-Za-z_][\w:<>,*&\[\]\s]*?[\s*&](?P<name>~?{_NAME}(?:::~?{_NAME})*)\s*\([^;{{}}]*\)"
    r"[^;=]*$"
)
_FUNCTION_VALUE = re.compile(r"(?P<name>[\w.$]+)\s*(?:<-|=|:=)\s*(?:async\s+)?function\b")
_SHELL = re.compile(r"(?P<name>[\w-]+)\s*\(\)\s*\{?")
_C_LIKE = (
    ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".java", ".cs", ".m", ".mm", ".dart",
    ".d", ".ino", ".cu", ".glsl",
)  # fmt: skip
_SHELLS = (".sh", ".bash", ".zsh", ".ksh")
_NO_CASE = (".sql", ".vb", ".bas", ".pas", ".f90", ".f", ".ps1")
# Names of other kinds of things: data, styles, settings and markup have no functions.
_NO_UNITS = (
    ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".properties", ".env", ".css", ".scss",
    ".less", ".xml", ".svg", ".json", ".lock", ".diff", ".patch", ".tex", ".bib",
)  # fmt: skip
_LOOKED_AT = 400
_COMMENT = re.compile(r"(?://|#(?!!)|--|/\*|\*|;|%|'|\"\"\"|@|\[\w|<!--|///?)")
_CLOSERS = re.compile(
    r"(?:[)}\]]|end\b|else\b|elsif\b|elif\b|catch\b|except\b|finally\b|rescue\b|then\b|do\b|\{"
    r"|done\b|fi\b|esac\b|\*/|#\s*(?:endif|else|elif)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A function, class or the like.

    Attributes:
        first: first line, from 0; decorators and comments above it belong to it.
        end: one past its last line.
        body: line where the text after its signature starts.
        level: 1 for what stands at the left margin of the file, 2 for methods, ...
        name: as it is written.
    """

    first: int
    end: int
    body: int
    level: int
    name: str


def parse_code(data: bytes, name: str, options: ParseOptions, limits: Limits) -> ParsedDocument:
    """Read a source file.

    A Python file that is not valid falls back to the cut at the left margin, with a warning.

    Raises:
        DocumentError: the file is empty, is not text, or has a line beyond the limit.
    """
    decoded = decode(data, name, options.encoding, limits)
    text = decoded.text
    if not text.strip():
        raise EmptyDocument(f"{name} holds no text.")
    suffix = PurePosixPath(name.lower().removesuffix(".gz")).suffix
    warnings = list(decoded.warnings)
    lines = Lines(text)
    units: Sequence[Unit] | None = None
    if suffix in _PYTHON:
        units, problem = python_units(lines, limits)
        if units is None:
            message = f"{name} is not valid Python: {problem}. It was cut by its layout."
            warnings.append(ParseWarning("syntax_error", message))
    if units is None:
        units = [] if suffix in _NO_UNITS else list(margin_units(lines, suffix))
    blocks = [_block(lines, u) for u in units]
    return ParsedDocument(
        text=text,
        kind="code",
        parser=PARSER,
        sections=tuple(_section(lines, u) for u in units),
        blocks=fill_gaps(text, blocks, kind="code"),
        warnings=tuple(warnings),
    )


def margin_units(lines: Lines, suffix: str) -> Iterator[Unit]:
    """Units of any language: from a definition at the left margin to the next thing there."""
    opened: tuple[int, int, str] | None = None  # first line, line of the definition, name
    comment = -1  # first line of the comment right above
    last = -1  # last line that is not blank
    closed = False  # that line was a closing bracket or word at the margin
    for i in range(len(lines)):
        start, end = lines.start(i), lines.start(i + 1)
        line = lines.text[start : min(end, start + _LOOKED_AT)].rstrip()
        if not line:
            comment = -1
            continue
        closer = bool(_CLOSERS.match(line))
        margin = not line[0].isspace() and not closer
        name = _definition(line, suffix) if margin else ""
        remark = margin and bool(_COMMENT.match(line))
        if margin and opened and (name or closed or remark or last < i - 1):
            # Something new at the margin: what was open ends before it and its comment.
            stop = comment if comment > opened[1] else last + 1
            yield Unit(opened[0], stop, min(opened[1] + 1, stop), 1, opened[2])
            opened = None
        if name:
            opened = (comment if comment >= 0 else i, i, name)
        if not (comment >= 0 and line.lstrip().startswith("*")):
            comment = (comment if comment >= 0 else i) if remark else -1
        closed = closer and line[-1] not in "{(["
        last = i
    if opened:
        yield Unit(opened[0], last + 1, min(opened[1] + 1, last + 1), 1, opened[2])


def _definition(line: str, suffix: str) -> str:
    """Name of what a line at the margin defines, or ""."""
    patterns = [_DEFINITION]
    if suffix in _SHELLS:
        patterns = [_SHELL, _DEFINITION]
    elif suffix in _NO_CASE:
        line = line.lower()
    elif suffix not in _C_LIKE:
        patterns = [_DEFINITION, _ASSIGNED, _FUNCTION_VALUE]
    elif "(" in line and ";" not in line and "=" not in line:
        patterns = [_DEFINITION, _C_FUNCTION]
    found = next((m for p in patterns if (m := p.match(line))), None)
    return found["name"].strip('"') if found else ""


def _block(lines: Lines, unit: Unit) -> Block:
    span = lines.span(unit.first, unit.end)
    return Block("unit", span.start, span.end, unit.level)


def _section(lines: Lines, unit: Unit) -> Section:
    start, end = lines.start(unit.first), lines.start(unit.end)
    return Section(start, end, unit.level, unit.name, min(lines.start(unit.body), end))
