"""Where a document is cut: boundaries on its own text, sizes, and what was torn."""

from __future__ import annotations

import streamlit as st

from ragdebug.ui import chunking_form, frame, literal, start
from ragdebug.ui.chunks import choose, detail, drawing, evidence, numbers
from ragdebug.ui.health import beside

wb = frame.page("Chunks", icon=":material/segment:")
infos = [d for d in wb.documents() if d.version]
if not infos:
    start.first_steps(wb)
    st.stop()

with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
    info = choose.document(infos)
    model = choose.model(wb)
    compare = choose.compare()
theirs = [s.name for s in wb.piece_sets()]
forms = [chunking_form.draw(name="A" if compare else "", drag=True, imported=theirs)]
if compare:
    forms.append(
        chunking_form.draw("_b", choose.OTHER, name="B", drag=True, imported=theirs),
    )
for settings in forms:
    for warning in choose.warnings(wb, settings, model):
        literal.note(warning if len(forms) == 1 else f"{settings}: {warning}")

document = wb.document(info.id)
cuts = choose.cuts(wb, info.id, forms, model)
if not cuts:
    st.stop()
chosen = drawing.selected(cuts)
expected = evidence.read(wb, document)

beside.chunks(wb, {c.name: c.settings for c in cuts}, model)
text, side = st.columns([5, 3], gap="medium")
with text:
    drawing.draw(document, cuts, chosen, expected, evidence.expect(wb, document))
    evidence.line(expected)
with side:
    numbers.draw(cuts, chosen)
    detail.draw(chosen, several=len(cuts) > 1)
    numbers.histogram(cuts)
numbers.corpus(wb, cuts)
