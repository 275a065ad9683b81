"""The file: self-contained, small, and everything in it literal."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.errors import NotACase, RagDebugError
from ragdebug.workbench.casefile import embedded
from ragdebug.workbench.casefile.markdown import block, code, markdown
from ragdebug.workbench.casefile.markup import el, marked
from ragdebug.workbench.casefile.page import case_page
from ragdebug.workbench.casefile.plain import plain
from ragdebug.workbench.casefile.records import Case, Table
from ragdebug.workbench.casefile.size import fitted
from tests.workbench.casefile.cases import case, fix, hit, proposed

PAYLOADS = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "]]><svg onload=alert(1)>",
    "<!--<script>",
    "-->",
    "</style></title></textarea><b>x</b>",
    '" onmouseover="alert(1)',
    "' autofocus onfocus='alert(1)",
    "javascript:alert(1)",
    "&lt;b&gt; &amp;",
    "\u202egnp.exe\u202c \x00\x1b[31m",
    "```\n# head\n[x](javascript:alert(1))",
    "\u2028\u2029 \u061c \u200f \ud800 \udfff",
    "$x^2$ :red[x] ~~y~~ {{7*7}} ${x}",
)
HOSTILE = " ".join(PAYLOADS)


class Reader(HTMLParser):
    """The elements of a document, its text, and what its data block holds."""

    def __init__(self, document: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(document)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)


def hostile() -> Case:
    """A case with payloads in every text that comes from outside."""
    one = hit(1, HOSTILE, 100, source=f"{HOSTILE}.md")
    made = case(
        query=HOSTILE,
        question=HOSTILE,
        proposed=proposed(),
        effect=fix(name=HOSTILE, verdict=HOSTILE),
        tables=(Table(HOSTILE, (HOSTILE,), ((HOSTILE,),), HOSTILE),),
        notes=(HOSTILE,),
        corpus=HOSTILE,
    )
    answer = replace(made.answers[0][0], source=HOSTILE, quote=HOSTILE, section=(HOSTILE,))
    assert made.excerpt is not None
    listed = replace(made.today.list, hits=(one,), name=HOSTILE, strategy=HOSTILE)
    return replace(
        made,
        answers=((answer,),),
        today=replace(made.today, list=listed),
        excerpt=replace(made.excerpt, text=HOSTILE, source=HOSTILE),
    )


def test_payloads_are_seen_and_never_act() -> None:
    read = Reader(case_page(hostile()))
    names = [tag for tag, _ in read.tags]
    assert not {"img", "b", "iframe", "a", "link", "textarea"} & set(names)
    assert names.count("script") == names.count("style") == names.count("title") == 1
    assert not [a for _, held in read.tags for a in held if a.startswith("on") or a == "src"]
    # What the browser shows is what the text says, less control and reordering characters.
    shown = HOSTILE.replace("\x00", "\ufffd").replace("\x1b", "\ufffd")
    shown = shown.replace("\u202e", "⟦RLO⟧").replace("\u202c", "⟦PDF⟧")
    shown = shown.replace("\u061c", "⟦ALM⟧").replace("\u200f", "⟦RLM⟧")
    shown = shown.replace("\ud800", "\ufffd").replace("\udfff", "\ufffd")
    assert read.text.count(shown) >= 6


@pytest.mark.parametrize("payload", PAYLOADS)
def test_the_data_comes_back_as_it_was(payload: str) -> None:
    document = case_page(case(query=f"ask {payload}"))
    assert embedded.read(document)["query"] == f"ask {payload}"
    assert len(document.lower().split("</script")) == 2


@given(st.text())
def test_any_text_survives_the_block(text: str) -> None:
    made = embedded.block({"format": embedded.FORMAT, "x": text})
    inside = made.removeprefix(made[: made.index(">") + 1]).removesuffix("</script>")
    assert not set("<>&") & set(inside)
    assert json.loads(inside)["x"] == text
    assert embedded.read(made)["x"] == text


@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Cf", "Cn"])), st.data())
def test_marks_and_cuts_leave_the_text_as_it_is(text: str, data: st.DataObject) -> None:
    at = st.integers(0, len(text))
    spans = [tuple(sorted((data.draw(at), data.draw(at)))) for _ in range(3)]
    read = Reader(str(el("div", marked(text, spans))))  # type: ignore[arg-type]
    assert read.text == text
    cut = Reader(str(el("div", marked(text, spans, [data.draw(at)]))))  # type: ignore[arg-type]
    assert cut.text.replace("chunk begins", "") == text.replace("chunk begins", "")


def test_nothing_is_asked_of_a_network_and_no_script_may_run() -> None:
    document = case_page(hostile())
    policy = next(
        held["content"]
        for tag, held in Reader(document).tags
        if tag == "meta" and held.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None and policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src" not in policy and "unsafe-inline" not in policy
    assert "http://" not in case_page(case()) and "https://" not in case_page(case())


def test_three_sentences_come_first_and_details_are_folded() -> None:
    read = Reader(case_page(case(proposed=proposed(), effect=fix())))
    names = [tag for tag, _ in read.tags]
    assert names.index("section") < names.index("details")
    assert not [held for tag, held in read.tags if tag == "details" and "open" in held]
    assert "brings it back at rank 2" in read.text


def test_a_large_case_stays_small_and_says_so() -> None:
    text = "word " * 20_000
    hits = tuple(hit(n, text, n * 200_000) for n in range(1, 101))
    made = case()
    big = replace(made, today=replace(made.today, list=replace(made.today.list, hits=hits)))
    cut, file = fitted(big)
    assert len(file) < 3_000_000
    first = cut.today.list.hits[0]
    assert first.cut == len(text) - len(first.text) > 0
    assert f"… and {first.cut:,} more characters" in file.decode()
    assert any("so" in note for note in cut.notes)


def test_a_small_case_is_kept_whole() -> None:
    assert fitted(case())[0] == case()


@pytest.mark.parametrize(
    "document",
    [
        "",
        "<p>hello</p>",
        embedded.block({"format": "other"}),
        embedded.block({"format": embedded.FORMAT}).replace('"}', "}"),
        embedded.block({"format": "ragdebug-case/99"}),
    ],
)
def test_what_is_no_case_is_refused(document: str) -> None:
    with pytest.raises(NotACase):
        embedded.read(document)


def test_texts_of_hits_are_not_in_the_data() -> None:
    assert "Nothing of use" not in json.dumps(plain(case()))


@pytest.mark.parametrize("text", ["`", "``` a ````", "plain", "```\nx\n```", "  "])
def test_markdown_keeps_text_in_code(text: str) -> None:
    inline = code(text)
    fence = inline[: len(inline) - len(inline.lstrip("`"))]
    inside = inline[len(fence) : len(inline) - len(fence)].strip()
    assert inline.startswith(fence) and inline.endswith(fence) and fence not in inside
    made = block(text).split("\n")
    fence = made[0].removesuffix("text")
    assert made[-1] == fence and not [x for x in made[1:-1] if x.startswith(fence)]


def test_the_ticket_has_sentences_lists_and_numbers() -> None:
    ticket = markdown(case(proposed=proposed(), effect=fix()))
    for part in ("rank 41", "brings it back", "refunds.md", "faq.csv#2", "refund  2"):
        assert part in ticket


def test_a_lone_carriage_return_does_not_end_a_block_of_a_list() -> None:
    text = "the answer\r```\r\n# head\r[x](javascript:alert(1))"
    held = replace(hit(1, text, 7), marks=((0, 10),), coverage=1.0)
    made = proposed()
    ticket = markdown(case(proposed=replace(made, list=replace(made.list, hits=(held,)))))
    assert "\r" not in ticket
    assert [x for x in ticket.split("\n") if "# head" in x or "javascript" in x] == [
        "   # head", "   [x](javascript:alert(1))"
    ]  # fmt: skip


def test_a_long_query_and_long_words_stay_within_bounds() -> None:
    query = "x" * 100_000
    document = case_page(case(query=query))
    assert embedded.read(document)["query"] == query
    read = Reader(document)
    assert max(len(text) for text in read.texts if "{" not in text) < 3_000
    assert len(fitted(case(query=query))[1]) < 3_000_000


def test_what_gives_way_is_said_and_something_always_fits() -> None:
    one = case().today.why.needs[0]
    many = tuple(
        replace(one.places[0], chunks=one.places[0].chunks * 20, stage="cut") for _ in range(60)
    )
    report = replace(
        case().today.why, query="q" * 1_500_000, needs=(replace(one, places=(*many, *one.places)),)
    )
    answer = replace(case().answers[0][0], quote="quote " * 20_000)
    listed = replace(case().today.list, hits=tuple(hit(n, "text", n) for n in range(1, 3_000)))
    big = case(
        query="q" * 1_500_000,
        answers=((answer,) * 40,),
        today=replace(case().today, why=report, list=listed),
    )
    made, file = fitted(big)
    assert len(file) < 3_000_000
    said = " ".join(made.notes)
    for part in ("left out", "Quotes of answers end", "the first 10 places", "Lists end after 20",
                 "The question ends after 20,000"):  # fmt: skip
        assert part in said and part in file.decode()
    # The place that was lost is still among them.
    assert "below_k" in {p.stage for p in made.today.why.needs[0].places}


def test_what_does_not_fit_at_all_is_refused() -> None:
    with pytest.raises(RagDebugError, match="does not fit"):
        fitted(case(), most=1_000)


def test_the_chunks_of_a_trace_have_every_rank_score_and_gap() -> None:
    assert "0–40|100%|||bm25|41|1.5|2 · last shown (rank 5)" in _cells(case_page(case()))


def _cells(document: str) -> list[str]:
    """Rows of all tables, cells between bars."""
    found = re.findall(r"<tr[^>]*>((?:<td>[^<]*</td>)+)</tr>", document)
    return ["|".join(re.findall(r"<td>([^<]*)</td>", row)) for row in found]
