from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import Stemmer
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.errors import InvalidSetting
from ragdebug.retrieve import Analyzer
from ragdebug.settings import PLAIN, AnalyzerSettings

AUTO = AnalyzerSettings()


@pytest.fixture
def english() -> Analyzer:
    return Analyzer(AUTO, "en")


def test_stop_words_go_and_words_are_stemmed_but_not_identifiers_and_numbers(
    english: Analyzer,
) -> None:
    text = "The refunds were running late for ERR_4021s, build_runs and 10.2.1 in 2024."
    assert english.terms(text) == [
        *["refund", "run", "late", "err_4021s", "err", "4021s", "build_runs", "build", "run"],
        *["10.2.1", "10.2", "2024"],
    ]


def test_the_plain_analyzer_takes_words_as_they_stand() -> None:
    plain = Analyzer(PLAIN, "en")
    assert plain.language == "none"
    assert plain.terms("The Refunds are running, don't") == [
        *["the", "refunds", "are", "running", "don't"]
    ]


@pytest.mark.parametrize(
    ("language", "algorithm", "words"),
    [
        ("de", "german", "häuser straßen rechnungen"),
        ("fr", "french", "remboursements chevaux"),
        ("es", "spanish", "facturas canciones"),
        ("ru", "russian", "возвраты товаров"),
    ],
)
def test_stems_are_those_of_snowball(language: str, algorithm: str, words: str) -> None:
    stemmer = Stemmer.Stemmer(algorithm)
    folded = words.replace("ß", "ss").split()
    assert Analyzer(AUTO, language).terms(words) == stemmer.stemWords(folded)


def test_a_sharp_s_and_a_double_s_are_the_same_word() -> None:
    german = Analyzer(AUTO, "de")
    assert german.terms("Straße") == german.terms("STRASSE") == german.terms("strasse")


@pytest.mark.parametrize(
    ("language", "text", "terms"),
    [
        ("fr", "l’eau d'accord qu'il", ["eau", "accord"]),
        ("it", "dell'acqua", ["acqua"]),
        ("en", "l'eau", ["l'eau", "eau"]),
        ("none", "l'eau", ["l'eau", "eau"]),
        ("fr", "aujourd'hui", ["aujourd'hui", "aujourd", "hui"]),
    ],
)
def test_elided_articles_do_not_hide_the_noun(language: str, text: str, terms: list[str]) -> None:
    assert Analyzer(AUTO, language).terms(text) == terms


def test_a_compound_of_stop_words_alone_is_dropped(english: Analyzer) -> None:
    assert english.terms("and/or") == []
    assert english.query_terms("and/or") == [("", "and/or")]


def test_switches_of_the_settings_act_one_by_one() -> None:
    text = "the refunds of ERR_4021"
    assert Analyzer(AnalyzerSettings(stop_words=False), "en").terms(text) == [
        *["the", "refund", "of", "err_4021", "err", "4021"]
    ]
    assert Analyzer(AnalyzerSettings(stemming=False), "en").terms(text) == [
        *["refunds", "err_4021", "err", "4021"]
    ]
    assert Analyzer(AnalyzerSettings(parts=False), "en").terms(text) == ["refund", "err_4021"]


def test_query_terms_show_what_became_of_each_word(english: Analyzer) -> None:
    assert english.query_terms("How do refunds for ERR_4021 work?") == [
        *[("", "How"), ("", "do"), ("refund", "refunds"), ("", "for")],
        *[("err_4021", "ERR_4021"), ("err", "ERR"), ("4021", "4021"), ("work", "work")],
    ]


def test_spans_refer_to_the_text_as_it_stands(english: Analyzer) -> None:
    text = "Ｒｅｆｕｎｄｓ: Straße, ﬁnes 😀 ERR_4021"
    found = [(term, text[start:end]) for term, start, end in english.spans(text)]
    assert found == [
        ("refund", "Ｒｅｆｕｎｄｓ"),
        ("strass", "Straße"),
        ("fine", "ﬁnes"),
        ("err_4021", "ERR_4021"),
        ("err", "ERR"),
        ("4021", "4021"),
    ]


@given(st.text(st.characters(codec="utf-8"), max_size=40) | st.text("aB_-.'温 ็1", max_size=20))
def test_spans_and_terms_say_the_same(text: str) -> None:
    analyzer = Analyzer(AUTO, "en")
    assert sorted(t for t, _, _ in analyzer.spans(text)) == sorted(analyzer.terms(text))
    assert all(analyzer.terms(text))


@given(st.text(max_size=40))
def test_every_query_term_of_a_text_is_a_term_of_it(text: str) -> None:
    analyzer = Analyzer(AUTO, "en")
    asked = {term for term, _ in analyzer.query_terms(text) if term}
    assert asked <= set(analyzer.terms(text))


def test_a_query_of_several_chinese_characters_asks_for_pairs_only() -> None:
    chinese = Analyzer(AUTO, "zh")
    assert chinese.query_terms("仓库温度") == [("仓库", "仓库"), ("库温", "库温"), ("温度", "温度")]
    assert chinese.query_terms("温") == [("温", "温")]
    assert "温" in chinese.terms("仓库温度")


def test_the_language_of_the_corpus_counts_only_for_auto() -> None:
    assert Analyzer(AnalyzerSettings(language="de"), "en").language == "de"
    assert Analyzer(AUTO, "nb").language == "no"
    assert Analyzer(AUTO, "pt-BR").language == "pt"
    assert Analyzer(AUTO, "").language == "none"
    assert Analyzer(AUTO, "tlh").language == "none"


def test_a_language_that_nothing_is_known_of_is_refused_by_name() -> None:
    with pytest.raises(InvalidSetting, match="'klingon'") as e:
        Analyzer(AnalyzerSettings(language="klingon"))
    assert "de" in e.value.hint


def test_fingerprints_differ_where_terms_may() -> None:
    settings = [AUTO, AnalyzerSettings(parts=False), AnalyzerSettings(stemming=False), PLAIN]
    prints = {Analyzer(s, lang).fingerprint() for s in settings for lang in ("en", "de")}
    assert len(prints) == 7  # the plain one has no language
    assert Analyzer(AUTO, "en").fingerprint() == Analyzer(AUTO, "en").fingerprint()


def test_one_analyzer_serves_many_threads() -> None:
    words = [f"running{chr(97 + i % 26)} connections generously flies{i}" for i in range(400)]
    alone = [Analyzer(AUTO, "en").terms(text) for text in words]
    shared = Analyzer(AUTO, "en")
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(shared.terms, words)) == alone


def test_the_memory_of_words_is_bounded(english: Analyzer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragdebug.retrieve.analyzer._CACHE_LIMIT", 10)
    for i in range(100):
        english.terms(f"word{i} " + "x" * 100)
    assert len(english._terms) <= 10
    assert english.terms("words word5") == ["word", "word5"]
