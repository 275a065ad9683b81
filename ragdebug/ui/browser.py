"""Which browser asks, so that what one person takes back is not what another one did.

The mark is that of Streamlit's own cookie against forged requests: it outlives a reload and is the
same in all tabs. Without it (a test, cookies switched off) each session is somebody else.
"""

from __future__ import annotations

import hashlib

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

COOKIE = "_streamlit_xsrf"


def name() -> str:
    """A name of the browser whose script runs in this thread, "" where none does."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return ""
    mark = unmasked(st.context.cookies.get(COOKIE, ""))
    # It guards against forged requests, so that it is kept nowhere as it is.
    return hashlib.sha256(mark).hexdigest()[:16] if mark else context.session_id


def unmasked(cookie: str) -> bytes:
    """What stays the same in ``2|mask|masked|time``, whose mask is new with every answer.

    Empty where the cookie has another form.
    """
    try:
        version, mask, masked, _ = cookie.strip("\"'").split("|")
        bits = bytes.fromhex(mask)
        token = bytes(b ^ bits[at % len(bits)] for at, b in enumerate(bytes.fromhex(masked)))
    except (ValueError, ZeroDivisionError):
        return b""
    return token if version == "2" else b""
