"""The form of a model behind an address. It is added only when it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.settings import RemoteModel
from ragdebug.settings.remote import MOST_AT_ONCE
from ragdebug.ui import literal

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

FORMS = {
    "Embeddings, as OpenAI's /v1/embeddings": ("embedder", "openai"),
    "Reranking, as Cohere's or Jina's /rerank": ("reranker", "cohere"),
    "Reranking, as TEI's /rerank": ("reranker", "tei"),
    "Reranking, as Voyage's /rerank": ("reranker", "voyage"),
}
_PROBLEM = "_outside_model_problem"
_KEYS = (
    "form", "name", "url", "model", "key_env", "key_header", "batch", "parallel", "timeout", "rpm",
    "tpm", "dimensions", "window", "price", "query_prompt", "passage_prompt",
)  # fmt: skip


def draw(wb: Workbench) -> None:
    """Draw the form and add what it describes."""
    with st.form("outside_model_form", border=False):
        form = st.selectbox("What it does", list(FORMS), key="_outside_m_form")
        left, right = st.columns(2)
        left.text_input(
            "Name here", key="_outside_m_name", placeholder="prod-small",
            help="Strategies call it api:NAME. Small letters, digits, - _ and .",
        )  # fmt: skip
        right.text_input(
            "Address", key="_outside_m_url", placeholder="https://api.openai.com/v1",
            help="Up to /v1, or the whole one. Without a key in it.",
        )  # fmt: skip
        left.text_input(
            "Model, as the server calls it", key="_outside_m_model",
            placeholder="text-embedding-3-small",
        )  # fmt: skip
        right.text_input(
            "Environment variable that holds the key", key="_outside_m_key_env",
            placeholder="none needed; such as OPENAI_API_KEY",
            help="Its name, never the key itself. A name in Streamlit's secrets will do, too.",
        )  # fmt: skip
        with st.expander("Header of the key, pace, price, prompts, window", icon=":material/tune:"):
            _more()
        if st.form_submit_button(
            "Try it and add it",
            type="primary",
            icon=":material/network_check:",
            help="Sends one fixed sentence. It is added when it answers.",
        ):
            _add(wb, form or next(iter(FORMS)))
    if problem := st.session_state.get(_PROBLEM):
        literal.problem(*problem)


def _more() -> None:
    st.text_input(
        "Header that carries the key", key="_outside_m_key_header",
        placeholder="Authorization, after the word Bearer",
        help="Where a server wants another one: api-key for Azure OpenAI. Its name, never the key.",
    )  # fmt: skip
    one, two, three = st.columns(3)
    one.number_input("Texts in one request", 1, 10_000, 64, key="_outside_m_batch")
    two.number_input("Longest wait, seconds", 1, 3600, 60, key="_outside_m_timeout")
    three.number_input(
        "Price of a million tokens", 0.0, None, 0.0, step=0.01, format="%.4g",
        key="_outside_m_price", help="For the estimate that is shown before anything is sent.",
    )  # fmt: skip
    one.number_input("Requests a minute, 0: no limit", 0, None, 0, key="_outside_m_rpm")
    two.number_input("Tokens a minute, 0: no limit", 0, None, 0, key="_outside_m_tpm")
    three.number_input(
        "Window in tokens, 0: unknown", 0, None, 0, key="_outside_m_window",
        help="What is longer is marked as not read.",
    )  # fmt: skip
    one.number_input(
        "Length of vectors, 0: its own", 0, 100_000, 0, key="_outside_m_dimensions",
        help="Where the server can shorten them.",
    )  # fmt: skip
    two.number_input(
        "Requests at the same time, 0: chosen", 0, MOST_AT_ONCE, 0, key="_outside_m_parallel",
        help="1 for a server on this machine, 4 for one elsewhere. The pace is kept by all.",
    )  # fmt: skip
    left, right = st.columns(2)
    left.text_input("Put in front of a query", key="_outside_m_query_prompt")
    right.text_input("Put in front of a text", key="_outside_m_passage_prompt")


def _add(wb: Workbench, form: str) -> None:
    from ragdebug.ui.outside import models

    got: dict[str, Any] = {k: st.session_state.get(f"_outside_m_{k}") for k in _KEYS}
    kind, protocol = FORMS[form]
    st.session_state.pop(_PROBLEM, None)
    try:
        settings = RemoteModel(
            name=str(got["name"] or ""),
            kind=kind,
            form=protocol,
            url=str(got["url"] or ""),
            model=str(got["model"] or ""),
            key_env=str(got["key_env"] or ""),
            key_header=str(got["key_header"] or ""),
            batch=int(got["batch"]),
            parallel=int(got["parallel"]),
            timeout_s=float(got["timeout"]),
            requests_per_minute=float(got["rpm"]),
            tokens_per_minute=float(got["tpm"]),
            dimensions=int(got["dimensions"]),
            window=int(got["window"]),
            price_per_million=float(got["price"]),
            query_prompt=str(got["query_prompt"] or ""),
            passage_prompt=str(got["passage_prompt"] or ""),
        )
        with st.spinner("Asking the model one sentence"):
            trial = wb.add_remote_model(settings)
    except RagDebugError as error:
        st.session_state[_PROBLEM] = (error.message, error.hint)
        return
    for key in _KEYS:
        st.session_state.pop(f"_outside_m_{key}", None)
    next_step = (
        "Choose it as the model on Search and Results."
        if kind == "embedder"
        else "Choose it as the reranker in the settings of a column on Search."
    )
    models.said("done", f"{trial.sentence} {next_step}")
    st.rerun()
