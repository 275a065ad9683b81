"""Functions, classes and methods of Python source, found by `ast`."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragdebug.documents.options import Limits
from ragdebug.documents.structure import Lines

if TYPE_CHECKING:
    from ragdebug.documents.code import Unit

MAX_CHARS = 5_000_000
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def python_units(lines: Lines, limits: Limits) -> tuple[list[Unit] | None, str]:
    """Units of a Python source, outer before inner, or None and what is wrong with it.

    Functions inside of functions belong to the outer one.
    """
    text = lines.text
    if len(text) > MAX_CHARS:
        return None, f"it is longer than {MAX_CHARS:,} characters"
    if deepest(text) > limits.max_depth:
        # The parser of old Pythons ends the whole process on such input.
        return None, f"its brackets are nested deeper than {limits.max_depth}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a "\d" in somebody's string is none of our business
            tree = ast.parse(text)
        return list(_units(tree.body, lines, 1)), ""
    except SyntaxError as e:
        return None, f"line {e.lineno}: {e.msg}"
    except (RecursionError, MemoryError, ValueError) as e:
        return None, str(e) or "it is nested too deeply"


def deepest(text: str) -> int:
    """How deep brackets are nested, strings and comments not told apart."""
    depth = most = 0
    for sign in text:
        if sign in "([{":
            depth += 1
            most = max(most, depth)
        elif sign in ")]}":
            depth = max(0, depth - 1)
    return most


def _units(body: list[ast.stmt], lines: Lines, level: int) -> Iterator[Unit]:
    from ragdebug.documents.code import Unit

    for node in body:
        if not isinstance(node, _Definition):
            continue
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1
        first = _with_comments(lines, first)
        end = node.end_lineno or node.lineno
        inside = node.body[0]
        # Comments and decorators between the signature and the first statement are body.
        body_line = inside.lineno - 1
        if isinstance(inside, _Definition) and inside.decorator_list:
            body_line = inside.decorator_list[0].lineno - 1
        body_line = end if body_line < node.lineno else _with_comments(lines, body_line)
        yield Unit(first, end, max(body_line, node.lineno), level, node.name)
        if isinstance(node, ast.ClassDef):
            yield from _units(node.body, lines, level + 1)


def _with_comments(lines: Lines, line: int) -> int:
    """The first of the comment lines right above a line, or the line itself."""
    while line > 0 and lines.line(line - 1).lstrip().startswith("#"):
        line -= 1
    return line
