"""Carrying out `kpi_target_upsert`: one row, checked under a lock."""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.kpi import Goals, SetTarget
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.proposals.handlers import DatabaseHandler
from agencyclaw.proposals.outcomes import Done, NotDone, changed_since
from agencyclaw.store.engine import Connection
from agencyclaw.store.targets import TargetRecord


class TargetSetting(DatabaseHandler[SetTarget]):
    """Sets the targets of a period, unless somebody changed them since."""

    kind = SetTarget

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write if the row still holds what the card showed."""
        effect = self.effect_of(proposal)
        record = TargetRecord(conn, effect)
        now = await record.read()
        if now != effect.before or not await record.write(
            effect.after, is_new=now is None, by=proposal.confirmed_by
        ):
            return _changed(effect, now)
        return Done({"before": _facts(effect, now), "after": _facts(effect, effect.after)})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say what holds now, and what held before."""
        effect = self.effect_of(proposal)
        where = f"{effect.brand.name} {effect.marketplace}, {effect.when}"
        if done.result["after"]["goals"] is None:
            return Note(text=message("targets.targets_are_taken_away", where=where))
        before = _worded(effect.before)
        return Note(
            text=message(
                "targets.set_before", where=where, worded=_worded(effect.after), before=before
            )
        )

    def undo(self, proposal: Proposal) -> SetTarget:
        """Set what held before, or take the row away again."""
        effect = self.effect_of(proposal)
        return effect.model_copy(update={"before": effect.after, "after": effect.before})


def _worded(goals: Goals | None) -> str:
    return ", ".join(f"{name} {value}" for name, value in goals.rows()) if goals else "no target"


def _changed(effect: SetTarget, now: Goals | None) -> NotDone:
    return changed_since(
        message(
            "targets.targets_were_changed_since",
            brand=effect.brand.name,
            marketplace=effect.marketplace,
            when=effect.when,
            worded=_worded(now),
        ),
        effect.onto(now),
    )


def _facts(effect: SetTarget, goals: Goals | None) -> dict[str, Any]:
    return {
        "brand_id": str(effect.brand.id),
        "brand": effect.brand.name,
        "marketplace": effect.marketplace,
        "period": effect.period,
        "start": effect.start.isoformat(),
        "goals": goals.model_dump(mode="json") if goals else None,
    }
