"""Commands and presses on the memory, which are their own consent."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from agencyclaw.conversation.deferred_acts import DeferredActs
from agencyclaw.conversation.going_on import BackgroundTurns
from agencyclaw.domain.background import BackgroundWork
from agencyclaw.domain.clients import Client, Named, clients_named, owners_called
from agencyclaw.domain.clock import day_of
from agencyclaw.domain.commands import CommandReply, SlashCommand, command_of
from agencyclaw.domain.effects import Effect
from agencyclaw.domain.memory import (
    NOTE_LIMIT,
    SPOKEN,
    ClientNote,
    MemoryLine,
    PreferenceKey,
    Preferences,
)
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import Match, has_words, plain_name
from agencyclaw.domain.people import Actor, Freshness, Place, ScopeKind, Tier
from agencyclaw.domain.receipts import Incoming
from agencyclaw.domain.remembering import (
    ForgetNote,
    ForgetPreference,
    RememberNote,
    RememberPreference,
)
from agencyclaw.domain.schedule_adjustments import AdjustForAnother, AdjustSchedule
from agencyclaw.domain.schedule_changes import EndSchedule
from agencyclaw.domain.schedules import Adjustment, OwnedSchedule, StoredSchedule, Work
from agencyclaw.domain.text import digest, folded, one_line
from agencyclaw.proposals.identities import Identify, Identity, Unverified
from agencyclaw.proposals.immediate import ImmediateEffects
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.memory import MemoryReader

_USAGE = message("memory.usage")
_ELSEWHERE = message("memory.elsewhere")
_WHICH = message("memory.which")
# What a press does with a schedule, as the value of its button says.
_RUN = "run"
_OF_SCHEDULES = frozenset({*Adjustment, "reminder", _RUN})


@dataclass(frozen=True)
class MemoryCommands:
    """Stores and deletes notes and preferences, each with an audit row."""

    directory: DirectoryReader
    memory: MemoryReader
    identify: Identify
    immediate: ImmediateEffects
    deferred: DeferredActs
    background: BackgroundTurns

    async def remember(self, typed: SlashCommand, identity: Identity) -> str:
        """Store what was typed: about the client before the colon, else for the person.

        A brand there names its client, and stays in what is stored.
        """
        if not typed.rest.strip():
            return _USAGE
        name, colon, words = typed.rest.partition(":")
        clients = await self.directory.clients(identity.actor)
        here = _clients_shown_here(clients, identity)
        brands = await self.directory.brands([client.id for client in clients])
        is_about = bool(colon and words.strip())
        named = clients_named(name, clients, brands) if is_about else Match[Client]()
        by_brand = is_about and not named.things
        if by_brand:
            named = owners_called(name, clients, brands)
        matches = [client for client in named.things if client in here]
        if named.things and not matches:
            return _ELSEWHERE
        if len(matches) > 1 or (matches and not named.is_sure):
            names = ", ".join(one_line(client.name, 60) for client in matches)
            return message("memory.which_client", names=names)
        is_for_place = identity.surface.scope is ScopeKind.CLIENT_SCOPED
        if is_for_place and not here:
            return message("memory.unseen_place")
        about = matches or (here[:1] if is_for_place else [])
        fact = one_line(words if matches and not by_brand else typed.rest, len(typed.rest))
        if len(fact) > NOTE_LIMIT:
            return message("memory.too_long", length=len(fact), most=NOTE_LIMIT)
        return await self._act(typed, identity, _remembering(about, fact, identity.actor))

    async def forget(self, typed: SlashCommand, identity: Identity) -> str | CommandReply:
        """Delete the one matching item; if several match, let the person choose."""
        if not folded(typed.rest):
            return message("memory.what_to_forget")
        lines = await self._meant(typed.rest, identity)
        if not lines:
            text = message("refused.memory.not_remembered")
            return message("built.unchanged", why=text)
        if len(lines) > 1:
            return CommandReply(text=_WHICH, kept=tuple(lines))
        return await self._act(typed, identity, _forgetting(lines[0], identity.actor))

    async def schedules(self, _: SlashCommand, identity: Identity) -> str | CommandReply:
        """Return what of the person's comes or goes on by itself, with its buttons.

        For admins the schedules of others, too.
        """
        actor = identity.actor
        lines = [
            *await self._under_way(identity),
            *(
                _schedule_line(schedule, actor.name)
                for schedule in await self.memory.schedules(actor.profile_id)
            ),
        ]
        lines += [
            _schedule_line(schedule, schedule.owner.name).model_copy(update={"mark": ""})
            for schedule in await self._of_others(identity)
        ]
        if not lines:
            return message("schedules.none")
        return CommandReply(text=message("schedules.list"), kept=tuple(lines))

    async def _under_way(self, identity: Identity) -> list[MemoryLine]:
        """Return what of this person's goes on in the background."""
        actor = identity.actor
        works = await self.memory.in_background(identity.surface.team_id, actor.slack_user_id)
        return [_work_line(work, actor.name) for work in works]

    async def _of_others(self, identity: Identity) -> list[OwnedSchedule]:
        """Return the schedules of others that this person may adjust."""
        actor, team_id = identity.actor, identity.surface.team_id
        if actor.tier < Tier.ADMIN:
            return []
        return await self.memory.schedules_of_others(team_id, actor.profile_id)

    async def _act(self, typed: SlashCommand, identity: Identity, effect: Effect) -> str:
        return (await self.immediate.carry_out(typed.act, identity, effect)).text

    async def _meant(self, text: str, identity: Identity) -> list[MemoryLine]:
        """Return the items that contain these whole words, or those of the client before a colon.

        Items that are exactly these words take precedence over those that only contain them.
        """
        lines = await self._lines(identity)
        if matching := _matching(lines, text):
            return matching
        name, _, words = text.partition(":")
        clients = await self._clients(identity)
        brands = await self.directory.brands([client.id for client in clients])
        named = clients_named(name, clients, brands)
        ids = {client.id for client in named.things if named.is_sure}
        return _matching([line for line in lines if line.client and line.client.id in ids], words)

    async def lines(self, team_id: str, slack_user_id: str) -> list[MemoryLine]:
        """Return what a person may see and end or delete: what is under way comes first."""
        identity = await self.identify(Place.home_tab(team_id), slack_user_id, Freshness.RECENT)
        if not isinstance(identity, Identity):
            return []
        return [*await self._under_way(identity), *await self._lines(identity)]

    async def press(self, act: Incoming) -> str:
        """Delete what the person pressed, or say why not; unknown values do nothing.

        If Slack can't vouch for the person now, the press is stored and carried out later.
        """
        reply = await self.try_press(act)
        return await self.deferred.defer(act, reply) if isinstance(reply, Unverified) else reply

    async def try_press(self, act: Incoming) -> str | Unverified:
        """Delete it now, or return that Slack can't vouch for the person."""
        identity = await self.identify(act.place, act.slack_user_id, Freshness.NOW)
        if isinstance(identity, Unverified):
            return identity
        if not isinstance(identity, Identity):
            return identity.message
        mark = command_of(act).rest
        kind, _, row_id = mark.partition(":")
        if kind == _RUN:
            ran = await self._run_now(act, row_id, identity.actor)
            return ran or await self._why_not(kind, row_id, identity)
        if kind == "go_on":
            return await self.background.go_on(act, UUID(row_id), identity.actor)
        if kind == "stop":
            return await self.background.stop(act, UUID(row_id), identity)
        if adjusting := await self._adjusting(mark, identity):
            return (await self.immediate.carry_out(act, identity, adjusting)).text
        line = next((line for line in await self._lines(identity) if line.mark == mark), None)
        if line is None:
            return await self._why_not(kind, row_id, identity)
        carried = await self.immediate.carry_out(act, identity, _forgetting(line, identity.actor))
        return carried.text if line.schedule or not carried.is_done else ""

    async def _why_not(self, pressed: str, row_id: str, identity: Identity) -> str:
        """Say why a button of a schedule did nothing; "" for any other button."""
        if pressed not in _OF_SCHEDULES:
            return ""
        actor = identity.actor
        for schedule in await self.memory.schedules_of_others(
            identity.surface.team_id, actor.profile_id
        ):
            if str(schedule.id) == row_id:
                owner = schedule.owner.name
                if actor.tier >= Tier.ADMIN:
                    return message("schedules.only_owner_ends", owner=owner)
                return message("schedules.not_yours", owner=owner)
        own = await self.memory.schedules(actor.profile_id)
        if not any(str(one.id) == row_id for one in own):
            return message("schedules.over")
        if pressed == _RUN:
            return message("schedules.not_now")
        return message("schedules.not_rarer")

    async def _run_now(self, act: Incoming, schedule_id: str, actor: Actor) -> str:
        """Have a recurring question of this person answered now, besides its times."""
        for schedule in await self.memory.schedules(actor.profile_id):
            if str(schedule.id) == schedule_id and schedule.work is Work.ASK:
                return await self.background.run_now(act, schedule.id)
        return ""

    async def _adjusting(self, mark: str, identity: Identity) -> Effect | None:
        """Return what a press does with a schedule; None if this person may adjust none such."""
        actor = identity.actor
        act, _, schedule_id = mark.partition(":")
        if act not in set(Adjustment):
            return None
        person = Named(id=actor.profile_id, name=actor.name)
        for schedule in await self.memory.schedules(actor.profile_id):
            if str(schedule.id) == schedule_id:
                return AdjustSchedule.of(schedule, Adjustment(act), person, actor.timezone)
        for schedule in await self._of_others(identity):
            if str(schedule.id) == schedule_id:
                whose = schedule.owner
                return AdjustForAnother.of(schedule, Adjustment(act), whose, actor.timezone)
        return None

    async def _clients(self, identity: Identity) -> list[Client]:
        return _clients_shown_here(await self.directory.clients(identity.actor), identity)

    async def _lines(self, identity: Identity) -> list[MemoryLine]:
        actor = identity.actor
        preferences = await self.memory.preferences(actor.profile_id)
        schedules = await self.memory.schedules(actor.profile_id)
        notes = await self.memory.notes([client.id for client in await self._clients(identity)])
        return [
            *(_schedule_line(schedule, actor.name) for schedule in schedules),
            *_preference_lines(preferences, actor),
            *(_note_line(note, actor) for note in notes),
        ]


def _matching(lines: list[MemoryLine], words: str) -> list[MemoryLine]:
    equal = [line for line in lines if plain_name(line.text) == plain_name(words) != ""]
    return equal or [line for line in lines if has_words(line.text, words)]


def _remembering(about: list[Client], words: str, actor: Actor) -> Effect:
    """Return the effect for a note about a client, or for the person's own preference."""
    if about:
        client = about[0].named
        return RememberNote(client=client, note=words, confidence=1.0, timezone=actor.timezone)
    person = Named(id=actor.profile_id, name=actor.name)
    return RememberPreference(person=person, key="other", value=words, timezone=actor.timezone)


def _forgetting(line: MemoryLine, actor: Actor) -> Effect:
    if line.note_id and line.client:
        return ForgetNote(
            client=line.client,
            note=line.text,
            note_id=line.note_id,
            author=line.by,
            timezone=actor.timezone,
        )
    person = Named(id=actor.profile_id, name=actor.name)
    if line.schedule:
        return EndSchedule.of(line.schedule, person, actor.timezone)
    key = line.key or "other"
    return ForgetPreference(person=person, key=key, value=line.text, timezone=actor.timezone)


def _clients_shown_here(clients: list[Client], identity: Identity) -> list[Client]:
    """Return the clients that may be mentioned here."""
    if identity.surface.scope is ScopeKind.CLIENT_SCOPED:
        return [client for client in clients if client.id == identity.surface.client_id]
    return clients


def _preference_lines(preferences: Preferences, actor: Actor) -> list[MemoryLine]:
    lines = [
        _preference_line(one.key, one.value, actor.name, str(day_of(one.set_at, actor.zone)))
        for one in preferences.kept
    ]
    if default := preferences.default_client:
        lines.insert(0, _preference_line("default_client", default.name, actor.name, ""))
    return lines


def _preference_line(key: PreferenceKey, value: str, name: str, day: str) -> MemoryLine:
    return MemoryLine(
        mark=f"preference:{digest([key, folded(value)])[:16]}",
        about=message("built.for_you", what=SPOKEN[key]),
        text=value,
        by=name,
        day=day,
        key=key,
    )


def _schedule_line(schedule: StoredSchedule, name: str) -> MemoryLine:
    return MemoryLine(
        mark=f"reminder:{schedule.id}",
        about=schedule.kept_as,
        text=schedule.words,
        by=name,
        day="",
        schedule=schedule,
    )


def _work_line(work: BackgroundWork, name: str) -> MemoryLine:
    return MemoryLine(
        mark=f"stop:{work.run}",
        about=message("background.kept"),
        text=f"{work.words} ({work.since})",
        by=name,
        day="",
        is_under_way=True,
    )


def _note_line(note: ClientNote, actor: Actor) -> MemoryLine:
    return MemoryLine(
        mark=f"note:{note.id}",
        about=note.client,
        text=note.note,
        by=note.author,
        day=str(day_of(note.created_at, actor.zone)),
        note_id=note.id,
        client=Named(id=note.client_id, name=note.client),
    )
