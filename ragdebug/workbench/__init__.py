"""Use cases: ingest, look at chunks, build indexes, search."""

from ragdebug.workbench.core import Workbench, default_path
from ragdebug.workbench.jobs import Job, Jobs
from ragdebug.workbench.reports import (
    BuildReport,
    Check,
    ChunkOverview,
    CorpusSummary,
    IngestReport,
)

__all__ = [
    "BuildReport",
    "Check",
    "ChunkOverview",
    "CorpusSummary",
    "IngestReport",
    "Job",
    "Jobs",
    "Workbench",
    "default_path",
]
