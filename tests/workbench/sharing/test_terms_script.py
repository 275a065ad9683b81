"""The exported terms.py gives the terms of the analyzer, for the sample's words and odd ones."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from ragdebug import places
from ragdebug.retrieve.analyzer import Analyzer
from ragdebug.retrieve.bm25 import BM25Index
from ragdebug.retrieve.scan import pattern
from ragdebug.settings import AnalyzerSettings, BM25Settings
from ragdebug.workbench.sharing.terms_script import terms_files

ODD = (
    "C++ C++17 C# .NET Node.js v14 v14.2.1 14.2.1 14.2.1.3 10.2.1-rc1 nginx-1.25.3 3.14 1,000,000"
    " 1,234.56 10:30 R&D ops.desk@example.com https://docs.example.com/faq.html src/app/main.py"
    r" C:\Users\ops std::vector __init__ drop-down TCP/IP O'Brien 500mg tenant:acme and/or don't"
    " dog's can't we've l'eau d'accord qu'il aujourd'hui rock'n'roll U.S.A HttpClientPool PDFs"
    " getURLs iPhone15 _emphasis_ _crc32 AB-1200-X ERR_4021 err4021 CVE-2024-1234 a.b.c.d Marlin#"
    " mp3 H2O 2nd 4x4 1st-class state-of-the-art ﬁle İzmir Straße ＡＢＣ rank-bm25's n't"
    " 日本語のテスト 한국어 iPhone手机 水 ภาษาไทย résumé Ärger 12½ co‑op Müller’s"
).split()


@pytest.fixture(scope="module")
def tokens() -> list[str]:
    paths = sorted(Path(places.sample_folder()).rglob("*.md"))
    text = "\n".join(path.read_text("utf-8", "replace") for path in paths)
    return sorted(set(pattern().findall(text))) + ODD


def loaded(folder: Path, files: dict[str, str]) -> ModuleType:
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    spec = importlib.util.spec_from_file_location("exported_terms", folder / "terms.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "settings",
    ["en", "de", "fr-no_stemming", "it", "en-no_parts", "ja", "none-no_stop_words-no_stemming"],
)
@pytest.mark.parametrize("every", [1, 3])
def test_the_script_asks_for_what_the_index_is_asked_for(
    tokens: list[str], settings: str, every: int, tmp_path: Path
) -> None:
    # Of every third only the corpus holds the whole, so that parts stand in for the others.
    analyzer = Analyzer(AnalyzerSettings.parse(settings))
    index = BM25Index.build([" ".join(tokens[::every])], analyzer, BM25Settings())
    known = {term for token in tokens[::every] for term in analyzer.terms(token)}
    module = loaded(tmp_path, terms_files(analyzer, known))
    for token in tokens:
        asked = [t.term for t in index.terms(token) if t.frequency]
        assert module.terms(token, known) == asked, token
    question = "What does the HttpClientPool of C# do, and don't we've ERR_4021?"
    assert module.terms(question, known) == [t.term for t in index.terms(question) if t.frequency]


def test_rules_that_no_chunk_needs_are_left_out() -> None:
    lean = terms_files(Analyzer(AnalyzerSettings(language="none")), ["plain"])["terms.py"]
    assert "Stemmer" not in lean and "STOP" not in lean and "def runs" not in lean
    full = terms_files(Analyzer(AnalyzerSettings(language="fr")), ["plain", "日本"])["terms.py"]
    assert "Stemmer" in full and "STOP" in full and "def runs" in full and "elided" in full
    assert "<" not in full.replace("(?<=", "").replace("(?<!", "").replace("0 < len(humps) <=", "")
    assert max(map(len, full.splitlines())) <= 100
