"""The stores of one workspace folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ragdebug.store import backup as backups
from ragdebug.store.answers import AnswerStore
from ragdebug.store.chunks import ChunkStore
from ragdebug.store.connection import Database
from ragdebug.store.console_copy import ConsoleCopy
from ragdebug.store.documents import DocumentStore
from ragdebug.store.indexes import IndexFolder
from ragdebug.store.migrations import FACTS, VECTORS
from ragdebug.store.pieces import PieceStore
from ragdebug.store.purge import purge
from ragdebug.store.queries import QueryStore
from ragdebug.store.questions import QuestionStore
from ragdebug.store.registered import RegisteredStore
from ragdebug.store.result_lists import ResultListStore
from ragdebug.store.rows import PurgeReport
from ragdebug.store.runs import RunStore
from ragdebug.store.scores import ScoreStore
from ragdebug.store.uploads import UploadStore
from ragdebug.store.values import SettingStore
from ragdebug.store.vectors import VectorStore

FACTS_FILE = "facts.duckdb"
VECTORS_FILE = "vectors.duckdb"


class Store:
    """All that a workspace remembers. Nothing is opened or made before it is used.

    Args:
        folder: the workspace folder.
        wait_s: how long to wait for another process that holds a database.
        on_wait: called with a sentence while waiting.

    Attributes:
        facts: the database of documents, settings, queries, questions and runs.
        cache: the database of vectors, scores, chunks and answers; all of it can be computed again.
        documents: see `DocumentStore`; so for the other stores.
    """

    def __init__(
        self,
        folder: str | Path,
        wait_s: float = 15.0,
        on_wait: Callable[[str], None] | None = None,
    ) -> None:
        self.folder = Path(folder)
        self.facts = Database(self.folder / FACTS_FILE, FACTS, wait_s, on_wait)
        self.cache = Database(self.folder / VECTORS_FILE, VECTORS, wait_s, on_wait, disposable=True)
        self.documents = DocumentStore(self.facts)
        self.queries = QueryStore(self.facts)
        self.settings = SettingStore(self.facts)
        self.questions = QuestionStore(self.facts)
        self.runs = RunStore(self.facts)
        self.registered = RegisteredStore(self.facts)
        self.pieces = PieceStore(self.facts)
        self.result_lists = ResultListStore(self.facts)
        self.console_copy = ConsoleCopy(self.facts, self.folder / "console")
        self.chunks = ChunkStore(self.cache)
        self.vectors = VectorStore(self.cache)
        self.scores = ScoreStore(self.cache)
        self.answers = AnswerStore(self.cache)
        self.uploads = UploadStore(self.folder / "uploads")
        self.indexes = IndexFolder(self.folder / "indexes")

    @property
    def notices(self) -> list[str]:
        """Sentences for the user about what was found when the databases were opened."""
        return self.facts.notices + self.cache.notices

    def dismiss_notices(self) -> None:
        """Forget the notices, once a person has read them."""
        self.facts.dismiss_notices()
        self.cache.dismiss_notices()

    def check(self) -> str:
        """Open both databases and say in a sentence what they hold.

        Raises:
            StoreError: one of them is in use, damaged or too new.
        """
        documents = len(self.documents.infos())
        vectors = sum(m.vectors for m in self.vectors.models())
        said = f"{self.folder}: {documents:,} documents, {vectors:,} vectors"
        return ". ".join([said, *(n.rstrip(".") for n in self.notices)])

    def purge(self, documents: Sequence[str]) -> PurgeReport:
        """Delete documents for good: text, chunks, vectors, scores, original, saved indexes."""
        return purge(self, documents)

    def start_new(self) -> list[Path]:
        """Set a damaged database of facts aside, bytes kept, and start a new one.

        Returns:
            The names under which the old files were kept.
        """
        return self.facts.start_new()

    def backup(self, file: str | Path) -> Path:
        """Write databases and originals to one zip file, consistent even while others work."""
        return backups.backup(self, Path(file))

    @staticmethod
    def restore_backup(file: str | Path, folder: str | Path) -> None:
        """Make a workspace from a backup; refuses a folder that already holds one."""
        backups.restore(Path(file), Path(folder))

    def close(self) -> None:
        """Let the files go now, unless another thread uses them."""
        self.console_copy.close()
        self.facts.close()
        self.cache.close()
