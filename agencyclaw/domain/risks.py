"""What may go wrong in a client's work, as far as code can tell."""

from __future__ import annotations

from datetime import date

from agencyclaw.domain.clients import Named
from agencyclaw.domain.watches import Check, Watch, WatchedState, WatchFinding, findings_of

# The most urgent first.
RISKS = (
    Check.LATE,
    Check.MISSED_TARGET,
    Check.UNASSIGNED,
    Check.MISSING_TARGET,
    Check.UNMAPPED,
)


def risks_of(
    client: Named, state: WatchedState, today: date
) -> dict[Check, tuple[WatchFinding, ...]]:
    """Return what is wrong now, the most urgent kind first; kinds without any are left out."""
    found = {check: findings_of(Watch(client=client, check=check), state, today) for check in RISKS}
    return {check: findings for check, findings in found.items() if findings}
