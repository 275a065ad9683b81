"""Where models are and what is known of them before one is loaded; no torch."""

from ragdebug.model_files.about import info, known
from ragdebug.model_files.places import (
    MINILM_SHA256,
    ModelFiles,
    locate,
    verify,
)
from ragdebug.model_files.text import well_formed

__all__ = ["MINILM_SHA256", "ModelFiles", "info", "known", "locate", "verify", "well_formed"]
