"""One zip file with all that cannot be computed again, and back."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
import zipfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ragdebug.errors import StoreBusy, StoreDamaged, StoreError
from ragdebug.store.clean import iso, now
from ragdebug.store.connection import Database
from ragdebug.store.disk import sync_folder
from ragdebug.store.migrations import FACTS, VECTORS, newest

if TYPE_CHECKING:
    from ragdebug.store.workspace import Store

FORMAT = 1
MANIFEST = "manifest.json"
MAX_BYTES = 50_000_000_000
_MANIFEST_BYTES = 100_000_000
_DATABASES = {"facts.duckdb": FACTS, "vectors.duckdb": VECTORS}
_UPLOAD = re.compile(r"uploads/([0-9a-f]{64})")
_BLOCK = 1 << 20


def backup(store: Store, file: Path, *, vectors: bool = True) -> Path:
    """Write a backup, replacing an older one of that name whole.

    Args:
        store: the workspace; others may go on using it.
        file: the zip file to write.
        vectors: whether vectors, scores and chunks go along, which can be computed again.

    Raises:
        StoreError: the disk is full or not writable, or a database cannot be read.
    """
    made = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=".backup-") as folder:
            copies = [Path(folder) / "facts.duckdb"]
            store.facts.copy_to(copies[0])
            if vectors:
                copies.append(Path(folder) / "vectors.duckdb")
                store.cache.copy_to(copies[1])
            with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, True, 1) as archive:
                _write(archive, store, copies)
        with made.open("rb") as written:
            os.fsync(written.fileno())
        os.replace(made, file)
        sync_folder(file.parent)
    except OSError as error:
        raise StoreError(
            f"The backup {file} could not be written: {error.strerror or error}.",
            hint="Check the room on the disk and the folder's permissions.",
        ) from error
    finally:
        made.unlink(missing_ok=True)
    return file


def _write(archive: zipfile.ZipFile, store: Store, copies: list[Path]) -> None:
    entries: dict[str, dict[str, Any]] = {}
    for copy in copies:
        entries[copy.name] = _add(archive, copy, copy.name)
    for name in store.uploads.names():
        path = store.uploads.path(name)
        if path.exists():  # a purge may have been faster
            entries[f"uploads/{name}"] = _add(archive, path, f"uploads/{name}")
    manifest = {
        "format": FORMAT,
        "made_at": iso(now()),
        "schema": {name: newest(m) for name, m in _DATABASES.items()},
        "files": entries,
    }
    archive.writestr(MANIFEST, json.dumps(manifest))


def _add(archive: zipfile.ZipFile, path: Path, name: str) -> dict[str, Any]:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as source, archive.open(name, "w", force_zip64=True) as target:
        while block := source.read(_BLOCK):
            digest.update(block)
            size += len(block)
            target.write(block)
    return {"bytes": size, "sha256": digest.hexdigest()}


def restore(file: Path, folder: Path, *, max_bytes: int = MAX_BYTES) -> None:
    """Make a workspace from a backup. The folder must not exist, or be empty.

    Everything is checked before the folder is touched: names, real sizes, hashes, and whether this
    program can open the databases.

    Raises:
        StoreBusy: the folder already holds something.
        StoreDamaged: the file is not a backup, or not a whole one.
        StoreTooNew: a newer release wrote it.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise StoreBusy(
            f"{folder} already holds something; a backup is never restored over it.",
            title="Folder not empty",
            hint="Name a new folder.",
        )
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".restore-") as made:
            _unpack(file, Path(made) / "new", max_bytes)
            for name, migrations in _DATABASES.items():
                if (Path(made) / "new" / name).exists():
                    database = Database(Path(made) / "new" / name, migrations, linger_s=0)
                    with database.cursor() as cursor:
                        cursor.execute("SELECT 1")
            for left in ("owner.json", "facts.duckdb.revision", "vectors.duckdb.revision"):
                (Path(made) / "new" / left).unlink(missing_ok=True)
            if folder.exists():
                folder.rmdir()
            shutil.move(Path(made) / "new", folder)
    except zipfile.BadZipFile as error:
        raise _not_whole(file, str(error)) from error
    except OSError as error:
        raise StoreError(
            f"The backup {file} could not be restored to {folder}: {error.strerror or error}."
        ) from error


def _unpack(file: Path, folder: Path, max_bytes: int) -> None:
    (folder / "uploads").mkdir(parents=True)
    with zipfile.ZipFile(file) as archive:
        names = archive.namelist()
        for name in names:
            if name not in (MANIFEST, *_DATABASES) and not _UPLOAD.fullmatch(name):
                raise _not_whole(file, f"{name!r} does not belong in a backup")
        if len(set(names)) != len(names) or MANIFEST not in names or "facts.duckdb" not in names:
            raise _not_whole(file, "its list of files is not one of a backup")
        files = _manifest(file, archive)
        if set(files) != set(names) - {MANIFEST}:
            raise _not_whole(file, "files are missing or have been added")
        room = max_bytes
        for name, entry in files.items():
            limit = min(room, entry["bytes"])
            with archive.open(name) as source:
                size, digest = _copy(source, folder / name, limit)
            room -= size
            named = _UPLOAD.fullmatch(name)
            wrong_name = named is not None and named[1] != digest
            if size != entry["bytes"] or digest != entry["sha256"] or wrong_name:
                raise _not_whole(file, f"{name} has other bytes than when it was written")


def _manifest(file: Path, archive: zipfile.ZipFile) -> dict[str, dict[str, Any]]:
    with archive.open(MANIFEST) as source:
        data = source.read(_MANIFEST_BYTES + 1)
    try:
        if len(data) > _MANIFEST_BYTES:
            raise ValueError("too long")
        manifest = json.loads(data)
        if int(manifest["format"]) > FORMAT:
            raise _not_whole(file, "a newer version of this program wrote it")
        files = {str(name): dict(entry) for name, entry in manifest["files"].items()}
        for entry in files.values():
            entry["bytes"], entry["sha256"] = int(entry["bytes"]), str(entry["sha256"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _not_whole(file, f"{MANIFEST} cannot be read") from error
    return files


def _copy(source: IO[bytes], target: Path, limit: int) -> tuple[int, str]:
    """Unpack one file; stops one block after `limit`, whatever the archive says of its size."""
    digest, size = hashlib.sha256(), 0
    with target.open("wb") as out:
        while size <= limit and (block := source.read(_BLOCK)):
            digest.update(block)
            size += len(block)
            out.write(block)
        out.flush()
        os.fsync(out.fileno())
    return size, digest.hexdigest()


def _not_whole(file: Path, why: str) -> StoreDamaged:
    return StoreDamaged(
        f"{file} is not a whole backup: {why}. Nothing was restored.",
        title="Not a backup",
        hint="Make the backup again, or use another one.",
    )
