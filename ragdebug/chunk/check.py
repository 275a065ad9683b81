"""What can be known about a chunking before it runs."""

from __future__ import annotations

from ragdebug.errors import InvalidSetting
from ragdebug.settings import ChunkingSettings

# Room that a usual section path takes; less than this and labels are mostly cut away.
USUAL_LABEL_TOKENS = 12
# Rough characters of a token in European languages, for sizes in characters.
CHARS_PER_TOKEN = 4


def check_settings(settings: ChunkingSettings, window: int, special: int) -> list[str]:
    """Warnings about settings, each one sentence for a person.

    Args:
        settings: already refused where they could never work.
        window: most tokens the embedder reads, special ones included; 0 for no limit.
        special: how many of them the model takes for itself.

    Raises:
        InvalidSetting: when the settings cannot work together.
    """
    if settings.is_imported:
        return []
    if settings.strategy == "document":
        limit = f" of {window} tokens" if window else ""
        return [f"Whole documents are mostly longer than the window{limit}."] if window else []
    if settings.separators and settings.strategy != "recursive":
        raise InvalidSetting(
            f"Separators have no meaning for {settings.strategy}.",
            hint="Use recursive, or leave the separators out.",
        )
    if settings.overlap_unit == "sentences" and settings.strategy == "fixed":
        warnings = [
            "Overlap in sentences makes windows of unequal steps; fixed is exact without it."
        ]
    else:
        warnings = []
    room = window - special
    if window and room < 1:
        raise InvalidSetting(
            f"A window of {window} tokens has no room beside {special} special ones."
        )
    in_chars = settings.unit == "chars"
    size = -(-settings.size // CHARS_PER_TOKEN) if in_chars else settings.size
    told = f"Size {settings.size}" + (f" characters (about {size} tokens)" if in_chars else "")
    if window and size > room:
        warnings.append(
            f"{told} is beyond the window of {window} tokens ({special} of them special): "
            f"vector search does not see the last {size - room} tokens of a full chunk."
        )
    elif window and settings.label and room - size < USUAL_LABEL_TOKENS:
        warnings.append(
            f"{told} leaves {room - size} tokens of the window of {window} for the label: "
            "longer section paths are cut."
        )
    if not settings.overlap_unit and 2 * settings.overlap > settings.size:
        times = settings.size / (settings.size - settings.overlap)
        warnings.append(
            f"Overlap {settings.overlap} of size {settings.size} stores every passage about "
            f"{times:.0f} times."
        )
    if size < 16:
        warnings.append(f"{told} is very small: most chunks will be a few words without context.")
    return warnings
