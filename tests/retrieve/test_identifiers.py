from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.retrieve.folding import Word, fold
from ragdebug.retrieve.scan import pattern
from ragdebug.retrieve.words import run_terms, words


def shown(word: Word) -> str:
    """``whole?(part part)``: ? where the parts are an alternative, + where they are asked too."""
    parts = " ".join(map(shown, word.parts))
    return word.text + (f"{'?' if word.alternative else '+'}({parts})" if parts else "")


def made(text: str) -> str:
    return "; ".join(shown(w) for t in pattern().findall(text) for w in words(t) if w.text)


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("ERR_4021", "err_4021?(err 4021)"),
        ("err_4021", "err_4021?(err 4021)"),
        ("ERR4021", "err4021?(err 4021)"),
        ("load_user_profile", "load_user_profile?(load user profile)"),
        ("HttpClientPool", "httpclientpool?(http client pool)"),
        ("XMLHttpRequest", "xmlhttprequest?(xml http request)"),
        ("getURLs", "geturls?(get urls)"),
        ("AB-1200-X", "ab-1200-x?(ab 1200 x)"),
        ("AB\u20111200\u2011X", "ab-1200-x?(ab 1200 x)"),
        ("CVE-2024-1234", "cve-2024-1234?(cve 2024 1234)"),
        ("C++", "c++?(c)"),
        ("C++17", "c++17?(c++?(c))"),
        ("C#", "c#?(c)"),
        (".NET", ".net?(net)"),
        ("Node.js", "node.js?(node js)"),
        ("v14", "v14?(14)"),
        ("14.2.1", "14.2.1?(14.2)"),
        ("v14.2.1", "v14.2.1?(14.2.1?(14.2))"),
        ("10.2.1-rc1", "10.2.1-rc1?(10.2.1?(10.2) rc1)"),
        ("3.14", "3.14"),
        ("1,000,000", "1000000"),
        ("1,234.56", "1234.56"),
        ("10:30", "10:30?(10 30)"),
        ("R&D", "r&d?(r d)"),
        (
            "ops.desk@example.com",
            "ops.desk@example.com?(ops.desk?(ops desk) example.com?(example com))",
        ),
        (
            "https://docs.example.com/faq.html",
            "docs.example.com/faq.html?(docs.example.com?(docs example.com?(example com))"
            " faq.html?(faq html))",
        ),
        ("src/app/main.py", "src/app/main.py?(src app main.py?(main py))"),
        (r"C:\Users\ops", r"c:\users\ops?(c users ops)"),
        ("std::vector", "std::vector?(std vector)"),
        ("__init__", "__init__?(init)"),
    ],
)
def test_identifiers_are_whole_and_in_parts(token: str, expected: str) -> None:
    assert made(token) == expected


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("drop-down", "drop-down+(drop down)"),
        ("TCP/IP", "tcp/ip+(tcp ip)"),
        ("O'Brien", "o'brien+(brien)"),
        ("500mg", "500mg+(500 mg)"),
        ("tenant:acme", "tenant:acme+(tenant acme)"),
    ],
)
def test_parts_of_compounds_are_asked_for_with_the_whole(token: str, expected: str) -> None:
    assert made(token) == expected


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("Copper", "copper"),
        ("COPPER", "copper"),
        ("PDFs", "pdfs"),
        ("_emphasis_", "emphasis"),
        ("dog's", "dog"),
        ("dog’s", "dog"),
        ("don’t", "don't"),
        ("U.S.A.", "usa"),
        ("Straße", "strasse"),
        ("ﬁne", "fine"),
        ("Ｆｕｌｌ", "full"),
        ("Rück\u00adgabe", "rückgabe"),
        ("İzmir", "izmir"),
        ("cafe\u0301", "caf\u00e9"),
        ("1\ufe0f\u20e3", "1"),
        ("____", ""),
    ],
)
def test_words_are_one_folded_term(token: str, expected: str) -> None:
    assert made(token) == expected


def test_accents_tell_words_apart() -> None:
    assert fold("Résumé") != fold("Resume")


def test_chinese_gives_pairs_and_hides_single_characters_from_queries() -> None:
    found = words("仓库温度")
    assert [w.text for w in found] == ["仓库", "库温", "温度", ""]
    assert [w.text for w in found[-1].hidden] == ["仓", "库", "温", "度"]
    assert [w.text for w in words("猫")] == ["猫"]


@pytest.mark.parametrize(
    "run", ["仓库温度", "猫", "倉庫の温度", "ｶﾞｷﾞ", "온도를", "ที่นี่", "か\u3099き"]
)
def test_terms_of_a_run_are_those_of_its_words(run: str) -> None:
    every = [w for word in words(run) for w in (word, *word.hidden) if w.text]
    assert sorted(run_terms(run)) == sorted(w.text for w in every)


def test_encoded_data_is_cut_and_not_taken_apart() -> None:
    assert [len(w.text) for w in words("x" * 600)] == [255, 255, 90]
    assert [len(w.text) for w in words("q7" * 300)[0].parts] == [255, 255, 90]
    many = words("a.b-" * 1000 + "c")
    assert len(many) == 2001
    assert not any(w.parts for w in many)
    assert words("aBcDeFgHiJkLmNoPqRsTuVwXyZ") == (Word("abcdefghijklmnopqrstuvwxyz", 0, 26),)


def test_an_address_longer_than_a_term_keeps_its_parts() -> None:
    (word,) = words("/".join(["folder.d"] * 40))
    assert word.text == ""
    assert {p.text for p in word.parts} == {"folder.d"}


tokens = st.lists(
    st.sampled_from(
        [
            "a",
            "Bc",
            "dE",
            "7",
            "42",
            "_",
            "__",
            ".",
            "-",
            "@",
            "/",
            "\\",
            ":",
            "::",
            "://",
            "+",
            "++",
        ]
        + ["#", "&", ",", "'", "’", "é", "ß", "温", "の", "ไ", "\u0301", "\u00ad", " "]
    ),
    max_size=12,
).map("".join)


@given(tokens)
def test_parts_lie_inside_their_whole_and_have_no_marks_around_them(text: str) -> None:
    def check(word: Word, low: int, high: int) -> None:
        assert low <= word.start < word.end <= high
        assert word.text == word.text.casefold()
        assert " " not in word.text
        for part in (*word.parts, *word.hidden):
            check(part, word.start, word.end)

    for token in pattern().findall(text):
        for word in words(token):
            check(word, 0, len(token))


@given(tokens)
def test_a_token_means_the_same_in_any_case_of_its_letters_without_humps(text: str) -> None:
    text = text.lower()
    for token in pattern().findall(text):
        assert [w.text for w in words(token)] == [
            w.text for w in words(token.upper())
        ] or "ß" in token
