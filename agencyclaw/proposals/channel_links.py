"""Links a channel to its client or brand, and takes that back."""

from __future__ import annotations

from agencyclaw.domain.channel_links import ChannelOwner, LinkChannel, audited
from agencyclaw.domain.effects import Effect
from agencyclaw.domain.errors import Broken
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.records import NotWritten, changed_since
from agencyclaw.proposals.handlers import DatabaseHandler
from agencyclaw.proposals.outcomes import Done, NotDone, not_written
from agencyclaw.store.bindings import bind, hold_binding, unbind
from agencyclaw.store.brands import is_in_use
from agencyclaw.store.engine import Connection


class ChannelLinking(DatabaseHandler[LinkChannel]):
    """Writes whose a channel is, unless somebody has said otherwise since the card."""

    kind = LinkChannel

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Link the channel; a brand that is no longer the client's leaves it to the client."""
        effect = self.effect_of(proposal)
        binding = await hold_binding(conn, effect.team_id, effect.channel_id)
        now = binding.owner if binding else None
        if (now and now.scope) != (effect.before and effect.before.scope):
            return not_written(_changed(effect, now))
        after = await _as_it_is_now(conn, effect.after)
        if after is None:
            await unbind(conn, effect.team_id, effect.channel_id)
        else:
            if proposal.confirmed_by is None:
                raise Broken("a channel is linked by nobody")
            await bind(
                conn, effect.team_id, effect.channel_id, owner=after.scope, by=proposal.confirmed_by
            )
        channel_id = effect.channel_id
        return Done({"before": audited(channel_id, now), "after": audited(channel_id, after)})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say whose it is now."""
        return Note(text=self.effect_of(proposal).receipt(_written(done.result["after"]["owner"])))

    def undo(self, proposal: Proposal) -> Effect | str:
        """Return the channel to whom it belonged before."""
        effect, result = self.effect_of(proposal), proposal.result or {}
        written = _written(result["after"]["owner"])
        return effect.model_copy(
            update={"before": written, "after": effect.before, "field_sources": ()}
        )


def _changed(effect: LinkChannel, now: ChannelOwner | None) -> NotWritten:
    owner = now.name if now else message("effects.nobody")
    why = message("channels.changed_since", channel=effect.called, owner=owner)
    is_left = (now and now.scope) != (effect.after and effect.after.scope)
    return changed_since(why, effect.model_copy(update={"before": now}) if is_left else None)


async def _as_it_is_now(conn: Connection, owner: ChannelOwner | None) -> ChannelOwner | None:
    """Return an owner without a brand that is archived or another client's by now."""
    if owner is None or owner.client is None or owner.brand is None:
        return owner
    is_kept = await is_in_use(conn, owner.brand.id, owner.client.id)
    return owner if is_kept else ChannelOwner(client=owner.client)


def _written(stored: object) -> ChannelOwner | None:
    return ChannelOwner.model_validate(stored) if stored else None
