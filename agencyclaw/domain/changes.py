"""What every effect says of itself, whatever it changes: the words and rules that code needs."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, ClassVar

from pydantic import Field

from agencyclaw.domain.clients import Named
from agencyclaw.domain.people import Tier, Value
from agencyclaw.domain.sops import Source

Label = Annotated[str, Field(max_length=200)]


class Preview(Value):
    """An effect as a person reads it: the card is built from this and nothing else."""

    headline: str
    verb: str
    where: str
    fields: tuple[tuple[str, str], ...]
    body: str = ""
    missing: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()


class Change(Value):
    """The common part of all effects.

    `skill` is the tool that prepares it, `tier` who may release it, `done` the participle of its
    sentences ("was not created"), `yes` the words the card suggests for saying yes, `no` the button
    that drops it.
    """

    skill: ClassVar[str]
    tier: ClassVar[Tier]
    done: ClassVar[str] = "changed"
    yes: ClassVar[str] = "yes, go ahead"
    is_editable: ClassVar[bool] = False
    no: ClassVar[str] = "Cancel"

    timezone: str = "UTC"

    @property
    @abstractmethod
    def label(self) -> str:
        """Return what this is about, as it stands between quotation marks in a sentence."""
        ...

    @property
    @abstractmethod
    def entity(self) -> str:
        """What is changed; no two effects on the same entity are carried out at once."""
        ...

    @property
    @abstractmethod
    def clients(self) -> tuple[Named, ...]:
        """Return every client it touches; none where it is a person's own."""
        ...

    @abstractmethod
    def preview(self) -> Preview:
        """Return all a person reads before saying yes."""
        ...


class OfClient(Change):
    """An effect that touches one client and no other."""

    client: Named

    @property
    def clients(self) -> tuple[Named, ...]:
        """That client."""
        return (self.client,)
