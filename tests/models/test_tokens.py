from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug import tokens
from ragdebug.errors import ModelError, ModelNotFound
from ragdebug.settings import DEFAULT_EMBEDDER, DRAFT_EMBEDDER
from ragdebug.tokens import counter, file_counter

EMBEDDED = (DEFAULT_EMBEDDER, DRAFT_EMBEDDER)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=60) | st.text("ab \n😀é[SEP]", max_size=40)


def test_words_of_the_vocabulary_are_one_token_each() -> None:
    assert counter(DEFAULT_EMBEDDER).count("the money is paid") == 4


def test_special_tokens_are_not_counted_but_known() -> None:
    assert counter(DEFAULT_EMBEDDER).count("") == 0
    assert file_counter(DEFAULT_EMBEDDER).special() == 2
    assert file_counter(DEFAULT_EMBEDDER).special(pair=True) == 3


def test_offsets_are_code_points_of_the_text() -> None:
    text = "Hello 😀 wörld"
    spans = counter(DEFAULT_EMBEDDER).offsets(text)
    assert [text[a:b] for a, b in spans.tolist()] == ["Hello", "😀", "wörld"]


def test_the_bytes_of_one_character_share_its_range() -> None:
    spans = counter(DRAFT_EMBEDDER).offsets("a😀").tolist()
    assert spans[0] == [0, 1]
    assert spans[1:] == [[1, 2]] * 4


def test_nothing_is_truncated_whatever_the_models_file_says() -> None:
    stored = json.loads(file_counter_path(DEFAULT_EMBEDDER).read_text(encoding="utf-8"))
    assert stored["truncation"]["max_length"] < 5000
    assert counter(DEFAULT_EMBEDDER).count("word " * 5000) == 5000


def file_counter_path(name: str) -> Path:
    from ragdebug.model_files import locate

    path = locate(name).tokenizer
    assert path is not None
    return path


def test_counting_many_is_counting_each() -> None:
    texts = ["one", "", "two words", "x" * 300]
    one = counter(DEFAULT_EMBEDDER)
    assert one.count_many(texts) == [one.count(text) for text in texts]
    assert one.count_many([]) == []


def test_an_empty_text_has_no_offsets() -> None:
    spans = counter(DEFAULT_EMBEDDER).offsets("")
    assert spans.shape == (0, 2)
    assert spans.dtype == np.int64


@pytest.mark.parametrize("name", EMBEDDED)
def test_a_lone_surrogate_counts_as_one_unreadable_character(name: str) -> None:
    broken, replaced = "refund \ud83d days", "refund \ufffd days"
    assert counter(name).count(broken) == counter(name).count(replaced)
    assert counter(name).offsets(broken).tolist() == counter(name).offsets(replaced).tolist()


def test_a_text_read_in_blocks_has_the_same_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"line {i} of the text, with e\u0301 and 😀\n" for i in range(300)) + "end"
    whole = counter(DEFAULT_EMBEDDER).offsets(text)
    count = counter(DEFAULT_EMBEDDER).count(text)
    monkeypatch.setattr(tokens, "BLOCK_CHARS", 100)
    assert np.array_equal(counter(DEFAULT_EMBEDDER).offsets(text), whole)
    assert counter(DEFAULT_EMBEDDER).count(text) == count == len(whole)


@pytest.mark.parametrize("name", EMBEDDED)
@given(text=TEXTS)
def test_offsets_agree_with_the_count_and_stay_inside_the_text(name: str, text: str) -> None:
    one = counter(name)
    spans = one.offsets(text)
    assert len(spans) == one.count(text)
    assert (spans >= 0).all()
    assert (spans <= len(text)).all()
    assert (np.diff(spans[:, 0]) >= 0).all()
    assert (spans[:, 1] >= spans[:, 0]).all()


def test_a_counter_is_made_once() -> None:
    assert counter(DEFAULT_EMBEDDER) is counter("sentence-transformers/all-MiniLM-L6-v2")


def test_a_folder_has_its_own_tokenizer(tiny: Path) -> None:
    assert counter(str(tiny)).count("the refund") == 2
    assert counter(str(tiny)).count("cat") == 3


def test_a_model_that_is_not_here_is_not_fetched_for_counting(caches: Path) -> None:
    with pytest.raises(ModelNotFound, match="org/none"):
        counter("org/none")


def test_a_folder_without_a_fast_tokenizer_is_named(
    tiny: Path, copy_of: Callable[[Path], Path]
) -> None:
    folder = copy_of(tiny)
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelNotFound, match=r"tokenizer\.json"):
        counter(str(folder))


def test_a_damaged_tokenizer_is_named(tiny: Path, copy_of: Callable[[Path], Path]) -> None:
    folder = copy_of(tiny)
    (folder / "tokenizer.json").write_text("{", encoding="utf-8")
    with pytest.raises(ModelError, match="cannot be read"):
        counter(str(folder))
