"""Values that were used last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class RecentCache(Generic[K, V]):
    """Makes each value once and keeps those that were used last."""

    def __init__(self, *, max_size: int = 1_000) -> None:
        self._max_size = max_size
        self._values: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """Return the value of a key, made if it is not kept."""
        if key not in self._values:
            self._values[key] = make()
            if len(self._values) > self._max_size:
                self._values.popitem(last=False)
        self._values.move_to_end(key)
        return self._values[key]
