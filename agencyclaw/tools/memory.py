"""The memory: remember, recall and forget; remembering and forgetting need a yes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Annotated, Protocol, TypeVar

from pydantic import Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.choices import OPTION_LIMIT, Choice, choice
from agencyclaw.domain.clients import Named
from agencyclaw.domain.clock import day_of
from agencyclaw.domain.closeness import closeness, words_of
from agencyclaw.domain.errors import NotFound, Refused
from agencyclaw.domain.field_sources import QUOTE_LIMIT, FieldSource, Origin
from agencyclaw.domain.memory import (
    NOTE_LIMIT,
    THRESHOLD,
    ClientNote,
    PreferenceKey,
    spoken,
)
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Certainty, ScopeKind, Tier
from agencyclaw.domain.policy import Answering, Shows, answering
from agencyclaw.domain.remembering import (
    Forget,
    ForgetNote,
    ForgetPreference,
    Remember,
    RememberNote,
    RememberPreference,
)
from agencyclaw.domain.schedule_changes import EndSchedule
from agencyclaw.domain.text import counted, cut, folded, one_line
from agencyclaw.knowledge.own_words import OwnWords, nearest, quoted
from agencyclaw.tools.arguments import NOT_VERBATIM, Name
from agencyclaw.tools.catalogue import proposes, reads
from agencyclaw.tools.clients import find_client, listed_clients, reach_of
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.results import Ask, Listing, Result, ask_which

# Of what is remembered nothing but a person's own words is kept.
Fact = Annotated[str, Field(max_length=NOTE_LIMIT), NOT_VERBATIM]
Sureness = Annotated[Certainty, NOT_VERBATIM]
RECALLED_AT_MOST = 40
# Of what a description says, so much has to be in a note that is taken without asking, and what
# fits nearly as well as the best one is asked about too.
MEANT = 0.25
NEARLY = 0.8
WHOLE = message("remarks.whole_sentence")
UNSURE = message("refused.memory.not_certain")


class Labelled(Protocol):
    """Something that people call by a label."""

    @property
    def label(self) -> str:
        """What it is called."""
        ...


LabelledT = TypeVar("LabelledT", bound=Labelled)


class Remembered(Result):
    """One note, with its author and date."""

    note: str
    client: str
    by: str
    day: date


class MemoryListing(Listing):
    """Notes about clients, and preferences, schedules and running work of the person asking."""

    notes: tuple[Remembered, ...] = ()
    preferences: tuple[str, ...] = ()
    schedules: tuple[str, ...] = ()
    in_background: tuple[str, ...] = ()
    note: str | None = None


@proposes(Remember, tier=Tier.MEMBER, skill_id="remember_client_note")
async def remember(
    ctx: RunContext[Deps],
    fact: Fact,
    client: Name | None = None,
    preference: PreferenceKey | None = None,
    certainty: Sureness = 0.9,
) -> Remember | Ask:
    """Prepare keeping a stated fact about a client, or what the person prefers, beyond this talk.

    Args:
        fact: Their own words, copied; for default_client the client's name.
        client: Leave out for the person's own preference.
        preference: Which kind of own preference.
        certainty: 0.9 if stated, below 0.7 if only likely.
    """
    words = one_line(fact, NOTE_LIMIT)
    if certainty < THRESHOLD:
        raise Refused(UNSURE, reason="not_certain")
    if client and preference is None:
        return await _about_client(ctx.deps, client, words, certainty)
    return await _for_person(ctx.deps, preference or "other", client or words, words)


async def _about_client(deps: Deps, client: str, words: str, certainty: float) -> Remember | Ask:
    lacking = Lacking()
    written = lacking.tried(lambda: as_written(deps, words))
    found = await lacking.settle(find_client(deps, client))
    if written is None or found is None:
        return lacking.as_ask()
    words, sources = written
    kept = await deps.memory.notes([found.client.id])
    if any(folded(one.note) == folded(words) for one in kept):
        raise Refused(message("refused.memory.no_changes"), reason="no_changes")
    return RememberNote(
        client=found.client.named,
        note=words,
        confidence=round(certainty, 2),
        field_sources=sources,
    )


def as_written(deps: Deps, words: str) -> tuple[str, tuple[FieldSource, ...]]:
    """Return the words a person wrote of a fact; raises Refused if nobody did.

    The model only points at them: its own wording, or a tool's, is never remembered. The sentence
    around them is shown on the card, because it may change their meaning.
    """
    texts = _spoken(deps)
    found = quoted(words, texts)
    if found is None or len(found.text) < 2:
        raise Refused(_not_written(nearest(words, texts)), reason="not_stated")
    kept = one_line(found.text, len(found.text))
    if len(kept) > NOTE_LIMIT:
        raise Refused(message("refused.memory.too_long", most=NOTE_LIMIT), reason="too_long")
    return kept, _around(deps, found)


def _around(deps: Deps, found: OwnWords) -> tuple[FieldSource, ...]:
    sentence = one_line(found.sentence, QUOTE_LIMIT)
    if len(sentence) <= len(found.text) + 1:
        return ()
    # The model reads the message with colleagues' names in place of their ids.
    read = [one.model_copy(update={"text": deps.request}) for one in deps.materials[:1]]
    known = (*read, *deps.materials)
    source = next((one for one in known if found.sentence in one.text), None)
    origin = source.origin if source else Origin.TYPED
    whose = source.whose if source else deps.actor.name
    needs_press = not origin.is_trusted
    field_source = FieldSource(
        field=WHOLE, origin=origin, whose=whose[:120], quote=sentence, needs_press=needs_press
    )
    return (field_source,)


def _spoken(deps: Deps) -> tuple[str, ...]:
    """Return what people wrote here, newest first, without pressed choices."""
    chosen = {one.text for one in deps.materials if one.origin is Origin.RECORD}
    return tuple(text for text in (deps.request, *reversed(deps.user_texts)) if text not in chosen)


def _not_written(closest: str | None) -> str:
    shown = one_line(closest or "", NOTE_LIMIT)
    near = message("refused.memory.closest", closest=shown) if closest else ""
    return message("refused.memory.not_written", closest=near)


async def _for_person(deps: Deps, key: PreferenceKey, client: str, words: str) -> Remember | Ask:
    about: Named | None = None
    sources: tuple[FieldSource, ...] = ()
    if key == "default_client":
        found = await find_client(deps, client)
        if isinstance(found, Ask):
            return found
        about = found.client.named
    else:
        words, sources = as_written(deps, words)
    return RememberPreference(
        person=Named(id=deps.actor.profile_id, name=deps.actor.name),
        key=key,
        value=about.name if about else words,
        client=about,
        field_sources=sources,
    )


@reads(tier=Tier.VIEWER, shows=Shows.NOTES, skill_id="list_client_notes")
async def recall(ctx: RunContext[Deps], client: Name | None = None) -> MemoryListing | Ask:
    """List what is remembered about clients, the person's own wishes, and what runs by itself.

    These are all their schedules (reminders, recurring questions, watches), and what goes on in the
    background.

    Args:
        client: Only about this client.
    """
    deps = ctx.deps
    notes = await _notes(deps, client)
    if isinstance(notes, Ask):
        return notes
    kept = tuple(_remembered(deps, note) for note in notes[:RECALLED_AT_MOST])
    own = tuple(spoken(key, value) for key, value in own_preferences(deps))
    schedules = () if client else await deps.memory.schedules(deps.actor.profile_id)
    asker = deps.place.team_id, deps.actor.slack_user_id
    works = () if client else await deps.memory.in_background(*asker)
    more = len(notes) - len(kept)
    nothing = "" if kept or own else "Nothing is remembered yet."
    unscheduled = "" if client or schedules else "They have no schedules."
    left_out = f"Left out: {counted(more, 'older note')}." if more else ""
    return MemoryListing(
        notes=kept,
        preferences=own,
        schedules=tuple(f"{one.kept_as}: {one_line(one.words, NOTE_LIMIT)}" for one in schedules),
        in_background=tuple(work.listed for work in works),
        note=" ".join(filter(None, (left_out or nothing, unscheduled))) or None,
        reach="" if client else await reach_of(deps, await listed_clients(deps)),
    )


@proposes(Forget, tier=Tier.MEMBER, skill_id="forget_client_note", on_demand=True)
async def forget(ctx: RunContext[Deps], fact: Fact, client: Name | None = None) -> Forget | Ask:
    """Prepare to forget (remove, end, cancel) a note, preference, reminder or recurring question.

    Args:
        fact: What it says, about.
        client: The client it is about, if it is about one.
    """
    notes = await _notes(ctx.deps, client)
    if isinstance(notes, Ask):
        return notes
    own: list[Forget] = [] if client else await _own_records(ctx.deps)
    kept = [*map(_unnote, notes), *own]
    if chosen := [one for one in kept if is_pressed(ctx.deps, one.entity)]:
        return chosen[0]
    found, is_meant = best_fits(fact, kept)
    if not found:
        words = (
            message("refused.memory.not_remembered")
            if is_private(ctx.deps)
            else message("refused.memory.not_remembered_here")
        )
        raise NotFound(words, reason="not_remembered")
    if not is_meant:
        return ask_which("Which one should I forget?", _as_choices(found))
    return found[0]


def _as_choices(found: Sequence[Forget]) -> Iterator[Choice]:
    """Return notes as choices; those that begin alike get their client's name."""
    times = Counter(folded(one_line(one.label, OPTION_LIMIT)) for one in found)
    for one in found:
        is_alone = times[folded(one_line(one.label, OPTION_LIMIT))] == 1
        owner = ", ".join(client.name for client in one.clients) or "for you"
        label = one.label if is_alone else f"{cut(owner, OPTION_LIMIT // 2)}: {one.label}"
        yield choice("note", one.entity, label)


async def _notes(deps: Deps, client: str | None) -> list[ClientNote] | Ask:
    if client and folded(client):
        found = await find_client(deps, client)
        return found if isinstance(found, Ask) else await deps.memory.notes([found.client.id])
    return await deps.memory.notes([one.id for one in await listed_clients(deps)])


def own_preferences(deps: Deps) -> list[tuple[PreferenceKey, str]]:
    """Return the person's preferences, the default client first."""
    default = deps.preferences.default_client
    kept: list[tuple[PreferenceKey, str]] = [(one.key, one.value) for one in deps.preferences.kept]
    return [("default_client", default.name), *kept] if default else kept


def is_pressed(deps: Deps, key: str) -> bool:
    """Whether the button of this note or schedule was pressed just now."""
    return bool(deps.choice and (deps.choice.kind, deps.choice.id) == ("note", key))


def best_fits(words: str, things: Sequence[LabelledT]) -> tuple[list[LabelledT], bool]:
    """Return the best fits of a description, and whether they are certain.

    Uncertain ones may only be asked about; a word's beginning or a misspelling leaves it uncertain.
    """
    labels = [dict.fromkeys(words_of(thing.label), 1.0) for thing in things]
    fits = closeness(words_of(words), labels)
    best = max(fits, default=0.0)
    known = {word for one in labels for word in one}
    whole = closeness([word if word in known else "" for word in words_of(words)], labels)
    found = [thing for thing, fit in zip(things, fits, strict=True) if fit and fit >= NEARLY * best]
    return found, len(found) == 1 and max(whole) >= MEANT


async def _own_records(deps: Deps) -> list[Forget]:
    """Return how each of the person's preferences is forgotten, and each schedule ended."""
    actor = deps.actor
    # What somebody prefers, or wants to be reminded of, may be about another client than that of a
    # channel.
    is_clients = deps.surface.scope is ScopeKind.CLIENT_SCOPED
    schedules = await deps.memory.schedules(actor.profile_id) if is_private(deps) else []
    person = Named(id=actor.profile_id, name=actor.name)
    return [
        *(_unprefer(deps, *one) for one in own_preferences(deps) if not is_clients),
        *(EndSchedule.of(one, person, actor.timezone) for one in schedules),
    ]


def is_private(deps: Deps) -> bool:
    """Whether what somebody noted for themselves may be shown here."""
    return answering(deps.surface, Shows.NOTES) is Answering.HERE


def _unnote(note: ClientNote) -> Forget:
    return ForgetNote(
        client=Named(id=note.client_id, name=note.client),
        note=note.note,
        note_id=note.id,
        author=note.author,
    )


def _unprefer(deps: Deps, key: PreferenceKey, value: str) -> Forget:
    return ForgetPreference(
        person=Named(id=deps.actor.profile_id, name=deps.actor.name),
        key=key,
        value=value,
    )


def _remembered(deps: Deps, note: ClientNote) -> Remembered:
    return Remembered(
        note=one_line(note.note, NOTE_LIMIT),
        client=one_line(note.client, 120),
        by=one_line(note.author, 60),
        day=day_of(note.created_at, deps.actor.zone),
    )
