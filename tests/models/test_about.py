from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ragdebug.errors import ModelError
from ragdebug.model_files import config, info, known
from ragdebug.settings import DEFAULT_EMBEDDER, DRAFT_EMBEDDER


def write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")


def test_the_embedded_models_are_known_without_loading() -> None:
    minilm, draft, late, identity = known()
    assert (minilm.dimension, minilm.window, minilm.special_tokens) == (384, 256, 2)
    assert minilm.languages == ("en",)
    assert (draft.dimension, draft.window, draft.special_tokens) == (256, 0, 0)
    assert draft.texts_per_s >= 20 * minilm.texts_per_s
    assert [m.kind for m in (minilm, draft, late, identity)] == ["embedder"] * 2 + ["reranker"] * 2
    assert late.window == 256
    assert "untrained" in late.note
    assert all(m.embedded for m in known())


def test_what_the_embedded_models_files_say_is_what_is_known() -> None:
    from ragdebug.model_files import locate

    folder = locate(DEFAULT_EMBEDDER).folder
    assert config.dimension(folder) == info(DEFAULT_EMBEDDER).dimension
    assert config.window(folder) == info(DEFAULT_EMBEDDER).window


def test_a_folder_tells_its_dimension_window_and_special_tokens(tiny: Path) -> None:
    model = info(str(tiny))
    assert (model.kind, model.dimension, model.window) == ("embedder", 32, 16)
    assert model.special_tokens == 2
    assert not model.embedded


def test_a_cross_encoder_is_a_reranker(pairs: Path) -> None:
    model = info(str(pairs))
    assert (model.kind, model.dimension, model.window) == ("reranker", 0, 64)
    assert model.special_tokens == 3


# Prompts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "query", "passage"),
    [
        ("e5-like", "query: ", "passage: "),
        ("multilingual-e5-base", "query: ", "passage: "),
        ("e5_small_v2", "query: ", "passage: "),
        ("bge-small-en-v1.5", "Represent this sentence for searching relevant passages: ", ""),
        ("bge-m3", "", ""),
        ("nomic-embed-text-v1.5", "search_query: ", "search_document: "),
        ("all-mpnet-base-v2", "", ""),
        ("made5-times", "", ""),
    ],
)
def test_families_that_need_prompts_get_them(name: str, query: str, passage: str) -> None:
    found = config.prompts(Path("no such folder"), f"org/{name}")
    assert (found.query, found.passage) == (query, passage)


def test_instruct_models_of_e5_get_a_task_and_no_passage_prompt() -> None:
    found = config.prompts(Path("no such folder"), "intfloat/multilingual-e5-large-instruct")
    assert found.query.startswith("Instruct: ")
    assert found.query.endswith("\nQuery: ")
    assert found.passage == ""


@pytest.mark.parametrize("passage_name", ["document", "passage", "corpus"])
def test_a_models_own_prompts_go_before_its_familys(passage_name: str, tmp_path: Path) -> None:
    prompts = {"query": "ask: ", passage_name: "text: "}
    write_json(tmp_path / "config_sentence_transformers.json", {"prompts": prompts})
    found = config.prompts(tmp_path, "my-e5")
    assert (found.query, found.passage, found.source) == ("ask: ", "text: ", "model")


def test_empty_prompts_in_the_files_do_not_hide_the_familys(tmp_path: Path) -> None:
    prompts = {"query": "", "document": ""}
    write_json(tmp_path / "config_sentence_transformers.json", {"prompts": prompts})
    assert config.prompts(tmp_path, "my-e5").query == "query: "


def test_a_default_prompt_stands_where_no_other_does(tmp_path: Path) -> None:
    own = {"prompts": {"all": "x: ", "query": "q: "}, "default_prompt_name": "all"}
    write_json(tmp_path / "config_sentence_transformers.json", own)
    found = config.prompts(tmp_path, "some")
    assert (found.query, found.passage) == ("q: ", "x: ")


@pytest.mark.parametrize(
    ("prompt", "tokens"), [("", 0), ("passage: ", 2), ("search_document: ", 4)]
)
def test_a_passages_prompt_takes_room_of_the_window(
    prompt: str, tokens: int, make_embedder: Callable[..., Path]
) -> None:
    prompts = {"query": "a long prompt of a query: ", "passage": prompt}
    assert info(str(make_embedder("own", prompts=prompts))).special_tokens == 2 + tokens


def test_prompts_are_shown_with_where_they_come_from(make_embedder: Callable[..., Path]) -> None:
    assert "family E5" in info(str(make_embedder("e5-like"))).note
    assert "own files" in info(str(make_embedder("own", prompts={"query": "q: "}))).note


# Fingerprints -------------------------------------------------------------------------------------


def test_two_models_of_one_width_differ(make_embedder: Callable[..., Path]) -> None:
    one, other = info(str(make_embedder("a", seed=1))), info(str(make_embedder("b", seed=2)))
    assert one.dimension == other.dimension
    assert one.fingerprint != other.fingerprint


def test_the_same_files_in_another_folder_are_the_same_model(
    tiny: Path, copy_of: Callable[[Path], Path]
) -> None:
    assert info(str(copy_of(tiny))).fingerprint == info(str(tiny)).fingerprint


def test_what_changes_vectors_changes_the_fingerprint(make_embedder: Callable[..., Path]) -> None:
    made = [
        make_embedder("m", seed=1),
        make_embedder("m", seed=1, window=12),
        make_embedder("m", seed=1, pooling="cls"),
        make_embedder("m", seed=1, prompts={"query": "q: "}),
        make_embedder("m", seed=1, prompts={"document": "d: "}),
        make_embedder("m-e5", seed=1),
        make_embedder("m", seed=2),
    ]
    assert len({info(str(folder)).fingerprint for folder in made}) == len(made)


def test_what_changes_nothing_keeps_the_fingerprint(
    tiny: Path, copy_of: Callable[[Path], Path]
) -> None:
    folder = copy_of(tiny)
    (folder / "README.md").write_text("about it")
    (folder / "data_config.json").write_text("[]")
    assert info(str(folder)).fingerprint == info(str(tiny)).fingerprint


def test_weights_replaced_in_place_are_another_model(
    make_embedder: Callable[..., Path], copy_of: Callable[[Path], Path]
) -> None:
    folder = copy_of(make_embedder("m", seed=1))
    before = info(str(folder)).fingerprint
    new = make_embedder("m", seed=2) / "model.safetensors"
    (folder / "model.safetensors").write_bytes(new.read_bytes())
    assert info(str(folder)).fingerprint != before


def test_embedded_models_keep_their_fingerprints_between_processes() -> None:
    # Vectors in existing workspaces are found by these.
    assert info(DEFAULT_EMBEDDER).fingerprint == "be31c38857886cb6"
    assert info(DRAFT_EMBEDDER).fingerprint == "17fa5df88ae154b7"


# What files say -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "tokenizer", "positions", "window"),
    [
        (256, 512, 512, 256),
        (None, 512, 514, 512),
        (None, 10**30, 512, 512),
        (None, None, None, 0),
        (None, 10**30, None, 0),
    ],
)
def test_the_window_is_the_smallest_limit_in_the_files(
    own: int | None, tokenizer: int | None, positions: int | None, window: int, tmp_path: Path
) -> None:
    write_json(tmp_path / "sentence_bert_config.json", {"max_seq_length": own})
    write_json(tmp_path / "tokenizer_config.json", {"model_max_length": tokenizer})
    write_json(tmp_path / "config.json", {"max_position_embeddings": positions})
    assert config.window(tmp_path) == window


def test_older_models_name_the_window_after_their_architecture(tmp_path: Path) -> None:
    write_json(tmp_path / "sentence_roberta_config.json", {"max_seq_length": 128})
    write_json(tmp_path / "config.json", {"max_position_embeddings": 514})
    assert config.window(tmp_path) == 128


def test_the_last_module_that_sets_the_dimension_decides(
    tiny: Path, copy_of: Callable[[Path], Path]
) -> None:
    folder = copy_of(tiny)
    modules = json.loads((folder / "modules.json").read_text())
    modules.append({"idx": 2, "name": "2", "path": "2_Dense", "type": "x.Dense"})
    write_json(folder / "modules.json", modules)
    (folder / "2_Dense").mkdir()
    write_json(folder / "2_Dense" / "config.json", {"in_features": 32, "out_features": 7})
    assert config.dimension(folder) == 7


@pytest.mark.parametrize(
    ("pooling", "dimension"),
    [
        ({"pooling_mode": "mean"}, 32),
        ({"pooling_mode": ["cls", "mean"]}, 64),
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}, 64),
        ({"embedding_dimension": 32, "pooling_mode": "cls"}, 32),
    ],
)
def test_pooling_in_two_ways_doubles_the_dimension(
    pooling: dict[str, object], dimension: int, tiny: Path, copy_of: Callable[[Path], Path]
) -> None:
    folder = copy_of(tiny)
    write_json(folder / "1_Pooling" / "config.json", pooling)
    assert config.dimension(folder) == dimension


@pytest.mark.parametrize(
    ("card", "languages"),
    [
        ("---\nlanguage: en\n---\n", ("en",)),
        ("---\nlicense: mit\nlanguage:\n- en\n- de\ntags:\n- x\n---\n", ("en", "de")),
        ("---\nlanguage: [fr, en]\n---\n", ("fr", "en")),
        ("---\nlanguage: multilingual\n---\n", ()),
        ("language: en", ()),
        ("", ()),
    ],
)
def test_languages_are_what_the_model_card_says(
    card: str, languages: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "README.md").write_text(card)
    assert config.languages(tmp_path) == languages


def test_a_damaged_file_is_named(tiny: Path, copy_of: Callable[[Path], Path]) -> None:
    folder = copy_of(tiny)
    (folder / "modules.json").write_text("{")
    with pytest.raises(ModelError, match=r"modules\.json"):
        info(str(folder))
