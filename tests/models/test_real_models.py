"""The two embedded models themselves, on a handful of texts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ragdebug.model_files import locate
from ragdebug.models import load_embedder, load_reranker
from ragdebug.protocols import Vectors
from ragdebug.settings import DEFAULT_EMBEDDER, DEFAULT_RERANKER, DRAFT_EMBEDDER

pytestmark = pytest.mark.model

QUESTION = "How long does it take until I get my money back?"
ANSWER = "Refunds reach your account within fourteen days of the return."
ASIDE = "The office kitchen has a new coffee machine."
TEXTS = [ANSWER, ASIDE, "", "  a  b\n\nc 😀 é日本", "x<s>y</s>", "window " * 400]


@pytest.mark.parametrize("name", [DEFAULT_EMBEDDER, DRAFT_EMBEDDER])
def test_an_answer_is_nearer_to_its_question_than_an_aside(name: str) -> None:
    model = load_embedder(name)
    question = model.embed_query(QUESTION)
    answer, aside = model.embed_passages([ANSWER, ASIDE]) @ question
    assert -1 <= aside < answer <= 1


def test_vectors_equal_those_of_the_bare_library() -> None:
    from sentence_transformers import SentenceTransformer

    folder = str(locate(DEFAULT_EMBEDDER).folder)
    bare: Vectors = SentenceTransformer(folder, device="cpu").encode(TEXTS)
    made = load_embedder(DEFAULT_EMBEDDER).embed_passages(TEXTS)
    assert made.shape == (len(TEXTS), 384)
    assert made == pytest.approx(bare, abs=1e-6)


def test_a_text_of_more_than_254_tokens_is_cut() -> None:
    model = load_embedder(DEFAULT_EMBEDDER)
    full, longer, shorter = model.embed_passages(["go " * n for n in (254, 300, 253)])
    assert full == pytest.approx(longer, abs=1e-6)
    assert abs(full - shorter).max() > 1e-5


def test_static_vectors_agree_with_the_package_they_come_from(tmp_path: Path) -> None:
    # In a process of its own: importing wordllama changes the root logger.
    files = locate(DRAFT_EMBEDDER)
    code = (
        "import sys, numpy as np\n"
        "from safetensors.numpy import load_file\n"
        "from tokenizers import Tokenizer\n"
        "from wordllama.inference import WordLlamaInference\n"
        "matrix = load_file(sys.argv[1])['embedding.weight']\n"
        "model = WordLlamaInference(matrix, Tokenizer.from_file(sys.argv[2]))\n"
        f"np.save(sys.argv[3], model.embed({TEXTS!r}, norm=False))\n"
    )
    out = tmp_path / "own.npy"
    command = [sys.executable, "-c", code, str(files.weights[0]), str(files.tokenizer), str(out)]
    subprocess.run(command, check=True, capture_output=True)
    own = np.load(out)
    made = load_embedder(DRAFT_EMBEDDER).embed_passages(TEXTS)
    lengths = np.linalg.norm(own, axis=1)
    assert lengths[2] == 0
    assert (made[2] == 0).all()
    cosines = (made * own).sum(axis=1)[lengths > 0] / lengths[lengths > 0]
    assert cosines == pytest.approx(1, abs=1e-6)


def test_late_interaction_prefers_the_answer_and_tells_what_it_cuts() -> None:
    scorer = load_reranker(DEFAULT_RERANKER)
    texts = [ASIDE, ANSWER, "", "padding " * 300 + ANSWER]
    aside, answer, empty, buried = scorer.score(QUESTION, texts)
    assert empty == -1 < aside < answer <= 1
    assert buried < answer
    assert [n > scorer.info.window for n in scorer.lengths(QUESTION, texts)] == [
        False,
        False,
        False,
        True,
    ]
    assert scorer.score_kind == "maxsim"
    assert scorer is load_reranker(DEFAULT_RERANKER)
