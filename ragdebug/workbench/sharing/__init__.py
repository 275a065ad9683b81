"""What leaves a workspace for other people: settings as TOML, strategies as plain Python."""

from ragdebug.workbench.sharing.settings_files import SettingsFiles, SettingsReport


class Sharing(SettingsFiles):
    """Use cases of settings and strategies that travel."""


__all__ = ["SettingsReport", "Sharing"]
