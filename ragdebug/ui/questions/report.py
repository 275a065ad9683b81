"""What an import did: what stands where, what waits for a yes, what stands nowhere."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import streamlit as st

from ragdebug.counting import many
from ragdebug.ui import literal, tables
from ragdebug.ui.questions import place

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench
    from ragdebug.workbench.questions import ImportReport

MOST = 2000  # rows of the table of what is not placed
SHOWN = 8  # problems shown by themselves
_REPORTS = "_questions_reports"


class File(Protocol):
    """A file that was uploaded."""

    @property
    def name(self) -> str: ...  # noqa: D102

    def getvalue(self) -> bytes: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Joined:
    """Several files as one."""

    name: str
    data: bytes

    def getvalue(self) -> bytes:
        """The bytes of the zip."""
        return self.data


def together(files: Sequence[File]) -> Sequence[File]:
    """The same files; those that belong to one folder of BEIR or TREC as one zip."""
    parts = [f for f in files if _of_folder(f.name)]
    if len(parts) < 2:
        return files
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for f in parts:
            # An upload has lost its folder; judgments of BEIR lie in one of that name.
            inner = f"qrels/{f.name}" if f.name.lower().endswith(".tsv") else f.name
            archive.writestr(inner, f.getvalue())
    return [*(f for f in files if f not in parts), Joined("uploaded folder.zip", out.getvalue())]


def _of_folder(name: str) -> bool:
    low = name.lower()
    return low == "queries.jsonl" or low in ("test.tsv", "dev.tsv", "train.tsv") or (
        "qrels" in low or "topics" in low
    )  # fmt: skip


def remember(name: str, made: ImportReport) -> None:
    """Keep a report until it is closed."""
    st.session_state.setdefault(_REPORTS, []).append((name, made))


def draw(wb: Workbench) -> None:
    """All reports that are not closed yet."""
    for at, (name, made) in enumerate(st.session_state.get(_REPORTS, [])):
        with st.container(border=True, gap="small", key=f"questions_report_{at}"):
            with st.container(
                horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
            ):
                st.markdown(
                    f":material/task_alt: **{literal.plain(name, 60)}** · {_questions(made)}",
                    width="content",
                )
                st.button(
                    "Close", type="tertiary", icon=":material/close:", key=f"_close_report_{at}",
                    on_click=_close, args=(at,),
                )  # fmt: skip
            st.markdown(_places(made))
            _problems(made)
            _unplaced(made, at)


def _close(at: int) -> None:
    del st.session_state[_REPORTS][at]


def _questions(made: ImportReport) -> str:
    parts = [f"{many(made.added, 'question')} added"]
    if made.changed:
        parts.append(f"{made.changed:,} changed")
    if made.unchanged:
        parts.append(f"{made.unchanged:,} there already")
    if made.joined:
        parts.append(f"{made.joined:,} joined to another of the same text")
    return ", ".join(parts)


def _places(made: ImportReport) -> str:
    """How the passages were placed, as Markdown."""
    waiting = sum(u.nearest is not None and u.similarity > 0 for u in made.unplaced)
    parts = []
    if made.placed:
        parts.append(f":green[{made.placed:,} placed exactly]")
    if made.folded:
        parts.append(f":green[{made.folded:,} placed] with white space, case and typography folded")
    if made.suggested:
        parts.append(f":orange[{made.suggested:,} suggested], which wait for your yes")
    nowhere = len(made.unplaced) - made.suggested
    if nowhere > 0:
        parts.append(f":red[{nowhere:,} not placed]")
    if not parts:
        return "No passages were given: these questions are not labelled yet."
    return "Passages: " + " · ".join(parts) + ("." if waiting or nowhere <= 0 else "")


def _problems(made: ImportReport) -> None:
    for line, said in made.problems[:SHOWN]:
        literal.small(f"Line {line:,}: {said}" if line else said)
    if more := made.problems[SHOWN:]:
        with st.expander(f"{len(more):,} more lines", icon=":material/warning:"):
            for line, said in more[:200]:
                literal.small(f"Line {line:,}: {said}" if line else said)


def _unplaced(made: ImportReport, at: int) -> None:
    """What is not placed, each with the nearest passage; a click leads to its question."""
    rows = made.unplaced[:MOST]
    if not rows:
        return
    st.button(
        f"Look at {many(len(made.unplaced), 'passage')} one by one",
        icon=":material/rule:",
        key=f"_confirm_report_{at}",
        on_click=place.go,
        args=(rows[0].id, place.CONFIRM),
        help="Each with the nearest passage: y takes it, n drops the label.",
    )
    key = f"_questions_unplaced_{at}"

    def chosen() -> None:
        cells = st.session_state[key]["selection"].get("cells", [])
        if cells and cells[0][0] < len(rows) and rows[cells[0][0]].id:
            place.go(rows[cells[0][0]].id)

    st.dataframe(
        [
            {
                "question": " ".join(u.question.split()),
                "quote": " ".join(u.quote.split()),
                "given for": u.source,
                "alike": u.similarity if u.nearest else None,
                "nearest passage": " ".join(u.nearest.quote.split()) if u.nearest else "none",
                "in": u.nearest.source if u.nearest else "",
                "why": u.note,
            }
            for u in rows
        ],
        key=key,
        on_select=chosen,
        selection_mode="single-cell",
        hide_index=True,
        height=tables.height(len(rows), 260),
        column_config={
            "question": st.column_config.TextColumn(width=190),
            "quote": st.column_config.TextColumn(width=230),
            "given for": st.column_config.TextColumn(width=120),
            "alike": st.column_config.NumberColumn(format="%.0f%%", width=60),
            "nearest passage": st.column_config.TextColumn(width=230),
            "in": st.column_config.TextColumn(width=120),
            "why": st.column_config.TextColumn(width=260),
        },
    )
