"""The older part of a long thread that a digest replaces."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from agencyclaw.agents.thread import Line
from agencyclaw.conversation.condensing import fitted
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.thread import Digest


def line(number: int) -> Line:
    whose = f"author {number}"
    text = f"message {number}"
    material = Material(origin=Origin.OTHERS, whose=whose, text=text)
    return Line(ts=f"{number}.000001", whose=whose, text=text, material=material)


def test_a_digest_rests_on_whatever_any_of_its_condensings_had_room_for() -> None:
    """The first condensing left out message 1, the second message 4."""
    digest = Digest(text="They agreed.", until="6.000001", fingerprint="", left_out=2)
    thread = fitted([line(number) for number in range(9)], ZoneInfo("UTC"), 1_000, digest)
    authors = {material.whose for material in thread.materials}
    assert authors >= {f"author {number}" for number in range(9)}
    assert (thread.condensed, thread.left_out) == (4, 2)
