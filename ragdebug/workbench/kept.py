"""Things that are dear to make, kept while they are used."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


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
