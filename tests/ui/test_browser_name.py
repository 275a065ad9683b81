"""A browser keeps its name while the cookie is masked anew."""

from __future__ import annotations

import pytest

from ragdebug.ui import browser


def test_the_mask_of_the_cookie_does_not_matter() -> None:
    # 0x0f ^ 0xff = 0xf0 and so on, by hand.
    assert browser.unmasked("2|ff00ff00|f00ff00f|1700000000") == bytes.fromhex("0f0f0f0f")
    assert browser.unmasked('"2|00000000|0f0f0f0f|1700000000"') == bytes.fromhex("0f0f0f0f")


@pytest.mark.parametrize("cookie", ["", "x", "2|zz|00|1", "2||0f|1", "1|00|0f|1", "2|00|0f"])
def test_another_cookie_names_nobody(cookie: str) -> None:
    assert browser.unmasked(cookie) == b""


def test_outside_a_page_there_is_no_browser() -> None:
    assert browser.name() == ""
