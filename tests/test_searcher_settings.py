"""What may be said of a searcher, and what is refused: keys above all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.errors import InvalidSetting
from ragdebug.settings import SearcherSettings
from ragdebug.settings.searcher import BODY, parse_field, parse_header
from ragdebug.settings.template import as_filter, fill_address, fill_body

CANARY = "k7Qz-canary-93hf82hs71"


def http(**more: Any) -> SearcherSettings:
    return SearcherSettings(**{"name": "prod", "kind": "http", "url": "http://h/search", **more})


def python(target: str = "mine:search", **more: Any) -> SearcherSettings:
    return SearcherSettings("prod", "python", target=target, **more)


def test_settings_come_back_from_plain_values() -> None:
    made = http(
        url="https://h.example:9200/i/_search?size={k}",
        body='{"q": "{query}", "f": {filter}}',
        headers=(("X-Api-Key", "${SEARCH_KEY}"), ("X-Tenant", "acme")),
        key_env="OTHER_KEY",
        hits="hits.hits",
        fields=(("text", "_source.body"), ("id", "_id")),
    )
    assert SearcherSettings.from_dict(json.loads(json.dumps(made.as_dict()))) == made
    assert made.environment == ("SEARCH_KEY", "OTHER_KEY")
    assert made.where == "https://h.example:9200/i/_search"
    assert SearcherSettings.from_dict(python().as_dict() | {"new in 2030": 1}) == python()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"name": "a/b"}, "no name"),
        ({"kind": "grpc"}, "No kind"),
        ({"url": "ftp://h/x"}, "no address"),
        ({"url": "http://{query}/x"}, "cannot be filled in"),
        ({"url": "http://u:p@h/x"}, "password"),
        ({"url": "http://h/x?api_key=1"}, "looks like a key"),
        ({"method": "DELETE"}, "method"),
        ({"method": "GET"}, "has to stand in the address"),
        ({"method": "GET", "url": "http://h/?q={query}", "body": "{}"}, "sends no body"),
        ({"body": '{"q": {query}'}, "no JSON"),
        ({"body": '{"q": "x"}'}, "neither in body nor address"),
        ({"fields": (("body", "x"),)}, "nothing a hit can have"),
        ({"target": "a:b"}, "no module"),
        ({"timeout_s": 0}, "time-out"),
        ({"parallel": 0}, "same time"),
        ({"headers": (("X Y", "a"),)}, "name of a header"),
        ({"headers": (("X-A", "a\nb"),)}, "no header has"),
        ({"headers": (("X-A", "${lower}"),)}, "not understood"),
    ],
)
def test_what_cannot_work_is_refused_in_a_sentence(more: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidSetting, match=words):
        http(**more)


@pytest.mark.parametrize("target", ["search", "my-entry.point", "a.b:c.d"])
def test_a_function_or_an_entry_point_is_named(target: str) -> None:
    assert python(target).target == target


@pytest.mark.parametrize("target", ["", "a:", ":b", "a b", "a:b()", "a:b;import os", "../x:y"])
def test_anything_else_is_no_function(target: str) -> None:
    with pytest.raises(InvalidSetting, match="no function"):
        python(target)


@pytest.mark.parametrize(
    "header",
    [
        f"X-Api-Key: {CANARY}",
        f"Authorization: Bearer {CANARY}",
        "Authorization: short",
        "Cookie: a=b",
        f"X-Whatever: {CANARY}",
        f"X-Whatever: {CANARY}-${{NAME}}",
        "X-Other: sk-abc",
    ],
)
def test_a_value_that_looks_like_a_key_is_refused_and_not_quoted(header: str) -> None:
    with pytest.raises(InvalidSetting, match="looks like a key") as refused:
        parse_header(header)
    assert "canary" not in str(refused.value)
    assert "${" in refused.value.hint


@pytest.mark.parametrize(
    "header", ["X-Tenant: acme", "Accept: application/json", "X-Api-Key: ${A_KEY}", "Cookie: ${C}",
               "Authorization: Bearer ${T}", "X-Request-Source: quality-workbench"]
)  # fmt: skip
def test_other_values_may_be_kept(header: str) -> None:
    name, value = parse_header(header)
    assert f"{name}: {value}" == header


def test_a_field_is_role_and_path() -> None:
    assert parse_field("text=_source.body") == ("text", "_source.body")
    with pytest.raises(InvalidSetting):
        parse_field("text")


# Templates ----------------------------------------------------------------------------------------


@given(query=st.text(), k=st.integers(1, 99))
def test_no_query_breaks_out_of_its_place(query: str, k: int) -> None:
    for template in (BODY, BODY.replace("{query}", '"{query}"')):
        made = fill_body(template, query, k, {"a": query})
        assert made == {"query": query, "k": k, "filter": {"a": query}}
    assert fill_body('["title:{query} {k}"]', query, k, {}) == [f"title:{query} {k}"]


def test_a_filter_that_is_not_there_is_left_out() -> None:
    assert fill_body(BODY, "q", 3, {}) == {"query": "q", "k": 3}
    nested = '{"must": [{query}, {"term": {filter}}, {filter}]}'
    assert fill_body(nested, "q", 3, {}) == {"must": ["q", {}]}


def test_a_key_of_a_filter_that_is_there_twice_has_both_values() -> None:
    pairs = [("tenant", "a"), ("lang", "en"), ("tenant", "b")]
    assert as_filter(pairs) == {"tenant": ["a", "b"], "lang": "en"}


def test_an_address_gets_its_values_escaped() -> None:
    made = fill_address("http://h/find?q={query}&n={k}&f={filter}", "a&b=c d/é", 7, {})
    assert made == "http://h/find?q=a%26b%3Dc%20d%2F%C3%A9&n=7&f="


def test_what_is_agreed_to_is_the_code_or_who_gets_queries_and_keys() -> None:
    same = http(timeout_s=9, hits="x", fields=(("text", "t"),), parallel=4, name="other")
    assert same.agreement == http().agreement
    others = [http(url="http://h/other"), http(key_env="KEY"), http(headers=(("A", "${KEY}"),))]
    assert len({s.agreement for s in [http(), *others]}) == 4
    assert python().agreement != python("mine:other").agreement


def test_the_fingerprint_is_of_what_is_answered() -> None:
    assert http().fingerprint() == http(name="x", timeout_s=9, retries=0, parallel=3).fingerprint()
    assert http().fingerprint() != http(hits="a").fingerprint()
    assert http().fingerprint() != http(depth=50).fingerprint()
