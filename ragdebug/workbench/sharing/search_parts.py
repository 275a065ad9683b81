"""The functions of ``search.py``, with marks such as ``<lists>`` where settings go."""

BEST = '''
def best(scores, k):
    """The k best rows; of equal ones those that stand first in chunks.jsonl."""
    return dict(sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))[:k])
'''

BY_VECTOR = '''
def by_vector(query):
    """Cosines with the question: FAISS finds them, double precision makes equal ones equal."""
    q = model.encode(query, prompt=<prompt>, normalize_embeddings=True)
    if not q.any():  # the model knows no word of it
        return {}
    <near>
    scores = {int(row): float(vectors[row] @ q.astype(float)) for row in near}
    return best({row: min(1.0, max(-1.0, score)) for row, score in scores.items()}, DEPTH)
'''

BY_WORDS = '''
def by_words(query):
    """BM25 as Lucene scores it; a chunk without any of the terms is not in the list."""
    scores = np.zeros(len(rows))
    for term, times in Counter(terms(query, known)).items():
        scores += times * bm25.get_scores([term])
    found = {row: float(score) for row, score in zip(rows, scores) if score > 0}
    return best(<found>, DEPTH)
'''

BY_WORDS_OKAPI = '''
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

RRF = '''
def fused(query):
    """Reciprocal rank fusion: each list gives weight / (k + rank)."""
    scores = {}
    for found, weight in (<lists>):
        for rank, row in enumerate(found, 1):
            scores[row] = scores.get(row, 0.0) + weight / (<k> + rank)
    return best({row: round(score, <decimals>) for row, score in scores.items()}, None)
'''

WEIGHTED = '''
def fused(query):
    """Scores of each list from 0, its last, to 1, its first, times its weight."""
    scores = {}
    for found, weight in (<lists>):
        low, high = min(found.values(), default=0), max(found.values(), default=0)
        for row, score in found.items():
            share = (score - low) / (high - low) if high > low else 1.0
            scores[row] = scores.get(row, 0.0) + weight * share
    return best({row: round(score, <decimals>) for row, score in scores.items()}, None)
'''

RERANK = '''
def reranked(query):
    """The first of them in the order of what the reranker says of their text."""
    pool = list(fused(query))[:POOL]
    texts = list(dict.fromkeys(chunks[row]["index_text"] for row in pool))
    by_text = dict(zip(texts, scores(query, texts))) if texts else {}
    found = {row: by_text[chunks[row]["index_text"]] for row in pool}
<order>
'''

BY_SCORE = """\
    return dict(sorted(found.items(), key=lambda hit: -hit[1]))
"""

BLENDED = """\
    new = sorted(found, key=lambda row: -found[row])
    both = {row: 1 / (61 + new.index(row)) + 1 / (61 + old) for old, row in enumerate(pool)}
    return dict(sorted(both.items(), key=lambda hit: (-round(hit[1], 15), new.index(hit[0]))))
"""

SEARCH = '''
def search(query):
    """Hits as (score, chunk), best first."""
    found = <last>(query) if query.strip() else {}
    return [(score, chunks[row]) for row, score in list(found.items())[:K]<minimum>]


if __name__ == "__main__":
    for rank, (score, chunk) in enumerate(search(" ".join(sys.argv[1:])), 1):
        text = " ".join(chunk["text"].split())
        print(f"{rank:>3}  {score:.4f}  {chunk['source']}  {text[:90]}")
'''
