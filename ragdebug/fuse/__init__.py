"""Fusing ranked lists into one, and comparing them."""

from ragdebug.fuse.overlap import rbo, shared
from ragdebug.fuse.run import fuse

__all__ = ["fuse", "rbo", "shared"]
