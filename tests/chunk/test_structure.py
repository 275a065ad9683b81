from ragdebug.records import Block, Page, ParsedDocument, Section


def test_what_stands_under_one_heading_is_one_chunk_while_it_fits(build, cut):
    text = "# A\n\none two\n\n- three\n- four\n\n# B\n\nfive"
    assert cut(build(text), "structure:20/5") == [
        "# A\n\none two\n\n- three\n- four",
        "# B\n\nfive",
    ]


def test_small_sections_are_not_merged_across_their_headings(build, cut):
    assert cut(build("# A\n\na\n\n## B\n\nb\n\n## C\n\nc"), "structure:50/0") == [
        "# A\n\na",
        "## B\n\nb",
        "## C\n\nc",
    ]


def test_paragraphs_are_cut_between_before_they_are_cut_inside(build, cut):
    text = "One two three. Four five.\n\nSix seven eight. Nine."
    assert cut(build(text), "structure:6/0") == [
        "One two three. Four five.",
        "Six seven eight. Nine.",
    ]


def test_a_paragraph_that_is_too_long_is_cut_between_sentences(build, cut):
    text = "One two three. Four five six! Seven eight nine? Ten."
    assert cut(build(text), "structure:6/0") == [
        "One two three. Four five six!",
        "Seven eight nine? Ten.",
    ]


def test_a_sentence_that_is_too_long_is_cut_between_words(build, cut):
    text = "One two three four five six seven. Eight."
    assert cut(build(text), "structure:3/0") == [
        "One two three",
        "four five six",
        "seven. Eight.",
    ]


def test_a_word_that_is_too_long_is_cut_inside(build, cut):
    assert cut(build("so uncomplicatedly far"), "structure:5/0:chars") == [
        "so",
        "uncom",
        "plica",
        "tedly",
        "far",
    ]


def test_a_long_token_is_cut_and_all_of_it_kept(build, cut):
    text = "Data: " + "Ab9+/" * 150 + " end. Later in March it was read."
    parts = cut(build(text), "structure:120/0:chars")
    assert max(map(len, parts)) <= 120
    assert "".join(parts).replace(" ", "") == text.replace(" ", "")
    assert "March" in parts[-1]


def test_text_before_the_first_heading_is_a_chunk_without_a_section(build, chunks):
    found = chunks(build("Revised: barnacle.\n\n# Rules\n\nKeep left."), "structure:50/0")
    assert [(c.start, c.text, c.section) for c in found] == [
        (0, "Revised: barnacle.", ()),
        (20, "# Rules\n\nKeep left.", ("Rules",)),
    ]


def test_empty_sections_go_with_their_first_subsection_or_stand_alone(build, chunks):
    text = "# List\n## Boats\n### Skiffs\nTwo in stock.\n## Withdrawn oars\n## Masts\n"
    found = chunks(build(text), "structure:50/0")
    assert [(c.text, c.section) for c in found] == [
        ("# List\n## Boats\n### Skiffs\nTwo in stock.", ("List", "Boats", "Skiffs")),
        ("## Withdrawn oars", ("List", "Withdrawn oars")),
        ("## Masts", ("List", "Masts")),
    ]


def test_a_heading_stays_with_what_follows(build, cut):
    text = "# Title\n\nOne two three four. Five six seven."
    assert cut(build(text), "structure:7/0") == [
        "# Title\n\nOne two three four.",
        "Five six seven.",
    ]
    # The paragraph alone would fit into 7 words, but then the heading would be left behind.


def test_a_heading_goes_with_the_first_words_of_an_endless_sentence(build, cut):
    assert cut(build("# T\n\na b c d e f g h"), "structure:5/0")[0] == "# T\n\na b c"


def test_tiny_paragraphs_are_merged_never_dropped(build, cut):
    text = "Yes.\n\nNo.\n\nZeppelin.\n\nOk.\n\nA longer paragraph of its own here.\n\nBye."
    for size in range(1, 14):
        parts = cut(build(text), f"structure:{size}/0")
        assert "".join("".join(parts).split()) == "".join(text.split())
    assert cut(build(text), "structure:8/0") == [
        "Yes.\n\nNo.\n\nZeppelin.\n\nOk.",
        "A longer paragraph of its own here.\n\nBye.",
    ]


def test_the_same_sentence_twice_is_found_at_both_its_places(build, chunks):
    text = "# One\n\nPull the plug. Wait ten days.\n\n# Two\n\nPush the tray. Wait ten days."
    found = chunks(build(text), "structure:3/0")
    twice = [c.start for c in found if c.text == "Wait ten days."]
    assert twice == [text.index("Wait"), text.rindex("Wait")]


def test_a_chunk_ends_with_its_page_so_that_its_page_is_right(chunks):
    text = "One two.\n\nThree four.\n\nFive six."
    pages = (Page(1, 0, 10, "i"), Page(2, 10, 10), Page(3, 10, 23, "1"), Page(4, 23, len(text)))
    found = chunks(ParsedDocument(text, "pdf", "t/1", pages=pages), "structure:40/10")
    assert [(c.text, c.page, c.page_label) for c in found] == [
        ("One two.", 1, "i"),
        ("Three four.", 3, "1"),
        ("Five six.", 4, ""),
    ]


def test_a_paragraph_or_heading_that_runs_on_is_not_cut_at_the_end_of_a_page(chunks):
    text = "One two\nthree.\n\nFour.\n\nTitle\n\nFive."
    title, five = text.index("Title"), text.index("Five")
    pages = (Page(1, 0, 8), Page(2, 8, five), Page(3, five, len(text)))
    section = Section(title, len(text), 1, "Title", title + 6)
    parsed = ParsedDocument(text, "pdf", "t/1", sections=(section,), pages=pages)
    assert [(c.text, c.page) for c in chunks(parsed, "structure:40/10")] == [
        ("One two\nthree.\n\nFour.", 1),
        ("Title\n\nFive.", 2),
    ]


def test_a_page_number_is_not_left_alone(chunks):
    text = "One two.\n\n- 2 -\n\nThree four.\n\niii\n\nTitle\n\nFive."
    two, three, title = text.index("- 2"), text.index("iii"), text.index("Title")
    pages = (Page(1, 0, two), Page(2, two, three), Page(3, three, len(text)))
    section = Section(title, len(text), 1, "Title", title + 6)
    parsed = ParsedDocument(text, "pdf", "t/1", sections=(section,), pages=pages)
    assert [(c.text, c.page) for c in chunks(parsed, "structure:40/10")] == [
        ("One two.\n\n- 2 -", 1),
        ("Three four.\n\niii", 2),
        ("Title\n\nFive.", 3),
    ]


# Overlap ------------------------------------------------------------------------------------------

SENTENCES = "One two three. Four five. Six seven. Eight nine ten. Eleven twelve."


def test_overlap_is_the_trailing_sentences_that_fit_into_it(build, cut):
    assert cut(build(SENTENCES), "structure:7/4") == [
        "One two three. Four five. Six seven.",
        "Four five. Six seven. Eight nine ten.",
        "Eight nine ten. Eleven twelve.",
    ]


def test_overlap_of_a_sentence_that_is_longer_is_its_trailing_words(build, cut):
    assert cut(build("One two three four five. Six seven eight nine."), "structure:6/2") == [
        "One two three four five.",
        "four five. Six seven eight nine.",
    ]


def test_overlap_can_be_counted_in_sentences(build, cut):
    assert cut(build(SENTENCES), "structure:7/1s") == [
        "One two three. Four five. Six seven.",
        "Six seven. Eight nine ten. Eleven twelve.",
    ]


def test_overlap_shrinks_where_a_whole_paragraph_would_not_fit_beside_it(build, cut):
    text = "One two. Three four.\n\nFive six seven eight."
    assert cut(build(text), "structure:6/3") == [text[:20], "Three four.\n\nFive six seven eight."]
    assert cut(build(text), "structure:5/3") == [text[:20], "four.\n\nFive six seven eight."]
    assert cut(build(text), "structure:4/3") == [text[:20], "Five six seven eight."]


def test_overlap_never_reaches_across_a_heading_nor_repeats_it(build, cut):
    text = "# A\n\nOne two three. Four five.\n\n# B\n\nSix seven. Eight nine ten."
    assert cut(build(text), "structure:6/5") == [
        "# A\n\nOne two three.",
        "One two three. Four five.",
        "# B\n\nSix seven.",
        "Six seven. Eight nine ten.",
    ]


def test_overlap_just_below_the_size_goes_on_word_by_word(build, cut):
    parts = cut(build("a b c d e f"), "structure:4/3")
    assert parts == ["a b c d", "b c d e", "c d e f"]


def test_short_lines_with_overlap_just_below_the_size_come_to_an_end(build, cut):
    text = "abc\n" * 50
    parts = cut(build(text), "structure:50/49:chars")
    assert len(parts) <= 50
    assert all(len(p) <= 50 for p in parts)


# Tables -------------------------------------------------------------------------------------------

TABLE = "| part | price |\n|---|---|\n" + "".join(f"| bolt {i} | {i}.50 |\n" for i in range(1, 7))


def test_a_table_stays_whole_while_it_fits(build, cut):
    text = f"One two three four. Five six.\n\n{TABLE}\nTail."
    assert cut(build(text), "structure:45/0") == [
        "One two three four. Five six.",
        f"{TABLE}\nTail.",
    ]


def test_a_long_table_is_cut_between_rows_and_its_header_goes_with_every_part(build, chunks):
    parsed = build(f"## Prices\n\n{TABLE}")
    found = chunks(parsed, "structure:18/10")
    rows = {TABLE.index(r) for r in TABLE.splitlines()} | {len(TABLE) - 1}
    offset = parsed.text.index("| part")
    assert len(found) > 2
    for chunk in found:
        assert parsed.text[chunk.start : chunk.end] == chunk.text
        assert chunk.end + 1 - offset in rows or chunk.end == len(parsed.text.rstrip())
        assert "| part | price |" in chunk.index_text
    assert [c.context for c in found[1:]] == ["| part | price |"] * (len(found) - 1)
    assert found[0].context == ""
    assert not any(a.end > b.start for a, b in zip(found, found[1:], strict=False))


def test_what_is_embedded_of_a_cut_table_keeps_to_the_size(build, chunks, words):
    for chunk in chunks(build(TABLE), "structure:20/0:tokens:nolabel"):
        assert words.count(chunk.index_text) <= 20


def test_a_row_that_is_too_long_is_cut_between_words_without_overlap(build, chunks):
    row = "| " + " ".join(f"w{i}" for i in range(30)) + " |"
    found = chunks(build(f"| h |\n|---|\n{row}\n| x |"), "structure:12/5")
    assert all(c.size <= 12 for c in found)
    assert not any(a.end > b.start for a, b in zip(found, found[1:], strict=False))
    assert all("| h |" in c.index_text for c in found)


def test_a_wide_header_is_repeated_in_part_only(build, chunks):
    header = "| " + " | ".join(f"column {i}" for i in range(10)) + " |"
    found = chunks(build(f"{header}\n|---|\n| a |\n| b |\n| c |\n"), "structure:12/0")
    contexts = {c.context for c in found if c.context}
    assert contexts == {"| column 0 | column 1"}


def test_a_table_without_a_header_is_cut_between_rows_too(cut):
    text = "a b c\nd e f\ng h i"
    parsed = ParsedDocument(text, "docx", "t/1", blocks=(Block("table", 0, len(text)),))
    assert cut(parsed, "structure:6/2") == ["a b c\nd e f", "g h i"]


def test_a_short_text_after_a_cut_table_is_not_left_alone(build, cut):
    parts = cut(build(f"{TABLE}\nEnd of list."), "structure:26/0")
    assert parts[-1].endswith("End of list.")
    assert parts[-1].startswith("| bolt")


# Code ---------------------------------------------------------------------------------------------


def test_a_code_block_stays_whole_while_it_fits(build, cut):
    fence = "```\na b\n\n# c d\n```"
    text = f"One two three. Four.\n\n{fence}\n\nFive."
    assert cut(build(text), "structure:8/0") == ["One two three. Four.", f"{fence}\n\nFive."]


def test_the_sentence_that_leads_to_a_code_block_may_be_repeated_but_no_code_is(build, cut):
    text = "One two three. Four five:\n\n```\na b\n```\n\nSix seven eight nine."
    assert cut(build(text), "structure:7/3") == [
        "One two three. Four five:",
        "Four five:\n\n```\na b\n```",
        "Six seven eight nine.",
    ]


def test_a_long_code_block_is_cut_between_lines_without_overlap(build, cut):
    text = "```\na b c\nd e f\n\ng h\n```"
    assert cut(build(text), "structure:5/3") == ["```\na b c", "d e f", "g h\n```"]


def test_a_comment_in_a_fence_is_no_heading(build, chunks):
    found = chunks(build("# A\n\n```\n# not a title\n\nx\n```\n\n## B\n\ny"), "structure:50/0")
    assert [c.section for c in found] == [("A",), ("A", "B")]


CODE = '''"""Doc."""

import os


class Pump:
    """A pump."""

    def open(self):
        return 1

    def close(self):
        return 2


def stop():
    pass
'''


def code_document():
    def span(first, last):
        return CODE.index(first), CODE.index(last) + len(last)

    pump, stop = span("class Pump", "return 2"), span("def stop", "pass")
    opening, closing = span("    def open", "return 1"), span("    def close", "return 2")
    blocks = [
        Block("unit", *pump, 1),
        Block("unit", *opening, 2),
        Block("unit", *closing, 2),
        Block("unit", *stop, 1),
    ]
    sections = (
        Section(*pump, 1, "Pump", pump[0] + 12),
        Section(*opening, 2, "open", opening[0] + 20),
        Section(*closing, 2, "close", closing[0] + 21),
        Section(*stop, 1, "stop", stop[0] + 12),
    )
    return ParsedDocument(CODE, "code", "t/1", sections=sections, blocks=tuple(blocks))


def test_source_code_is_cut_by_class_and_function(chunks):
    found = chunks(code_document(), "structure:40/10")
    assert [(c.text.splitlines()[0], c.section) for c in found] == [
        ('"""Doc."""', ()),
        ("class Pump:", ("Pump",)),
        ("def stop():", ("stop",)),
    ]


def test_a_class_that_is_too_long_is_cut_between_its_methods(chunks):
    found = chunks(code_document(), "structure:6/2")
    assert [(c.text, c.section) for c in found[1:4]] == [
        ('class Pump:\n    """A pump."""', ("Pump",)),
        ("def open(self):\n        return 1", ("Pump", "open")),
        ("def close(self):\n        return 2", ("Pump", "close")),
    ]


def test_an_article_is_a_chunk_of_its_own(chunks):
    text = "Terms\n\nArticle 1 Rent\n\nIt is due. Pay it.\n\nArticle 2 Keys\n\nKeep them."
    first, second = text.index("Article 1"), text.index("Article 2")
    sections = (
        Section(first, second, 1, "Article 1 Rent", first + 15),
        Section(second, len(text), 1, "Article 2 Keys", second + 15),
    )
    found = chunks(ParsedDocument(text, "text", "t/1", sections=sections), "structure:50/10")
    assert [(c.text, c.section) for c in found] == [
        ("Terms", ()),
        ("Article 1 Rent\n\nIt is due. Pay it.", ("Article 1 Rent",)),
        ("Article 2 Keys\n\nKeep them.", ("Article 2 Keys",)),
    ]


def test_an_article_with_numbered_paragraphs_goes_with_the_first_of_them(chunks):
    text = "Article 1 Rent\n\n1.1 It is due.\n\n1.2 Pay it."
    first, second = text.index("1.1"), text.index("1.2")
    sections = (
        Section(0, len(text), 1, "Article 1 Rent", 15),
        Section(first, second, 2, "1.1", first),
        Section(second, len(text), 2, "1.2", second),
    )
    found = chunks(ParsedDocument(text, "text", "t/1", sections=sections), "structure:50/10")
    assert [(c.text, c.section[-1]) for c in found] == [
        ("Article 1 Rent\n\n1.1 It is due.", "1.1"),
        ("1.2 Pay it.", "1.2"),
    ]
