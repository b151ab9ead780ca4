"""Values that were used last are kept, and no more of them than there is room for."""

from __future__ import annotations

from agencyclaw.domain.recent import RecentCache


def test_the_value_that_was_used_longest_ago_makes_room() -> None:
    cache, made = RecentCache[str, str](max_size=2), list[str]()

    def value(key: str) -> str:
        return cache.get(key, lambda: made.append(key) or key.upper())

    assert [value(key) for key in ("a", "b", "a", "c", "a", "b")] == ["A", "B", "A", "C", "A", "B"]
    assert made == ["a", "b", "c", "b"]
