"""What every effect says about itself: how people read it, and the rules for confirming it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import Field

from agencyclaw.domain.clients import Named
from agencyclaw.domain.field_sources import FieldSource, Origin, Unstated
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier, Value
from agencyclaw.domain.press import WhyPress
from agencyclaw.domain.sops import Source

Label = Annotated[str, Field(max_length=200)]
# A text longer than this is one press away, and a card with anything folded takes a press.
FOLD_LIMIT = 3_000
NOT_STATED_AT_MOST = 20


class ConsentPolicy(StrEnum):
    """How an effect may be confirmed: also by a yes in words, or by a press alone."""

    WORDS = "words"
    PRESS = "press"


class EffectScope(StrEnum):
    """Whose business an effect is. An agency-wide one can't be confirmed in a client's channel."""

    CLIENT = "client"
    OWN = "own"
    AGENCY = "agency"


class Preview(Value):
    """An effect as people read it; cards are built from this alone.

    `in_body` are rows that the body contains, for readers who don't see the body; `unfolded` are
    those among them that a card shows itself where it folds the body. Only words may be folded: a
    body of nothing but facts `has_facts_only`.
    """

    headline: str
    verb: str
    where: str
    fields: tuple[tuple[str, str], ...]
    in_body: tuple[tuple[str, str], ...] = ()
    unfolded: tuple[tuple[str, str], ...] = ()
    body: str = ""
    has_facts_only: bool = False
    missing: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    against: tuple[str, ...] = ()
    similar: tuple[Source, ...] = ()

    @property
    def is_folded(self) -> bool:
        """Whether a card leaves the body to a window."""
        return len(self.body) > FOLD_LIMIT and not self.has_facts_only


class Change(Value):
    """The common part of all effects.

    `skill` is the tool that prepares it, `tier` who may release it, `done` the participle of its
    sentences ("was not created"), `yes` the words the card suggests for saying yes, `no` the button
    that drops it, `consent` whether words may confirm it at all, `scope` whose business it is,
    `has_full_text` whether it is about a text that is kept elsewhere and too long for a card.
    `bases` say of each text in it whose words it rests on, `not_stated` which figures rest on
    nothing; `left_out` is for whoever prepared it, and is not kept: what did not come into it, and
    why.
    """

    skill: ClassVar[str]
    tier: ClassVar[Tier]
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.WORDS
    scope: ClassVar[EffectScope]
    done: ClassVar[str] = "changed"
    yes: ClassVar[str] = "yes, go ahead"
    is_editable: ClassVar[bool] = False
    has_full_text: ClassVar[bool] = False
    no: ClassVar[str] = "Cancel"

    # Fields that say how it was worded, what was noticed or replaced; not what would be done.
    incidental: ClassVar[frozenset[str]] = frozenset(
        {"timezone", "bases", "not_stated", "left_out", "remarks"}
    )

    timezone: str = "UTC"
    bases: tuple[FieldSource, ...] = Field(default=(), max_length=40)
    not_stated: tuple[Unstated, ...] = Field(default=(), max_length=NOT_STATED_AT_MOST)
    left_out: tuple[str, ...] = Field(default=(), exclude=True)

    @property
    @abstractmethod
    def label(self) -> str:
        """What it is about, as quoted in sentences."""
        ...

    @property
    @abstractmethod
    def entity(self) -> str:
        """What is changed; no two effects on the same entity run at once."""
        ...

    @property
    def subject(self) -> str:
        """What it is about; a new card on a subject replaces one that waits."""
        return self.entity

    @property
    @abstractmethod
    def clients(self) -> tuple[Named, ...]:
        """Every client it touches; empty for a personal one."""
        ...

    def is_same_as(self, other: Change) -> bool:
        """Return whether both would do the same, however they are worded."""
        is_of_kind = type(self) is type(other) and self.entity == other.entity
        return is_of_kind and self._done() == other._done()

    def _done(self) -> dict[str, Any]:
        return {
            name: value
            for name, value in vars(self).items()
            if name not in self.incidental and name in type(self).model_fields
        }

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

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return what to check first: what speaks against it, and figures nobody stated."""
        return (*self.preview().against, *unstated_lines(self.not_stated))

    @property
    def takes_words(self) -> bool:
        """Whether a yes in words may confirm it: nothing is folded or rests on words of others."""
        is_own = not any(source.needs_press for source in self.bases)
        return self.consent is ConsentPolicy.WORDS and is_own and not self.preview().is_folded

    @property
    def why_press(self) -> WhyPress | None:
        """Why a yes in words can't confirm it; None if one may."""
        if self.takes_words:
            return None
        if self.consent is ConsentPolicy.PRESS:
            return WhyPress.KIND
        foreign = {source.origin for source in self.bases if source.needs_press}
        if foreign - {Origin.ASSISTANT}:
            return WhyPress.OTHERS
        return WhyPress.WORDING if foreign else WhyPress.FOLDED


def unstated_lines(unstated: Sequence[Unstated]) -> tuple[str, ...]:
    """Say what was said and could not be read, and what nobody stated."""
    unread = _listed(one for one in unstated if one.is_said)
    listed = _listed(one for one in unstated if not one.is_said)
    lines = (
        message("effects.said_and_not_read", listed=unread) if unread else "",
        message("effects.not_stated_by_anyone", listed=listed) if listed else "",
    )
    return tuple(line for line in lines if line)


def _listed(unstated: Iterable[Unstated]) -> str:
    return ", ".join(dict.fromkeys(f"{one.value} ({one.field})" for one in unstated))


class OfClient(Change):
    """An effect that touches exactly one client."""

    scope: ClassVar[EffectScope] = EffectScope.CLIENT

    client: Named

    @property
    def clients(self) -> tuple[Named, ...]:
        """The client."""
        return (self.client,)
