"""``terms.py`` of an exported strategy: how a question becomes terms, in plain Python.

The analyzer of `retrieve`, said once more and shorter: one pass of rules over a token, without
positions and without caches. What is left out: words of more than 255 characters are not cut.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from ragdebug.retrieve.analyzer import ELIDING, ELISIONS, STEMMERS, Analyzer
from ragdebug.retrieve.scan import IGNORABLE, KANA_MARKS, RUNS, classes, is_run, pattern
from ragdebug.retrieve.stopwords import stop_words

_RULES = r'''"""How a question becomes terms; the terms of chunks.jsonl were made the same way."""

import json
import re
import unicodedata
from pathlib import Path
<imports>
WORDS = json.loads((Path(__file__).parent / "words.json").read_text("utf-8"))
TOKEN = re.compile(WORDS["token"])  # words with the marks that join them, by Unicode's rules
<constants>FOLD = str.maketrans("\u2010\u2011\u2019\uff07\u02bc", "--<q><q><q>", WORDS["ignored"])
VERSION = r"v?[0-9]+(?:\.[0-9]+)+"
# One word in spite of its marks: 1,000 and 3.14, U.S.A, don't.
ONE = (
    r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?|[0-9]+\.[0-9]+|[^\W\d_](\.[^\W\d_])+"
    r"|\w*n['\u2019]t|\w+['\u2019](re|ve|ll|d|m)"
)
# No more than the group: a dog's, https://example.com, Marlin#.
BARE = r"([\w'\u2019]+)['\u2019]s|.*?://(.+)|(.{3,})#"
# A name, and what it is asked for by where no chunk holds it: .NET, C#, C++17, C++, v14, 14.2.1.
NAME = rf"\.(.+)|(..?)#|(.+\+\+)\d+|(.+)\+\+|v(\d+)|v({VERSION})|({VERSION})\.[0-9]+"
CODE = r"([^\W\d_]{2,})([0-9]{2,})|([0-9]{2,})([^\W\d_]{2,})"  # ERR4021; 500mg
DASH = "[-\u2010\u2011]"
MARKS = (r":?[/\\]", "@", ":", "&", r"\+", ",", r"\.(?=.*\.)", r"\.", DASH)  # cut in this order


def terms(query, known):
    """Terms of a query, repeated ones as often; `known` are those that some chunk holds."""
    tokens = TOKEN.findall(query)
    return [t for token in tokens for word in <split>(token) for t in ask(word, known)]


def ask(word, known):
    """The term of a word that some chunk holds, and those of its parts where they are wanted."""
    whole, parts, instead = word
    found = [t for t in [whole if parts else term(whole)] if t in known]
    <asked>


def term(word):
    """The term of a word without parts<about>."""
    return <term>


def fold(text):
    """Capitals and other forms of a letter as one; accents stay."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return text.translate(FOLD).replace("i\u0307", "i")


def split(t):
    """Words of a token: (whole, parts, whether the parts only stand in for the whole)."""

    def made(pieces, instead=True, further=split):
        parts = [word for piece in pieces if piece for word in further(piece)]
        return parts if [p[0] for p in parts] == [fold(t)] else [(fold(t), parts, instead)]

    def one(piece):
        return [(fold(piece), [], True)]

    if m := re.fullmatch(BARE, t, re.I):
        return split(m[m.lastindex])
    if re.fullmatch(ONE, t, re.I):
        return one(re.sub(r",|(?<=[^\W\d])\.", "", t))
    if m := re.fullmatch(NAME, t, re.I):
        return made([m[m.lastindex]])
    if m := re.fullmatch(CODE, t):
        return made(filter(None, m.groups()), m[1] is not None, one)
    dated = any(re.fullmatch(VERSION, p, re.I) for p in re.split(DASH, t))  # nginx-1.25.3
    for marks in (*MARKS[:5], DASH, *MARKS[5:]) if dated else MARKS:
        if len(pieces := re.split(marks, t)) > 1:  # drop-down is two words; a.b and R&D are names
            name = re.search(r"[@&._]|::|\\|/.*/", t)
            return made(pieces, bool(name) or not all(fold(p).isalpha() for p in pieces))
    if len(pieces := re.split("['\u2019]", t)) > 1:  # O'Brien
        pieces = [p for p in pieces if len(p) > 1 or p.isdigit()]<elided>
        return made(pieces, False)
    if (bare := t.strip("_")) != t and not re.fullmatch("__.+__", t):
        return split(bare) if bare else []
    if "_" in t:
        return made(t.split("_"))
    humps = [i for i in range(1, len(t)) if hump(t[i - 1], *t[i : i + 3].ljust(3))]
    if not 0 < len(humps) <= 10:
        return one(t)
    ends = zip([0, *humps], [*humps, len(t)])
    return made([t[a:b] for a, b in ends if b - a > 1], further=one)


def hump(before, here, after, then):
    """Whether a new word begins here: loadProfile, HTTPClient, but not PDFs."""
    if before.isupper():
        return here.isupper() and after.islower() and (after != "s" or then.islower())
    return here.isupper() and (before.islower() or (before.isdigit() and after.islower()))
'''

_RUNS = r'''

def runs(token):
    """Chinese, Japanese, Thai and others that put no blanks: each two letters; else `split`."""
    if not re.match(WORDS["run"], token):
        return split(token)
    letters = re.findall(WORDS["letter"], token)
    pairs = [a + b for a, b in zip(letters, letters[1:])] or [token]
    return [(fold(pair), [], True) for pair in pairs]
'''

_ELIDED = r"""
        if fold(t).split("'")[0] in WORDS["elided"]:  # l'eau
            return [word for piece in pieces for word in split(piece)]"""


def terms_files(analyzer: Analyzer, vocabulary: Iterable[str]) -> dict[str, str]:
    """``terms.py``, and ``words.json`` that it reads.

    Args:
        analyzer: whose terms are to be had.
        vocabulary: terms that the chunks hold; pairs of Chinese letters and the like need rules of
            their own, which are left out where no chunk has any.
    """
    _, marks = classes()
    words: dict[str, object] = {"token": pattern().pattern, "ignored": IGNORABLE}
    stop = stop_words(analyzer.language) if analyzer.settings.stop_words else frozenset()
    parts = {
        "imports": "",
        "constants": "",
        "split": "split",
        "asked": "return found if found and instead else"
        " found + [t for part in parts for t in ask(part, known)]",
        "about": "",
        "term": "word",
        "elided": "",
        "q": "'",
    }
    if not analyzer.settings.parts:
        parts["asked"] = "return found  # the parts of a name or compound are no terms here"
    if analyzer.stems:
        parts["imports"] = "\nimport Stemmer\n"
        parts["constants"] = (
            f'STEM = Stemmer.Stemmer("{STEMMERS[analyzer.language]}", 0).stemWord\n'
        )
        parts["term"] = 'word if re.search(r"\\d", word) else STEM(word)'
        parts["about"] = ": its stem"
    if stop:
        words["stop"] = sorted(stop)
        parts["constants"] += 'STOP = set(WORDS["stop"])\n'
        parts["term"] = f'"" if word in STOP else {parts["term"]}'
        parts["about"] += ", nothing for a stop word"
    if analyzer.language in ELIDING:
        words["elided"] = sorted(ELISIONS)
        parts["elided"] = _ELIDED
    has_runs = any(is_run(term) for term in vocabulary if term)
    if has_runs:
        words["run"] = f"[{RUNS}{KANA_MARKS}]"
        words["letter"] = f"[^{marks}{KANA_MARKS}][{marks}{KANA_MARKS}]*"
        parts["split"] = "runs"
    text = _RULES + (_RUNS if has_runs else "")
    for name, value in parts.items():
        text = text.replace(f"<{name}>", value)
    return {"terms.py": text, "words.json": json.dumps(words, ensure_ascii=False)}
