"""A server of JSON on this machine; what it answers is its subclass's."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class Loopback:
    """Answers GET and POST on a free port until it is stopped."""

    def handle(self, handler: BaseHTTPRequestHandler, body: Any) -> None:
        raise NotImplementedError

    def start(self) -> None:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                outer.handle(self, None)

            def do_POST(self) -> None:
                size = int(self.headers.get("Content-Length", 0))
                outer.handle(self, json.loads(self.rfile.read(size)))

        self._server = _Quiet(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"


class _Quiet(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A client that went away is what some tests are about."""
