from __future__ import annotations

import pytest

from ragdebug.documents.language import detect


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Refunds are paid within ten days of the return of the goods.", "en"),
        ("Der Mieter zahlt die Miete am Ersten des Monats im Voraus.", "de"),
        ("Le locataire paie le loyer le premier jour de chaque mois.", "fr"),
        ("El inquilino paga el alquiler el primer día de cada mes.", "es"),
        ("房客每月第一天付房租。", "zh"),
        ("家賃は毎月初日に支払います。", "ja"),
        ("임차인은 매월 첫날에 집세를 냅니다.", "ko"),
    ],
)
def test_languages_are_named_by_their_two_letters(text: str, code: str) -> None:
    found, confidence = detect(text)
    assert found == code
    assert 0.5 <= confidence <= 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ok",
        "ERR_4021",
        "12.5 %",
        "https://example.org/a/long/path/of/words/in/english",
        "for (int i = 0; i < n; i++) { total += values[i]; }",
        "SKU-1 AB-22 C_9 / 44-A",
    ],
)
def test_too_short_or_code_like_text_has_no_language(text: str) -> None:
    assert detect(text)[0] == ""


def test_markdown_marks_are_not_taken_for_code() -> None:
    assert detect("See **the** [guide](http://x.org/y) for more about returns.")[0] == "en"
    assert detect("Orchard manual\n==============\n\nCut the trees in winter.\n")[0] == "en"


def test_a_long_text_is_judged_by_more_than_its_first_page() -> None:
    greek = "Αυτό το εγχειρίδιο περιγράφει τη συσκευή. " * 10
    english = "This manual describes the device and how to clean it. " * 2000
    assert detect(greek + english)[0] == "en"
