from __future__ import annotations

import pytest

from ragdebug.documents.options import ParseOptions
from ragdebug.errors import InvalidSetting


def test_the_fingerprint_follows_the_options() -> None:
    assert ParseOptions().fingerprint() == ParseOptions().fingerprint()
    assert ParseOptions(rows="table").fingerprint() != ParseOptions().fingerprint()
    assert ParseOptions(text_columns=("a",)).fingerprint() != ParseOptions().fingerprint()


def test_a_password_leaves_no_trace_in_the_fingerprint() -> None:
    assert ParseOptions(password="orange").fingerprint() == ParseOptions().fingerprint()


def test_rows_and_encodings_nobody_knows_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="'rowwise'"):
        ParseOptions(rows="rowwise")
    with pytest.raises(InvalidSetting, match="'utf-9'"):
        ParseOptions(encoding="utf-9")
    with pytest.raises(InvalidSetting, match="'hex'"):
        ParseOptions(encoding="hex")  # a codec, but not one of text
