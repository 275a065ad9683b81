"""Every component on made-up records: for looking at, and for the browser tests.

streamlit run tests/ui/gallery.py          then ?part=board, judge, document, long, literal, figures
"""

from __future__ import annotations

import streamlit as st

from ragdebug import figures
from ragdebug.records import Page
from ragdebug.ui import literal
from ragdebug.ui.components.document_view import ChunkMark, Layers, document_view
from ragdebug.ui.components.hit_board import Card, Column, Standing, hit_board
from ragdebug.ui.components.judge import Candidate, judge
from ragdebug.ui.components.passage import Mark, passage

HOSTILE = (
    "<script>document.title='owned'</script> <img src=x onerror=\"document.title='owned'\"> "
    "</script> <b>bold?</b> [go](javascript:document.title='owned') ~~kept~~ :red[colour] :smile: "
    "$x^2$ :material/home: ![pic](https://tracker.invalid/p.png) https://tracker.invalid/q "
    "www.tracker.invalid a@tracker.invalid -- -> a < b && c > d &amp; &lt;i&gt; "
    "\u202eevil\u202c `code` # Big line"
)
REFUNDS = """# Refunds

Refunds are available within 30 days of the purchase, without giving a reason.
The money goes back to the card that was charged.

After that, annual plans are prorated: the months that were not used are paid back 💶.
A fee of 2% stays with the bank — see *Fees* for the exact numbers.

## Exceptions

- Gift cards cannot be refunded.
- Hardware must come back in its box. The family pack 👨‍👩‍👧‍👦 counts as one article.
- Café\u0301 vouchers (naïve spelling: cafe\u0301) are valid for a year.

## Errors during a refund

| code     | meaning                  | what to do        |
|----------|--------------------------|-------------------|
| ERR_4021 | card expired             | ask for a new one |
| ERR_4022 | amount above the payment | lower the amount  |

שלום means peace and stands here to be read from right to left.

### Who decides

Refunds above 500 are decided by a person within two working days. Smaller ones are paid at once.
"""


def cut(text: str, size: int, overlap: int, name: str = "c") -> list[ChunkMark]:
    """Chunks of a fixed size that start and end at words."""
    marks: list[ChunkMark] = []
    start = 0
    while start < len(text):
        end = min(len(text), start + size)
        while end < len(text) and not text[end - 1].isspace():
            end += 1
        while text[start:end].strip() and text[end - 1].isspace():
            end -= 1
        number = len(marks) + 1
        marks.append(ChunkMark(f"{name}{number - 1}", start, end, number, f"{end - start} chars"))
        if end >= len(text.rstrip()):
            break
        start = max(start + 1, end - overlap)
        while text[start].isspace() or not text[start - 1].isspace():
            start += 1
    return marks


def spans(text: str, *words: str) -> list[tuple[int, int]]:
    """Where words stand."""
    found = []
    for word in words:
        at = text.find(word)
        while at >= 0:
            found.append((at, at + len(word)))
            at = text.find(word, at + 1)
    return sorted(found)


def document() -> None:
    """A short document with all layers."""
    text = REFUNDS + "\n" + HOSTILE + "\n"
    evidence = spans(text, "After that, annual plans are prorated: the months that were not used")
    event = document_view(
        text,
        key="document",
        layers=Layers(
            chunks=cut(text, 260, 60),
            other=cut(text, 180, 0, "o"),
            evidence=evidence,
            terms=spans(text, "refund", "Refund", "annual"),
            pages=(Page(1, 0, 400), Page(2, 400, len(text), "ii")),
            selected=st.session_state.get("picked", ""),
            titles=("structure 220/40", "fixed 200/0"),
        ),
        mark_label="Use as expected passage",
        on_chunk=lambda chunk: st.session_state.update(picked=chunk),
        on_mark=lambda start, end: st.session_state.update(marked=(start, end)),
    )
    st.text(f"event chunk={event.chunk!r} marked={event.marked!r}")
    st.text(f"picked={st.session_state.get('picked', '')!r}")
    if marked := st.session_state.get("marked"):
        st.text(f"marked={marked} text={text[slice(*marked)]!r}")


@st.cache_data(max_entries=1)
def long_text() -> tuple[str, list[int]]:
    """Two thousand pages."""
    pages, starts, at = [], [], 0
    for number in range(1, 2001):
        lines = [f"Page {number} of the long handbook 😀."]
        lines += [
            f"Paragraph {number}.{i} tells of valve {number * 7 + i} and how it is serviced: open "
            "the cover, turn the screw to the left, wait until the pressure has fallen, and write "
            "the reading down. Never work alone, and never without the lamp that is checked weekly."
            for i in range(1, 11)
        ]
        page = "\n\n".join(lines) + "\n\n"
        starts.append(at)
        pages.append(page)
        at += len(page)
    return "".join(pages), starts


def long() -> None:
    """A document of megabytes."""
    text, starts = long_text()
    ends = [*starts[1:], len(text)]
    pages = [Page(i + 1, a, b) for i, (a, b) in enumerate(zip(starts, ends, strict=True))]
    marks = [
        ChunkMark(f"p{i}", a, b - 2, i + 1)
        for i, (a, b) in enumerate(zip(starts, ends, strict=True))
    ]
    focus = None
    if st.button("Go to the evidence"):
        st.session_state.focus = spans(text, "Paragraph 1500.5")[0]
    focus = st.session_state.get("focus")
    document_view(
        text,
        key="long",
        token="long",
        layers=Layers(
            chunks=marks,
            pages=pages,
            evidence=[focus] if focus else [],
            selected=st.session_state.get("picked", ""),
        ),
        focus=focus,
        mark_label="Use as expected passage",
        on_chunk=lambda chunk: st.session_state.update(picked=chunk),
        on_mark=lambda start, end: st.session_state.update(marked=(start, end)),
    )
    st.text(f"picked={st.session_state.get('picked', '')!r}")
    if marked := st.session_state.get("marked"):
        st.text(f"marked={marked} text={text[slice(*marked)]!r}")


TEXTS = {
    "refund-a": (("Billing", "Refunds"), "handbook/refunds.md", "", REFUNDS[11:330]),
    "invoice": (
        ("Billing", "Invoices"),
        "handbook/billing.pdf",
        "p. 2",
        "Invoices are sent on the first working day of the month to the address of the account. "
        "Annual plans get one invoice a year. A paid invoice can be downloaded again at any time.",
    ),
    "err": (
        ("Errors", "ERR_4021"),
        "handbook/errors.docx",
        "p. 14",
        "ERR_4021 is shown when a refund is asked for after the card expired. Ask the customer for "
        "a new card; the refund is then sent within three days, counted from the new card.",
    ),
    "hostile": (("<b>Section</b>", HOSTILE[:60]), "<img src=x onerror=alert(1)>.txt", "", HOSTILE),
    "gift": (
        ("Products", "Gift cards", "Conditions"),
        "catalogue/a-very-long-folder-name/gift-cards-and-vouchers-2026.csv#SKU-99812-B",
        "p. xii",
        "Gift cards are valid for three years after the sale and cannot be paid out. What is left "
        "on a card can be moved to another card once, free of charge, at any counter.",
    ),
}


def card(key: str, rank: int, score: float, kind: str, **more: object) -> Card:
    """A made-up hit."""
    section, source, page, text = TEXTS[key]
    return Card(
        id=f"{kind}-{key}",
        rank=rank,
        score=score,
        score_kind=kind,
        source=source,
        section=section,
        page=page,
        text=text,
        terms=spans(text, "refund", "Refund", "annual", "Annual", "money", "year"),
        passage=key,
        **more,  # type: ignore[arg-type]
    )


def board() -> None:
    """Four result lists, one of them late."""
    evidence = spans(TEXTS["refund-a"][3], "After that, annual plans are prorated")
    late = "late interaction, untrained"
    v = lambda r: Standing("vector", "Vector", r)  # noqa: E731
    b = lambda r: Standing("bm25", "BM25", r, "" if r else "not among the first 50")  # noqa: E731
    h = lambda r: Standing("hybrid", "Hybrid", r)  # noqa: E731
    r = lambda k: Standing("reranked", "Reranked", k)  # noqa: E731
    star: dict[str, object] = {"evidence": evidence, "held": 1.0, "found": True}
    columns = [
        Column(
            "vector",
            "Vector",
            [
                card("invoice", 1, 0.61234, "cosine", elsewhere=[b(14), h(6), r(None)]),
                card("refund-a", 2, 0.588, "cosine", elsewhere=[b(3), h(1), r(1)], **star),
                card("gift", 3, 0.52, "cosine", elsewhere=[b(None), h(9), r(5)]),
                card("hostile", 4, 0.4101, "cosine", elsewhere=[b(4), h(4), r(None)]),
            ],
            elapsed_s=0.012,
            expected="expected passage at 2 of 1,204",
        ),
        Column(
            "bm25",
            "BM25",
            [
                card("err", 1, 7.412, "bm25", fresh=True, elsewhere=[v(None), h(2), r(2)]),
                card("gift", 2, 6.9, "bm25", movement=1, elsewhere=[v(3), h(9), r(5)]),
                card("refund-a", 3, 6.5, "bm25", movement=-1, elsewhere=[v(2), h(1), r(1)], **star),
                card("hostile", 4, 2.2, "bm25", movement=0, elsewhere=[v(4), h(4), r(None)]),
            ],
            elapsed_s=0.0031,
            expected="expected passage at 3 of 212",
            chips=["okapi", "b 0.5"],
        ),
        Column(
            "hybrid",
            "Hybrid",
            [
                card(
                    "refund-a", 1, 0.0325, "rrf", movement=2, elsewhere=[v(2), b(3), r(1)], **star
                ),
                card("err", 2, 0.0164, "rrf", movement=-1, elsewhere=[v(None), b(1), r(2)]),
                card(
                    "gift",
                    3,
                    0.0161,
                    "rrf",
                    movement=-1,
                    elsewhere=[v(3), b(2), r(5)],
                    notes=["longer than the model reads", "same text as 1"],
                ),
            ],
            subtitle="RRF 60",
            elapsed_s=0.0162,
            expected="expected passage at 1",
        ),
        Column("reranked", "Reranked", subtitle=late, pending="scores 20 pairs …"),
    ]
    if st.toggle("Last column ready"):
        columns[-1] = Column(
            "reranked",
            "Reranked",
            [
                card(
                    "refund-a", 1, 0.87, "maxsim", movement=0, elsewhere=[v(2), b(3), h(1)], **star
                ),
                card("err", 2, 0.79, "maxsim", movement=0, elsewhere=[v(None), b(1), h(2)]),
            ],
            subtitle=late,
            elapsed_s=0.81,
            notes=["41% indexed"],
        )
    if st.toggle("Last column failed"):
        columns[-1] = Column(
            "reranked",
            "Reranked",
            error=f"No model is called {HOSTILE[:40]}",
            error_hint="Choose another.",
        )
    picked = st.session_state.get("card", ("", ""))
    event = hit_board(
        columns,
        key="board",
        selected=picked,
        on_pick=lambda column, chosen: st.session_state.update(card=(column, chosen)),
        on_settings=lambda column: st.session_state.update(settings=column),
        on_judge=lambda column, chosen, answers: st.session_state.update(
            judged=(column, chosen, answers)
        ),
    )
    st.text(f"judged={st.session_state.get('judged')}")
    st.text(f"event {event.column!r} {event.card!r} {event.settings!r}")
    st.text(f"card={st.session_state.get('card')} settings={st.session_state.get('settings')}")


def judging() -> None:
    """Passages to be judged; what is said stands below."""
    known = st.session_state.setdefault("known", {})
    first = "💶 Refunds take a month. The driver signs the slip. Ask for a copy! Bring it along."
    texts = {"one": first, "two": HOSTILE + ". " + first, "three": "A single sentence."}
    candidates = []
    for name, text in texts.items():
        cuts = [i + 2 for i, c in enumerate(text[:-1]) if c in ".!" and text[i + 1] == " "]
        edges = [0, *cuts, len(text)]
        sentences = [
            (a, a + len(text[a:b].rstrip())) for a, b in zip(edges, edges[1:], strict=False)
        ]
        candidates.append(
            Candidate(
                name,
                text,
                sentences,
                first=min(1, len(sentences) - 1),
                last=min(1, len(sentences) - 1),
                source=f"<b>{name}</b>.md",
                section=("Billing", "<i>Refunds</i>"),
                terms=spans(text, "driver"),
                judged=known.get(name, ""),
                note="the same text as you marked: it may count too" if name == "three" else "",
            )
        )

    def say(what: str, **more: str) -> None:
        st.session_state["said"] = what
        known.update(more)

    def answered(name: str, first: int, last: int, target: int) -> None:
        candidate = next(c for c in candidates if c.id == name)
        text = candidate.text[candidate.sentences[first][0] : candidate.sentences[last][1]]
        say(f"{name} {first} {last} {target} {text}", **{name: "yes"})

    judge(
        candidates,
        key="judge",
        targets=("a further place of need 1", "a need of its own"),
        grab="start",
        on_answer=answered,
        on_reject=lambda name: say(f"no {name}", **{name: "no"}),
        on_skip=lambda: say("skip"),
        on_nothing=lambda: say("nothing"),
        on_undo=lambda again: say("redo" if again else "undo"),
    )
    st.text(f"said={st.session_state.get('said', '')}")


def literals() -> None:
    """All ways in which outside text is shown."""
    literal.text(HOSTILE)
    literal.small(HOSTILE)
    st.markdown("plain " + literal.plain(HOSTILE, 900))
    st.markdown("code " + literal.code(HOSTILE, 900))
    st.button(literal.plain(HOSTILE, 900), key="b1")
    st.pills("pills", [HOSTILE, "x"], format_func=lambda o: literal.plain(o, 900))
    st.selectbox("select", [HOSTILE])
    literal.problem("It is all wrong: " + HOSTILE, HOSTILE)
    literal.note(HOSTILE)
    with st.expander(literal.plain(HOSTILE, 900)):
        st.text("inside")
    st.tabs([literal.plain(HOSTILE, 120), "other"])
    st.metric(literal.plain(HOSTILE, 60), 3)
    passage(
        HOSTILE + " pelican é😀 here",
        key="passage",
        marks=[Mark(*s) for s in spans(HOSTILE + " pelican é😀 here", "pelican", "😀")],
    )
    st.dataframe({"text": [HOSTILE]})


def plots() -> None:
    """The figures."""
    theme = figures.Theme(dark=st.context.theme.type == "dark")
    st.plotly_chart(
        figures.size_histogram(
            {"structure 220/40": [20 + (i * 37) % 230 for i in range(400)]},
            unit="tokens",
            window=256,
            theme=theme,
        ),
        key="sizes",
    )
    st.plotly_chart(
        figures.bump_chart(
            list(zip(figures.PRESETS, ("Vector", "BM25", "Hybrid", "Reranked"), strict=True)),
            [
                figures.Track("Billing › Refunds", (2, 3, 1, 1), wanted=True),
                figures.Track("<b>Errors</b> › ERR_4021", (None, 1, 2, 2)),
                figures.Track("Billing › Invoices", (1, 14, 6, None)),
                figures.Track("Products › Gift cards", (3, 2, 3, 5)),
                figures.Track("Shipping › Returns", (4, None, 5, 3)),
            ],
            depth=10,
            theme=theme,
        ),
        key="bump",
    )


PARTS = {
    "document": document,
    "long": long,
    "board": board,
    "judge": judging,
    "literal": literals,
    "figures": plots,
}

st.set_page_config(page_title="gallery", layout="wide", menu_items={"About": "gallery"})
PARTS.get(st.query_params.get("part", "board"), board)()
