"""Where app, theme, sample corpus and its questions lie: in the checkout, or inside the wheel.

The wheel carries them in ``ragdebug/_app``; a checkout (and an editable install of it) has them
beside the package, and those win, so that a developer always sees what is being edited.
"""

from __future__ import annotations

from pathlib import Path

from ragdebug.errors import RagDebugError

PACKAGE = Path(__file__).resolve().parent


class AppFilesMissing(RagDebugError):
    """The installation lacks the app's own files."""

    default_title = "Installation incomplete"


def app_folder() -> Path:
    """The folder that holds ``app.py``, ``pages``, ``.streamlit`` and ``data``.

    Raises:
        AppFilesMissing: when neither a checkout nor a complete wheel is there.
    """
    checkout = PACKAGE.parent
    # A site-packages folder may hold somebody else's app.py; only a checkout has both.
    if (checkout / "app.py").is_file() and (checkout / "pyproject.toml").is_file():
        return checkout
    inside = PACKAGE / "_app"
    if (inside / "app.py").is_file():
        return inside
    raise AppFilesMissing(
        f"The app's files are neither in {inside} nor in {checkout}.",
        hint="Install ragdebug-workbench again, or run it from a checkout.",
    )


def app_script() -> Path:
    """The start page, as ``streamlit run`` wants it; pages and theme lie beside it."""
    return app_folder() / "app.py"


def sample_folder() -> Path:
    """The sample corpus: a folder of documents that can be ingested as it is.

    Raises:
        AppFilesMissing: when the installation has no sample corpus.
    """
    folder = app_folder() / "data" / "sample"
    if not folder.is_dir():
        raise AppFilesMissing(
            f"There is no sample corpus at {folder}.",
            hint="Install ragdebug-workbench again, or run it from a checkout.",
        )
    return folder


def sample_questions() -> Path:
    """The file of questions on the sample corpus, with the passages that answer them.

    Raises:
        AppFilesMissing: when the installation has none.
    """
    file = app_folder() / "data" / "questions" / "questions.jsonl"
    if not file.is_file():
        raise AppFilesMissing(
            f"There are no sample questions at {file}.",
            hint="Install ragdebug-workbench again, or run it from a checkout.",
        )
    return file
