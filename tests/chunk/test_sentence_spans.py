import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.chunk.sentence_spans import sentence_spans

CASES = [
    ("en", ["The cock is open.", "Is the lamp on?", "No!", "Turn it."]),
    ("en", ["Dr. J. Moor paid 3.14 EUR to Lobe Inc. for it.", "See Fig. 3 and p. 7."]),
    ("en", ["It works, e.g. here, i.e. now.", "U.S. law applies at 5 p.m.", "The end... or not?"]),
    ("en", ['"Really?!" he asked.', "(See p. 3.)", "Then “stop.”", "Version 2.0.1 is out."]),
    ("en", ["Use .NET. .NET is good.", "Done"]),
    ("en", ["No.", "See no. 5 for art. 3.", "This is art.", "So it is."]),
    ("en", ["Wait . . . what.", "Ask a.moor@lobe.org or http://lobe.org/a.b?c=d."]),
    ("en", ["Restart the box.", "npm then starts."]),
    ("de", ["Am 3. Mai gilt z. B. Art. 5 Abs. 2 bzw. der Rest.", "Gut usw.", "Dann kam Hr. Moor."]),
    ("de", ["Er sagte: „Nein.“", "Das sind ca. 5 kg.", "Ende"]),
    ("fr", ["Vraiment ?", "Oui !", "C'est « bien. »", "Voilà M. Dupont."]),
    ("es", ["¿Qué?", "¡Hola!", "El Sr. García vive en Av. Norte."]),
    ("ru", ["Это был я.", "Потом пришёл А. С. Пушкин."]),
    ("hi", ["यह एक वाक्य है।", "दूसरा।"]),
    ("ar", ["هل هذا صحيح؟", "نعم."]),
]


@pytest.mark.parametrize(("language", "sentences"), CASES)
def test_sentences_of_a_language_are_found(language, sentences):
    text = " ".join(sentences)
    found = [text[a:b] for a, b in sentence_spans(text, language=language)]
    assert found == sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["你好。", "今天好吗？", "很好！", "他说：“好的。”", "然后走了。"],
        ["「はい。」と言った。", "次の文です。"],
        ["第3．14节。", "完"],
    ],
)
def test_chinese_and_japanese_need_no_blank_between_sentences(sentences):
    text = "".join(sentences)
    assert [text[a:b] for a, b in sentence_spans(text)] == sentences


def test_a_blank_line_ends_a_sentence_and_a_line_end_does_not():
    text = "a title\n\nit goes on\nhere\n \nlast"
    found = [text[a:b] for a, b in sentence_spans(text)]
    assert found == ["a title", "it goes on\nhere", "last"]


def test_the_number_of_a_list_item_belongs_to_its_sentence():
    text = "1. Open it. 2. Close it. (a). Wait."
    found = [text[a:b] for a, b in sentence_spans(text)]
    assert found == ["1. Open it.", "2. Close it.", "(a). Wait."]


def test_a_number_with_a_full_stop_is_an_ordinal_only_where_it_is_written_so():
    text = "Es ist der 3. Versuch."
    assert len(sentence_spans(text, language="de")) == 1
    assert len(sentence_spans("There were 3. All went.", language="en")) == 2


def test_a_part_of_a_text_is_split_at_its_own_positions():
    text = "Out. In one. In two. Out."
    assert [text[a:b] for a, b in sentence_spans(text, 5, 20)] == ["In one.", "In two."]


def test_blank_text_has_no_sentences():
    assert sentence_spans("") == []
    assert sentence_spans(" \n\n\t") == []


def test_a_mark_with_an_accent_on_it_is_no_mark():
    assert len(sentence_spans("好。\u0301好。")) == 1


PARTS = ["Aa bb", ". ", "? ", "! ", ".", "。", "」", '"', "\n", "\n\n", " ", "3", "e.g. ", "…", "x"]


@given(st.lists(st.sampled_from(PARTS), max_size=30).map("".join))
def test_nothing_is_lost_and_no_sentence_starts_with_a_mark(text):
    spans = sentence_spans(text)
    assert all(text[a:b] == text[a:b].strip() != "" for a, b in spans)
    assert all(b <= c for (_, b), (c, _) in zip(spans, spans[1:], strict=False))
    joined = "".join(text[a:b] for a, b in spans)
    assert "".join(joined.split()) == "".join(text.split())
    assert not any(text[a] in ".?!。…" for a, _ in spans[1:])


def test_a_long_row_of_dots_is_read_once():
    # Read again from each of its dots this would take hours.
    assert sentence_spans("." * 300_000 + "x") == [(0, 300_001)]
