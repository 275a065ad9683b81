"""Models of the hub: in its local cache, or fetched when a person agreed. No torch."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from ragdebug.errors import DownloadNotAllowed, ModelError, ModelNotFound
from ragdebug.model_files import config

# What other frameworks and runtimes would need; several times the size of what is used here.
SKIPPED = ("*.onnx", "*.onnx_data", "onnx/*", "openvino/*", "*.h5", "*.msgpack", "*.ot", "*.gguf",
           "coreml/*", "*.tflite", "*.mlmodel")  # fmt: skip
ANSWER_S = 10.0  # the longest to wait for the hub's answer about a size


@dataclass(frozen=True, slots=True)
class Download:
    """What fetching a model would take: its name on the hub, how many files, how many bytes."""

    name: str
    repo: str
    files: int
    size_bytes: int


def split_name(name: str) -> tuple[str, str]:
    """``org/model@revision`` as (``org/model``, revision); revision "" when none is given."""
    repo, _, revision = name.partition("@")
    return repo.strip(), revision.strip()


def repo_of(name: str) -> str:
    """The hub's name of a model: names without an organisation are sentence-transformers' own.

    Raises:
        ModelNotFound: when this cannot be the name of a model.
    """
    repo, _ = split_name(name)
    if not re.fullmatch(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?", repo, re.ASCII):
        raise ModelNotFound(
            f"There is no model {name!r}: no such folder, and no name of a model.",
            hint="Give a folder, or a name such as org/model or org/model@revision.",
        )
    return repo if "/" in repo else f"sentence-transformers/{repo}"


def is_offline() -> bool:
    """Whether RAGDEBUG_OFFLINE forbids every download."""
    return os.environ.get("RAGDEBUG_OFFLINE", "").strip().lower() in ("1", "true", "yes", "on")


def cache_folders() -> list[Path]:
    """Where sentence-transformers and the hub's own library keep models, in that order."""
    hub = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE")
    if not hub:
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        hub = str(Path(os.environ.get("HF_HOME") or Path(cache) / "huggingface") / "hub")
    own = os.environ.get("SENTENCE_TRANSFORMERS_HOME")
    return [Path(p).expanduser() for p in (own, hub) if p]


def cached(name: str) -> tuple[Path, str] | None:
    """(folder, commit) of a model in the local cache; None when it is not there, or in part."""
    _, revision = split_name(name)
    inner = "models--" + repo_of(name).replace("/", "--")
    for base in cache_folders():
        model = base / inner
        commit = revision
        try:
            commit = (model / "refs" / (revision or "main")).read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            # Not a branch or tag that was fetched: a commit, which may be written shorter.
            found = [p.name for p in (model / "snapshots").glob(f"{_plain(revision)}*")]
            commit = found[0] if revision and len(found) == 1 else ""
        folder = model / "snapshots" / commit
        if commit and config.is_complete(folder):
            return folder, commit
    return None


def _plain(revision: str) -> str:
    return revision if re.fullmatch(r"[0-9a-f]+", revision) else "?"


def fetch(name: str, allow_download: bool) -> tuple[Path, str]:
    """(folder, commit) of a model from the local cache, else from the hub.

    Raises:
        DownloadNotAllowed: when it is not here and nobody agreed, or RAGDEBUG_OFFLINE=1.
        ModelNotFound: when the hub has no such model or revision.
        ModelError: when the hub cannot be reached, or refuses.
    """
    here = cached(name)
    if here is not None:
        return here
    repo, revision = repo_of(name), split_name(name)[1]
    if is_offline():
        raise DownloadNotAllowed(
            f"The model {name} is not on this machine, and RAGDEBUG_OFFLINE=1 forbids to fetch it.",
            hint="Give a folder that holds the model, or use an embedded one: all-MiniLM-L6-v2.",
        )
    if not allow_download:
        raise DownloadNotAllowed(
            f"The model {name} is not on this machine; it would be fetched from the hub as {repo}.",
            hint="Agree to the download, give a folder that holds the model, or use an embedded"
            " one: all-MiniLM-L6-v2.",
        )
    return _download(name, repo, revision)


def size_of(name: str) -> Download:
    """Ask the hub what `fetch` would take; nothing is fetched.

    Raises:
        DownloadNotAllowed: RAGDEBUG_OFFLINE=1.
        ModelNotFound, ModelError: as `fetch`.
    """
    repo, revision = repo_of(name), split_name(name)[1]
    if is_offline():
        raise DownloadNotAllowed(f"RAGDEBUG_OFFLINE=1 forbids to ask the hub about {repo}.")
    import huggingface_hub

    with _asking(name, repo, revision):
        found = huggingface_hub.HfApi().model_info(
            repo, revision=revision or None, files_metadata=True, timeout=ANSWER_S
        )
    sizes = [
        file.size or 0
        for file in found.siblings or ()
        if not any(fnmatch(file.rfilename, pattern) for pattern in SKIPPED)
    ]
    return Download(name, repo, len(sizes), sum(sizes))


def _download(name: str, repo: str, revision: str) -> tuple[Path, str]:
    import huggingface_hub

    with _asking(name, repo, revision):
        folder = Path(
            huggingface_hub.snapshot_download(
                repo,
                revision=revision or None,
                cache_dir=cache_folders()[0],
                ignore_patterns=list(SKIPPED),
            )
        )
    return folder, folder.name


@contextmanager
def _asking(name: str, repo: str, revision: str) -> Iterator[None]:
    """What the hub's library raises, as one sentence for a person."""
    from huggingface_hub import errors

    try:
        yield
    except (errors.RepositoryNotFoundError, errors.RevisionNotFoundError) as e:
        raise ModelNotFound(
            f"The hub has no model {repo}" + (f" with a revision {revision}." if revision else "."),
            hint="Check the name; a private model needs the hub's own login.",
        ) from e
    except Exception as e:  # of three HTTP libraries, by version
        raise ModelError(
            f"The model {name} could not be fetched: {type(e).__name__}.",
            hint="Check the network and try again, or give a folder that holds the model.",
        ) from e
