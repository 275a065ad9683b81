"""Models behind addresses: added after a trial, tried again, replaced, taken out, brought back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.ui import literal
from ragdebug.ui.outside import model_form, taken_out

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench
    from ragdebug.workbench.remote import RemoteRow

_SAID = "_outside_models_said"  # (kind, sentence, hint) of the last thing that was done
_PART = "models"


def draw(wb: Workbench) -> None:
    """The registered models and the way to add one."""
    rows = wb.remote_models()
    if not rows:
        st.markdown(
            "**No models of yours yet.** Embeddings come from any address that speaks OpenAI's"
            " `/v1/embeddings` (OpenAI, Ollama, vLLM, TEI and others), reranking from `/rerank`"
            " (Cohere, Jina, TEI, Voyage). A key is read from an environment variable or from"
            " Streamlit's secrets, and never kept. Nothing is sent before you agree to it."
        )
    _said()
    taken_out.undo(
        _PART,
        lambda name: f"{literal.plain(name, 60)} is out of use; its vectors stay.",
        wb.restore_remote_model,
    )
    for row in rows:
        _model(wb, row)
    with st.expander("Add a model", expanded=not rows, icon=":material/add:"):
        model_form.draw(wb)
    gone = [r.record.model for r in wb.remote_models(removed=True)]
    taken_out.drawer(
        "Taken out",
        _PART,
        [(m.name, f"{m.name} · {m.model} · {m.host}") for m in gone],
        wb.restore_remote_model,
    )


def said(kind: str, sentence: str, hint: str = "") -> None:
    """Keep a sentence for the next run: ``done`` or ``problem``."""
    st.session_state[_SAID] = (kind, sentence, hint)


def _said() -> None:
    kind, sentence, hint = st.session_state.pop(_SAID, ("", "", ""))
    if kind == "done":
        st.success(literal.plain(sentence, 600), icon=":material/check:")
    elif kind:
        literal.problem(sentence, hint)


def _model(wb: Workbench, row: RemoteRow) -> None:
    m, record = row.record.model, row.record
    with (
        st.container(border=True, gap="small", key=f"outside_model_{m.name}"),
        st.container(
            horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
        ),
    ):
        with st.container(gap="xxsmall", width="stretch"):
            kind = f"{record.dimension:,} dimensions" if record.dimension else "reranker"
            st.markdown(f"**{literal.plain(m.full_name, 60)}** · {kind}")
            parts = [m.model, m.host, m.key_from.removeprefix("the ") or "no key"]
            if m.price_per_million:
                parts.append(f"{m.price_per_million:g} per million tokens")
            literal.small(" · ".join(parts))
            if not row.agreed:
                st.caption(
                    ":orange[:material/verified_user:] Nobody on this machine has agreed to ask"
                    f" {literal.plain(m.host, 80)}"
                    + (f" with {literal.plain(m.key_from, 120)}" if m.key_env else "")
                    + ". Until then it is not asked."
                )
            if not row.has_key:
                st.caption(
                    f":orange[:material/key_off:] {literal.plain(m.key_env, 60)} is not set where"
                    " this app runs. Set it and start the app again."
                )
        with st.container(
            horizontal=True, width="content", gap="small", vertical_alignment="center"
        ):
            if not row.agreed:
                st.button(
                    "Agree",
                    key=f"outside_allow_{m.name}",
                    icon=":material/verified_user:",
                    help="Only if you know where this workspace comes from.",
                    on_click=_allow,
                    args=(wb, m.name),
                )
            st.button(
                "Try it",
                key=f"outside_try_{m.name}",
                disabled=not row.agreed,
                icon=":material/network_check:",
                help="Sends one fixed sentence, and compares with what it answered before.",
                on_click=_try,
                args=(wb, m.name),
            )
            st.button(
                "Take out",
                key=f"outside_drop_{m.name}",
                icon=":material/remove_circle:",
                type="tertiary",
                on_click=_remove,
                args=(wb, m.name),
            )
        if st.session_state.get(_changed_key(m.name)):
            st.button(
                "Take the new one",
                key=f"outside_accept_{m.name}",
                icon=":material/published_with_changes:",
                help="Everything is embedded again with it; what the old one gave is kept.",
                on_click=_accept,
                args=(wb, m.name),
            )


def _allow(wb: Workbench, name: str) -> None:
    try:
        wb.allow_remote_model(name)
    except RagDebugError as error:
        said("problem", error.message, error.hint)


def _changed_key(name: str) -> str:
    return f"_outside_changed_{name}"


def _try(wb: Workbench, name: str) -> None:
    try:
        trial = wb.try_remote_model(name)
    except RagDebugError as error:
        said("problem", error.message, error.hint)
        return
    st.session_state[_changed_key(name)] = trial.same is False
    if trial.same is False:
        said("problem", trial.sentence, "Take the new one, or put the old one back at the address.")
    else:
        said("done", trial.sentence)


def _accept(wb: Workbench, name: str) -> None:
    try:
        trial = wb.accept_remote_model(name)
    except RagDebugError as error:
        said("problem", error.message, error.hint)
        return
    st.session_state.pop(_changed_key(name), None)
    said("done", trial.sentence)


def _remove(wb: Workbench, name: str) -> None:
    if wb.remove_remote_model(name):
        taken_out.remember(_PART, name)
