"""What the app of a page still has to do, read from what page and server say to each other.

The page itself cannot tell: while it looks every second whether a job has ended, it runs again and
again without anything to wait for.
"""

from __future__ import annotations

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg


class Runs:
    """Whether a run of one page was asked for, or is under way; looks of a timer do not count."""

    def __init__(self) -> None:
        self._begun = self._asked = self._running = False

    @property
    def busy(self) -> bool:
        """Whether there is something to wait for."""
        return not self._begun or self._asked or self._running

    def sent(self, frame: str | bytes) -> None:
        """The page said something."""
        said = BackMsg.FromString(frame) if isinstance(frame, bytes) else BackMsg()
        if said.WhichOneof("type") == "rerun_script" and not said.rerun_script.is_auto_rerun:
            self._begun = self._asked = True

    def received(self, frame: str | bytes) -> None:
        """The server said something."""
        said = ForwardMsg.FromString(frame) if isinstance(frame, bytes) else ForwardMsg()
        match said.WhichOneof("type"):
            case "new_session" if self._asked:
                self._asked, self._running = False, True
            case "script_finished":
                self._running = False
