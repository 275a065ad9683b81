import pytest

from ragdebug.chunk.check import check_settings
from ragdebug.errors import InvalidSetting
from ragdebug.settings import ChunkingSettings


def warnings(text, window=256, special=2):
    return check_settings(ChunkingSettings.parse(text), window, special)


def test_the_default_has_no_warnings():
    assert warnings("structure:220/40:tokens:label") == []


def test_a_size_beyond_the_window_is_told_with_what_is_lost():
    (warning,) = warnings("structure:300/40")
    assert "beyond the window of 256" in warning
    assert "last 46 tokens" in warning


def test_a_size_that_fills_the_window_leaves_no_room_for_labels():
    assert "leaves 4 tokens" in warnings("structure:250/40")[0]
    assert warnings("structure:250/40:nolabel") == []


def test_sizes_in_characters_are_estimated():
    assert warnings("recursive:800/100:chars") == []
    assert "about 500 tokens" in warnings("recursive:2000/100:chars")[0]


def test_a_model_without_a_window_has_no_limit():
    assert check_settings(ChunkingSettings(size=5000), 0, 0) == []
    assert check_settings(ChunkingSettings("document"), 0, 0) == []


def test_a_large_overlap_is_told_with_what_it_costs():
    assert "about 10 times" in warnings("structure:200/180")[0]


def test_very_small_sizes_whole_documents_and_sentence_steps_are_told():
    assert "very small" in warnings("structure:5/1")[0]
    assert "256" in warnings("document")[0]
    assert "unequal" in warnings("fixed:200/2s")[0]


def test_what_cannot_work_is_refused():
    separators = ChunkingSettings("sentences", separators=("|",))
    with pytest.raises(InvalidSetting, match="sentences"):
        check_settings(separators, 256, 2)
    with pytest.raises(InvalidSetting, match="no room"):
        check_settings(ChunkingSettings(), 2, 2)


@pytest.mark.parametrize(("size", "overlap"), [(80, 80), (80, 120), (80, -2), (0, 0), (-3, 0)])
def test_impossible_sizes_are_refused_at_once_with_both_numbers(size, overlap):
    with pytest.raises(InvalidSetting) as refused:
        ChunkingSettings(size=size, overlap=overlap)
    assert str(size) in refused.value.message
    assert str(overlap) in refused.value.message
