"""The Corpus page: documents in, questions, tags, out and back."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.ui import indexing, workspaces
from ragdebug.ui.corpus import listing, reading_in

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = "<b>x</b> **bold** $a^2$ :smile: [go](javascript:alert(1)).md"


@pytest.fixture
def wb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """The workbench that the page uses, on an empty workspace."""
    monkeypatch.setenv(workspaces.VARIABLE, str(tmp_path / "work"))
    # Indexing has tests of its own; here it would load a model behind every test.
    monkeypatch.setattr(indexing, "offer", lambda *_: True)
    monkeypatch.setattr(workspaces, "by_path_allowed", lambda: True)
    monkeypatch.setattr(reading_in, "_PATIENCE_S", 60)
    yield workspaces._open(str(workspaces.default_path()))
    workspaces._open.clear()


@pytest.fixture
def page(wb: Workbench) -> Callable[..., AppTest]:
    """Open the page, with URL parameters if wanted."""

    def open_page(**params: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.switch_page("pages/1_Corpus.py")
        for name, value in params.items():
            app.query_params[name] = value
        return checked(app.run())

    return open_page


def checked(app: AppTest) -> AppTest:
    """The app, when nothing went wrong in it."""
    assert not app.exception, app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    """Click the button of this label."""
    [button] = [b for b in app.button if b.label == label]
    button.click()
    return checked(app.run())


def upload(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Choose files in the upload field."""
    app.file_uploader[0].set_value([(n, d, "application/octet-stream") for n, d in files])
    return checked(app.run())


def add(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Choose files and add them."""
    upload(app, *files)
    return press(app, f"Add {len(files)} file{'s' if len(files) > 1 else ''}")


def texts(wb: Workbench) -> dict[str, str]:
    """Source -> text of each document."""
    return {d.source: wb.document(d.id).text for d in wb.documents() if d.version}


def said(app: AppTest) -> str:
    """All that stands on the page as Markdown, less its escapes."""
    elements: list[Any] = [*app.markdown, *app.caption, *app.warning, *app.error, *app.subheader]
    return "\n".join(e.value.replace("\\", "").replace("\u2060", "") for e in elements)


def test_an_empty_corpus_offers_the_sample_and_the_upload(page: Callable[..., AppTest]) -> None:
    app = page()
    assert "No documents yet" in said(app)
    assert [b.label for b in app.button if b.label == "Load the sample corpus"]
    assert len(app.file_uploader) == 1


def test_good_files_go_in_and_the_bad_one_is_named(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    app = add(
        page(), ("a.md", b"# Apples\n\nRed."), ("b.txt", b"Beans."), ("plan.pdf", b"no pdf at all")
    )
    assert texts(wb) == {"a.md": "# Apples\n\nRed.", "b.txt": "Beans."}
    assert any("plan.pdf" in w.value.replace("\\", "") for w in app.warning)
    assert "2 added, 1 failed" in said(app)


def test_the_files_that_were_not_read_are_one_click_away(page: Callable[..., AppTest]) -> None:
    app = add(page(), ("readme-notes.md", b"# Apples"), ("plan.pdf", b"no pdf"))
    press(app, "Show it")
    assert [row["document"] for _, row in app.dataframe[0].value.iterrows()] == ["plan.pdf"]


def test_an_uploaded_file_is_read_once_whatever_is_pressed_after_it(
    page: Callable[..., AppTest], wb: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    ingest = wb.ingest_files
    monkeypatch.setattr(wb, "ingest_files", lambda *a, **k: (calls.append(1), ingest(*a, **k))[1])
    app = add(page(), ("menu.txt", b"Turnip soup."))
    version = wb.documents()[0].version
    for text in ("a", "b", "menu", ""):
        app.text_input(key="_corpus_find").set_value(text)
        checked(app.run())
    app.switch_page("pages/2_Chunks.py")
    checked(app.run())
    app.switch_page("pages/1_Corpus.py")
    checked(app.run())
    assert len(calls) == 1
    assert [d.version for d in wb.documents()] == [version]


@pytest.mark.parametrize(
    ("answer", "after"),
    [
        ("Replace it", {"menu.txt": "Leek soup."}),
        ("Keep both", {"menu.txt": "Turnip soup.", "menu (2).txt": "Leek soup."}),
        ("Leave it", {"menu.txt": "Turnip soup."}),
    ],
)
def test_a_taken_name_is_asked_about(
    page: Callable[..., AppTest], wb: Workbench, answer: str, after: dict[str, str]
) -> None:
    app = add(page(), ("menu.txt", b"Turnip soup."))
    add(app, ("menu.txt", b"Leek soup."))
    assert "already here, with other content" in said(app)
    assert texts(wb) == {"menu.txt": "Turnip soup."}
    press(app, answer)
    assert texts(wb) == after
    assert "already here" not in said(app)


def test_columns_of_a_table_are_guessed_and_can_be_chosen(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    table = (
        b"id,question,answer,team\nq1,How to pay?,By card.,money\nq2,How to stop?,Press it.,use\n"
    )
    app = upload(page(), ("faq.csv", table))
    text = next(m for m in app.multiselect if m.label == "Text")
    assert text.value == ["question", "answer"]
    text.set_value(["answer"])
    checked(app.run())
    press(app, "Add 1 file")
    assert texts(wb) == {"faq.csv#q1": "By card.", "faq.csv#q2": "Press it."}


def test_the_form_of_a_table_says_what_labels_its_rows(page: Callable[..., AppTest]) -> None:
    app = upload(page(), ("shop.csv", b"sku,title,text\nZX-44,Reel,Sealed drag.\n"))
    (said,) = [c.value for c in app.caption if "labelled" in c.value]
    assert "sku and title" in said


def test_a_table_can_be_one_document(page: Callable[..., AppTest], wb: Workbench) -> None:
    app = upload(page(), ("faq.csv", b"question,answer\nHow?,So.\nWhy?,Hence.\n"))
    app.segmented_control[0].set_value("table")
    checked(app.run())
    press(app, "Add 1 file")
    assert list(texts(wb)) == ["faq.csv"]


def test_metadata_given_with_an_upload_is_taken_and_a_slip_is_refused(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    app = upload(page(), ("a.txt", b"Apples."))
    app.text_area(key="_corpus_meta").set_value("no equals sign")
    checked(app.run())
    assert app.error
    assert not [b for b in app.button if b.label == "Add 1 file"]
    app.text_area(key="_corpus_meta").set_value("tenant=acme\nproduct=Kettle")
    checked(app.run())
    press(app, "Add 1 file")
    assert wb.documents()[0].metadata == {"tenant": "acme", "product": "Kettle"}


def folder_form(app: AppTest, path: Path, button: str) -> AppTest:
    """Fill the folder's form and press one of its buttons."""
    app.text_input(key="_corpus_path").set_value(str(path))
    return press(app, button)


def test_a_folder_is_compared_before_it_is_read(
    page: Callable[..., AppTest], wb: Workbench, tmp_path: Path
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name in "abc":
        (docs / f"{name}.txt").write_text(f"Text {name}.")
    app = folder_form(page(), docs, "Show what would change")
    assert "Reading it now would give: 3 added" in said(app)
    assert wb.documents() == []
    press(app, "Read it")
    assert len(wb.documents()) == 3
    for name in "ab":
        (docs / f"{name}.txt").unlink()
    folder_form(app, docs, "Read")
    assert "2 of 3 files" in said(app)
    assert len(wb.documents()) == 3
    press(app, "Do nothing")
    assert len(wb.documents()) == 3
    folder_form(app, docs, "Read")
    press(app, "Take them out")
    assert list(texts(wb)) == ["c.txt"]
    assert len(wb.documents(removed=True)) == 2


def test_a_path_that_is_not_there_is_said(page: Callable[..., AppTest], tmp_path: Path) -> None:
    app = folder_form(page(), tmp_path / "nowhere", "Read")
    assert "nowhere" in said(app)


def test_a_deep_link_opens_a_document_without_a_ticked_row(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    wb.ingest_files([("a.md", b"# Apples\n\nRed."), ("b.md", b"# Beans\n\nGreen.")])
    document = next(d.id for d in wb.documents() if d.source == "b.md")
    app = page(doc=document, at="3")
    assert "Beans" in said(app)
    checked(app.run())
    assert app.query_params["doc"] == document
    assert app.query_params["at"] == "3"
    press(app, "Close")
    assert "doc" not in app.query_params


def test_a_link_to_a_document_that_is_gone_says_so(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    wb.ingest_files([("a.md", b"# Apples")])
    assert "There is no document 0000000000" in said(page(doc="0000000000"))


def test_a_document_is_tagged_taken_out_and_brought_back(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    wb.ingest_files([("a.txt", b"Apples are red."), ("b.txt", b"Beans are green.")])
    document = wb.documents()[0].id
    app = page(doc=document)
    area = next(t for t in app.text_area if t.label == "One key=value a line")
    area.set_value("tenant=acme")
    next(t for t in app.text_input if t.label == "Language").set_value("DE")
    press(app, "Save")
    info = wb.info(document)
    assert (info.metadata, info.language) == ({"tenant": "acme"}, "de")
    press(app, "Take out")
    assert [d.id for d in wb.documents(removed=True)] == [document]
    assert "doc" not in app.query_params
    press(app, "Undo")
    assert len(wb.documents()) == 2


def test_a_language_that_is_none_is_refused(page: Callable[..., AppTest], wb: Workbench) -> None:
    wb.ingest_files([("a.txt", b"Apples are red.")])
    app = page(doc=wb.documents()[0].id)
    next(t for t in app.text_input if t.label == "Language").set_value("<b>")
    press(app, "Save")
    assert "is not a code of a language" in said(app)


def test_hostile_names_and_texts_are_shown_literally(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    name = HOSTILE.replace("/", "")
    wb.ingest_files([(name, f"# {HOSTILE}\n\n{HOSTILE}".encode())])
    app = page(doc=wb.documents()[0].id)
    for element in (*app.subheader, *app.caption):
        assert "<b>" not in element.value
        assert "**bold**" not in element.value
    assert list(app.dataframe[0].value["document"]) == [wb.documents()[0].source]


def test_blank_cells_hold_no_word(page: Callable[..., AppTest], wb: Workbench) -> None:
    wb.ingest_files([("a.txt", b"Apples."), ("bad.pdf", b"no")])
    app = page()
    frame = app.dataframe[0]
    assert frame.proto.placeholder == ""
    assert frame.proto.HasField("placeholder")
    assert "pages" not in frame.value.columns


def test_a_long_list_is_sent_in_part_and_can_be_narrowed(
    page: Callable[..., AppTest], wb: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MOST_ROWS", 3)
    wb.ingest_files([(f"{n}.txt", f"Note {n}.".encode()) for n in ("a", "b", "c", "d", "last")])
    app = page()
    assert "3 of 5 shown" in said(app)
    assert list(app.dataframe[0].value["document"]) == ["a.txt", "b.txt", "c.txt"]
    assert [b.label for b in app.get("download_button")] == ["All as CSV"]
    app.text_input(key="_corpus_find").set_value("last")
    checked(app.run())
    assert "shown" not in said(app)
    assert not app.get("download_button")
    assert list(app.dataframe[0].value["document"]) == ["last.txt"]


def test_rows_are_another_table_when_other_documents_are_shown(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    wb.ingest_files([("a.txt", b"Apples."), ("b.txt", b"Beans.")])
    app = page()
    before = app.dataframe[0].proto.id
    app.text_input(key="_corpus_find").set_value("b.txt")
    checked(app.run())
    assert list(app.dataframe[0].value["document"]) == ["b.txt"]
    assert app.dataframe[0].proto.id != before


def test_a_locked_pdf_goes_in_with_its_password(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    canvas = pytest.importorskip("reportlab.pdfgen.canvas")
    buffer = io.BytesIO()
    drawn = canvas.Canvas(buffer, encrypt="kettle")
    drawn.drawString(72, 700, "The safe is behind the boiler.")
    drawn.save()
    locked = ("safe.pdf", buffer.getvalue())
    app = add(page(), locked)
    assert "safe.pdf" in said(app)
    assert texts(wb) == {}
    upload(app, locked)
    app.text_input(key="_corpus_password").set_value("kettle")
    checked(app.run())
    press(app, "Add 1 file")
    assert "The safe is behind the boiler." in texts(wb)["safe.pdf"]


def test_what_went_wrong_stands_before_the_metadata(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    wb.ingest_files([("a.txt", b"Apples."), ("b.pdf", b"%PDF-1.7 broken")])
    wb.tag([wb.resolve("a.txt").id], {"tenant": "acme"})
    columns = list(page().dataframe[0].value.columns)
    assert columns.index("notes") < columns.index("tenant")
