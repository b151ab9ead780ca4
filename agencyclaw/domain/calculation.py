"""The result of a calculation."""

from __future__ import annotations

from agencyclaw.domain.people import Value


class Calculation(Value):
    """The output of a program; without one, `fault` tells the program's author why."""

    printed: str = ""
    fault: str = ""
