"""Which columns of a table or of JSON records hold text, id, title and metadata."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ragdebug.documents import exported
from ragdebug.documents.options import Limits, ParseOptions

SAMPLE_ROWS = 5
_FILLED = 0.9  # of the rows must have text in the columns that are taken for it
_LOOKED_AT = 200
_LONG_WORDS = 8
_MAX_ID_CHARS = 200

# What people call the one column that holds the text.
_TEXT = frozenset(
    "text page_content pagecontent content contents body passage chunk document article full_text "
    "fulltext raw_text plain_text paragraph markdown inhalt texte texto contenu contenido "
    "testo".split()
)
# What may hold text beside others.
_TEXT_BESIDE = frozenset(
    "question answer abstract description summary comment comments message review notes note "
    "response reply prompt instruction output completion context problem solution resolution "
    "transcript details explanation frage antwort beschreibung respuesta pregunta".split()
)
_TITLE = ("title", "headline", "heading", "subject", "name", "titel", "titre", "título", "titolo")
_ID = (
    "id _id doc_id docid document_id documentid chunk_id passage_id record_id row_id uid uuid guid "
    "key slug identifier sku code number nr no".split()
)
# Names that mean nothing but an id: it stays one although rows repeat it.
_PLAIN_ID = frozenset(["id", "_id", "uid", "uuid", "guid", "identifier", "record_id", "row_id"])
# Names of codes that people ask by, so that they must be found; as an id also those that follow.
_CODE = frozenset(
    "sku code part_number part_no article_number article_no item_number item_no product_code "
    "product_number model_number serial_number order_number invoice_number error_code mpn ean gtin "
    "isbn artikelnummer teilenummer bestellnummer referencia".split()
)
_CODE_AS_ID = frozenset(["number", "nr", "no"])
_LANGUAGE = ("language", "lang", "locale", "sprache", "langue", "idioma")


@dataclass(frozen=True, slots=True)
class ColumnGuess:
    """What a file's columns seem to be.

    Attributes:
        columns: all names, in order of appearance.
        text: those whose values make up a record's text.
        id: the one that names a record, "" for its number.
        metadata: those that are kept as metadata.
        sample: the first records, column -> value.
        title: the one that is a record's title, or "".
        codes: those of part numbers and other codes that a record is asked for by.
        language: the one that holds a record's language, or "".
        obvious: whether one text column stood out; else text is ``column: value`` lines.
    """

    columns: tuple[str, ...]
    text: tuple[str, ...]
    id: str = ""
    metadata: tuple[str, ...] = ()
    sample: tuple[Mapping[str, str], ...] = ()
    title: str = ""
    codes: tuple[str, ...] = ()
    language: str = ""
    obvious: bool = True


def guess_columns(data: bytes, name: str) -> ColumnGuess:
    """Guess the columns of a CSV, TSV, JSON or JSONL file, also a gzipped one.

    A JSON file without records has no columns.

    Raises:
        DocumentError: the file cannot be read.
    """
    from ragdebug.documents.inflate import inflate_named
    from ragdebug.documents.jsonl import read_json
    from ragdebug.documents.tables import read_csv

    limits = Limits()
    data, inner = inflate_named(data, name, limits)
    suffix = inner.lower().rpartition(".")[2]
    if suffix in ("json", "jsonl", "ndjson"):
        found = read_json(data, name, ParseOptions(), limits, lines=suffix != "json")
    else:
        found = read_csv(data, name, ParseOptions(), limits)
    if found is None:
        return ColumnGuess((), (), obvious=False)
    return guess(found.columns, [r.values for r in found.rows])


def guess(columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> ColumnGuess:
    """Guess from names first, then from what the values look like.

    Args:
        columns: names in order.
        rows: all records; the first `_LOOKED_AT` are looked at, and all of them for an id.
    """
    if exported.is_ours(columns):
        others = tuple(c for c in columns if c != exported.TEXT)
        sample = tuple(dict(r) for r in rows[:SAMPLE_ROWS])
        return ColumnGuess(tuple(columns), (exported.TEXT,), metadata=others, sample=sample)
    looked_at = rows[:_LOOKED_AT]
    words = {c: _mean_words(r.get(c, "") for r in looked_at) for c in columns}
    filled = [c for c in columns if words[c] > 0]
    id_column = next((c for c in _id_columns(columns) if _names_rows(c, rows)), "")
    title = _first(_TITLE, filled)
    text = [c for c in filled if _key(c) in _TEXT]
    if not text:
        # Text stands where its name says so or where its values are long.
        beside = [c for c in filled if _key(c) in _TEXT_BESIDE or words[c] >= _LONG_WORDS]
        text = [c for c in beside if c != id_column]
        with_text = sum(any(r.get(c, "").strip() for c in text) for r in looked_at)
        if with_text < _FILLED * len(looked_at):
            text = []  # a column that many rows leave empty, such as a note, is not their text
    obvious = bool(text)
    if not text:
        text = [c for c in filled if c != id_column] or list(filled)
    metadata = [
        c
        for c in columns
        if c != id_column and (c not in text or (not obvious and words[c] < _LONG_WORDS))
    ]
    return ColumnGuess(
        columns=tuple(columns),
        text=tuple(text),
        id=id_column,
        metadata=tuple(metadata),
        sample=tuple(dict(r) for r in rows[:SAMPLE_ROWS]),
        title=title if title not in text or not obvious else "",
        codes=tuple(
            c for c in filled if _key(c) in _CODE or (c == id_column and _key(c) in _CODE_AS_ID)
        ),
        language=_first(_LANGUAGE, filled),
        obvious=obvious,
    )


def find(name: str, columns: Sequence[str]) -> str | None:
    """The column a person means: by its name, else by its name without case and blanks."""
    if name in columns:
        return name
    return next((c for c in columns if _key(c) == _key(name)), None)


def _key(column: str) -> str:
    return column.strip().lower().replace(" ", "_").replace("-", "_")


def _first(names: Sequence[str], columns: Sequence[str]) -> str:
    return next((c for n in names for c in columns if _key(c) == n), "")


def _mean_words(values: Iterable[str]) -> float:
    """Mean number of words of the values that are not blank; 0 when all are."""
    counts = [len(v.split()) or 1 for v in values if v.strip()]
    return sum(counts) / len(counts) if counts else 0.0


def _id_columns(columns: Sequence[str]) -> list[str]:
    named = [c for n in _ID for c in columns if _key(c) == n]
    return named + [c for c in columns if _key(c).endswith("_id") and c not in named]


def _names_rows(column: str, rows: Sequence[Mapping[str, str]]) -> bool:
    """Whether each row has a short value there, and nearly each one its own.

    A few repeats are slips, which are told row by row. Many mean a column that groups rows, such as
    the document of a passage, unless its name says otherwise.
    """
    values = [r.get(column, "").strip() for r in rows]
    if not all(0 < len(v) <= _MAX_ID_CHARS for v in values):
        return False
    repeats = len(values) - len(set(values))
    if _key(column) in _PLAIN_ID:
        return 2 * repeats <= len(values)
    return repeats <= (max(1, len(values) // 10) if _key(column) in _ID else 0)
