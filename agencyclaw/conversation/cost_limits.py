"""Whether one more answer may be begun, by what the month's answers have cost.

Answers that run at once are not added up, so a cap can be passed by what they cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.schedules import Firing
from agencyclaw.domain.spending import CostCaps, Share, shares
from agencyclaw.store.admin_notices import Recipient, notify, tell_admins
from agencyclaw.store.engine import Database
from agencyclaw.store.jobs import is_local
from agencyclaw.store.spending import spent_this_month


@dataclass(frozen=True)
class CostLimits:
    """Judges by the caps of this installation; a schedule has one in any case."""

    db: Database
    caps: CostCaps

    async def stopping(self, team_id: str, actor: Actor, firing: Firing | None = None) -> str:
        """Return why no model may be asked for this person now; "" if one may.

        Whom a cap concerns that is nearly reached is told once a month.
        """
        schedule_id = firing.schedule_id if firing else None
        if not (schedule_id or self.caps.person or self.caps.workspace):
            return ""
        spent = await spent_this_month(self.db, team_id, actor.profile_id, schedule_id)
        used = shares(spent, self.caps, of_schedule=schedule_id is not None)
        if not is_local(team_id):
            await self._warn(used, spent.month, team_id, actor)
        return next((_why(share) for share in used if share.is_reached), "")

    async def _warn(self, used: Sequence[Share], month: str, team_id: str, actor: Actor) -> None:
        near = [share for share in used if share.is_near and share.spender != "schedule"]
        if not near:
            return
        async with self.db.transaction() as conn:
            for share in near:
                key = f"cost:{team_id}:{month}:{share.spender}"
                if share.spender == "person" and not share.is_reached:
                    recipient = Recipient(team_id, actor.slack_user_id)
                    text = message("costs.person_near", spent=share.spent, most=share.most)
                    await notify(conn, f"{key}:{actor.profile_id}", recipient, Note(text=text))
                elif share.spender == "workspace":
                    level = "reached" if share.is_reached else "near"
                    brief = message("alerts.costs")
                    await tell_admins(conn, team_id, f"{key}:{level}", _for_admins(share), brief)


def _why(share: Share) -> str:
    match share.spender:
        case "schedule":
            return message("schedules.too_costly", most=share.most)
        case "person":
            return message("costs.person", most=share.most)
        case "workspace":
            return message("costs.workspace", most=share.most)
        case _:
            assert_never(share.spender)


def _for_admins(share: Share) -> str:
    if share.is_reached:
        return message("costs.workspace_reached", most=share.most)
    return message("costs.workspace_near", spent=share.spent, most=share.most)
