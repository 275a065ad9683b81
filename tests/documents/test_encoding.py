from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.documents.encoding import decode
from ragdebug.documents.options import Limits
from ragdebug.errors import CorruptDocument, DocumentTooLarge

GERMAN = "Über die Brücke fährt der Zug nach Süden; die Straße läuft darunter hindurch."


def codes(data: bytes, **kwargs: object) -> list[str]:
    return [w.code for w in decode(data, "note.txt", **kwargs).warnings]  # type: ignore[arg-type]


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be"])
def test_marks_and_zero_bytes_tell_the_encoding(codec: str) -> None:
    assert decode("Grüße\r\nfrom far\n".encode(codec), "a.txt").text == "Grüße\nfrom far\n"


def test_utf8_needs_no_warning() -> None:
    decoded = decode("naïve – ok".encode(), "a.txt")
    assert (decoded.text, decoded.encoding, decoded.warnings) == ("naïve – ok", "utf-8", ())


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("Crème brûlée – 4€ “today” © déjà-vu", "cp1252"),
        ("Müller", "latin-1"),
        (GERMAN, "cp1252"),
        ("Die Größe der Fläche beträgt 5 m²", "cp1252"),
        ("Привет, это обычный русский текст о ремонте крыши.", "cp1251"),
        ("Привет, это обычный русский текст о ремонте крыши.", "koi8-r"),
        ("Καλημέρα, αυτό είναι ένα απλό κείμενο.", "cp1253"),
        ("これは日本語の文章です。料金は毎月支払います。", "shift_jis"),
        ("这是一个简单的中文文本，用于测试编码检测。", "gbk"),
        ("이것은 간단한 한국어 텍스트입니다. 매달 요금을 냅니다.", "euc-kr"),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy.", "cp1250"),
        ("Zażółć gęślą jaźń, proszę państwa.", "cp1250"),
        ("Türkiye'de öğrenciler çok çalışıyor, değil mi?", "cp1254"),
        ("שלום, זה טקסט פשוט בעברית.", "cp1255"),
    ],
)
def test_a_guess_keeps_every_letter_and_says_that_it_guessed(text: str, codec: str) -> None:
    decoded = decode(text.encode(codec), "menu.txt")
    assert decoded.text == text
    assert [w.code for w in decoded.warnings] == ["encoding_guessed"]
    assert "menu.txt" in decoded.warnings[0].message


def test_a_chosen_encoding_is_taken_and_losses_are_counted() -> None:
    decoded = decode("пять".encode("cp1251"), "a.txt", encoding="cp1251")
    assert (decoded.text, decoded.warnings) == ("пять", ())
    lost = decode(b"ok \xff\xfe\xfd", "a.txt", encoding="utf-8")
    assert [w.code for w in lost.warnings] == ["replaced_characters"]
    assert "3 characters" in lost.warnings[0].message


def test_a_replacement_character_of_the_author_is_not_a_loss() -> None:
    assert codes("this \ufffd is mine".encode()) == []


def test_few_foreign_bytes_do_not_ruin_the_many_good_ones() -> None:
    data = GERMAN.encode() + b"\n" + "später: 4€ für Öl".encode("cp1252")
    decoded = decode(data, "joined.txt")
    assert decoded.text == GERMAN + "\nspäter: 4€ für Öl"
    assert [w.code for w in decoded.warnings] == ["encoding_guessed"]


def test_a_file_cut_inside_of_a_character_stays_utf8() -> None:
    decoded = decode("größer €".encode()[:-1], "cut.txt")
    assert decoded.text == "größer \ufffd"
    assert [w.code for w in decoded.warnings] == ["replaced_characters"]


@pytest.mark.parametrize(
    "head",
    [
        '<html><head><meta charset="{}"><title>',
        '<html><meta http-equiv=content-type content="text/html; charset={}"><title>',
        '<?xml version="1.0" encoding="{}"?><html><title>',
        "# -*- coding: {} -*-\nname = '",
    ],
)
def test_what_a_file_says_of_itself_is_believed(head: str) -> None:
    text = head.format("windows-1251") + "Да"
    decoded = decode(text.encode("cp1251"), "a.html")
    assert (decoded.text, decoded.warnings) == (text, ())


def test_a_wrong_declaration_does_not_spoil_good_utf8() -> None:
    text = '<meta charset="iso-8859-1"><p>Grüße €</p>'
    assert decode(text.encode(), "a.html").text == text


def test_escape_sequences_of_japanese_mail_are_read_where_declared() -> None:
    text = '<meta charset="iso-2022-jp"><p>日本語</p>'
    assert decode(text.encode("iso-2022-jp"), "a.html").text == text


def test_binary_data_is_refused_by_name() -> None:
    rng = random.Random(4)
    for junk in (rng.randbytes(5000), bytes(range(32)) * 20, b"\x7fELF\x02\x01\0\0" + bytes(200)):
        with pytest.raises(CorruptDocument, match=r"photo\.txt is not text"):
            decode(junk, "photo.txt")


def test_nul_in_a_text_does_not_make_it_binary() -> None:
    assert decode(b"salt\0 and pepper, and \0 more of it", "a.txt").text == (
        "salt and pepper, and  more of it"
    )


def test_a_line_beyond_the_limit_is_named() -> None:
    limits = Limits(max_line_chars=50)
    assert decode(b"x" * 50 + b"\n" + b"y" * 50, "a.txt", limits=limits).text
    with pytest.raises(DocumentTooLarge, match=r"big\.txt: line 3 is longer than 50"):
        decode(b"a\nb\n" + b"x" * 51 + b"\nc", "big.txt", limits=limits)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_utf8_comes_back_as_it_is(text: str) -> None:
    assert decode(text.encode(), "a.txt").text == text.replace("\ufeff", "")


@given(st.binary(max_size=400))
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    try:
        decoded = decode(data, "a.txt")
    except CorruptDocument:
        return
    decoded.text.encode()
    assert "\0" not in decoded.text


@given(st.binary(max_size=300), st.sampled_from(["utf-8", "utf-16", "cp1252", "idna", "utf-7"]))
def test_any_bytes_in_any_chosen_encoding_are_text_or_refused(data: bytes, codec: str) -> None:
    try:
        decode(data, "a.txt", encoding=codec).text.encode()
    except CorruptDocument:
        pass
