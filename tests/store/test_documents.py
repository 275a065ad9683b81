"""Documents: saved, compared, tagged, failed, moved, removed, brought back."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from ragdebug.errors import DocumentNotFound
from ragdebug.records import ParseWarning
from ragdebug.store.documents import RECORD, DocState
from ragdebug.store.workspace import Store
from tests.store.helpers import text_document


def ids(store: Store, *, removed: bool = False) -> list[str]:
    return [i.id for i in store.documents.infos(removed=removed)]


def test_a_list_shows_what_was_saved_without_the_text(store: Store) -> None:
    warning = ParseWarning("encoding_guessed", "It may be Latin-1.", page=2, line=7)
    document = text_document(
        "a",
        "Zwölf Boxkämpfer",
        title="Boxen",
        language="de",
        metadata={"product": "x"},
        warnings=(warning,),
    )
    store.documents.save([replace(document, tenant="acme")])
    (info,) = store.documents.infos()
    assert (info.id, info.version, info.source, info.kind) == ("a", "v1", "a.txt", "text")
    assert (info.title, info.chars, info.tokens, info.language) == ("Boxen", 16, 2, "de")
    assert (info.metadata, info.warnings, info.tenant) == ({"product": "x"}, (warning,), "acme")
    assert (info.status, info.error, info.removed, info.origin) == (
        "unchanged",
        "",
        False,
        "folder",
    )
    assert info.updated_at.endswith("Z")


def test_states_tell_what_is_needed_to_see_a_change(store: Store) -> None:
    document = text_document("a")
    store.documents.save([document])
    assert store.documents.states() == {
        "/docs/a.txt": DocState(
            "a",
            "v1",
            "a.txt",
            "/docs/a.txt",
            "/docs",
            "folder",
            document.file_hash,
            "options",
            removed=False,
            failed=False,
        )  # fmt: skip
    }
    assert store.documents.states(root="/docs", origin="folder").keys() == {"/docs/a.txt"}
    assert store.documents.states(root="/other") == {}
    assert store.documents.states(origin="upload") == {}


def test_a_changed_document_has_its_new_text_and_keeps_the_old_one(store: Store) -> None:
    store.documents.save([text_document("a", "old words", version="v1")])
    store.documents.save([text_document("a", "new words", version="v2")])
    (info,) = store.documents.infos()
    assert (info.version, info.chars) == ("v2", 9)
    assert store.documents.load("a").text == "new words"
    assert store.documents.load("a", "v1").text == "old words"
    assert [(v.version, v.chars) for v in store.documents.versions("a")] == [("v2", 9), ("v1", 9)]
    assert store.documents.texts([("a", "v1"), ("a", "v2"), ("a", "v3"), ("b", "v1")]) == {
        ("a", "v1"): "old words",
        ("a", "v2"): "new words",
    }


def test_saving_the_same_version_again_takes_the_new_reading(store: Store) -> None:
    store.documents.save([text_document("a", title="Guess")])
    store.documents.save([text_document("a", title="Better")])
    assert store.documents.load("a").parsed.title == "Better"
    assert len(store.documents.versions("a")) == 1


def test_of_two_documents_with_one_id_in_a_batch_the_later_counts(store: Store) -> None:
    store.documents.save([text_document("a", "one"), text_document("a", "two", version="v2")])
    assert store.documents.load("a").text == "two"
    assert ids(store) == ["a"]


def test_an_unknown_document_or_version_is_named(store: Store) -> None:
    store.documents.save([text_document("a")])
    with pytest.raises(DocumentNotFound, match="nobody"):
        store.documents.load("nobody")
    with pytest.raises(DocumentNotFound, match="v9"):
        store.documents.load("a", "v9")


def test_many_documents_come_in_the_order_asked_for(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragdebug.store.reading.BATCH_CHARS", 10)
    store.documents.save([text_document(d, f"text of {d}") for d in "abcd"])
    pairs = [("d", ""), ("a", "v1"), ("nobody", ""), ("c", ""), ("a", ""), ("b", "v9")]
    assert [(d.id, d.text) for d in store.documents.load_many(pairs)] == [
        ("d", "text of d"),
        ("a", "text of a"),
        ("c", "text of c"),
        ("a", "text of a"),
    ]
    assert list(store.documents.load_many([])) == []


# What people change -------------------------------------------------------------------------------


def test_what_a_person_set_wins_and_survives_another_ingest(store: Store) -> None:
    store.documents.save([text_document("a", metadata={"x": "file", "y": "file"})])
    store.documents.tag(["a"], {"x": "mine", "z": "mine"}, unset=["y"])
    store.documents.set_language("a", "fr")
    changed = text_document(
        "a", "changed", version="v2", metadata={"x": "f2", "y": "f2", "w": "f2"}, language="en"
    )
    store.documents.save([changed])
    (info,) = store.documents.infos()
    assert info.metadata == {"x": "mine", "z": "mine", "w": "f2"}
    assert info.language == "fr"
    parsed = store.documents.load("a").parsed
    assert (parsed.metadata, parsed.language) == (info.metadata, "fr")


def test_a_key_can_be_taken_back_and_the_language_too(store: Store) -> None:
    store.documents.save([text_document("a", language="de", metadata={"x": "file"})])
    store.documents.tag(["a"], {"x": "mine"})
    store.documents.tag(["a"], {}, unset=["x"])
    store.documents.set_language("a", "fr")
    store.documents.set_language("a", "")
    (info,) = store.documents.infos()
    assert (info.metadata, info.language) == ({}, "de")
    store.documents.tag(["a"], {"x": "again"})
    assert store.documents.infos()[0].metadata == {"x": "again"}


def test_tags_reach_the_named_documents_only(store: Store) -> None:
    store.documents.save([text_document(d) for d in "abc"])
    store.documents.tag(["a", "c", "nobody"], {"k": "v"})
    assert {i.id: i.metadata for i in store.documents.infos()} == {
        "a": {"k": "v"},
        "b": {},
        "c": {"k": "v"},
    }


# Removing -----------------------------------------------------------------------------------------


def test_a_removed_document_is_out_of_the_corpus_and_can_come_back(store: Store) -> None:
    store.documents.save([text_document("a"), text_document("b")])
    whole = store.documents.fingerprint()
    store.documents.remove(["a"])
    assert ids(store) == ["b"]
    assert [(i.id, i.status, i.removed) for i in store.documents.infos(removed=True)] == [
        ("a", "removed", True),
        ("b", "unchanged", False),
    ]
    assert store.documents.states()["/docs/a.txt"].removed
    assert store.documents.fingerprint() != whole
    assert store.documents.load("a").text  # what quotes it can still show it
    store.documents.restore(["a"])
    assert ids(store) == ["a", "b"]
    assert store.documents.fingerprint() == whole


def test_a_removed_document_that_is_ingested_again_is_back(store: Store) -> None:
    store.documents.save([text_document("a")])
    store.documents.remove(["a"])
    store.documents.save([text_document("a")])
    assert ids(store) == ["a"]


def test_the_fingerprint_depends_on_documents_and_versions_alone(store: Store) -> None:
    empty = store.documents.fingerprint()
    store.documents.save([text_document("a"), text_document("b")])
    two = store.documents.fingerprint()
    store.documents.tag(["a"], {"k": "v"})
    store.documents.failed("/docs/c.pdf", "c.pdf", "Locked.")
    assert store.documents.fingerprint() == two != empty
    store.documents.save([text_document("a", "other", version="v2")])
    assert store.documents.fingerprint() != two


def test_every_change_can_be_noticed_by_the_revision(store: Store) -> None:
    seen = [store.documents.revision()]
    for change in (
        lambda: store.documents.save([text_document("a")]),
        lambda: store.documents.tag(["a"], {"k": "v"}),
        lambda: store.documents.set_language("a", "de"),
        lambda: store.documents.rekey("a", "b.txt", "/docs/b.txt", "/docs"),
        lambda: store.documents.remove(["a"]),
        lambda: store.documents.restore(["a"]),
        lambda: store.documents.failed("/docs/c", "c", "Locked."),
    ):
        change()
        seen.append(store.documents.revision())
    assert seen == sorted(set(seen))


# Files that cannot be read ------------------------------------------------------------------------


def test_a_file_that_cannot_be_read_is_listed_with_its_reason(store: Store) -> None:
    store.documents.failed(
        "/docs/a.pdf", "a.pdf", "a.pdf is locked.", "Give the password.", root="/docs"
    )
    (info,) = store.documents.infos()
    assert (info.status, info.version, info.source) == ("failed", "", "a.pdf")
    assert (info.error, info.hint) == ("a.pdf is locked.", "Give the password.")
    state = store.documents.states(root="/docs")["/docs/a.pdf"]
    assert (state.failed, state.version, state.file_hash) == (True, "", "")


def test_failing_again_replaces_the_reason(store: Store) -> None:
    store.documents.failed("/docs/a.pdf", "a.pdf", "Locked.")
    store.documents.failed("/docs/a.pdf", "a.pdf", "Damaged.")
    assert [i.error for i in store.documents.infos()] == ["Damaged."]


@pytest.mark.parametrize("keys", [["/docs/a.csv"], [f"/docs/a.csv{RECORD}{n}" for n in range(3)]])
def test_the_failure_is_forgotten_when_the_file_can_be_read(store: Store, keys: list[str]) -> None:
    store.documents.failed("/docs/a.csv", "a.csv", "Broken.")
    store.documents.failed("/docs/a.csvx", "a.csvx", "Broken.")
    store.documents.save([text_document(f"d{n}", key=key) for n, key in enumerate(keys)])
    assert [i.source for i in store.documents.infos() if i.status == "failed"] == ["a.csvx"]


def test_the_failed_files_own_id_may_become_the_documents(store: Store) -> None:
    store.documents.failed("/docs/a.pdf", "a.pdf", "Locked.")
    (failed,) = store.documents.infos()
    store.documents.save([text_document(failed.id, key="/docs/a.pdf")])
    (info,) = store.documents.infos()
    assert (info.id, info.status, info.error) == (failed.id, "unchanged", "")


def test_a_document_whose_file_fails_keeps_its_text_and_is_read_again_next_time(
    store: Store,
) -> None:
    store.documents.save([text_document("a")])
    store.documents.failed("/docs/a.txt", "a.txt", "Not readable.")
    (info,) = store.documents.infos()
    assert (info.status, info.version, info.error) == ("failed", "v1", "Not readable.")
    assert store.documents.load("a").text == "Pay within ten days."
    assert store.documents.states()["/docs/a.txt"].file_hash == ""  # equals no file's hash
    store.documents.save([text_document("a")])
    assert store.documents.infos()[0].status == "unchanged"


def test_removing_a_failed_file_forgets_it(store: Store) -> None:
    store.documents.failed("/docs/a.pdf", "a.pdf", "Locked.")
    store.documents.remove([store.documents.infos()[0].id])
    assert store.documents.infos(removed=True) == []


def test_a_failure_where_a_removed_document_was_leaves_that_alone(store: Store) -> None:
    store.documents.failed("/docs/a.txt", "a.txt", "Locked.")
    taken = store.documents.infos()[0].id
    store.documents.save([text_document(taken, key="/docs/a.txt")])
    store.documents.remove([taken])
    store.documents.failed("/docs/a.txt", "a.txt", "Locked.")
    assert [(i.status, i.removed) for i in store.documents.infos(removed=True)].count(
        ("failed", False)
    ) == 1
    assert store.documents.states()["/docs/a.txt"].failed
    store.documents.restore([taken])
    assert store.documents.load(taken).text


# Moves and originals ------------------------------------------------------------------------------


def test_a_moved_document_keeps_its_id_and_text(store: Store) -> None:
    store.documents.save([text_document("a"), text_document("b")])
    store.documents.rekey_many(
        [("a", "new/a.txt", "/new/a.txt", "/new"), ("b", "new/b.txt", "/new/b.txt", "/new")]
    )
    assert {s.source_key: s.id for s in store.documents.states(root="/new").values()} == {
        "/new/a.txt": "a",
        "/new/b.txt": "b",
    }
    assert store.documents.load("a").source == "new/a.txt"


def test_the_original_is_found_as_upload_or_on_disk(store: Store, tmp_path: Path) -> None:
    data = b"n,word\n1,one\n"
    upload = store.uploads.put(data)
    file = tmp_path / "table.csv"
    file.write_bytes(data)
    record = f"{file}{RECORD}1"
    by_reference = replace(
        text_document("r", source="folder/table.csv#1", key=record),
        file_hash=hashlib.sha256(data).hexdigest(),
    )
    store.documents.save([text_document("u", source="table.csv", upload=upload), by_reference])
    assert store.documents.original("u", store.uploads) == ("table.csv", data)
    assert store.documents.original("r", store.uploads) == ("table.csv", data)
    file.write_bytes(b"another file now")
    assert store.documents.original("r", store.uploads) is None
    file.unlink()
    assert store.documents.original("r", store.uploads) is None
    store.uploads.path(upload).write_bytes(b"damaged")
    assert store.documents.original("u", store.uploads) is None
    assert store.documents.original("nobody", store.uploads) is None
