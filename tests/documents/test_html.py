from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.documents.html import parse_html
from ragdebug.documents.html_guard import tame
from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.errors import DocumentError, EmptyDocument
from ragdebug.records import ParsedDocument

Read = Callable[..., Any]


def text_of(read: Read, body: str) -> str:
    return read(parse_html, f"<html><body>{body}</body></html>", "a.html").text


def sections(doc: ParsedDocument) -> list[tuple[int, str]]:
    return [(s.level, s.title) for s in doc.sections]


def blocks(doc: ParsedDocument) -> list[tuple[str, str]]:
    return [(b.kind, doc.text[b.start : b.end]) for b in doc.blocks]


# Words --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<h1>Oars</h1><p>Ash.</p><p>Oak.</p>", "Oars\n\nAsh.\n\nOak."),
        ("<ul><li>one<li>two</ul>", "one\ntwo"),
        ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc"),
        ("<section>a</section><aside>b</aside>", "a\n\nb"),
        ("<dl><dt>oar<dd>a paddle</dl>", "oar\na paddle"),
        ("<table><tr><td>left<td>right</table>", "left | right"),
        ("line<br>break", "line\nbreak"),
        ("a<hr>b", "a\n\nb"),
        ("<p>a<p>b", "a\n\nb"),
        ("<select><option>x<option>y</select>", "x\n\ny"),
    ],
)
def test_blocks_are_kept_apart(read: Read, body: str, text: str) -> None:
    assert text_of(read, body) == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p>Row <b>bo</b>at! See <a href='#'>that</a>.</p>", "Row boat! See that."),
        ("<p>H<sub>2</sub>O, <code>x</code><em>y</em></p>", "H2O, xy"),
        ("<p>one\n  two\t three</p>", "one two three"),
        ("<p>salt&nbsp;water&#8239;now</p>", "salt water now"),
        ("<p>light&shy;house</p>", "lighthouse"),
        ("<p>long<wbr>word</p>", "longword"),
        ("<p>a<!-- not shown -->b</p>", "ab"),
        ("<p>5 &lt; 6 &amp; 7 &euro;</p>", "5 < 6 & 7 €"),
        ("<p> <b> a </b> <i> b </i> </p>", "a b"),
    ],
)
def test_what_is_inline_stays_together(read: Read, body: str, text: str) -> None:
    assert text_of(read, body) == text


@pytest.mark.parametrize(
    "body",
    [
        "<script>var walnut = 1</script>",
        "<style>.walnut {}</style>",
        "<template><p>walnut</p></template>",
        "<p hidden>walnut</p>",
        "<p style='color: red; display:none'>walnut</p>",
        "<span style='VISIBILITY : hidden'>walnut</span>",
        "<!-- walnut -->",
        "<noscript>walnut</noscript>",
        "<iframe>walnut</iframe>",
        "<table><tr hidden><td>walnut</table>",
        "<table><tr><td>x<td hidden>walnut</table>",
        "<svg><title>walnut</title></svg>",
        "<input type=hidden value=walnut>",
    ],
)
def test_what_is_not_shown_is_not_read(read: Read, body: str) -> None:
    assert "walnut" not in text_of(read, f"<p>shown</p>{body}<p>shown too</p>")


def test_the_sign_behind_headings_is_no_text(read: Read) -> None:
    doc = read(parse_html, "<h2>C#<a class=headerlink href='#c'>¶</a></h2><p>x</p>", "a.html")
    assert sections(doc) == [(2, "C#")]
    assert doc.text == "C#\n\nx"


# Structure ----------------------------------------------------------------------------------------


def test_headings_make_the_tree_and_the_title(read: Read) -> None:
    doc = read(
        parse_html,
        "<p>before</p><h1>A <i>b</i></h1><p>x</p><h3>C</h3>y<h2>D</h2><h1></h1><p>z</p>",
        "a.html",
    )
    assert sections(doc) == [(1, "A b"), (3, "C"), (2, "D")]
    assert doc.title == "A b"
    assert [s.end for s in doc.sections] == [len(doc.text), doc.text.index("D"), len(doc.text)]
    assert doc.text[doc.sections[0].body :].lstrip().startswith("x")


def test_title_language_and_descriptions_come_from_the_head(read: Read) -> None:
    doc = read(
        parse_html,
        "<html lang='de-AT'><head><title>Ruder &amp;\n Boot</title>"
        "<meta name=author content='A Smith'><meta name=viewport content=x></head>"
        "<body><h1>H</h1></body></html>",
        "a.html",
    )
    assert (doc.title, doc.language) == ("Ruder & Boot", "de")
    assert doc.metadata == {"author": "A Smith"}
    assert doc.text == "H"


def test_a_table_keeps_its_rows_and_header(read: Read) -> None:
    doc = read(
        parse_html,
        "<table><caption>Prices</caption><tr><th>item<th>price</tr>"
        "<tr><td><p>oar</p><p>ash</p><td>9</tr><tr><td><td>80</tr></table>",
        "a.html",
    )
    assert doc.text == "Prices\n\nitem | price\noar ash | 9\n| 80"
    table = doc.blocks[1]
    assert [doc.text[r.start : r.end] for r in table.rows] == [
        "item | price",
        "oar ash | 9",
        "| 80",
    ]
    assert table.header == table.rows[0]


def test_a_merged_cell_is_read_once(read: Read) -> None:
    body = "<table><tr><td colspan=3>wide title<tr><td>1<td>2<td>3</table>"
    assert text_of(read, body) == "wide title\n1 | 2 | 3"


def test_tables_that_arrange_a_page_are_read_as_blocks(read: Read) -> None:
    body = "<table><tr><td><h2>Menu</h2>soup<td>news<table><tr><td>1<td>2</table></table>"
    assert text_of(read, body) == "Menu\n\nsoup\n\nnews\n\n1 | 2"


def test_preformatted_text_keeps_its_lines(read: Read) -> None:
    doc = read(parse_html, "<pre><code>if a:\n    <b>go</b>()\n\nend</code></pre><p>x", "a.html")
    assert blocks(doc) == [("code", "if a:\n    go()\n\nend"), ("paragraph", "x")]


def test_lists_and_quotes_know_their_depth(read: Read) -> None:
    doc = read(parse_html, "<ul><li>a<ol><li>b</ol><li>c</ul><blockquote>q</blockquote>", "a.html")
    assert [(b.kind, b.level) for b in doc.blocks] == [
        ("list_item", 1),
        ("list_item", 2),
        ("list_item", 1),
        ("quote", 1),
    ]


def test_self_closed_elements_of_xhtml_swallow_nothing(read: Read) -> None:
    source = (
        '<?xml version="1.0"?><html><head><title/><script src="x"/></head><body>seen</body></html>'
    )
    assert read(parse_html, source, "a.xhtml").text == "seen"


def test_character_references_cannot_bring_back_what_was_normalised(read: Read) -> None:
    assert text_of(read, "<pre>a&#13;b&#0;c&#xFEFF;d&#xD800;e</pre>") == "a\nb\ufffdcd\ufffde"


def test_a_page_without_text_is_refused_by_name(read: Read) -> None:
    with pytest.raises(EmptyDocument, match=r"app\.html"):
        read(parse_html, "<html><body><div id=root></div><script>go()</script></body>", "app.html")


# Hostility ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tag", ["div", "span", "ul><li", "blockquote", "table><tr><td", "font", "b"]
)
def test_endless_nesting_is_flattened_and_its_text_kept(read: Read, tag: str) -> None:
    doc = read(parse_html, f"<p>top</p>{f'<{tag}>' * 30_000}deep", "a.html")
    assert doc.text.startswith("top") and doc.text.endswith("deep")


def test_flattening_is_reported(read: Read) -> None:
    doc = read(parse_html, "<div>" * 300 + "deep", "a.html")
    assert [w.code for w in doc.warnings] == ["deep_nesting"]
    assert not read(parse_html, "<div>" * 100 + "deep", "a.html").warnings


def test_pages_of_ordinary_depth_are_left_alone() -> None:
    page = "<p>x" * 1000 + "<ul><li>a<ul><li>b</ul></ul>" * 1000 + "<br>" * 1000
    page += "<div><b>x</b></div>" * 1000 + "<table><tr><td>x<td>y<tr><td>z</table>" * 1000
    assert tame(page, 200) == (page, False)


def test_thousands_of_attributes_are_dropped() -> None:
    many = " ".join(f"a{i}=1" for i in range(5000))
    assert tame(f"<p {many}>x", 200) == ("<p>x", True)
    assert tame(f"x<p {many}", 200) == ("x<p>", True)


def test_closing_tags_of_dropped_elements_go_with_them() -> None:
    source = "<div>" * 5 + "in" + "</div>" * 5 + "out<p>x"
    tamed, _ = tame(source, 3)
    assert tamed == "<div>" * 3 + "<br><br>in<br><br>" + "</div>" * 3 + "out<p>x"


@pytest.mark.parametrize("part", ["<p>x", "<li>x", "<b>x</b>", "<table><tr><td>x</table>", "<br>"])
def test_work_grows_with_the_page(calls: Callable[[Callable[[], object]], int], part: str) -> None:
    def work(times: int) -> int:
        data = (part * times + "x").encode()
        return calls(lambda: parse_html(data, "a.html", ParseOptions(), Limits()))

    work(10)
    assert work(800) < 2.3 * work(400)


TAGS = (
    "p div b i a ul li table tr td th thead pre br h1 h2 blockquote dl dt select svg title".split()
)
PIECES = st.one_of(
    st.sampled_from([f"<{t}>" for t in TAGS] + [f"</{t}>" for t in TAGS]),
    st.sampled_from(
        ["x", " ", "\n", "&nbsp;", "&#13;", "<!--", "-->", "<p hidden>", "<", "\u3000"]
    ),
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_markup_gives_sound_spans(read: Read, source: str) -> None:
    try:
        read(parse_html, source, "a.html")
    except EmptyDocument:
        pass


@given(st.lists(PIECES, max_size=60).map("".join))
def test_taming_keeps_the_text(read: Read, source: str) -> None:
    def letters(text: str) -> str:
        return "".join(c for c in text if c == "x")

    tamed, _ = tame(source, 3)
    try:
        shown = read(parse_html, source, "a.html").text
    except EmptyDocument:
        shown = ""
    if "<!--" in source or "<x" in source or "hidden" in source or "title" in source:
        return
    assert letters(tamed) == letters(source)
    assert letters(shown) == letters(source)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(read: Read, data: bytes) -> None:
    try:
        read(parse_html, data, "a.html")
    except DocumentError as e:
        assert "a.html" in e.message
