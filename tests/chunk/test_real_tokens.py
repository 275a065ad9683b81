"""The tokenizer of the embedded model, as users get it."""

from __future__ import annotations

import pytest

from ragdebug.chunk.run import chunk
from ragdebug.records import Document, ParsedDocument
from ragdebug.settings import DEFAULT_EMBEDDER, ChunkingSettings
from ragdebug.tokens import counter

pytestmark = pytest.mark.model

TEXT = " ".join(
    f"Crate {i} weighs {i * 37 % 91} grams, ships from hall {i % 5} and costs {i}.95 EUR."
    for i in range(60)
)


def document(text):
    return Document("d", "v" * 16, "crates.txt", ParsedDocument(text, "text", "t/1"))


@pytest.mark.parametrize("strategy", ["structure", "recursive", "sentences", "fixed"])
def test_sizes_and_overlaps_are_in_tokens_and_positions_in_characters(strategy):
    tokens = counter(DEFAULT_EMBEDDER)
    found = chunk(document(TEXT), ChunkingSettings(strategy, 20, 10), tokens, 30)
    assert found[-1].end == len(TEXT)
    assert all(TEXT[c.start : c.end] == c.text for c in found)
    for one, two in zip(found, found[1:], strict=False):
        assert one.start < two.start
        assert tokens.count(TEXT[two.start : one.end]) <= 10


@pytest.mark.parametrize("strategy", ["structure", "recursive", "sentences"])
def test_a_chunk_counted_by_itself_has_the_size_it_was_cut_to(strategy):
    tokens = counter(DEFAULT_EMBEDDER)
    text = f"{TEXT}\n\nÜber Größe: naïve café, ERR_4021; 10.2.1 (e\u0301). 你好，世界。👍🏽 {TEXT}"
    found = chunk(document(text), ChunkingSettings(strategy, 32, 8), tokens, 30)
    assert [c.size for c in found] == tokens.count_many([c.text for c in found])
    assert max(c.size for c in found) <= 32


def test_default_chunks_with_label_fit_into_the_window_of_the_default_model(build):
    parsed = build(f"# Store of crates\n\n## All crates by hall\n\n{TEXT}\n\n{TEXT}")
    tokens = counter(DEFAULT_EMBEDDER)
    found = chunk(Document("d", "v" * 16, "s", parsed), ChunkingSettings(), tokens, 34)
    assert len(found) > 5
    assert max(tokens.count(c.index_text) for c in found) <= 254
