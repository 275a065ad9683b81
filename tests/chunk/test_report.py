from ragdebug.chunk.report import report, uncovered
from ragdebug.records import Chunk, Span


def made(document, spans, contexts=()):
    contexts = [*contexts, *[""] * (len(spans) - len(contexts))]
    return [
        Chunk("id", "doc", "v", "s", a, b, "", document.text[a:b], context=c, size=b - a)
        for (a, b), c in zip(spans, contexts, strict=True)
    ]


def test_sizes_and_chunks_beyond_the_window_are_listed(build, as_document):
    document = as_document(build("One two three. Four five six."))
    found = report(document, made(document, [(0, 14), (15, 29)]), [12, 9], 10)
    assert (found.count, found.sizes, found.index_tokens) == (2, (14, 14), (12, 9))
    assert found.beyond_window == (0,)
    assert report(document, made(document, [(0, 14), (15, 29)]), [12, 9], 0).beyond_window == ()


def test_a_cut_inside_a_sentence_is_seen_from_both_sides(build, as_document):
    document = as_document(build("One two three. Four five six. Seven."))
    found = report(document, made(document, [(0, 19), (20, 29), (30, 36)]), [1, 1, 1], 9)
    assert found.mid_sentence == (0, 1)


def test_overlap_that_begins_inside_a_sentence_is_no_cut(build, as_document):
    document = as_document(build("One two three. Four five six. Seven."))
    found = report(document, made(document, [(0, 29), (25, 36)]), [1, 1], 9)
    assert found.mid_sentence == ()
    assert found.overlaps == (Span(25, 29),)


def test_a_table_is_torn_inside_a_row_or_without_its_header(build, as_document):
    text = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |"
    document = as_document(build(text))
    between = [(0, 29), (30, 49)]
    assert report(document, made(document, between, ["", "| a | b |"]), [1, 1], 9).torn_table == ()
    assert report(document, made(document, between), [1, 1], 9).torn_table == (1,)
    inside = [(0, 34), (34, 49)]
    contexts = ["", "| a | b |"]
    assert report(document, made(document, inside, contexts), [1, 1], 9).torn_table == (0, 1)


def test_code_is_torn_when_no_chunk_holds_it_whole(build, as_document):
    document = as_document(build("A b.\n\n```\nx\ny\n```\n\nC d."))
    end = len(document.text)
    whole = made(document, [(0, 17), (6, end)])
    assert report(document, whole, [1, 1], 9).torn_code == ()
    torn = made(document, [(0, 11), (12, end)])
    assert report(document, torn, [1, 1], 9).torn_code == (0, 1)


def test_duplicates_and_tiny_chunks_are_listed(build, as_document):
    sentence = "This sentence says the same thing in both of its places."
    document = as_document(build(f"{sentence}\n\nTiny.\n\n{sentence}"))
    spans = [(0, 56), (58, 63), (65, 121)]
    found = report(document, made(document, spans), [1, 1, 1], 9)
    assert found.duplicates == (2,)
    assert found.tiny == (1,)
    assert found.warnings_of(1) == ("tiny",)
    assert found.warnings_of(0) == ()


def test_text_in_no_chunk_is_told(build, as_document):
    document = as_document(build("One two. Three. Four."))
    found = report(document, made(document, [(4, 8)]), [1], 9)
    assert found.uncovered == (Span(0, 3), Span(9, 21))
    assert uncovered(" \n ", []) == ()
    assert uncovered("ab", [Span(0, 2)]) == ()


def test_a_document_without_chunks_has_an_empty_report(build, as_document):
    found = report(as_document(build(" ")), [], [], 9)
    assert (found.count, found.sizes, found.uncovered) == (0, (), ())


def test_default_chunks_of_prose_have_no_warnings(build, chunks, as_document, words):
    sentence = "Some words that stand in a line and end here. "
    parsed = build("".join(f"# Part {i}\n\n{sentence * (i + 3)}\n\n" for i in range(12)))
    found = chunks(parsed, "structure:60/12")
    tokens = [words.count(c.index_text) for c in found]
    result = report(as_document(parsed), found, tokens, 90)
    assert not result.mid_sentence
    assert not result.beyond_window
    assert not result.uncovered
