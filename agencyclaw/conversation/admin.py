"""What admins do and see in a workspace: pauses, where words may confirm, others' proposals."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from agencyclaw.domain.changes import EffectScope
from agencyclaw.domain.clients import admins_among, clients_named
from agencyclaw.domain.clock import clock_time
from agencyclaw.domain.commands import SlashCommand
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Freshness, Place, ScopeKind, Tier
from agencyclaw.domain.policy import help_with
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.text import counted, folded
from agencyclaw.proposals import notices
from agencyclaw.proposals.cards import redraw
from agencyclaw.proposals.identities import Identify, Identity
from agencyclaw.store.consent_rules import (
    Policy,
    RuleScope,
    begin_pause,
    drop_rule,
    end_pause,
    pause_at,
    set_rule,
)
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.events import record_event
from agencyclaw.store.homes import wake_homes
from agencyclaw.store.outbox import post_notice
from agencyclaw.store.proposal_states import release_confirmed
from agencyclaw.store.proposals import ProposalStore
from agencyclaw.store.receipts import keep_settled

_SUPER_ADMINS = message("admin.super_admins")
_ADMINS = message("admin.admins")
_USAGE = message("admin.usage")
_EVERYWHERE = "everywhere"
_POLICIES: dict[str, Policy | None] = {"press": "press", "words": "words", "default": None}


@dataclass(frozen=True)
class RulePlace:
    """Where a rule on consent holds, and its name in a sentence."""

    scope: RuleScope
    scope_id: str
    name: str


@dataclass(frozen=True)
class AdminCommands:
    """Carries out admins' decisions on consent and execution."""

    db: Database
    directory: DirectoryReader
    super_admins: frozenset[UUID]

    async def pause(self, typed: SlashCommand, identity: Identity) -> str:
        """Pause all execution of the workspace; confirmed proposals wait for another press."""
        if identity.actor.tier < Tier.SUPER_ADMIN:
            return await self._for_super_admins(identity)
        team_id, actor = typed.place.team_id, identity.actor
        async with self.db.transaction() as conn:
            if not await begin_pause(conn, team_id, actor.profile_id):
                return message("admin.already_paused")
            waiting = await release_confirmed(conn, team_id)
            # All tabs at once, after the proposals: whoever acts on one takes them in this order.
            await wake_homes(conn, team_id)
            for proposal in waiting:
                await redraw(conn, proposal, why=f"paused:{typed.key}")
                note = notices.paused_before(proposal, actor.name)
                await post_notice(conn, f"paused:{proposal.id}:{typed.key}", proposal, note)
            await self._record(
                conn, typed, "executions_paused", identity, {"released": len(waiting)}
            )
        text = message("admin.paused")
        back = message("admin.back_to_card", waiting=counted(len(waiting), "confirmed change"))
        return text + (back if waiting else "")

    async def resume(self, typed: SlashCommand, identity: Identity) -> str:
        """End the pause; every proposal still needs its own press."""
        if identity.actor.tier < Tier.SUPER_ADMIN:
            return await self._for_super_admins(identity)
        async with self.db.transaction() as conn:
            if not await end_pause(conn, typed.place.team_id, identity.actor.profile_id):
                return message("admin.not_paused")
            await wake_homes(conn, typed.place.team_id)
            await self._record(conn, typed, "executions_resumed", identity, {})
        return message("admin.resumed")

    async def consent(self, typed: SlashCommand, identity: Identity) -> str:
        """Set where a plain yes confirms, and where only a press does."""
        if identity.actor.tier < Tier.ADMIN:
            admins = admins_among(await self.directory.people())
            helped = help_with("admin_skill_denied", identity.actor, identity.surface, admins)
            return f"{_ADMINS} {helped}"
        policy, _, where = typed.rest.partition(" ")
        if folded(policy) not in _POLICIES:
            return _USAGE
        chosen = _POLICIES[folded(policy)]
        place = await self._place(typed, identity, where.strip(), chosen)
        if isinstance(place, str):
            return message("built.unchanged", why=place)
        return await self._decide(typed, identity, chosen, place)

    async def _for_super_admins(self, identity: Identity) -> str:
        """Say who can do it, by name unless another company reads along."""
        people = [] if identity.surface.is_shared else await self.directory.people()
        names = [person.name for person in people if person.profile_id in self.super_admins]
        if not names:
            return _SUPER_ADMINS
        return f"{_SUPER_ADMINS} {message('admin.super_admins_are', names=', '.join(names))}"

    async def _decide(
        self,
        typed: SlashCommand,
        identity: Identity,
        policy: Policy | None,
        place: RulePlace,
    ) -> str:
        team_id, scope, scope_id = typed.place.team_id, place.scope, place.scope_id
        async with self.db.transaction() as conn:
            if policy is None:
                await drop_rule(conn, team_id, scope, scope_id)
            else:
                await set_rule(conn, team_id, scope, scope_id, policy, identity.actor.profile_id)
            decided = {"policy": policy, "scope": scope, "scope_id": scope_id}
            await self._record(conn, typed, "consent_rule_set", identity, {**decided})
        match policy:
            case "press":
                return message("admin.press_set", called=place.name)
            case "words":
                return message("admin.words_set", called=place.name)
            case None:
                return message("admin.default_set", called=place.name)

    async def _place(
        self, typed: SlashCommand, identity: Identity, where: str, policy: Policy | None
    ) -> RulePlace | str:
        """Return where a rule is to hold, or why it can't be set there."""
        if folded(where) == _EVERYWHERE:
            if policy == "words":
                return message("admin.words_per_channel")
            return RulePlace("workspace", "", "everywhere")
        if where:
            return await self._client(identity, where, policy)
        if typed.place.is_direct:
            return message("admin.scope_missing")
        if policy == "words" and identity.surface.scope is not ScopeKind.INTERNAL:
            return message("admin.words_internal_only")
        return RulePlace("channel", typed.place.channel_id, message("admin.channel"))

    async def _client(
        self, identity: Identity, where: str, policy: Policy | None
    ) -> RulePlace | str:
        if policy == "words":
            return message("admin.words_per_channel")
        clients = await self.directory.clients(identity.actor)
        brands = await self.directory.brands([client.id for client in clients])
        match = clients_named(where, clients, brands)
        if len(match.things) != 1 or not match.is_sure:
            return message("admin.ambiguous_client")
        [client] = match.things
        return RulePlace("client", str(client.id), message("built.for_client", client=client.name))

    async def _record(
        self,
        conn: Connection,
        typed: SlashCommand,
        event: str,
        identity: Identity,
        payload: dict[str, object],
    ) -> None:
        """Record what was done, and that this command did it: one that was kept does it once."""
        await keep_settled(conn, typed.act)
        await record_event(
            conn,
            event,
            actor=identity.actor.profile_id,
            slack_user_id=identity.actor.slack_user_id,
            payload=payload,
        )


async def paused_line(db: Database, team_id: str, zone: str) -> str:
    """Say who paused execution and since when; "" without a pause."""
    pause = await pause_at(db, team_id)
    if pause is None:
        return ""
    return message("admin.paused_since", by=pause.by, clock_time=clock_time(pause.paused_at, zone))


async def paused_banner(
    db: Database, directory: DirectoryReader, team_id: str, slack_user_id: str
) -> str:
    """Return the notice of a pause in the person's time zone; "" without a pause."""
    profiles = await directory.profiles_by_slack_id(slack_user_id)
    return await paused_line(db, team_id, profiles[0].timezone if profiles else "UTC")


async def others_open_proposals(
    proposals: ProposalStore, identify: Identify, team_id: str, slack_user_id: str
) -> list[Proposal] | None:
    """Return other people's open proposals, oldest first; None if the person is no admin.

    What somebody keeps for themselves is nobody else's to read.
    """
    identity = await identify(Place.home_tab(team_id), slack_user_id, Freshness.RECENT)
    if not isinstance(identity, Identity) or identity.actor.tier < Tier.ADMIN:
        return None
    waiting = await proposals.waiting_for_others(team_id, slack_user_id)
    return [one for one in waiting if one.effect.scope is not EffectScope.OWN]
