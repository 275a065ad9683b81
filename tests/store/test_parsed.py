"""What a parser made comes back as it was, whatever it holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdebug.records import Block, Page, ParsedDocument, ParseWarning, Section, Span
from ragdebug.store.clean import clean, dump, finite, iso, now
from ragdebug.store.parsed import decode, encode
from ragdebug.store.workspace import Store
from tests.store.helpers import text_document

# What a parser may give: any character but half ones and NUL.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
PLACE = st.integers(0, 10**9)
SPAN = st.builds(Span, PLACE, PLACE)
PARSED = st.builds(
    ParsedDocument,
    text=TEXT,
    kind=st.sampled_from(["markdown", "pdf", "record"]),
    parser=TEXT,
    key=TEXT,
    title=TEXT,
    sections=st.lists(
        st.builds(Section, PLACE, PLACE, st.integers(1, 9), TEXT, PLACE), max_size=4
    ).map(tuple),
    pages=st.lists(st.builds(Page, PLACE, PLACE, PLACE, TEXT), max_size=4).map(tuple),
    blocks=st.lists(
        st.builds(
            Block,
            st.sampled_from(["heading", "table", "unit"]),
            PLACE,
            PLACE,
            st.integers(0, 9),
            st.lists(SPAN, max_size=3).map(tuple),
            st.none() | SPAN,
        ),
        max_size=4,
    ).map(tuple),
    metadata=st.dictionaries(TEXT, TEXT, max_size=4),
    language=st.sampled_from(["", "en", "de"]),
    warnings=st.lists(
        st.builds(ParseWarning, TEXT, TEXT, st.none() | PLACE, st.none() | PLACE), max_size=3
    ).map(tuple),
)


@given(PARSED)
def test_bytes_and_back_is_the_same_document(parsed: ParsedDocument) -> None:
    assert decode(encode(parsed), parsed.text) == parsed


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    store = Store(tmp_path_factory.mktemp("parsed"))
    yield store
    store.close()


@settings(max_examples=25)
@given(parsed=PARSED, source=TEXT)
def test_save_and_load_is_the_same_document(
    kept: Store, parsed: ParsedDocument, source: str
) -> None:
    document = replace(text_document("a", source=source or "a"), parsed=parsed)
    with kept.facts.transaction() as cursor:
        cursor.execute("DELETE FROM document_versions")
    kept.documents.save([document])
    loaded = kept.documents.load("a")
    assert loaded.parsed == parsed
    assert loaded.text == parsed.text
    assert loaded.source == (source or "a")
    (info,) = kept.documents.infos()
    assert (info.chars, info.pages, info.metadata) == (
        len(parsed.text),
        len(parsed.pages),
        parsed.metadata,
    )


def test_half_characters_and_nul_reach_no_table_and_move_no_position(store: Store) -> None:
    odd = "a\ud83d\0b\udc00😀"
    document = text_document(
        "a", odd, source=odd, title=odd, metadata={odd: odd}, sections=(Section(0, 4, 1, odd, 2),)
    )
    store.documents.save([document])
    store.documents.tag(["a"], {"own": odd})
    store.queries.add(odd, {"q": odd})
    fixed = "a\ufffd\ufffdb\ufffd😀"
    loaded = store.documents.load("a")
    assert loaded.text == fixed
    assert len(loaded.text) == len(odd)
    assert loaded.parsed.metadata == {fixed: fixed, "own": fixed}
    assert loaded.source == loaded.parsed.title == loaded.parsed.sections[0].title == fixed
    assert store.queries.recent()[0].query == fixed


def test_text_without_odd_characters_is_not_touched() -> None:
    text = "Ünïcode 😀 \x01 \ufeff \u2028 \U0010ffff"
    assert clean(text) == text


@pytest.mark.parametrize(
    ("value", "kept", "reason"),
    [
        (0.8, 0.8, ""),
        (0, 0.0, ""),
        (None, None, "no value"),
        (float("nan"), None, "not a number"),
        (float("inf"), None, "infinite"),
        (float("-inf"), None, "infinite"),
    ],
)
def test_numbers_that_are_not_finite_become_null_with_a_reason(
    value: float | None, kept: float | None, reason: str
) -> None:
    assert finite(value) == (kept, reason)


def test_json_refuses_what_json_does_not_have() -> None:
    with pytest.raises(ValueError, match="JSON"):
        dump({"x": float("nan")})
    assert dump({"ü": "\ud800"}) == '{"ü":"\ufffd"}'
    assert dump(["\0", {"\0": "\\u0000"}]) == '["\ufffd",{"\ufffd":"\\\\u0000"}]'


def test_moments_are_utc_and_without_fractions() -> None:
    assert iso(None) == ""
    assert iso(now().replace(2031, 5, 4, 12, 30, 15, 999)) == "2031-05-04T12:30:15Z"


def test_a_large_document_comes_back(tmp_path: Path) -> None:
    store = Store(tmp_path)
    text = "".join(f"Zeile {n} – ünd mehr 😀\n" for n in range(100_000))
    blocks = tuple(Block("paragraph", n, n + 10) for n in range(0, 100_000, 10))
    store.documents.save([text_document("a", text, blocks=blocks)])
    loaded = store.documents.load("a")
    assert loaded.text == text
    assert loaded.parsed.blocks == blocks
    store.close()
