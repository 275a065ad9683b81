"""Documents in: what is new, changed, moved, gone, broken, and what is left alone."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.errors import Cancelled, MassRemoval
from ragdebug.store.exclusive import exclusive
from ragdebug.workbench.documents import INGEST_LOCK
from ragdebug.workbench.reports import IngestReport
from tests.workbench.ingest.looking import found, sources, statuses, write


def test_a_second_ingest_of_the_same_folder_changes_nothing(wb: Workbench, folder: Path) -> None:
    write(folder, "a.md", "# Apples\n\nRed apples.")
    write(folder, "b.txt", "Green pears.")
    assert wb.ingest([folder]).counts() == {"added": 2}
    first = wb.documents()
    assert wb.ingest([folder]).counts() == {"unchanged": 2}
    assert wb.documents() == first


def test_an_edited_file_replaces_its_chunks_everywhere(wb: Workbench, folder: Path) -> None:
    write(folder, "menu.txt", "Turnip soup. Fig tart.")
    wb.ingest([folder])
    assert found(wb, "turnip") == ["menu.txt"]
    write(folder, "menu.txt", "Leek soup.")
    assert wb.ingest([folder]).counts() == {"changed": 1}
    assert found(wb, "turnip") == found(wb, "fig tart") == []
    assert found(wb, "leek") == ["menu.txt"]


def test_a_file_that_is_gone_leaves_every_index_and_can_be_restored(
    wb: Workbench, folder: Path
) -> None:
    for name in ("a", "b", "c"):
        write(folder, f"{name}.txt", f"The {name}nt walks. Shared boat.")
    wb.ingest([folder])
    (folder / "c.txt").unlink()
    assert statuses(wb.ingest([folder], dry_run=True))["c.txt"] == "removed"
    assert sorted(found(wb, "boat")) == ["a.txt", "b.txt", "c.txt"]
    assert statuses(wb.ingest([folder]))["c.txt"] == "removed"
    assert sorted(found(wb, "boat")) == ["a.txt", "b.txt"]
    removed = wb.documents(removed=True)
    assert [d.source for d in removed] == ["c.txt"]
    wb.restore([removed[0].id])
    assert sorted(found(wb, "boat")) == ["a.txt", "b.txt", "c.txt"]


def test_a_half_empty_folder_is_asked_about_before_anything_changes(
    wb: Workbench, folder: Path
) -> None:
    for name in "abc":
        write(folder, f"{name}.txt", f"File {name}.")
    wb.ingest([folder])
    (folder / "a.txt").unlink()
    (folder / "b.txt").unlink()
    write(folder, "c.txt", "File c, edited.")
    with pytest.raises(MassRemoval, match="2 of 3"):
        wb.ingest([folder])
    assert sources(wb) == ["a.txt", "b.txt", "c.txt"]
    assert wb.document(wb.resolve("c.txt").id).text == "File c."
    assert wb.ingest([folder], yes=True).counts() == {"changed": 1, "removed": 2}
    assert sources(wb) == ["c.txt"]


def test_a_single_file_never_removes_another(wb: Workbench, folder: Path) -> None:
    write(folder, "a.txt", "File a.")
    b = write(folder, "b.txt", "File b.")
    wb.ingest([folder])
    assert wb.ingest([b]).counts() == {"unchanged": 1}
    (folder / "a.txt").unlink()
    wb.ingest([b])
    assert sources(wb) == ["a.txt", "b.txt"]


def test_a_moved_file_keeps_its_id_and_its_tags(wb: Workbench, folder: Path) -> None:
    old = write(folder, "old.txt", "A text that moves house.")
    write(folder, "stays.txt", "Another.")
    wb.ingest([folder])
    before = wb.resolve("old.txt")
    wb.tag([before.id], {"tenant": "acme"})
    (folder / "sub").mkdir()
    old.rename(folder / "sub" / "new.txt")
    report = wb.ingest([folder])
    assert statuses(report) == {"sub/new.txt": "moved", "stays.txt": "unchanged"}
    after = wb.resolve("sub/new.txt")
    assert after.id == before.id
    assert after.metadata["tenant"] == "acme"


def test_one_bad_file_never_stops_the_others(wb: Workbench, folder: Path) -> None:
    (folder / "bad.pdf").write_bytes(b"%PDF-1.7 this is no PDF")
    (folder / "empty.md").write_bytes(b"")
    write(folder, "good.txt", "Radishes grow.")
    report = wb.ingest([folder, folder / "nowhere.txt"])
    assert report.count("failed") == 3
    assert all(d.error and d.source in d.error for d in report.documents if d.status == "failed")
    assert found(wb, "radishes") == ["good.txt"]
    failed = [d.source for d in wb.documents() if d.status == "failed"]
    assert failed == ["bad.pdf", "empty.md"]


def test_a_file_that_is_mended_is_no_failure_any_more(wb: Workbench, folder: Path) -> None:
    write(folder, "note.md", "")
    wb.ingest([folder])
    write(folder, "note.md", "Now with text.")
    assert statuses(wb.ingest([folder])) == {"note.md": "added"}
    assert [(d.source, d.status) for d in wb.documents()] == [("note.md", "unchanged")]


def test_rows_of_a_table_come_and_go_with_their_keys(wb: Workbench, folder: Path) -> None:
    faq = write(folder, "faq.csv", "id,text\nq1,How to pay\nq2,How to leave\n")
    wb.ingest([faq])
    assert sources(wb) == ["faq.csv#q1", "faq.csv#q2"]
    first = wb.resolve("faq.csv#q1").id
    write(folder, "faq.csv", "id,text\nq1,How to pay by card\nq3,How to return\n")
    report = wb.ingest([faq])
    assert statuses(report) == {
        "faq.csv#q1": "changed",
        "faq.csv#q3": "added",
        "faq.csv#q2": "removed",
    }
    assert wb.resolve("faq.csv#q1").id == first


def test_files_of_one_name_in_several_folders_stay_apart(wb: Workbench, folder: Path) -> None:
    write(folder, "one/report.txt", "All about wool.")
    write(folder, "two/report.txt", "All about silk.")
    write(folder, "two/report.md", "All about flax.")
    wb.ingest([folder / "one", folder / "two"])
    assert len(set(sources(wb))) == 3
    for word in ("wool", "silk", "flax"):
        (source,) = found(wb, word)
        assert word in wb.document(wb.resolve(source).id).text


def test_folder_names_and_arguments_give_metadata(wb: Workbench, folder: Path) -> None:
    write(folder, "acme/tenant=north/faq.md", "---\nproduct: Kettle\n---\nHello.")
    wb.ingest([folder], metadata={"language": "en"}, folder_key="customer")
    metadata = wb.documents()[0].metadata
    assert metadata["tenant"] == "north"
    assert metadata["customer"] == "acme"
    assert metadata["product"] == "Kettle"


def test_the_same_text_twice_is_pointed_out(wb: Workbench, folder: Path) -> None:
    write(folder, "a.txt", "The very same words.")
    write(folder, "b.txt", "The very same words.")
    wb.ingest([folder])
    a, b = wb.documents()
    assert a.warnings == ()
    assert [w.code for w in b.warnings] == ["duplicate"]
    assert "a.txt" in b.warnings[0].message


def test_a_purged_document_leaves_no_trace(wb: Workbench) -> None:
    wb.ingest_files([("secret.txt", b"The xylophone code is 4711."), ("other.txt", b"Nothing.")])
    wb.search("xylophone", ["bm25", "vector+model=wordllama-l2-supercat-256"])
    wb.purge([wb.resolve("secret.txt").id])
    assert sources(wb) == ["other.txt"]
    assert wb.documents(removed=True) == []
    wb.close()
    for path in wb.path.rglob("*"):
        if path.is_file():
            assert b"xylophone code" not in path.read_bytes(), path


def test_a_file_given_by_itself_still_belongs_to_its_folder(wb: Workbench, folder: Path) -> None:
    first = write(folder, "a.txt", "The heron waits.")
    write(folder, "b.txt", "The crane flies.")
    write(folder, "c.txt", "The coot dives.")
    wb.ingest([folder])
    write(folder, "a.txt", "The heron waits, edited.")
    assert statuses(wb.ingest([first])) == {"a.txt": "changed"}
    first.unlink()
    assert statuses(wb.ingest([folder]))["a.txt"] == "removed"


def test_a_file_first_given_by_itself_leaves_with_the_folder_that_it_was_found_in(
    wb: Workbench, folder: Path
) -> None:
    alone = write(folder, "a.txt", "The heron waits.")
    wb.ingest([alone])
    write(folder, "b.txt", "The crane flies.")
    write(folder, "c.txt", "The coot dives.")
    assert statuses(wb.ingest([folder]))["a.txt"] == "unchanged"
    alone.unlink()
    assert statuses(wb.ingest([folder]))["a.txt"] == "removed"


def test_a_folder_covers_what_was_read_from_a_folder_inside_it(wb: Workbench, folder: Path) -> None:
    for name in ("a", "b", "birds/c"):
        write(folder, f"{name}.txt", f"File {name}.")
    wb.ingest([folder])
    inner = write(folder, "birds/c.txt", "File c, edited.")
    wb.ingest([folder / "birds"])
    inner.unlink()
    assert statuses(wb.ingest([folder]))["birds/c.txt"] == "removed"


def test_two_ingests_at_once_keep_files_of_the_same_name_apart(
    tmp_path: Path, wb: Workbench
) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        for n in range(5):
            write(folder, f"{n}.txt", f"Page {n} of {folder.name}.")
    together = threading.Barrier(2, timeout=30)

    def ingest(folder: Path) -> IngestReport:
        with Workbench(wb.path) as other:
            together.wait()
            return other.ingest([folder])

    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(ingest, folders))
    assert [r.counts() for r in reports] == [{"added": 5}, {"added": 5}]
    assert len(set(sources(wb))) == 10
    assert len(found(wb, "page one two")) == 5
    assert found(wb, "two")[0] != found(wb, "one")[0]


def test_an_ingest_that_waits_for_another_can_be_stopped(wb: Workbench, folder: Path) -> None:
    write(folder, "a.txt", "File a.")

    def stop(done: int, total: int, what: str) -> None:
        raise Cancelled("stopped")

    with exclusive(wb.path / INGEST_LOCK, lambda: None):
        with pytest.raises(Cancelled):
            wb.ingest([folder], progress=stop)
        assert wb.ingest([folder], dry_run=True).counts() == {"added": 1}
    assert wb.ingest([folder]).counts() == {"added": 1}


def test_a_record_is_found_by_its_code_and_by_its_title_as_it_is_now(
    wb: Workbench, folder: Path
) -> None:
    items = write(folder, "items.csv", "sku,title,text\nZX-44,Heron rod,For rivers.\n")
    wb.ingest([items])
    assert found(wb, "ZX-44") == found(wb, "heron") == ["items.csv#ZX-44"]
    assert wb.search("rivers", ["bm25"]).lists["bm25"].hits[0].chunk.label == "ZX-44 · Heron rod"
    write(folder, "items.csv", "sku,title,text\nZX-44,Marlin rod,For rivers.\n")
    assert statuses(wb.ingest([items])) == {"items.csv#ZX-44": "changed"}
    assert found(wb, "heron") == []
    assert found(wb, "marlin") == ["items.csv#ZX-44"]


def test_what_a_newer_reader_makes_of_the_same_file_is_read_in_once(
    wb: Workbench, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, "items.csv", "sku,title,text\nZX-44,Heron rod,For rivers.\n")
    write(folder, "a.md", "# Apples\n\nRed apples.")
    monkeypatch.setattr("ragdebug.documents.rows.heading_of", lambda *_: "")
    monkeypatch.setattr("ragdebug.workbench.ingest_reading.READERS", 1)
    wb.ingest([folder])
    assert found(wb, "ZX-44") == []
    monkeypatch.undo()
    assert statuses(wb.ingest([folder])) == {"items.csv#ZX-44": "changed", "a.md": "unchanged"}
    assert found(wb, "ZX-44") == ["items.csv#ZX-44"]
    assert wb.ingest([folder]).counts() == {"unchanged": 2}
