"""What must not travel, and texts that somebody withholds."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from ragdebug import Workbench
from ragdebug.errors import InvalidSetting
from ragdebug.records import Place
from ragdebug.workbench.casefile.included import included
from ragdebug.workbench.casefile.leaving_out import Cleaner
from ragdebug.workbench.casefile.markdown import markdown
from ragdebug.workbench.casefile.page import case_page
from ragdebug.workbench.casefile.plain import plain
from ragdebug.workbench.casefile.records import Excerpt, Picture, Side, Table
from ragdebug.workbench.casefile.withholding import withhold
from ragdebug.workbench.tracing.reports import PathStep
from tests.workbench.casefile.cases import case, hit, proposed
from tests.workbench.conftest import write

KEY = "sk-" + "a1B2" * 6  # made up


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("model=/srv/models/own/e5+k=3", "model=e5+k=3"),
        (r"model=C:\Users\ann\e5", "model=e5"),
        ("~/secret/place/model.onnx is gone", "model.onnx is gone"),
        ("bm25@structure:220/40:tokens:label", "bm25@structure:220/40:tokens:label"),
        ("handbook/refunds.md, 5/6 of it", "handbook/refunds.md, 5/6 of it"),
        ("vector and/or bm25", "vector and/or bm25"),
    ],
)
def test_a_path_shrinks_to_its_last_part(said: str, kept: str) -> None:
    assert Cleaner().said(said) == kept


def test_own_folder_and_own_host_go(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "box-17")
    monkeypatch.setattr("socket.getfqdn", lambda: "box-17.corp.example")
    cleaner = Cleaner(str(tmp_path))
    assert cleaner.said(f"see {tmp_path}/x.md on box-17.") == "see x.md on …."
    assert "corp" not in cleaner.said("at box-17.corp.example now")
    assert cleaner.text("the box-17 of the manual") == "the box-17 of the manual"


@pytest.mark.parametrize(
    "text",
    [
        f"use {KEY} here",
        "AKIA" + "ABCD1234" * 2,
        "https://ann:hunter22@host/x",
        "hf_" + "a1" * 15,
        "export SERVICE_KEY=abcdef",
        "OPENAI_API_KEY = 'zz-11-yy'",
        "DB_PASSWORD: correcthorse",
        "password=hunter22222",
        '"api_key": "a1b2c3d4e5"',
        "Authorization: Bearer abcdef1234567890",
    ],
)
def test_what_looks_like_a_key_is_unreadable_and_as_long(text: str) -> None:
    cleaner = Cleaner()
    made = cleaner.text(text)
    assert len(made) == len(text) and made != text and cleaner.blacked_out == 1


@pytest.mark.parametrize(
    ("piece", "kept"),
    [
        (f"use {KEY[:9]}", "use "),
        (f"… {KEY[9:]} here", " here"),
        (KEY[5:14], ""),
        (KEY.lower(), ""),
        (KEY[8:20].lower(), ""),
        (f"Gateway > Keys\n{KEY[4:]} first", " first"),
    ],
)
def test_a_piece_of_a_key_is_unreadable_where_the_whole_is_known(piece: str, kept: str) -> None:
    cleaner = Cleaner()
    cleaner.learn(f"Now use {KEY} here.")
    made = cleaner.text(piece)
    assert len(made) == len(piece)
    assert made.rpartition("█")[2].strip() == kept.strip() or kept in made
    assert not any(KEY[n : n + 4].lower() in made.lower() for n in range(len(KEY) - 3))
    assert cleaner.text("Ask the office for a key.") == "Ask the office for a key."


def test_a_key_that_a_chunk_cuts_and_one_of_the_environment_are_in_no_case_file(
    wb: Workbench, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = "Zq7-plainEnvSecretValue-44"
    monkeypatch.setenv("SOME_API_KEY", own)
    text = f"Set the gateway key {KEY} first. Then the gateway answers.\n\nElse use {own}.\n"
    write(folder, a_txt=text, b_txt="Nothing here.")
    wb.ingest([folder])
    for size in range(20, 60, 3):
        made = wb.case(
            query=f"is {own} the gateway key",
            quote="Then the gateway answers",
            strategies=[f"bm25@fixed:{size}/0:chars+k=9"],
        )
        page = wb.write_case(made, tmp_path / "case.html").read_text("utf-8").lower()
        assert "gateway" in page
        assert KEY[8:12].lower() not in page
        assert "plainenv" not in page


def test_no_line_of_a_key_block_stays_where_chunks_cut_it() -> None:
    lines = [f"{n:02d}" + "aZ9+" * 15 + "xy" for n in range(6)]
    block = "\n".join(
        ["-----BEGIN RSA PRIVATE KEY-----", *lines, "Qw3rTy7", "-----END RSA PRIVATE KEY-----"]
    )
    text = f"The block begins so:\n\n{block}\n\nThe private key is kept in a safe."
    cleaner = Cleaner()
    cleaner.learn(text)
    for size in (23, 50, 70, 131):
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        made = "".join(cleaner.text(piece) for piece in pieces)
        assert len(made) == len(text)
        assert not re.search(r"aZ9|Z9\+|Qw3r|3rTy|Ty7", made.replace("\n", ""))
        assert made.startswith("The block begins so:")
        assert made.endswith("The private key is kept in a safe.")
    table = Table("BM25", ("word", "tf"), (("private", "1"), ("Qw3rTy7", "1")), "private, key")
    (word, _), (part, _) = cleaner.all(table).rows
    assert (word, part) == ("private", "█" * 7)


@pytest.mark.parametrize(("first", "shown"), [(f"Use {KEY} for it.", False), ("Use it.", True)])
def test_a_page_on_which_a_key_stands_is_not_pictured(
    wb: Workbench, first: str, shown: bool
) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(300, 200))
    canvas.drawString(20, 150, first)
    canvas.drawString(20, 120, "After that the gateway answers.")
    canvas.save()
    wb.ingest_files([("gateway.pdf", file.getvalue())])
    made = wb.case(query="gateway", quote="After that the gateway answers", strategies=["bm25"])
    assert (made.picture is not None) == shown
    assert any("picture of the page is left out" in note for note in made.notes) != shown


@pytest.mark.parametrize(
    "text",
    [
        "PRIMARY_KEY = invoice_id and FOREIGN_KEY: customer and SORT_KEY=created_at",
        "MAX_TOKEN=100000 tokens are read",
        "The primary key: customer_identification_number is unique.",
        "Task-force sk-something-very-long-heading here.",
    ],
)
def test_names_of_columns_and_long_words_are_no_keys(text: str) -> None:
    cleaner = Cleaner()
    cleaner.learn(text)
    assert cleaner.text(text) == text


def test_ordinary_text_stays() -> None:
    text = "The key = value pairs of sk-learn; token: abc; https://example.org/a@b"
    assert Cleaner().text(text) == text
    text = "Key: KW-GRS-0001. The secret: patience, and a password: no. MONKEY=banana99"
    assert Cleaner().text(text) == text
    assert Cleaner().said("bm25@fixed:10/0:tokens=wordllama-l2+k=3") == (
        "bm25@fixed:10/0:tokens=wordllama-l2+k=3"
    )


def test_secrets_of_the_environment_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_TOKEN", "zebra-44-plain")
    assert Cleaner().text("it says zebra-44-plain.") == "it says " + "█" * 14 + "."
    monkeypatch.setenv("SOMETHING_KEY", "allofitisletters")
    monkeypatch.setenv("KEYBOARD", "qwertyui")  # a word, and no secret
    assert Cleaner().text("allofitisletters qwertyui") == "█" * 16 + " qwertyui"


def test_every_field_of_a_case_is_cleaned() -> None:
    made = case(query=f"why {KEY}", notes=("/home/ann/a/b.txt failed",))
    listed = replace(made.today.list, strategy="vector+model=/opt/m/e5")
    cleaned = Cleaner().all(replace(made, today=replace(made.today, list=listed)))
    document = case_page(cleaned)
    assert KEY not in document and "/home" not in document and "/opt" not in document
    assert cleaned.today.list.strategy == "vector+model=e5"
    assert type(cleaned) is type(made) and cleaned.today.list.hits == made.today.list.hits


# Withholding --------------------------------------------------------------------------------------


def test_a_withheld_text_is_nowhere_in_the_file() -> None:
    document = case_page(withhold(case(proposed=proposed()), [1]))
    assert "Nothing of use" not in document and "A second text" in document
    assert "The text is withheld." in document


def test_chunks_that_share_characters_are_withheld_with_it() -> None:
    made = withhold(case(proposed=proposed()), ["hybrid:1"])  # 7-20 of refunds.md
    assert made.proposed is not None and made.proposed.list.hits[0].withheld
    assert made.answers[0][0].withheld and made.answers[0][0].quote == ""
    assert made.excerpt is not None and made.excerpt.withheld
    document = case_page(made)
    assert "the answer, in full" not in document and "xx the answer" not in document
    assert "the answer</mark>" not in document and '"the answer"' not in document
    assert "The answer is marked" not in document
    assert not made.today.list.hits[0].withheld  # 100-127 shares nothing


def test_a_page_that_shows_it_is_left_out() -> None:
    page = Picture("refunds.md", 3, "d1", 90, 110, b"", 10, 10)
    assert withhold(case(picture=page), [1]).picture is None
    assert withhold(case(picture=replace(page, start=0, end=100)), [1]).picture is not None


@pytest.mark.parametrize("name", ["9", "hybrid:1", "", "x"])
def test_a_hit_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(InvalidSetting):
        withhold(case(), [name])


def test_the_preview_names_what_is_in_and_what_is_not() -> None:
    made = withhold(case(others=(replace(case().today.list, name="vector"),)), [2])
    lines = {one.what: one.detail for one in included(replace(made, blacked_out=2))}
    text = len(hit(1, "Nothing of use stands here.", 0).text)
    assert lines["List bm25"] == f"2 hits, {text} characters of text; hit 2 is withheld"
    assert lines["Names of documents"] == "refunds.md, faq.csv#2"
    assert lines["Made unreadable"] == "what looks like a key, 2 times"


def test_copies_and_headings_are_withheld_with_it() -> None:
    secret = "## The price of the boiler\n\nIt is 4711 crowns, and nobody may know that."
    near = "A note. It is  4711 CROWNS, and nobody may know that. The rest differs."
    first = replace(hit(1, secret, 100), section=("Prices", "The price of the boiler"))
    copy, other = hit(2, near, 0, "copy.md", "d2"), hit(3, "Nothing of use.", 0, "x.md", "d3")
    other = replace(other, section=("The price of the boiler", "More"))
    made = case()
    asked = replace(made.answers[0][0], document="d9", section=("The price of the boiler",),
                    quote="4711 crowns")  # fmt: skip
    step = PathStep("lost_in_parsing", "warning", {"reads": near, "page": 3})
    report = replace(made.today.why, path=(step,), needs=(
        replace(made.today.why.needs[0], places=(
            replace(made.today.why.needs[0].places[0], path=(step,), facts={"reads": near},
                    place=Place("d9", "v1", "z.md", 0, 11, "4711 crowns")),)),))  # fmt: skip
    made = replace(
        made,
        answers=((asked,),),
        today=Side(replace(made.today.list, hits=(first, copy, other)), report),
        excerpt=Excerpt("copy.md", "d2", 0, near),
        picture=Picture("copy.md", 3, "d2", 0, 80, b"", 10, 10, text=near),
        tables=(Table("Wanted", ("sentence",), (("It is 4711 crowns, and nobody may",),), "",
                      ("d2", 0, 80)),),
    )  # fmt: skip
    assert "4711" in case_page(replace(made, picture=None)) and "4711" in markdown(made)
    less = withhold(made, [1])
    assert [h.withheld for h in less.today.list.hits] == [True, True, False]
    assert less.today.list.hits[2].section == ("…", "More")
    assert less.picture is None and not less.tables
    for text in (case_page(less), markdown(less), json.dumps(plain(less))):
        assert "4711" not in text and "price of the boiler" not in text.casefold()
    assert "Nothing of use." in case_page(less)


def test_a_short_text_hides_no_others() -> None:
    made = replace(case().today.list, hits=(hit(1, "Yes.", 100), hit(2, "Yes. No.", 0, "b", "d2")))
    less = withhold(replace(case(), today=replace(case().today, list=made)), [1])
    assert [h.withheld for h in less.today.list.hits] == [True, False]
