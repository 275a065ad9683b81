"""A corpus, questions about it, and a random TREC run over both."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import ir_measures
import numpy as np
import pytest

DOCUMENTS = [f"d{i}" for i in range(40)]
KS = (1, 3, 5, 10, 20)


@dataclass(frozen=True)
class Collection:
    """Files of a test collection, in BEIR's layout, and a run as lines of TREC."""

    folder: Path
    corpus: Path
    run: Path
    queries: dict[str, str]
    qrels: dict[str, dict[str, int]]

    def measures(self) -> dict[str, dict[str, float]]:
        """What ir_measures says: measure, as it is called here -> question -> value.

        RR with a cut is MS MARCO's there, which breaks ties the other way round from trec_eval; so
        it is RR without one, which is trec_eval's, cut here.
        """
        wanted = {
            **{f"p@{k}": ir_measures.P @ k for k in KS},
            **{f"recall@{k}": ir_measures.R @ k for k in KS},
            **{f"ndcg@{k}": ir_measures.nDCG @ k for k in KS},
            "rr": ir_measures.RR,
            **{f"ap@{k}": ir_measures.AP @ k for k in KS},
            **{f"hit@{k}": ir_measures.Success @ k for k in KS},
        }
        name_of = {measure: name for name, measure in wanted.items()}
        qrels = [
            ir_measures.Qrel(q, d, g) for q, some in self.qrels.items() for d, g in some.items()
        ]
        found: dict[str, dict[str, float]] = {n: dict.fromkeys(self.qrels, 0.0) for n in wanted}
        run = list(ir_measures.read_trec_run(str(self.run)))
        for metric in ir_measures.iter_calc(list(wanted.values()), qrels, run):
            found[name_of[metric.measure]][metric.query_id] = metric.value
        whole = found.pop("rr")
        cut = {f"rr@{k}": {q: v if v * k >= 1 else 0.0 for q, v in whole.items()} for k in KS}
        return found | cut


def collection(folder: Path, seed: int) -> Collection:
    """Random judgments and a random run, with many equal scores and a rank column that lies."""
    rng = np.random.default_rng(seed)
    queries = {f"q{i}": f"what is said of subject {i} in part {seed}" for i in range(25)}
    qrels: dict[str, dict[str, int]] = {}
    lines = []
    for at, query in enumerate(queries):
        some = rng.choice(DOCUMENTS, rng.integers(1, 9), replace=False).tolist()
        qrels[query] = {d: int(rng.integers(0, 4)) for d in some}
        qrels[query][some[0]] = max(1, qrels[query][some[0]])
        if at % 8 == 3:
            continue  # the run has nothing for it
        hits = rng.choice([*DOCUMENTS, "gone1", "gone2", "gone3"], rng.integers(1, 40), False)
        for rank, document in enumerate(hits.tolist(), 1):
            # Some scores differ by less than trec_eval's numbers can tell.
            score = int(rng.integers(0, 6)) / 2 + int(rng.integers(0, 2)) * 1e-9
            lines.append(f"{query} Q0 {document} {rank} {score!r} random")
    rng.shuffle(lines)
    beir = folder / "beir"
    (beir / "qrels").mkdir(parents=True)
    corpus = folder / "corpus.jsonl"
    corpus.write_text(
        "".join(
            json.dumps({"_id": d, "title": "", "text": f"All that is said of {d} stands here."})
            + "\n"
            for d in DOCUMENTS
        )
    )
    (beir / "queries.jsonl").write_text(
        "".join(json.dumps({"_id": q, "text": t}) + "\n" for q, t in queries.items())
    )
    judged = [f"{q}\t{d}\t{g}" for q, some in qrels.items() for d, g in some.items()]
    (beir / "qrels" / "test.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *judged]))
    run = folder / "engine.trec"
    run.write_text("\n".join(lines) + "\n")
    return Collection(beir, corpus, run, queries, qrels)


@pytest.fixture
def collected(tmp_path: Path) -> Collection:
    return collection(tmp_path, 1)
