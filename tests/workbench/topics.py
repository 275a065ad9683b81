"""A corpus whose answers can be told by eye, and one question about each of its documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.questions import Label, Need

TOPICS = (
    ("heron", "The heron stands in shallow water and waits for fish."),
    ("copper", "Copper pipes turn green where the rain runs over them."),
    ("violin", "The violin has four strings tuned in fifths."),
    ("glacier", "A glacier moves a few metres every year."),
    ("saffron", "Saffron is picked by hand from a purple crocus."),
    ("lighthouse", "The lighthouse was lit with whale oil until 1862."),
    ("compass", "A compass needle points to the magnetic north."),
    ("beehive", "A beehive may hold fifty thousand bees in summer."),
    ("turbine", "The turbine spins at three thousand turns a minute."),
    ("parchment", "Parchment is made of the skin of a calf."),
    ("monsoon", "The monsoon reaches the coast in the first week of June."),
    ("basalt", "Basalt cools into columns with six sides."),
)


def question_text(topic: str) -> str:
    return f"what is said about the {topic}"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for topic, sentence in TOPICS:
        (folder / f"{topic}.txt").write_text(f"{sentence}\n", "utf-8")
    return folder


@pytest.fixture
def wb(tmp_path: Path, corpus: Path) -> Iterator[Workbench]:
    """One document a topic, one question about each."""
    with Workbench(tmp_path / "workspace") as opened:
        opened.ingest([corpus])
        for topic, sentence in TOPICS:
            place = opened.find_quote(sentence)[0]
            opened.add_question(question_text(topic), [Need((Label(place, origin="marked"),))])
        yield opened
