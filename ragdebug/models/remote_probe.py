"""Does the model behind an address still answer as when it was added? A fixed question tells."""

from __future__ import annotations

import threading
import time

import numpy as np

from ragdebug.errors import ModelChanged
from ragdebug.model_files.remotes import RemoteRecord
from ragdebug.models import remote_calls
from ragdebug.settings import RemoteModel
from ragdebug.web.client import JsonClient

# Says nothing of anybody's corpus.
SENTENCE = "The quick brown fox jumps over the lazy dog, and the dog sleeps on."
QUESTION = "Which animal sleeps?"
TEXTS = (
    SENTENCE,
    "A bicycle has two wheels and a bell.",
    "At night the owl hunts while the dog sleeps.",
)
SAME_COSINE = 0.999  # servers round, batch and use other hardware; other models are far below
SAME_SCORE = 0.02  # largest difference of a score, as a share of the largest score
RECHECK_S = 3600.0  # a process that runs for days asks again


def ask(client: JsonClient, model: RemoteModel) -> RemoteRecord:
    """What a model answers now, as a record.

    Raises:
        AddressError: no usable answer.
    """
    if model.kind == "reranker":
        given, elapsed_s = remote_calls.scores(client, model, QUESTION, TEXTS)
        return RemoteRecord(model, 0, tuple(float(x) for x in given), elapsed_s)
    # The prompt shapes the vectors, so it belongs to what is compared.
    made, elapsed_s = remote_calls.vectors(client, model, [model.passage_prompt + SENTENCE])
    unit = made[0] / np.linalg.norm(made[0])
    return RemoteRecord(model, len(unit), tuple(round(float(x), 7) for x in unit), elapsed_s)


class Watch:
    """Asks the fixed question at first use, and again after an hour."""

    def __init__(self, client: JsonClient, record: RemoteRecord) -> None:
        self._client, self._record = client, record
        self._checked_at: float | None = None
        self._lock = threading.Lock()

    def check(self) -> None:
        """Compare with what is stored, where that was not done lately.

        Raises:
            ModelChanged: another model answers.
            AddressError: nobody answers.
        """
        with self._lock:  # several threads may ask at the same time
            if self._checked_at is not None and time.monotonic() - self._checked_at < RECHECK_S:
                return
            why = difference(self._record, ask(self._client, self._record.model))
            if why:
                raise changed(self._record.model, why)
            self._checked_at = time.monotonic()


def changed(model: RemoteModel, why: str) -> ModelChanged:
    """The error for a model that is not the one that was added."""
    return ModelChanged(
        f"Another model answers as {model.full_name} than the one that was added: {why}."
        " Its vectors and scores do not belong together with those kept.",
        hint="Ask whoever runs the server, or take the new one: on the page Your system, or with:"
        f" ragdebug models accept {model.name}. Then all is embedded again; what the old one gave"
        " is kept untouched.",
    )


def difference(old: RemoteRecord, new: RemoteRecord) -> str:
    """What differs, in words; "" where nothing that matters does."""
    if old.dimension != new.dimension:
        return f"its vectors have {new.dimension} numbers instead of {old.dimension}"
    a, b = np.array(old.probe), np.array(new.probe)
    if old.model.kind == "embedder":
        cosine = float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))
        same = cosine >= SAME_COSINE
        return "" if same else f"for the same sentence its vector has the cosine {cosine:.3f}"
    if a.shape != b.shape:
        return "it gives another number of scores"
    apart = float(np.abs(a - b).max())
    same = apart <= SAME_SCORE * max(float(np.abs(a).max()), 1e-3)
    return "" if same else f"for the same texts its scores differ by up to {apart:.3g}"
