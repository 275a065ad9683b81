"""Files of many lists: TREC runs, JSON Lines and JSON, CSV."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import pytest

from ragdebug.errors import DocumentError, InvalidSetting
from ragdebug.workbench.outside.list_files import ListFile, read_list_file

Lists = dict[str, list[tuple[str, float | None]]]


def lists(made: ListFile) -> Lists:
    return {
        a.query or a.question: [
            (h.piece.text or h.piece.id or h.piece.source,
             None if math.isnan(h.score) else h.score)
            for h in a.hits
        ]
        for a in made.answers
    }  # fmt: skip


def test_a_trec_run_has_the_order_of_trec_eval() -> None:
    run = (
        "q1 Q0 b 1 0.5 x\nq1 Q0 a 2 0.9 x\nq1 Q0 c 3 0.5 x\n\n"
        "q2 Q0 z 1 1e-3 x\nq1 Q0 a 4 0.1 x\nnot a line\n"
    )
    made = read_list_file(run.encode(), "run.trec")
    assert lists(made) == {"q1": [("a", 0.9), ("c", 0.5), ("b", 0.5)], "q2": [("z", 0.001)]}
    assert [a.question for a in made.answers] == ["q1", "q2"]
    assert [(p.line, p.message.split(";")[0]) for p in made.problems] == [
        (6, "a stands twice for q1"),
        (7, "'not a line' is no line of query, Q0, document, rank, score."),
    ]
    assert made.notes[0].startswith("The rank column says another order for 1 of 2 queries")


def test_scores_are_compared_as_trec_eval_stores_them() -> None:
    """As 32-bit numbers these two are equal, so that the id decides."""
    run = b"q Q0 a 1 0.50000000001 x\nq Q0 b 2 0.5 x\n"
    assert [name for name, _ in lists(read_list_file(run, "r.run"))["q"]] == ["b", "a"]


def test_json_lines_name_a_query_or_a_question() -> None:
    text = "\n".join(
        [
            json.dumps({"query": "how", "hits": [{"id": "a", "score": 2}, {"text": "b c d"}]}),
            json.dumps({"qid": 17, "results": ["x", "y"], "latency_ms": 250}),
            "",
            "{broken",
            json.dumps({"query": "none", "hits": []}),
            json.dumps({"hits": ["nobody asked"]}),
            json.dumps({"query": "how", "hits": []}),
        ]
    )
    made = read_list_file(text.encode(), "lists.jsonl")
    assert lists(made) == {"how": [("a", 2.0), ("b c d", None)], "17": [("x", None), ("y", None)],
                           "none": []}  # fmt: skip
    assert made.answers[1].question == "17"
    assert made.answers[1].elapsed_s == 0.25
    assert [p.line for p in made.problems] == [4, 6, 0]


@pytest.mark.parametrize(
    "value",
    [
        {"q1": {"a": 0.5, "b": 0.9, "c": 0.5}},
        [{"id": "q1", "hits": [{"id": "b", "score": 0.9}, {"id": "c", "score": 0.5},
                               {"id": "a", "score": 0.5}]}],
        {"queries": [{"query_id": "q1", "documents": [["b", 0.9], ["c", 0.5], ["a", 0.5]]}]},
    ],
)  # fmt: skip
def test_other_forms_of_json(value: object) -> None:
    made = read_list_file(json.dumps(value, indent=2).encode(), "lists.json")
    assert lists(made) == {"q1": [("b", 0.9), ("c", 0.5), ("a", 0.5)]}


def test_json_lines_with_a_hit_each_are_put_together_by_rank() -> None:
    text = "\n".join(
        json.dumps(x)
        for x in (
            {"query": "how", "rank": 2, "text": "second one", "score": 0.1},
            {"query": "why", "rank": 1, "text": "other", "score": 0.3},
            {"query": "how", "rank": 1, "text": "first one", "score": 0.2},
        )
    )
    assert lists(read_list_file(text.encode(), "x.jsonl")) == {
        "how": [("first one", 0.2), ("second one", 0.1)],
        "why": [("other", 0.3)],
    }


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_csv_is_put_together_by_query_and_rank(separator: str) -> None:
    rows = [
        ["Question", "rank", "text", "score", "source"],
        ["how", "2", '"b ""c"" d"', "0.5", "f.md"],
        ["how", "1", "a", "0.9", "f.md"],
        ["why", "1", "", "", ""],
    ]
    text = "\n".join(separator.join(row) for row in rows) + "\n"
    made = read_list_file(text.encode("utf-8-sig"), "lists.csv")
    assert lists(made) == {"how": [("a", 0.9), ('b "c" d', 0.5)], "why": []}
    assert made.answers[0].hits[0].piece.source == "f.md"


def test_gzip_and_a_named_form(tmp_path: Path) -> None:
    file = tmp_path / "run.gz"
    file.write_bytes(gzip.compress(b"q Q0 a 1 0.5 x\n"))
    assert lists(read_list_file(file)) == {"q": [("a", 0.5)]}
    assert lists(read_list_file(b'{"query": "q", "hits": ["a b c"]}', "odd.txt", "jsonl")) == {
        "q": [("a b c", None)]
    }
    with pytest.raises(InvalidSetting, match="No form"):
        read_list_file(b"x", "x", "xml")


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"", "empty.trec"),
        (b"\n \n", "blank.csv"),
        (b"a,b\n1,2\n", "no_query.csv"),
        (b"[1, 2]", "numbers.json"),
        (b"[{", "broken.json"),
        (b"\x00\x01\x02\xff" * 50, "binary.trec"),
        (b"one two three", "words.txt"),
    ],
)
def test_what_holds_no_lists_is_refused(data: bytes, name: str) -> None:
    with pytest.raises(DocumentError) as refused:
        read_list_file(data, name)
    assert refused.value.message


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="There is no file"):
        read_list_file(tmp_path / "nothing.trec")


def test_one_odd_score_of_a_query_takes_none_from_the_others() -> None:
    found = read_list_file(b'{"q1": {"a": NaN, "b": 1.5, "c": 2.5}, "q2": {"d": 1}}', "run.json")
    assert lists(found) == {"q1": [("c", 2.5), ("b", 1.5), ("a", None)], "q2": [("d", 1.0)]}
    assert found.notes == ("Of the hits 1 has no number as score and comes last.",)
