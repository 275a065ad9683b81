"""What leaves a workspace for other people: settings as TOML, strategies as plain Python."""

from ragdebug.workbench.sharing.plain_python import PlainExport, PlainPython
from ragdebug.workbench.sharing.settings_files import SettingsFiles, SettingsReport


class Sharing(PlainPython, SettingsFiles):
    """Use cases of settings and strategies that travel."""


__all__ = ["PlainExport", "SettingsReport", "Sharing"]
