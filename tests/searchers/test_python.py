"""Functions as people write them: what they take, what they return, how they fail."""

from __future__ import annotations

import itertools
import math
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ragdebug.errors import RagDebugError, SearcherFailed
from ragdebug.searchers import Reply, Searcher, open_searcher, raw_text
from ragdebug.searchers.loading import entry_points, file_of
from ragdebug.settings import SearcherSettings

Open = Callable[..., Searcher]
_numbers = itertools.count()


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Open]:
    """Opens a searcher whose module holds the given code."""
    before = list(sys.path)

    def call(code: str, name: str = "search", timeout_s: float = 20) -> Searcher:
        module = f"their_search_{next(_numbers)}"
        (tmp_path / f"{module}.py").write_text(code, "utf-8")
        settings = SearcherSettings("x", "python", f"{module}:{name}", timeout_s=timeout_s)
        return open_searcher(settings, str(tmp_path))

    yield call
    sys.path[:] = before


def ask(searcher: Searcher, *pairs: tuple[str, str]) -> Reply:
    return searcher.ask("q", 3, pairs)


def texts(reply: Reply) -> list[str]:
    return [h.piece.text for h in reply.understood.hits]


@pytest.mark.parametrize(
    ("head", "gives", "filtered"),
    [
        ("def search(query)", "query", False),
        ("def search(query, k)", "query, k", False),
        ("def search(query, k, filter)", "query, k, filter", True),
        ("def search(text, n_docs, conditions)", "text, n_docs, conditions", True),
        ("def search(q, *, top_k, where=None)", "q, top_k, where", True),
        ("def search(*, query, limit=10)", "query, limit", False),
        ("def search(query, alpha=0.5, k=10)", "query, alpha, k", False),
        ("def search(query, filter=None, k=9, **more)", "query, filter, k", True),
        ("async def search(query, k)", "query, k", False),
    ],
)
def test_a_function_gets_what_it_takes(
    written: Open, head: str, gives: str, filtered: bool
) -> None:
    searcher = written(f"{head}:\n    return [repr(x) for x in ({gives},)]")
    names = [n.strip() for n in gives.split(",")]
    known = {"alpha": "0.5", "k": "3", "n_docs": "3", "top_k": "3", "limit": "3"}
    expected = [
        known.get(n, "{'a': ['1', '2']}" if n in ("filter", "conditions", "where") else "'q'")
        for n in names
    ]
    assert texts(ask(searcher, ("a", "1"), ("a", "2"))) == expected
    assert searcher.takes_filter is filtered


def test_without_a_filter_there_is_none(written: Open) -> None:
    assert texts(ask(written("def search(query, filter): return [repr(filter)]"))) == ["None"]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def search(query, k, filter, index): return []", "needs index"),
        ("def search(): return []", "takes no query"),
        ("search = 3", "is no function"),
        ("class search: pass", "is a class"),
        ("def other(query): return []", "has no search"),
        ("import nowhere_to_be_found", "No module named 'nowhere_to_be_found'"),
        ("def search(query:", "SyntaxError"),
        ("raise ValueError('at import')", "ValueError: at import.*line 1"),
        ("raise SystemExit(2)", "SystemExit"),
    ],
)
def test_what_cannot_be_called_says_why(written: Open, code: str, words: str) -> None:
    with pytest.raises(SearcherFailed, match=words):
        written(code)


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("nowhere_at_all:search", "no module nowhere_at_all"),
        ("os:system", "belongs to Python"),
        ("builtins:eval", "belongs to Python"),
        ("subprocess:getoutput", "belongs to Python"),
        ("no-such-entry", "No installed package"),
    ],
)
def test_what_is_no_searcher_is_not_called(target: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(SearcherFailed, match=words):
        open_searcher(SearcherSettings("x", "python", target), str(tmp_path))


def test_an_installed_package_offers_a_searcher(written: Open, tmp_path: Path) -> None:
    written("def search(query): return ['from the package']")
    (file,) = tmp_path.glob("their_search_*.py")
    about = tmp_path / "theirs-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[ragdebug.searchers]\nprod = {file.stem}:search\n")
    assert entry_points() == ("prod",)
    assert file_of("prod", "") == str(file)
    made = open_searcher(SearcherSettings("x", "python", "prod", timeout_s=20))
    assert texts(ask(made)) == ["from the package"]


def test_where_the_code_lies_is_known_before_it_runs(tmp_path: Path) -> None:
    file = tmp_path / "their_bomb.py"
    file.write_text("raise SystemExit('it ran')")
    assert file_of("their_bomb:search", str(tmp_path)) == str(file)
    assert file_of("their_nothing:search", str(tmp_path)) == ""
    assert "their_bomb" not in sys.modules


RETURNS = """
from collections import namedtuple
from dataclasses import dataclass
import numpy as np

@dataclass
class Hit:
    content: str
    score: float

class Plain:
    def __init__(self): self.text, self.score, self._own = "b", 0.5, 1

class Slots:
    __slots__ = ("text", "score")
    def __init__(self): self.text, self.score = "b", 0.5

Named = namedtuple("Named", "text score")
class Answer:
    def __init__(self): self.points = [Plain()]

def generator():
    yield "b", 0.5

async def later():
    yield {"text": "b", "score": 0.5}

def search(query):
    return MADE
"""


@pytest.mark.parametrize(
    "made",
    ["[Hit('b', 0.5)]", "[Plain()]", "(Slots(),)", "[Named('b', 0.5)]", "Answer()", "generator()",
     "later()", "[('b', np.float32(0.5))]", "{'results': [{'text': 'b', 'score': np.float64(.5)}]}",
     "iter([{'text': b'b', 'score': '0.5'}])"],
)  # fmt: skip
def test_objects_of_any_make_are_read(written: Open, made: str) -> None:
    reply = ask(written(RETURNS.replace("MADE", made)))
    (hit,) = reply.understood.hits
    assert (hit.piece.text, hit.score) == ("b", 0.5)
    assert '"b"' in raw_text(reply.value)


def test_documents_of_langchain_and_nodes_of_llama_index_are_read(written: Open) -> None:
    code = """
from langchain_core.documents import Document
from llama_index.core.schema import NodeWithScore, TextNode
def search(query):
    meta = {"source": "a.md", "page": 3}
    if query == "lc":
        return [(Document(page_content="b", metadata=meta), 0.5)]
    return [NodeWithScore(node=TextNode(text="b", metadata=meta, id_="7"), score=0.5)]
"""
    searcher = written(code, timeout_s=120)
    for query in ("lc", "llama"):
        (hit,) = searcher.ask(query, 3, ()).understood.hits
        p = hit.piece
        assert (p.text, p.source, p.page, hit.score) == ("b", "a.md", 3, 0.5), query
        assert "template" not in " ".join(p.metadata)


def test_rows_of_pandas_are_read(written: Open) -> None:
    code = """
import pandas as pd
table = pd.DataFrame({"text": ["b", "c"], "score": [0.5, float("nan")], "file": ["a.md", "d.md"]})
def search(query):
    return table if query == "q" else [row for _, row in table.iterrows()]
"""
    searcher = written(code)
    for query in ("q", "rows"):
        one, two = searcher.ask(query, 3, ()).understood.hits
        assert (one.piece.text, one.piece.source, one.score) == ("b", "a.md", 0.5)
        assert math.isnan(two.score)


def test_no_more_is_read_than_is_measured(written: Open) -> None:
    code = (
        "import itertools\ndef search(query): return ({'text': f'{i}'} for i in itertools.count())"
    )
    reply = ask(written(code))
    assert len(reply.understood.hits) == 100
    assert "More than 100 hits came" in " ".join(reply.understood.notes)
    reply = ask(written("def search(query): return [{'text': 't', 'id': i} for i in range(10**5)]"))
    assert (len(reply.understood.hits), reply.understood.returned) == (100, 100_000)


@pytest.mark.parametrize("made", ["None", "'a text'", "7", "{'took': 3}", "object()"])
def test_what_is_no_list_is_shown_with_what_came(written: Open, made: str) -> None:
    reply = ask(written(f"def search(query): return {made}"))
    assert reply.problem is not None
    assert reply.problem.message.startswith("The searcher x: ")
    assert reply.understood.hits == ()
    assert raw_text(reply.value)


def test_an_error_names_its_type_and_their_last_line(written: Open) -> None:
    code = "import json\n\ndef search(query):\n    return json.loads('{' + query)\n"
    with pytest.raises(SearcherFailed) as raised:
        ask(written(code))
    assert "JSONDecodeError: " in raised.value.message
    assert "line 4: return json.loads('{' + query)" in raised.value.message
    assert raised.value.__context__ is None


@pytest.mark.parametrize(
    "raised", ["SystemExit(1)", "KeyboardInterrupt()", "RecursionError('r')", "Unsayable()"]
)
def test_nothing_that_is_raised_ends_the_program(written: Open, raised: str) -> None:
    unsayable = "class Unsayable(BaseException):\n    def __str__(self): raise SystemExit\n"
    with pytest.raises(SearcherFailed, match=raised.partition("(")[0]):
        ask(written(f"{unsayable}def search(query): raise {raised}"))


def test_code_that_is_no_python_says_where(written: Open) -> None:
    with pytest.raises(SearcherFailed, match=r"SyntaxError: .*line 1\) The error"):
        written("def search(:\n")


def test_a_property_that_fails_is_theirs_too(written: Open) -> None:
    code = """
class Bad:
    @property
    def text(self): raise ValueError("late")
    def __init__(self): self.score = 1
    __slots__ = ("score",)
    model_fields = {"text": 0}
def search(query): return [Bad()]
"""
    with pytest.raises(SearcherFailed, match="late"):
        ask(written(code))


def test_one_that_hangs_is_given_up_and_said_to_go_on(written: Open) -> None:
    code = """
import threading
go_on = threading.Event()
def search(query):
    if query == "hang": go_on.wait(60)
    return ["b"]
"""
    searcher = written(code, timeout_s=0.2)
    module = sys.modules[searcher.settings.target.partition(":")[0]]  # type: ignore[attr-defined]
    try:
        with pytest.raises(SearcherFailed, match=r"no answer within 0\.2 s") as late:
            searcher.ask("hang", 3, ())
        assert "goes on in the background" in late.value.hint
        assert texts(ask(searcher)) == ["b"]  # the next one is not held up
        for _ in range(3):
            with pytest.raises(SearcherFailed, match="no answer within"):
                searcher.ask("hang", 3, ())
        with pytest.raises(SearcherFailed, match="4 earlier calls"):
            ask(searcher)
    finally:
        module.go_on.set()
    for thread in threading.enumerate():
        if thread.name.startswith("searcher "):
            thread.join(10)
    assert texts(ask(searcher)) == ["b"]


def test_what_it_prints_is_no_output(written: Open, capsys: pytest.CaptureFixture[str]) -> None:
    code = """
import sys, threading
print("at import")
def search(query):
    print("in the function")
    sys.stdout.write("written")
    other = threading.Thread(target=print, args=("in its thread",))
    other.start(); other.join()
    return ["b"]
"""
    assert texts(ask(written(code))) == ["b"]
    print("mine")
    out, err = capsys.readouterr()
    assert out == "mine\n"
    for words in ("at import", "in the function", "written", "in its thread"):
        assert words in err


def test_a_file_that_changed_is_read_again(written: Open, tmp_path: Path) -> None:
    searcher = written("def search(query): return ['old']")
    assert texts(ask(searcher)) == ["old"]
    before = searcher.stamp
    (file,) = tmp_path.glob("their_search_*.py")
    file.write_text("def search(query): return ['new, and longer']")
    import os

    os.utime(file, (before + 5, before + 5))
    assert texts(ask(searcher)) == ["new, and longer"]
    assert searcher.stamp != before
    file.write_text("def search(query): broken(")
    os.utime(file, (before + 9, before + 9))
    with pytest.raises(RagDebugError, match="SyntaxError"):
        ask(searcher)
