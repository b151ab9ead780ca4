"""ClickUp spaces in the agency's registry: how they are registered, renamed and classified."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from agencyclaw.domain.changes import AgencyChange, ConsentPolicy, Preview
from agencyclaw.domain.clients import SpaceClassification, SpaceRecord
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier, Value
from agencyclaw.domain.text import counted, one_line

MOVES_AT_MOST = 100


class ClickUpSpace(Value):
    """A space as ClickUp shows it, with the id of its Workspace."""

    id: str
    name: str
    workspace: str

    def registered(self, classification: SpaceClassification) -> SpaceRecord:
        """Return its record in the registry with this classification."""
        name = one_line(self.name, 120)
        return SpaceRecord(id=self.id, name=name, classification=classification)


class SpaceMove(Value):
    """A space's record before and after; None where it is not registered."""

    before: SpaceRecord | None = None
    after: SpaceRecord | None = None

    @property
    def space(self) -> SpaceRecord:
        """The record that there is."""
        record = self.after or self.before
        assert record is not None
        return record

    @property
    def sentence(self) -> str:
        """The move as a person reads it."""
        name = self.space.name
        if self.before is None:
            return message("spaces.registered", name=name, use=self.space.classification.spoken)
        if self.after is None:
            return message("spaces.removed", name=name)
        if self.before.classification is self.after.classification:
            return message("spaces.renamed", name=self.before.name, after=name)
        uses = (self.before.classification.spoken, self.after.classification.spoken)
        return message("spaces.classified", name=name, before=uses[0], after=uses[1])

    @property
    def reverse(self) -> SpaceMove:
        """The move back."""
        return SpaceMove(before=self.after, after=self.before)


class SpacesChange(AgencyChange):
    """A change of several spaces at once; they change together, or not at all."""

    tier: ClassVar[Tier] = Tier.ADMIN
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    incidental: ClassVar[frozenset[str]] = AgencyChange.incidental | {"against"}

    workspace: Annotated[str, Field(max_length=64)] = ""
    moves: Annotated[tuple[SpaceMove, ...], Field(min_length=1, max_length=MOVES_AT_MOST)]
    against: Annotated[tuple[str, ...], Field(max_length=20)] = ()

    @property
    def label(self) -> str:
        """The spaces' number, or the one space's name."""
        if len(self.moves) == 1:
            return message("spaces.one", name=self.moves[0].space.name)
        return counted(len(self.moves), "ClickUp space")

    @property
    def entity(self) -> str:
        """The registry: its changes run one after the other."""
        return "clickup spaces"

    @property
    def subject(self) -> str:
        """The spaces it is about."""
        return ":".join((self.entity, *sorted(move.space.id for move in self.moves)))

    def audited(self, *, is_after: bool) -> list[dict[str, Any]]:
        """Return what the audit stores of the spaces before or after it."""
        sides = ((move.after if is_after else move.before) for move in self.moves)
        return [side.model_dump(mode="json") for side in sides if side]

    def receipt(self) -> str:
        """Say what is registered now."""
        lines = [f"• {move.sentence}" for move in self.moves]
        return "\n".join([message("spaces.receipt", label=self.label), *lines])

    def _preview(self, verb: str, headline: str) -> Preview:
        return Preview(
            headline=headline,
            verb=verb,
            where=message("spaces.where"),
            fields=(),
            body="\n".join(f"- {move.sentence}" for move in self.moves),
            is_always_shown=True,
            against=self.against,
        )


class SyncSpaces(SpacesChange):
    """Brings the registry in line with ClickUp: new, renamed and vanished spaces."""

    kind: Literal["sync_spaces"] = "sync_spaces"
    skill: ClassVar[str] = "cc_clickup_space_sync"
    done: ClassVar[str] = "registered"

    def preview(self) -> Preview:
        """List what differs."""
        return self._preview(message("spaces.sync"), message("spaces.sync_all", label=self.label))


class ClassifySpaces(SpacesChange):
    """Says what spaces are for; only a brand's spaces take a brand's tasks."""

    kind: Literal["classify_spaces"] = "classify_spaces"
    skill: ClassVar[str] = "cc_clickup_space_classify"
    done: ClassVar[str] = "classified"

    def preview(self) -> Preview:
        """List each space with what it is for, before and after."""
        return self._preview(
            message("spaces.classify"), message("spaces.classify_all", label=self.label)
        )


def differences(
    visible: Sequence[ClickUpSpace], registered: Sequence[SpaceRecord]
) -> list[SpaceMove]:
    """Return what would bring the registry in line with ClickUp.

    A new space is not classified yet, and one that ClickUp no longer shows is out of use; what
    admins decided about the others stays.
    """
    known = {space.id: space for space in registered}
    out = SpaceClassification.INACTIVE
    moves: list[SpaceMove] = []
    for space in visible:
        before = known.pop(space.id, None)
        kind = before.classification if before else SpaceClassification.UNKNOWN
        after = space.registered(kind)
        if after != before:
            moves.append(SpaceMove(before=before, after=after))
    vanished = (one for one in known.values() if one.classification is not out)
    moves += [
        SpaceMove(before=one, after=one.model_copy(update={"classification": out}))
        for one in vanished
    ]
    return moves
