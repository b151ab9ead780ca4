"""The base of all effects: how people read one, and how it may be confirmed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, field_validator

from agencyclaw.domain.clients import Named
from agencyclaw.domain.field_sources import FieldSource, Origin, UnsupportedFact
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier, Value, stored_as
from agencyclaw.domain.press import PressReason
from agencyclaw.domain.sops import Source

Label = Annotated[str, Field(max_length=200)]
# A card folds a longer text, and a card with a folded text is confirmed by a press only.
FOLD_LIMIT = 3_000
UNSUPPORTED_AT_MOST = 20


class ConsentPolicy(StrEnum):
    """How an effect may be confirmed: also by a yes in words, or by a press alone."""

    WORDS = "words"
    PRESS = "press"


class EffectScope(StrEnum):
    """Whom an effect concerns. An agency-wide one can't be confirmed in a client's channel.

    One about a PLACE says whose that is, so it may come from a place that is nobody's yet.
    """

    CLIENT = "client"
    OWN = "own"
    AGENCY = "agency"
    PLACE = "place"


class Preview(Value):
    """An effect as people read it; cards are built from this alone.

    `in_body` are facts that the body contains, for readers who don't see the body; a card that
    folds the body shows the `unfolded` ones itself. A body that `is_always_shown` is
    never folded: it has facts only, or the words of others. A row without a value is left out.
    """

    headline: str
    verb: str
    where: str
    fields: tuple[tuple[str, str], ...]
    in_body: tuple[tuple[str, str], ...] = ()
    unfolded: tuple[tuple[str, str], ...] = ()
    body: str = ""
    is_always_shown: bool = False
    missing: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    against: tuple[str, ...] = ()
    similar: tuple[Source, ...] = ()

    @field_validator("fields", "in_body")
    @classmethod
    def _with_a_value(cls, rows: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        return tuple(row for row in rows if row[1])

    @property
    def is_folded(self) -> bool:
        """Whether a card leaves the body to a window."""
        return len(self.body) > FOLD_LIMIT and not self.is_always_shown


class Change(Value):
    """The common part of all effects.

    - `skill`: the tool that prepares it
    - `tier`: who may confirm it
    - `done`: the participle in sentences about it ("was not created")
    - `yes`: the words that the card suggests for confirming it
    - `by_itself`: what happens with it before anybody confirms it
    - `has_full_text`: it is about a stored text that is too long for a card
    - `field_sources`: where each of its texts comes from
    - `unsupported_facts`: its figures and facts without a source
    - `left_out`: what did not come into it and why, for the model; not stored
    """

    skill: ClassVar[str]
    tier: ClassVar[Tier]
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.WORDS
    scope: ClassVar[EffectScope]
    done: ClassVar[str] = "changed"
    yes: ClassVar[str] = "yes, go ahead"
    is_editable: ClassVar[bool] = False
    by_itself: ClassVar[str] = ""
    has_full_text: ClassVar[bool] = False

    # Fields that do not change what would be done.
    incidental: ClassVar[frozenset[str]] = frozenset(
        {"timezone", "field_sources", "unsupported_facts", "left_out", "remarks"}
    )

    timezone: str = "UTC"
    field_sources: Annotated[tuple[FieldSource, ...], Field(max_length=40), stored_as("bases")] = ()
    unsupported_facts: Annotated[
        tuple[UnsupportedFact, ...], Field(max_length=UNSUPPORTED_AT_MOST), stored_as("not_stated")
    ] = ()
    left_out: tuple[str, ...] = Field(default=(), exclude=True)

    @property
    @abstractmethod
    def label(self) -> str:
        """What it is about, as quoted in sentences."""
        ...

    @property
    @abstractmethod
    def entity(self) -> str:
        """A key for what is changed; effects on the same entity never run at the same time."""
        ...

    @property
    def subject(self) -> str:
        """A key for what it is about; a new card on a subject replaces a waiting one."""
        return self.entity

    @property
    @abstractmethod
    def clients(self) -> tuple[Named, ...]:
        """Every client it touches; empty for a personal one."""
        ...

    def is_same_as(self, other: Change) -> bool:
        """Return whether both would do the same, however they are worded."""
        is_same_kind = type(self) is type(other) and self.entity == other.entity
        return is_same_kind and self._essentials() == other._essentials()

    def _essentials(self) -> dict[str, Any]:
        return {
            name: value
            for name, value in vars(self).items()
            if name not in self.incidental and name in type(self).model_fields
        }

    @property
    def parts(self) -> Sequence[Change]:
        """The changes that it consists of, each of which has to be allowed as well."""
        return ()

    @abstractmethod
    def preview(self) -> Preview:
        """Return everything a person reads before confirming."""
        ...

    @property
    def owner(self) -> str:
        """The brand and client it is for; "" if there is no single one."""
        return ", ".join(client.name for client in self.clients)

    def prose(self) -> dict[str, str]:
        """Return the free texts it would write, by field name."""
        return {}

    def in_name_of(self, name: str) -> Self:
        """Return it with another requester's name wherever it writes the first one's."""
        _ = name
        return self

    @property
    def warnings(self) -> tuple[str, ...]:
        """What speaks against it, and its figures without a source."""
        return (*self.preview().against, *unsupported_lines(self.unsupported_facts))

    @property
    def no(self) -> str:
        """The label of the button that drops it."""
        return message("built.cancel")

    @property
    def takes_words(self) -> bool:
        """Whether a yes in words may confirm it."""
        return self.press_reason is None

    @property
    def press_reason(self) -> PressReason | None:
        """Why only a press confirms it; None if a yes in words may."""
        if self.consent is ConsentPolicy.PRESS:
            return PressReason.KIND
        if self.press_fields:
            is_wording = all(one.origin is Origin.ASSISTANT for one in self._pressing)
            return PressReason.WORDING if is_wording else PressReason.OTHERS
        return PressReason.FOLDED if self.preview().is_folded else None

    @property
    def press_fields(self) -> tuple[str, ...]:
        """The fields that take a press: those with words of others, else those worded later."""
        others = [one for one in self._pressing if one.origin is not Origin.ASSISTANT]
        return tuple(dict.fromkeys(one.field for one in others or self._pressing))

    @property
    def _pressing(self) -> list[FieldSource]:
        return [source for source in self.field_sources if source.needs_press]


def unsupported_lines(facts: Sequence[UnsupportedFact]) -> tuple[str, ...]:
    """Return a line for what could not be read, and one for what nobody stated."""
    unreadable = _listed(fact for fact in facts if fact.was_written)
    invented = _listed(fact for fact in facts if not fact.was_written)
    lines = (
        message("effects.said_and_not_read", listed=unreadable) if unreadable else "",
        message("effects.not_stated_by_anyone", listed=invented) if invented else "",
    )
    return tuple(line for line in lines if line)


def _listed(facts: Iterable[UnsupportedFact]) -> str:
    return ", ".join(dict.fromkeys(f"{fact.value} ({fact.field})" for fact in facts))


class AgencyChange(Change):
    """An effect that concerns the agency as a whole and no single client."""

    scope: ClassVar[EffectScope] = EffectScope.AGENCY

    @property
    def clients(self) -> tuple[Named, ...]:
        """Empty."""
        return ()


class ClientChange(Change):
    """An effect that touches exactly one client."""

    scope: ClassVar[EffectScope] = EffectScope.CLIENT

    client: Named

    @property
    def clients(self) -> tuple[Named, ...]:
        """The client."""
        return (self.client,)
