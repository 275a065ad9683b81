"""What others change about documents is seen at once; what they save of questions is no change."""

from __future__ import annotations

from pathlib import Path

from ragdebug import Workbench
from tests.workbench.conftest import write


def test_every_change_of_a_document_by_another_is_seen(wb: Workbench, folder: Path) -> None:
    write(folder, one_txt="The heron stands here.", two_txt="The toll is four coins.")
    wb.ingest([folder])
    one, two = (d.id for d in wb.documents())

    def seen() -> list[tuple[str, str, str, dict[str, str]]]:
        return [(d.source, d.version, d.language, dict(d.metadata)) for d in wb.documents()]

    with Workbench(wb.path) as other:

        def edit() -> None:
            write(folder, two_txt="The toll is five coins.")
            other.ingest([folder], yes=True)

        before = seen()
        for change in (
            lambda: other.tag([one], {"kind": "bird"}),
            lambda: other.set_language(one, "fr"),
            edit,
            lambda: other.remove([two]),
            lambda: other.restore([two]),
            lambda: other.ingest_files([("three.txt", b"A third one.")]),
        ):
            other.add_question(f"question {len(wb.questions())}")  # counts up the same number
            assert seen() == before
            change()
            assert seen() != before
            before = seen()
        other.remove([two])
        other.purge([two])
        assert len(seen()) == 2


def test_a_save_of_a_question_does_not_read_the_documents_again(
    wb: Workbench, folder: Path
) -> None:
    write(folder, one_txt="The heron stands here.")
    wb.ingest([folder])
    corpus = wb.corpus()
    with Workbench(wb.path) as other:
        other.add_question("who stands here?")
    assert wb.corpus() is corpus
