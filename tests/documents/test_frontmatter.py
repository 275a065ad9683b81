from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.documents.frontmatter import read_front_matter


def test_values_stay_as_they_are_written() -> None:
    text = (
        "---\nversion: 1.10\nno: no\nnumber: 007\ndate: 2024-05-01\nnothing:\nquoted: 'a: b'\n---\n"
    )
    front = read_front_matter(text)
    assert front.lines == 8
    assert front.values == {
        "version": "1.10",
        "no": "no",
        "number": "007",
        "date": "2024-05-01",
        "nothing": "",
        "quoted": "a: b",
    }


def test_lists_and_nested_values_become_text() -> None:
    front = read_front_matter("---\ntags: [a, b]\nowner:\n  name: Kim\n  team: x\n...\nText")
    assert front.values == {"tags": "a, b", "owner.name": "Kim", "owner.team": "x"}


def test_toml_between_plus_signs_is_read() -> None:
    front = read_front_matter('+++\ntitle = "Oars"\ndraft = true\nn = 3\n+++\nText')
    assert front.values == {"title": "Oars", "draft": "true", "n": "3"}


def test_invalid_yaml_is_read_line_by_line_with_a_warning() -> None:
    front = read_front_matter("---\ntitle: Part two: the oars\ntenant: north\n---\nText")
    assert front.values == {"title": "Part two: the oars", "tenant": "north"}
    assert [w.code for w in front.warnings] == ["front_matter"]


@pytest.mark.parametrize(
    "text",
    ["", "---", "---\nno end\n", "text\n---\na: b\n---\n", "---\nOnly prose.\n---\n", "- --\n"],
)
def test_rules_and_prose_are_not_front_matter(text: str) -> None:
    assert read_front_matter(text).lines == 0


def test_aliases_that_multiply_are_not_followed() -> None:
    bomb = "a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n"
    front = read_front_matter(f"---\n{bomb}---\n")
    assert sum(map(len, front.values.values())) < 100


def test_code_in_yaml_is_never_run() -> None:
    front = read_front_matter("---\nx: !!python/object/apply:os.getcwd []\n---\n")
    assert front.values.get("x", "") in ("", "!!python/object/apply:os.getcwd []")


@given(st.text(max_size=200), st.sampled_from(["---", "+++"]))
def test_any_text_between_fences_is_read_or_left(body: str, fence: str) -> None:
    front = read_front_matter(f"{fence}\n{body}\n{fence}\n")
    assert all(isinstance(v, str) for v in front.values.values())
