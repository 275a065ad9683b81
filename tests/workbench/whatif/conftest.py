"""A corpus of a few hundred short chunks in which some questions are found and some are lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ragdebug import Workbench
from ragdebug.errors import QuoteNotFound
from ragdebug.questions import Label, Need

DRAFT = "model=wordllama-l2-supercat-256"  # embeds a small corpus in no time
CHUNKING = "fixed:24/0:tokens:nolabel"
THINGS = ("boiler", "pump", "valve", "filter", "motor", "hose", "gauge", "fuse", "belt", "drum")
DEEDS = ("check", "replace", "clean", "oil", "tighten", "drain", "measure", "seal")
WHENS = ("every week", "before winter", "after each run", "once a year", "when it leaks")
TAILS = (
    "because dirt shortens its life",
    "with the tool from the red box",
    "and write the reading into the log book",
    "while the main switch is off",
)


def sentence(rng: np.random.Generator) -> str:
    words = [rng.choice(some) for some in (DEEDS, THINGS, WHENS, TAILS, THINGS)]
    deed, thing, when, tail, other = words
    return f"{deed.capitalize()} the {thing} {when} {tail} next to the {other}."


@pytest.fixture(scope="module")
def wb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """Thirty documents of like sentences; forty questions, some with two needs or two places."""
    made = tmp_path_factory.mktemp("whatif")
    folder: Path = made / "docs"
    folder.mkdir()
    rng = np.random.default_rng(3)
    texts = [" ".join(sentence(rng) for _ in range(12)) for _ in range(30)]
    for at, text in enumerate(texts):
        (folder / f"{at:02}.txt").write_text(text + "\n", "utf-8")
    with Workbench(made / "workspace") as opened:
        opened.ingest([folder])
        for at in range(40):
            needs = []
            for _ in range(1 + at % 2):
                text = texts[int(rng.integers(0, len(texts)))]
                start = int(rng.integers(0, len(text) - 90))
                quote = text[start : start + int(rng.integers(20, 90))].strip()
                try:
                    places = opened.find_quote(quote)
                except QuoteNotFound:
                    continue
                needs.append(Need(tuple(Label(place) for place in places[: 1 + at % 3])))
            words = needs[0].places[0].quote.split()
            asked = " ".join(w for w in words if rng.random() < 0.6) or "boiler"
            tags = ("odd",) if at % 2 else ()
            opened.add_question(f"{asked} {at}", needs, tags=tags)
        other_levels(opened, made, texts)
        opened.build(CHUNKING, "wordllama-l2-supercat-256")
        yield opened


def other_levels(wb: Workbench, made: Path, texts: list[str]) -> None:
    """Four questions about whole documents, one about a region, one that finds nothing."""
    asked = "".join(
        f'{{"_id": "d{at}", "text": "{" ".join(texts[at].split()[at : at + 9])}"}}\n'
        for at in range(4)
    )
    (made / "set" / "qrels").mkdir(parents=True)
    (made / "set" / "queries.jsonl").write_text(asked, "utf-8")
    judged = "".join(f"d{at}\t{at:02}\t1\nd{at}\t{at + 9:02}\t2\n" for at in range(4))
    header = "query-id\tcorpus-id\tscore\n"
    (made / "set" / "qrels" / "test.tsv").write_text(header + judged, "utf-8")
    report = wb.import_questions(made / "set")
    assert report.placed == 8
    place = wb.find_quote(texts[5])[0]
    region = replace(place, start=0, end=200, quote="", region="section")
    wb.add_question(texts[5][:80], [Need((Label(region),))])
    wb.add_question("xyzzy", [Need((Label(place),))])


def strategy(preset: str, **options: object) -> str:
    more = "".join(f"+{name}={value}" for name, value in options.items())
    return f"{preset}@{CHUNKING}+{DRAFT}{more}"
