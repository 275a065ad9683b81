"""Where a document is cut: boundaries on its own text, sizes, and what was torn."""

from __future__ import annotations

import streamlit as st

from ragdebug.ui import chunking_form, frame, literal, start
from ragdebug.ui.chunks import choose, detail, drawing, numbers

wb = frame.page("Chunks", icon=":material/segment:")
infos = [d for d in wb.documents() if d.version]
if not infos:
    start.first_steps(wb)
    st.stop()

left, right = st.columns([3, 1], gap="small")
with left:
    info = choose.document(infos)
with right:
    model = choose.model(wb)
settings = chunking_form.draw()
compare = choose.compare()
other = chunking_form.draw(suffix="_b", base=choose.OTHER) if compare else None

for warning in choose.warnings(wb, settings, model):
    literal.note(warning)
document = wb.document(info.id)
report = choose.report(wb, info.id, settings, model)
second = choose.report(wb, info.id, other, model) if other is not None else None
if report is None:
    st.stop()

text, side = st.columns([5, 3], gap="medium")
with text:
    drawing.draw(document, report, second, (str(settings), str(other or "")))
with side:
    numbers.draw(settings, report, other, second)
    detail.draw(report)
numbers.corpus(wb, settings)
