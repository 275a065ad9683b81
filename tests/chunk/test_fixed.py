import random
import string

from ragdebug.chunk.fixed import fixed
from ragdebug.chunk.measure import CharMeasure, TokenMeasure
from ragdebug.records import ParsedDocument
from ragdebug.settings import ChunkingSettings


def spans(text, size, overlap, unit="chars", **more):
    settings = ChunkingSettings("fixed", size, overlap, unit, **more)
    found = fixed(ParsedDocument(text, "text", "t/1"), settings, CharMeasure(len(text)))
    return [(p.start, p.end) for p in found]


def test_windows_have_exactly_the_size_and_the_last_one_ends_the_text():
    letters = random.Random(1).choices(string.ascii_lowercase, k=2345)
    expected = [(0, 1000), (900, 1900), (1800, 2345)]
    assert spans("".join(letters), 1000, 100) == expected


def test_a_text_of_exactly_one_or_two_windows_gives_no_further_one():
    assert spans("a" * 1000, 1000, 100) == [(0, 1000)]
    assert spans("a" * 1900, 1000, 100) == [(0, 1000), (900, 1900)]
    assert spans("a" * 1901, 1000, 100) == [(0, 1000), (900, 1900), (1800, 1901)]


def test_steps_of_one_character_come_to_an_end():
    assert spans("abcdef", 4, 3) == [(0, 4), (1, 5), (2, 6)]
    assert spans("abc", 1, 0) == [(0, 1), (1, 2), (2, 3)]


def test_token_windows_begin_and_end_at_borders_of_tokens(chunks, build):
    text = " ".join(f"word{i}" for i in range(25))
    found = chunks(build(text), "fixed:10/4")
    assert [c.text.split()[0] for c in found] == ["word0", "word6", "word12", "word18"]
    assert [c.size for c in found] == [10, 10, 10, 7]
    assert all(text[c.start : c.end] == c.text for c in found)
    assert found[-1].end == len(text)


def test_token_windows_may_cut_inside_a_word():
    # One word of six tokens of two characters each.
    measure = TokenMeasure([[i, i + 2] for i in range(0, 12, 2)], 12)
    parsed = ParsedDocument("abcdefghijkl", "text", "t/1")
    found = fixed(parsed, ChunkingSettings("fixed", 4, 1), measure)
    assert [(p.start, p.end) for p in found] == [(0, 8), (6, 12)]


def test_a_window_is_shorter_where_it_would_cut_a_cluster():
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert spans(f"ab{family}cd", 6, 0) == [(0, 2), (2, 8), (8, 9)]
    assert spans("abe\u0301cd", 3, 0) == [(0, 2), (2, 5), (5, 6)]


def test_a_cluster_longer_than_the_size_is_cut_since_there_is_no_other_way():
    assert spans("e\u0301\u0302\u0303x", 2, 0) == [(0, 2), (2, 4), (4, 5)]


def test_overlap_never_reaches_across_a_heading(build, cut):
    parsed = build("# A\n\none two\n\n# B\n\nthree four five")
    assert cut(parsed, "fixed:8/6") == [
        "# A\n\none two\n\n# B\n\nthree four",
        "# B\n\nthree four five",
    ]


def test_overlap_can_be_counted_in_sentences(cut):
    text = "One two. Three four. Five six. Seven."
    assert cut(text, "fixed:4/1s") == [
        "One two. Three four.",
        "Three four. Five six.",
        "Five six. Seven.",
    ]
