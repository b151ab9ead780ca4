"""What came of a short program that worked something out."""

from __future__ import annotations

from agencyclaw.domain.people import Value


class Calculation(Value):
    """What a program printed, or why there is nothing: `fault` is for whoever wrote it."""

    printed: str = ""
    fault: str = ""
