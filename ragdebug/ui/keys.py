"""Keys of models and searchers elsewhere, from Streamlit's secrets where the environment has none.

They stay where they are: nothing on a page shows one, and none goes into a session's state.
"""

from __future__ import annotations

import streamlit as st

from ragdebug.web import add_source


def use_secrets() -> None:
    """Let keys be looked up in ``.streamlit/secrets.toml``, too. Twice is once."""
    add_source(_from_secrets)


def _from_secrets(name: str) -> str | None:
    """The secret of a name at the top of the file; None where there is none, or no text."""
    if not st.secrets.load_if_toml_exists():
        return None
    value = st.secrets.get(name)
    return value if isinstance(value, str) else None
