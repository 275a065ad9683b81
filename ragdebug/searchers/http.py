"""An HTTP address as a searcher."""

from __future__ import annotations

from collections.abc import Sequence

from ragdebug.searchers.hits import understand
from ragdebug.searchers.records import MOST_HITS, Reply
from ragdebug.settings.searcher import BODY, SearcherSettings, fill_from_environment
from ragdebug.settings.template import as_filter, fill_address, fill_body
from ragdebug.web import key_of
from ragdebug.web.client import JsonClient
from ragdebug.web.records import Address

MOST_BYTES = 32 << 20


class HttpSearcher:
    """Asks an address.

    Args:
        settings: of kind http.
    """

    def __init__(self, settings: SearcherSettings) -> None:
        self.settings = settings
        self.name = f"The searcher {settings.name}"
        self.stamp = 0.0
        self._client = JsonClient(
            Address(
                self.name,
                key_env=settings.key_env,
                timeout_s=settings.timeout_s,
                requests_per_minute=settings.requests_per_minute,
                tries=settings.retries + 1,
                most_bytes=MOST_BYTES,
            )
        )

    @property
    def takes_filter(self) -> bool:
        """See `Searcher`."""
        return self.settings.takes_filter()

    def ask(self, query: str, k: int, pairs: Sequence[tuple[str, str]]) -> Reply:
        """See `Searcher`."""
        s = self.settings
        wanted = as_filter(pairs)
        body = None if s.method == "GET" else fill_body(s.body or BODY, query, k, wanted)
        answer = self._client.ask(
            s.method,
            fill_address(s.url, query, k, wanted),
            body,
            headers={name: fill_from_environment(value, key_of) for name, value in s.headers},
        )
        most = max(k, MOST_HITS)
        return Reply.of(
            self.name,
            answer.value,
            answer.elapsed_s,
            lambda: understand(answer.value, s.hits, dict(s.fields), most, k),
        )

    def close(self) -> None:
        """See `Searcher`."""
        self._client.close()
