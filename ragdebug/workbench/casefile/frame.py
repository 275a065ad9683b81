"""The frame of a file that opens by itself: no network, no script that runs, one style sheet."""

from __future__ import annotations

import base64
import hashlib

from ragdebug.workbench.casefile.markup import Html, el, join
from ragdebug.workbench.casefile.style import STYLE


def page(title: str, body: Html, block: str = "") -> str:
    """A whole HTML document.

    Args:
        title: of the browser's tab.
        body: what is shown.
        block: a script element that holds data.
    """
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )
    head = el(
        "head",
        el("meta", charset="utf-8"),
        # Before anything else that could load something.
        el("meta", http_equiv="Content-Security-Policy", content=policy),
        el("meta", name="referrer", content="no-referrer"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", title),
        Html(f"<style>{STYLE}</style>"),
    )
    whole = el("html", head, el("body", join(body, Html(block))), lang="en")
    return f"<!DOCTYPE html>\n{whole}\n"


def data_url(image: bytes) -> str:
    """An image as its own address."""
    kind = "png" if image.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(image).decode()}"
