"""Things that are dear to make, kept while they are used."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ragdebug.protocols import TokenCounter

T = TypeVar("T")
OFFSETS_CHARS = 4_000_000  # texts whose tokens are remembered


class Kept(Generic[T]):
    """The last few values by key; each is made once, even when many threads ask."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, T] = OrderedDict()
        self._making: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of a key, made by `make` when it is not there."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
            making = self._making.setdefault(key, threading.Lock())
        try:
            with making:
                with self._lock:
                    if key in self._values:
                        return self._values[key]
                value = make()
                with self._lock:
                    self._values[key] = value
                    while len(self._values) > self._most:
                        self._values.popitem(last=False)
                return value
        finally:
            with self._lock:
                self._making.pop(key, None)

    def peek(self, key: Hashable) -> T | None:
        """The value of a key if it is there."""
        with self._lock:
            return self._values.get(key)

    def drop(self, key: Hashable) -> None:
        """Forget one key."""
        with self._lock:
            self._values.pop(key, None)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._values.clear()


class RememberingCounter:
    """A token counter that remembers where the tokens of the last texts stand.

    A slider cuts the same document again and again; its tokens stay where they are.
    """

    def __init__(self, counter: TokenCounter) -> None:
        self.name = counter.name
        self._counter = counter
        self._offsets: OrderedDict[str, NDArray[np.int64]] = OrderedDict()
        self._chars = 0
        self._lock = threading.Lock()

    def count(self, text: str) -> int:
        """Number of tokens."""
        return self._counter.count(text)

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """`count` of each text."""
        return self._counter.count_many(texts)

    def offsets(self, text: str) -> NDArray[np.int64]:
        """Shape (n, 2): where each token stands."""
        with self._lock:
            if text in self._offsets:
                self._offsets.move_to_end(text)
                return self._offsets[text]
        found = self._counter.offsets(text)
        with self._lock:
            if text not in self._offsets:
                self._offsets[text] = found
                self._chars += len(text)
            while self._chars > OFFSETS_CHARS and len(self._offsets) > 1:
                old, _ = self._offsets.popitem(last=False)
                self._chars -= len(old)
        return found
