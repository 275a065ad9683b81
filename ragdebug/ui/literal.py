"""Text from outside, shown as it is: the one home of that rule.

Streamlit reads Markdown, LaTeX, colours, emoji codes, icons and bare links in labels, messages,
captions, buttons, tabs, pills, radio options, metric labels and `st.table`. Text of documents, file
names, questions, metadata and error messages must not be read that way. So:

    literal.text(anything)              a block of body text               (st.text)
    literal.small(anything)             the same, small and grey
    literal.code(name)                  inline code, for use inside Markdown and labels
    literal.plain(name)                 looks like ordinary text, for use inside Markdown and labels
    literal.problem(error)              title, message and hint of a RagDebugError
    literal.number(12345)               "12,345"

`st.selectbox` and `st.multiselect` options, text inputs, `st.code` and `st.dataframe` cells are
literal already. Never use `st.write`, `st.markdown`, `st.table` or `unsafe_allow_html` with text
from outside. Text with marked parts: `components.passage`. Whole documents:
`components.document_view`. Plotly has its own small HTML: `figures` escapes it there.
"""

from __future__ import annotations

import re

import streamlit as st

from ragdebug.errors import RagDebugError

# Has no width and breaks what is recognised after parsing, where backslashes are already gone.
_JOINER = "\u2060"
_AFTER_PARSING = re.compile(
    r":(?=[\w+-]+:)"  # emoji codes
    r"|:(?=material/|streamlit:)"  # icons, replaced before parsing
    r"|(?<=:)/(?=/)|www(?=\.)|(?<=\S)@(?=\S)|(?<=mailto):|(?<=xmpp):"  # bare links
    r"|[-=<>~](?=[-=<>~])",  # arrows and dashes
    re.IGNORECASE,
)
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
# Characters that reorder what follows them; shown by name instead.
_REORDERING = {
    0x200E: "LRM",
    0x200F: "RLM",
    0x202A: "LRE",
    0x202B: "RLE",
    0x202C: "PDF",
    0x202D: "LRO",
    0x202E: "RLO",
    0x2066: "LRI",
    0x2067: "RLI",
    0x2068: "FSI",
    0x2069: "PDI",
}
_NAMED = {code: f"⟦{name}⟧" for code, name in _REORDERING.items()}


def one_line(text: str, limit: int = 200) -> str:
    """Blanks collapsed, reordering characters named, cut in the middle when over `limit`."""
    flat = " ".join(text.translate(_NAMED).split())
    if len(flat) <= limit:
        return flat
    tail = limit // 3
    return f"{flat[: limit - tail - 1]}…{flat[-tail:]}"


def plain(text: str, limit: int = 200) -> str:
    """Markdown that shows `text` as it is, on one line. For labels and messages."""
    flat = one_line(text, limit)
    broken = _AFTER_PARSING.sub(lambda m: f"{m[0]}{_JOINER}", flat)
    return _PUNCTUATION.sub(r"\\\1", broken)


def code(text: str, limit: int = 200) -> str:
    """Markdown inline code that shows `text` as it is, on one line. For labels and messages."""
    flat = one_line(text, limit) or " "
    flat = re.sub(r":(?=material/|streamlit:)", f":{_JOINER}", flat, flags=re.IGNORECASE)
    fence = "`" * (max((len(run) for run in re.findall("`+", flat)), default=0) + 1)
    return f"{fence} {flat} {fence}"


def text(value: str) -> None:
    """A block of body text, line breaks kept."""
    st.text(value.translate(_NAMED))


def small(value: str) -> None:
    """One line of small grey text."""
    st.caption(plain(value, limit=2000))


def problem(error: RagDebugError | str, hint: str = "") -> None:
    """An error as a person should see it: what happened, to what, and what to do."""
    if isinstance(error, RagDebugError):
        title, message, hint = error.title, error.message, error.hint
    else:
        title, message = "", error
    head = f"**{plain(title)}**  \n" if title else ""
    tail = f"  \n{plain(hint, 1000)}" if hint else ""
    st.error(f"{head}{plain(message, 2000)}{tail}", icon=":material/error:")


def note(value: str, hint: str = "") -> None:
    """A warning about text from outside."""
    tail = f"  \n{plain(hint, 1000)}" if hint else ""
    st.warning(f"{plain(value, 2000)}{tail}", icon=":material/warning:")


def number(value: float) -> str:
    """A whole number with thousands separators, or three significant digits."""
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.3g}"


def duration(seconds: float) -> str:
    """A time as a person says it: ``12 ms``, ``3.4 s``, ``5 min``, ``2.5 h``."""
    if seconds < 1:
        return f"{max(0.0, seconds) * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
