import pytest

from ragdebug.chunk.measure import measure_for
from ragdebug.chunk.run import REGISTRY, _tidy, chunk, pieces
from ragdebug.records import Document, Page, ParsedDocument, Piece
from ragdebug.settings import CHUNKERS, ChunkingSettings


def test_every_chunker_that_can_be_set_is_there():
    assert set(REGISTRY) == set(CHUNKERS)


def test_pieces_are_trimmed_and_blank_or_contained_ones_left_out():
    text = "  ab   cd  "
    found = [Piece(0, 3), Piece(1, 5), Piece(4, 6), Piece(2, 9), Piece(7, 11)]
    assert [(p.start, p.end) for p in _tidy(text, found)] == [(2, 9)]
    assert _tidy(text, [Piece(0, 4, "x"), Piece(4, 7), Piece(7, 9)]) == [
        Piece(2, 4, "x"),
        Piece(7, 9),
    ]


@pytest.mark.parametrize("strategy", CHUNKERS)
@pytest.mark.parametrize("text", ["", " ", "\n \t\n"])
def test_a_blank_document_has_no_chunks(strategy, text, words):
    settings = ChunkingSettings(strategy, 5, 2)
    parsed = ParsedDocument(text, "text", "t/1")
    assert pieces(parsed, settings, measure_for(text, settings, words)) == []


def test_a_whole_document_is_one_chunk_however_long(cut):
    assert cut(" \n" + "word " * 5000, "document") == ["word " * 4999 + "word"]


def test_a_chunk_says_where_it_is_from(build, words):
    parsed = build("# Billing\n\n## Refunds\n\nOne two.\n\n# End\n\nThree.")
    document = Document("d7", "abcdefgh1234", "book.md", parsed)
    first, second = chunk(document, ChunkingSettings(size=20, overlap=0), words, 10)
    assert first.id == f"d7.abcdefgh:0-{first.end}"
    assert (first.document, first.version, first.source) == ("d7", "abcdefgh1234", "book.md")
    assert first.section == ("Billing", "Refunds")
    assert first.label == "Billing > Refunds"
    assert first.text == "# Billing\n\n## Refunds\n\nOne two."
    assert first.index_text == f"Billing > Refunds\n{first.text}"
    assert first.size == 6
    assert first.page is None
    assert second.section == ("End",)


def test_without_labels_the_spans_are_the_same_and_the_section_is_still_told(build, chunks):
    parsed = build("# A b c\n\nOne two three. Four.\n\n## D\n\nFive six seven eight.")
    on = chunks(parsed, "structure:4/2:tokens:label")
    off = chunks(parsed, "structure:4/2:tokens:nolabel")
    assert [(c.start, c.end, c.section) for c in on] == [(c.start, c.end, c.section) for c in off]
    assert {c.label for c in off} == {""}
    assert all(c.index_text == c.text for c in off)


def test_labels_keep_to_their_room(build, chunks, words):
    parsed = build("# One two three\n\n## Four five\n\nSix.")
    for room in range(12):
        label = chunks(parsed, "structure:20/0", room)[0].label
        assert words.count(label) <= room
    assert chunks(parsed, "structure:20/0", -3)[0].label == ""


def test_the_page_of_a_chunk_is_that_of_its_start(chunks):
    text = "One two.\n\nThree four.\n\nFive six."
    pages = (Page(1, 0, 10, "i"), Page(2, 10, 23, "ii"), Page(3, 23, len(text), "1"))
    parsed = ParsedDocument(text, "pdf", "t/1", pages=pages)
    found = chunks(parsed, "recursive:4/0")
    assert [(c.page, c.page_label) for c in found] == [(1, "i"), (3, "1")]


def test_a_searched_span_of_its_own_is_in_id_and_index_text(monkeypatch, words):
    def small(parsed, settings, measure):
        return [Piece(0, 11, "", 4, 7)]

    monkeypatch.setitem(REGISTRY, "document", small)
    parsed = ParsedDocument("one two six", "text", "t/1")
    found = chunk(Document("d", "v" * 9, "s", parsed), ChunkingSettings("document"), words, 5)
    assert found[0].id == "d.vvvvvvvv:0-11/4-7"
    assert (found[0].text, found[0].index_text) == ("one two six", "two")


def test_characters_need_no_tokenizer_not_even_for_labels(build):
    document = Document("d", "v" * 9, "s", build("# Billing\n\nOne."))
    settings = ChunkingSettings(unit="chars", size=50, overlap=0)
    assert chunk(document, settings, None, 20)[0].label == "Billing"
