from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.documents.canonical import normalise
from ragdebug.documents.code import parse_code
from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.errors import DocumentError, EmptyDocument
from ragdebug.records import ParsedDocument

Read = Callable[..., Any]

MODULE = '''"""About boats."""
import math

# A remark of the file.

# How long it takes.
@cached
@limited(
    2)
def hours(miles,
          knots):
    # Rowing is slower.
    return miles / knots


class Boat(Thing):
    """Floats."""

    oars = 2

    # Her name.
    @property
    def name(self):
        def inner(): ...
        return self._name

    class Sail:
        async def hoist(self): pass

if math.pi:
    def later(): pass
'''


def units(doc: ParsedDocument) -> list[tuple[int, str]]:
    return [(b.level, doc.text[b.start : b.end]) for b in doc.blocks if b.kind == "unit"]


def sections(doc: ParsedDocument) -> list[tuple[int, str]]:
    return [(s.level, s.title) for s in doc.sections]


# Python -------------------------------------------------------------------------------------------


def test_functions_and_classes_are_units_and_sections(read: Read) -> None:
    doc = read(parse_code, MODULE, "boats.py")
    assert doc.text == MODULE
    assert sections(doc) == [(1, "hours"), (1, "Boat"), (2, "name"), (2, "Sail"), (3, "hoist")]
    assert [level for level, _ in units(doc)] == [1, 1, 2, 2, 3]


def test_decorators_and_comments_above_belong_to_their_unit(read: Read) -> None:
    doc = read(parse_code, MODULE, "boats.py")
    by_name = dict(
        zip([t for _, t in sections(doc)], [text for _, text in units(doc)], strict=True)
    )
    assert by_name["hours"].startswith("# How long it takes.\n@cached")
    assert by_name["hours"].endswith("return miles / knots")
    assert by_name["name"].startswith("# Her name.\n    @property")
    assert by_name["name"].endswith("return self._name")
    assert by_name["Boat"].endswith("def hoist(self): pass")


def test_bodies_start_after_the_signature(read: Read) -> None:
    doc = read(parse_code, MODULE, "boats.py")
    bodies = {s.title: doc.text[s.body : s.end].lstrip(" ") for s in doc.sections}
    assert bodies["hours"].startswith("# Rowing is slower.")
    assert bodies["Boat"].startswith('"""Floats."""')
    assert bodies["hoist"] == ""


def test_what_is_in_no_unit_is_code_of_the_file(read: Read) -> None:
    doc = read(parse_code, MODULE, "boats.py")
    rest = [doc.text[b.start : b.end] for b in doc.blocks if b.kind == "code"]
    assert rest == [
        '"""About boats."""\nimport math',
        "# A remark of the file.",
        "if math.pi:\n    def later(): pass",
    ]


def test_umlauts_before_a_unit_do_not_move_it(read: Read) -> None:
    doc = read(parse_code, 's = "äöü€😀"; t = 1\ndef f(): return "ä"\n', "a.py")
    assert units(doc) == [(1, 'def f(): return "ä"')]


def test_python_that_is_not_valid_is_cut_by_its_layout(read: Read) -> None:
    doc = read(parse_code, "def one(:\n    pass\n\n\ndef two():\n    return 2\n", "a.py")
    assert sections(doc) == [(1, "one"), (1, "two")]
    assert [w.code for w in doc.warnings] == ["syntax_error"]
    assert "line 1" in doc.warnings[0].message


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "-" * 100_000 + "1",
        "x = " + "(" * 50_000 + ")" * 50_000,
        "x = a" + ".b" * 50_000,
        "x = 1" + " + 1" * 50_000,
        "x = " + "1 if 1 else " * 20_000 + "1",
        "".join(" " * i + "if a:\n" for i in range(300)) + " " * 300 + "pass",
        "if a: pass\n" + "elif a: pass\n" * 20_000,
    ],
)
def test_python_nested_without_end_is_read_all_the_same(read: Read, source: str) -> None:
    assert read(parse_code, "def f():\n    pass\n\n\n" + source, "a.py").text.endswith(source)


def test_a_doubtful_escape_in_a_string_is_nobodys_warning(read: Read) -> None:
    assert read(parse_code, 'x = "\\d"\ndef f():\n    return "\\w"\n', "a.py").warnings == ()


# Other languages ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "source", "expected"),
    [
        (
            "a.ts",
            'import x from "y";\n\n// Loads.\nexport async function load(id) {\n\n  return 1;\n}\n'
            "const n = 3;\nconst go = async (y) => {\n};\n"
            "class Foo extends Bar {\n  m() {}\n}\nrun();\n",
            ["load", "go", "Foo"],
        ),
        (
            "a.go",
            "package x\n\n// Say says.\nfunc (s *Server) Say(x int) error {\n\treturn nil\n}\n"
            "type T struct {\n\ta int\n}\nvar Z = 1\n",
            ["Say", "T"],
        ),
        (
            "a.c",
            "#include <a.h>\n\nstatic int add(int a)\n{\n    return a;\n\n}\n\n"
            "/* Starts.\n * Runs.\n */\n"
            "int main(int argc, char **argv) {\n    return add(1);\n}\n",
            ["add", "main"],
        ),
        (
            "a.rs",
            "pub fn go<T>(x: T) {\n}\n\nimpl Boat for Kite {\n    fn x() {}\n}\n",
            ["go", "Boat"],
        ),
        ("a.rb", "class Boat\n  def row\n  end\nend\n\ndef self.go\nend\n", ["Boat", "self.go"]),
        ("a.java", "package a;\n\npublic final class Boat {\n    void row() {}\n}\n", ["Boat"]),
        ("a.sh", "#!/bin/sh\nset -e\n\n# builds\nbuild() {\n  make\n}\n\nbuild\n", ["build"]),
        ("a.sql", "CREATE TABLE IF NOT EXISTS boats (\n  id int\n);\n\nSELECT 1;\n", ["boats"]),
        ("a.php", "<?php\nfunction row($a) {\n}\n", ["row"]),
        ("a.yaml", "type: x\nclass: y\n", []),
        ("a.css", ".table { color: red }\n", []),
    ],
)
def test_definitions_at_the_margin_are_units(
    read: Read, name: str, source: str, expected: list[str]
) -> None:
    doc = read(parse_code, source, name)
    assert [t for _, t in sections(doc)] == expected


def test_a_comment_above_a_definition_belongs_to_it(read: Read) -> None:
    doc = read(
        parse_code, "int a;\n\n/* One.\n * Two.\n */\nint f(void)\n{\n  x();\n}\nint b;\n", "a.c"
    )
    assert units(doc) == [(1, "/* One.\n * Two.\n */\nint f(void)\n{\n  x();\n}")]


def test_an_empty_file_is_refused_by_name(read: Read) -> None:
    with pytest.raises(EmptyDocument, match=r"void\.py"):
        read(parse_code, "\n\n", "void.py")


def test_work_grows_with_the_file(calls: Callable[[Callable[[], object]], int]) -> None:
    part = "# c\n@d\ndef f(a):\n    return a\n\nclass A:\n    def g(self):\n        pass\n\nx = 1\n"

    def work(times: int, name: str) -> int:
        data = (part * times).encode()
        return calls(lambda: parse_code(data, name, ParseOptions(), Limits()))

    for name in ("a.py", "a.js"):
        assert work(200, name) < 2.2 * work(100, name)


PIECES = st.sampled_from(
    [
        "def f():",
        "class A:",
        "@d\n",
        "# c\n",
        "    ",
        "pass",
        "\n",
        "\n\n",
        "(",
        ")",
        '"""',
        "x = 1",
    ]
    + ["function f() {", "}", "/*", "*/", "\t", "if a:\n", "\\", "é", "\x0c", "async "]
)


@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from(["a.py", "a.js", "a.c", "a.sh"]))
def test_any_code_keeps_its_text_and_its_spans(read: Read, source: str, name: str) -> None:
    if normalise(source).strip():
        assert read(parse_code, source, name).text == normalise(source)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(read: Read, data: bytes) -> None:
    try:
        read(parse_code, data, "a.py")
    except DocumentError as e:
        assert "a.py" in e.message
