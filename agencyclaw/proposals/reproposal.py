"""Proposes a request again: for the present facts, after its card expired, or for a colleague."""

from __future__ import annotations

from agencyclaw.domain.changes import EffectScope
from agencyclaw.domain.effects import Effect
from agencyclaw.domain.field_sources import COMPOSED, QUOTE_LIMIT, FieldSource, Origin
from agencyclaw.domain.people import Actor
from agencyclaw.domain.policy import Deny
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Receipt
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.text import cut
from agencyclaw.domain.unsupported import UNSUPPORTED_REASON, UnsupportedEffect
from agencyclaw.proposals import notices
from agencyclaw.proposals.act_results import ActResult, not_theirs, refused
from agencyclaw.proposals.cards import redraw, thread_for
from agencyclaw.proposals.identities import Identity
from agencyclaw.proposals.propose import announce, with_cautions
from agencyclaw.store.conflicts import supersede
from agencyclaw.store.engine import Connection
from agencyclaw.store.events import record_event
from agencyclaw.store.proposal_states import open_drafts, replace_ended
from agencyclaw.store.proposals import drop_drafts, insert_draft


async def propose_anew(conn: Connection, old: Proposal, effect: Effect) -> None:
    """Open a new proposal for one that could not be carried out; it needs its own yes."""
    # Their rights are judged again when they confirm.
    actor = Actor(
        profile_id=old.actor_profile_id,
        name=old.actor_name,
        tier=effect.tier,
        slack_user_id=old.actor_slack_user_id,
        timezone=effect.timezone,
    )
    receipt_id = old.confirming_receipt_id or old.receipt_id
    draft = await _draft(conn, old, effect, actor, receipt_id)
    await _open(conn, old, draft, receipt_id)


async def prepare_again(
    conn: Connection, receipt: Receipt, who: Identity, old: Proposal, denied: Deny | None
) -> ActResult:
    """Open an expired proposal again at a press; pressed repeatedly, only once."""
    if result := not_theirs(receipt, who, old) or _not_expired(old) or refused(denied):
        return result
    if isinstance(old.effect, UnsupportedEffect):
        return ActResult(UNSUPPORTED_REASON, notices.UNSUPPORTED, is_private=True)
    there = old.model_copy(update={"place": thread_for(old, receipt.incoming.place)})
    draft = await _draft(conn, there, old.effect, who.actor, receipt.id)
    if not await replace_ended(conn, old.id, draft.id):
        # Of two presses at once, the other came first and has posted the card.
        await drop_drafts(conn, receipt.id)
        return ActResult("not_expired", notices.PREPARED_ALREADY, is_private=True)
    await _open(conn, old, draft, receipt.id)
    await redraw(conn, old, why="prepared_again")
    return ActResult("prepared_again")


async def prepare_for(
    conn: Connection, receipt: Receipt, who: Identity, theirs: Proposal, denied: Deny | None
) -> ActResult:
    """Open the same for a colleague who pressed on it, with their own rights and their own yes."""
    if theirs.actor_profile_id == who.actor.profile_id:
        return ActResult("own_already", notices.YOURS_ALREADY, is_private=True)
    effect = theirs.effect
    if isinstance(effect, UnsupportedEffect) or effect.scope is EffectScope.OWN:
        return ActResult("not_for_others", notices.NOT_FOR_OTHERS, is_private=True)
    if theirs.state is not ProposalState.OPEN or theirs.place.key != receipt.incoming.place.key:
        return ActResult("not_open", notices.ended(theirs, theirs.state), is_private=True)
    if result := refused(denied):
        return result
    effect = for_colleague(effect, theirs.actor_name, who.actor)
    draft = await _draft(conn, theirs, effect, who.actor, receipt.id)
    await _open(conn, theirs, draft, receipt.id)
    return ActResult("prepared_for_colleague")


def for_colleague(effect: Effect, author: str, colleague: Actor) -> Effect:
    """Return an effect in a colleague's name and time zone, whose sources are not the colleague's.

    They wrote none of it: what its author typed is another's words now, and the assistant's wording
    stays the assistant's. A text without a source counts as its author's.
    """
    known = {source.field for source in effect.field_sources}
    unknown = (
        FieldSource(field=name, origin=Origin.TYPED, quote=cut(text, QUOTE_LIMIT))
        for name, text in effect.prose().items()
        if name not in known and name != COMPOSED
    )
    sources = tuple(_of_author(one, author) for one in (*effect.field_sources, *unknown))
    own = effect.in_name_of(colleague.name)
    return own.model_copy(update={"field_sources": sources, "timezone": colleague.timezone})


def _of_author(source: FieldSource, author: str) -> FieldSource:
    """Return a source as a colleague of the author sees it; it takes a press."""
    theirs = {"origin": Origin.OTHERS, "whose": author} if source.origin is Origin.TYPED else {}
    return source.model_copy(update={**theirs, "needs_press": True})


def _not_expired(old: Proposal) -> ActResult | None:
    if old.state is ProposalState.EXPIRED and old.superseded_by is None:
        return None
    text = notices.PREPARED_ALREADY if old.superseded_by else notices.ended(old, old.state)
    return ActResult("not_expired", text, is_private=True, card=old.superseded_by)


async def _draft(
    conn: Connection, old: Proposal, effect: Effect, actor: Actor, receipt_id: int
) -> Proposal:
    if isinstance(effect, CreateTask):
        effect = await with_cautions(conn, old, effect)
    return await insert_draft(
        conn, effect, receipt_id=receipt_id, run_id=old.run_id, place=old.place, actor=actor
    )


async def _open(conn: Connection, old: Proposal, draft: Proposal, receipt_id: int) -> None:
    opened = await open_drafts(conn, [draft])
    superseded = await supersede(conn, draft)
    await announce(
        conn,
        opened,
        receipt_id=receipt_id,
        superseded=superseded,
        run_id=old.run_id,
        card=str(draft.id),
    )
    await record_event(conn, "proposal_renewed", actor=draft.actor_profile_id, proposal_id=draft.id)
