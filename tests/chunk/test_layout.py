from ragdebug.chunk.layout import layout, lines, paragraphs, section_starts
from ragdebug.records import Block, ParsedDocument, Section, Span


def kinds(parsed):
    return [(r.kind, parsed.text[r.start : r.end], r.border) for r in layout(parsed)]


def test_text_between_blocks_is_paragraphs():
    text = "intro\nline\n\nmore\n\n- item\n\ntail"
    start = text.index("- item")
    parsed = ParsedDocument(text, "text", "t/1", blocks=(Block("list_item", start, start + 6, 1),))
    assert kinds(parsed) == [
        ("paragraph", "intro\nline", False),
        ("paragraph", "more", False),
        ("list_item", "- item", False),
        ("paragraph", "tail", False),
    ]


def test_a_container_gives_way_to_its_parts():
    text = "> one\n> ```\n> x\n> ```\n> two"
    code = Span(text.index("> ```"), text.index("> two"))
    blocks = (Block("quote", 0, len(text)), Block("code", code.start, code.end))
    parsed = ParsedDocument(text, "markdown", "t/1", blocks=blocks)
    assert kinds(parsed) == [
        ("quote", "> one", False),
        ("code", "> ```\n> x\n> ```", False),
        ("quote", "> two", False),
    ]


def test_a_table_is_whole_whatever_lies_in_it():
    text = "| a | b |\n|---|---|\n| 1 | 2 |"
    rows = (Span(0, 19), Span(20, 29))
    table = Block("table", 0, 29, rows=rows, header=rows[0])
    parsed = ParsedDocument(text, "markdown", "t/1", blocks=(table, Block("paragraph", 22, 23)))
    assert kinds(parsed) == [("table", text, False)]


def test_a_section_that_starts_inside_a_paragraph_cuts_it():
    text = "before\nTitle\nafter"
    section = Section(7, len(text), 1, "Title", 13)
    block = Block("paragraph", 0, len(text))
    parsed = ParsedDocument(text, "pdf", "t/1", sections=(section,), blocks=(block,))
    assert kinds(parsed) == [
        ("paragraph", "before", False),
        ("heading", "Title", True),
        ("paragraph", "after", False),
    ]


def test_a_section_without_a_heading_line_is_a_border_only():
    text = "one\n\ntwo"
    parsed = ParsedDocument(text, "pdf", "t/1", sections=(Section(5, 8, 1, "Two", 5),))
    assert kinds(parsed) == [("paragraph", "one", False), ("paragraph", "two", True)]


def test_an_article_given_as_a_unit_is_a_section_of_its_own():
    text = "Preface\n\nArticle 1\nFirst.\n\nSecond.\n\nAfter"
    unit = Block("unit", text.index("Article"), text.index("\n\nAfter"), 1)
    parsed = ParsedDocument(text, "text", "t/1", blocks=(unit,))
    assert kinds(parsed) == [
        ("paragraph", "Preface", False),
        ("paragraph", "Article 1\nFirst.", True),
        ("paragraph", "Second.", False),
        ("paragraph", "After", True),
    ]


def test_blocks_outside_the_text_are_ignored():
    blocks = (Block("paragraph", 2, 99), Block("paragraph", 5, 5))
    assert kinds(ParsedDocument("abc def", "text", "t/1", blocks=blocks)) == [
        ("paragraph", "abc def", False)
    ]


CODE = "import a\n\nclass B:\n    x = 1\n\n    def c(self):\n        pass\n\ndef d():\n    pass\n"


def span_of(part):
    return CODE.index(part), CODE.index(part) + len(part)


def test_units_of_source_code_form_a_tree_without_gaps():
    outer = span_of("class B:\n    x = 1\n\n    def c(self):\n        pass")
    inner = span_of("def c(self):\n        pass")
    last = span_of("def d():\n    pass")
    nested = (
        Block("unit", *outer, 1, rows=(Span(*inner),)),
        Block("unit", *last, 1),
    )
    followed = (Block("unit", *outer, 1), Block("unit", *inner, 2), Block("unit", *last, 1))
    for blocks in (nested, followed):
        runs = layout(ParsedDocument(CODE, "code", "t/1", blocks=blocks))
        assert [(r.kind, r.start, r.end) for r in runs] == [
            ("code", 0, 8),
            ("unit", *outer),
            ("unit", *last),
        ]
        assert [(r.kind, CODE[r.start : r.end]) for r in runs[1].inner] == [
            ("code", "class B:\n    x = 1"),
            ("unit", "def c(self):\n        pass"),
        ]


def test_rows_of_one_line_are_no_inner_units():
    start, end = span_of("def d():\n    pass")
    block = Block("unit", start, end, 1, rows=(Span(start, start + 8), Span(start + 9, end)))
    runs = layout(ParsedDocument(CODE, "code", "t/1", blocks=(block,)))
    assert [r.inner for r in runs] == [(), ()]


def test_source_code_without_units_is_cut_at_its_sections():
    start, end = span_of("def d():\n    pass")
    parsed = ParsedDocument(CODE, "code", "t/1", sections=(Section(start, end, 1, "d", start + 9),))
    assert [r.kind for r in layout(parsed)] == ["code", "unit"]


def test_paragraphs_and_lines_are_never_blank():
    text = "\n\n a \nb\n \t\n\nc\n"
    assert [text[a:b] for a, b in paragraphs(text, 0, len(text))] == ["a \nb", "c"]
    assert [text[a:b] for a, b in lines(text, 0, len(text))] == ["a", "b", "c"]


def test_sections_and_heading_blocks_are_both_starts(build):
    parsed = build("# A\n\nb\n\n## C\n\nd")
    assert section_starts(parsed) == [0, 8]
    assert section_starts(ParsedDocument(parsed.text, "text", "t/1", blocks=parsed.blocks)) == [
        0,
        8,
    ]
