"""What answers may cost within a month: all of a workspace, a person's, a schedule's."""

from __future__ import annotations

from typing import Literal

from agencyclaw.domain.people import Value

# From this part of a cap on, whom it concerns is told once.
NEARLY = 0.8
# One schedule that has cost so many dollars within a month is paused.
SCHEDULE_A_MONTH_AT_MOST = 5.0
Spender = Literal["schedule", "person", "workspace"]


class CostCaps(Value):
    """Dollars that a month's answers may cost; 0 is no cap."""

    person: float = 0.0
    workspace: float = 0.0


class Spent(Value):
    """What answers have cost since the month began; `month` is its name, such as 2026-11."""

    month: str
    schedule: float
    person: float
    workspace: float


class WorkspaceSpent(Value):
    """What a workspace has spent this month, and how many people have reached their own cap.

    `unpriced` are tokens of models without a known price, which no cap counts.
    """

    team_id: str = ""
    cost_usd: float = 0.0
    unpriced: int = 0
    people_at_limit: int = 0


class Share(Value):
    """How much of a cap is used."""

    spender: Spender
    spent: float
    most: float

    @property
    def is_reached(self) -> bool:
        """Whether no further answer may be begun."""
        return self.spent >= self.most

    @property
    def is_near(self) -> bool:
        """Whether the cap is nearly reached, or is."""
        return self.spent >= NEARLY * self.most


def shares(spent: Spent, caps: CostCaps, *, of_schedule: bool) -> tuple[Share, ...]:
    """Return how much of each cap that there is has been used."""
    of_one = SCHEDULE_A_MONTH_AT_MOST if of_schedule else 0
    every: tuple[Share, ...] = (
        Share(spender="schedule", spent=spent.schedule, most=of_one),
        Share(spender="person", spent=spent.person, most=caps.person),
        Share(spender="workspace", spent=spent.workspace, most=caps.workspace),
    )
    return tuple(share for share in every if share.most > 0)
