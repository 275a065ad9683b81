from ragdebug.chunk.labels import SectionPaths, compose, label_of, rough_count
from ragdebug.records import ParsedDocument, Section


def count(text):
    return len(text.split())


def test_label_context_and_text_stand_on_lines_of_their_own():
    assert compose("A > B", "| h |", "text") == "A > B\n| h |\ntext"
    assert compose("", "", "text") == "text"
    assert compose("A", "", "text") == "A\ntext"


def test_a_label_is_the_path_while_it_fits():
    assert label_of(("Billing", "Refunds"), 3, count) == "Billing > Refunds"
    assert label_of((), 9, count) == ""
    assert label_of(("", "Refunds"), 9, count) == "Refunds"


def test_a_long_label_is_shortened_from_its_outermost_heading():
    path = ("Handbook of us", "Billing and money", "Refunds")
    assert label_of(path, 9, count) == "Handbook of us > Billing and money > Refunds"
    assert label_of(path, 8, count) == "… > Billing and money > Refunds"
    assert label_of(path, 6, count) == "… > Refunds"
    assert label_of(path, 3, count) == "… > Refunds"


def test_a_last_heading_that_is_too_long_loses_its_last_words():
    path = ("Outer", "one two three four")
    assert label_of(path, 2, count) == "one two…"
    assert label_of(path, 0, count) == ""


def test_rough_counts_rise_with_the_text_and_take_a_chinese_character_for_a_token():
    assert rough_count("") == 0
    assert rough_count("Billing > Refunds") == 6
    assert rough_count("退款说明") >= 4


def test_titles_lose_their_line_ends():
    parsed = ParsedDocument("ab", "pdf", "t/1", sections=(Section(0, 2, 1, "Big\n  Title", 0),))
    assert SectionPaths(parsed).of(0, 2) == ("Big Title",)


def test_a_span_stands_in_the_section_of_its_start(build):
    parsed = build("intro\n\n# A\n\none\n\n## B\n\ntwo\n\n# C\n\nthree")
    paths = SectionPaths(parsed)
    at = parsed.text.index
    assert paths.of(0, len(parsed.text)) == ()
    assert paths.of(at("one"), at("two") + 3) == ("A",)
    assert paths.of(at("two"), at("two") + 3) == ("A", "B")
    assert paths.of(at("three"), at("three") + 5) == ("C",)


def test_a_heading_without_text_of_its_own_gives_way_to_the_deeper_one(build):
    parsed = build("# A\n\n## B\n\ntwo\n\n## C\n\nthree")
    paths = SectionPaths(parsed)
    at = parsed.text.index
    assert paths.of(0, at("two") + 3) == ("A", "B")
    # A chunk that goes on beyond the deeper section is about the outer one.
    assert paths.of(0, len(parsed.text)) == ("A",)
