"""How long what is stored waits for a neighbour, and in which pauses."""

from __future__ import annotations

from agencyclaw.domain.waiting import is_over, next_try_s


def tries(*, is_costly: bool = False) -> list[float]:
    """When something is tried that waits until its end."""
    at = [0.0]
    while not is_over(at[-1]) and len(at) < 10_000:
        at.append(at[-1] + next_try_s(at[-1], is_costly=is_costly))
    return at


def test_pauses_grow_to_a_limit() -> None:
    pauses = [later - earlier for earlier, later in zip(tries(), tries()[1:], strict=False)]

    assert pauses == sorted(pauses)
    assert (pauses[0], pauses[-1]) == (1.0, 20.0)
    assert len({round(one, 3) for one in pauses}) > 5


def test_it_ends_after_ten_minutes_and_is_tried_till_then() -> None:
    assert 600.0 <= tries()[-1] < 620.0
    assert not is_over(599.9)


def test_what_costs_at_each_try_is_tried_less_often() -> None:
    assert len(tries(is_costly=True)) < 20 < len(tries())
    assert 600.0 <= tries(is_costly=True)[-1] < 720.0


def test_who_says_when_to_come_back_is_not_asked_before() -> None:
    assert next_try_s(0.0, 45.0) == 45.0
    assert next_try_s(100.0, 1.0) == 20.0
