"""Documents of the knowledge base: decisions to use or retire them, and their names."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from agencyclaw.domain.changes import AgencyChange, ConsentPolicy, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.naming import LONGEST_NAME, MOST_ALIASES, Naming
from agencyclaw.domain.people import Tier, Value, stored_as
from agencyclaw.domain.records import NotWritten, RecordChange, changed_since

DocumentKind = Literal["procedure", "document", "external"]
Decision = Literal["use", "reject", "retire"]

_NAMES: dict[DocumentKind, str] = {
    "procedure": "procedure",
    "document": "document",
    "external": "external document",
}


class DocumentVersion(Value):
    """One version of a document; `key` is its procedure's id or its origin."""

    kind: Annotated[DocumentKind, stored_as("shelf")]
    key: str
    origin: str
    version: str
    title: str
    state: Literal["waiting", "approved"]
    characters: int = 0
    begins: str = ""
    added_by: str = ""
    added_at: datetime

    @property
    def id(self) -> str:
        """The id that all its versions share, of which one may be internal and one external."""
        family = "procedure" if self.kind == "procedure" else "document"
        return f"{family}:{self.key}"

    @property
    def names(self) -> tuple[str, ...]:
        """All names people use for it."""
        return (self.title, self.origin)

    @property
    def full_name(self) -> str:
        """The title and its origin."""
        return f"{self.title} ({self.origin})"

    @property
    def noun(self) -> str:
        """What people call this kind of document."""
        return _NAMES[self.kind]


class Move(Value):
    """The change of a version's state."""

    version: str
    before: str
    after: str


class DecideDocument(RecordChange[dict[str, str]], AgencyChange):
    """Puts a document into use or out of it; `moves` are the state changes of its versions."""

    kind: Literal["decide_document"] = "decide_document"
    skill: ClassVar[str] = "decide_document"
    tier: ClassVar[Tier] = Tier.ADMIN
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    has_full_text: ClassVar[bool] = True

    document: Annotated[DocumentVersion, stored_as("what")]
    decision: Decision
    moves: Annotated[tuple[Move, ...], Field(min_length=1, max_length=20)]

    @property
    def label(self) -> str:
        """The title."""
        return self.document.title

    @property
    def entity(self) -> str:
        """The document, whatever its version."""
        return f"document:{self.document.id}"

    @property
    def before(self) -> dict[str, str]:
        """The state of each version on the card."""
        return {move.version: move.before for move in self.moves}

    @property
    def after(self) -> dict[str, str]:
        """The state of each version afterwards."""
        return {move.version: move.after for move in self.moves}

    def changed(self, now: dict[str, str] | None) -> NotWritten:
        """Say that a version is in another state."""
        _ = now
        why = message("library.somebody_decided_about_since", what=self.document.title)
        return changed_since(why, None)

    def audited(self, held: dict[str, str] | None) -> dict[str, str]:
        """Return the states of its versions."""
        return {"document": self.document.key} | (held or {})

    def receipt(self) -> str:
        """Say what is in use now, or not any more, or which version was decided about."""
        document, replaced = self.document, self._replaced
        version, noun, title = document.version, document.noun, document.title
        if self.decision == "reject" and self.moves[0].after == "waiting":
            return message("library.waits_again", version=version, noun=noun, title=title)
        if self.decision == "reject":
            return message("library.turned_down", version=version, noun=noun, title=title)
        if self.decision == "retire":
            return message("library.out_of_use", noun=noun, title=title)
        if not replaced:
            return message("library.in_use", noun=noun, title=title)
        return message(
            "library.replaces", version=version, noun=noun, title=title, replaced=replaced
        )

    @property
    def _replaced(self) -> str:
        """The version in use that another one is used instead of; "" if none is."""
        in_use = (move.version for move in self.moves if move.before == "approved")
        return next(in_use, "") if self.decision == "use" else ""

    def reverse(self) -> DecideDocument:
        """Move every version back; one that was replaced is in use again."""
        back = tuple(
            Move(version=move.version, before=move.after, after=move.before) for move in self.moves
        )
        if self._replaced:
            unread = {"characters": 0, "begins": "", "added_by": ""}
            document = self.document.model_copy(update={"version": self._replaced, **unread})
            return self.model_copy(update={"moves": back, "document": document})
        others: dict[Decision, Decision] = {"use": "retire", "retire": "use", "reject": "reject"}
        return self.model_copy(update={"moves": back, "decision": others[self.decision]})

    def preview(self) -> Preview:
        """Say which document it is, how it begins, and what happens to it."""
        replaced, characters = self._replaced, self.document.characters
        instead = message("built.version_of", version=replaced) if replaced else ""
        length = message("effects.characters", count=characters) if characters else ""
        rows = (
            ("From", self.document.origin),
            ("Version", self.document.version),
            ("Instead of", instead),
            ("Length", length),
            ("Added by", self.document.added_by),
            ("It begins", self.document.begins),
        )
        verbs: dict[Decision, str] = {
            "use": message("library.put_use"),
            "reject": message("library.turn_down"),
            "retire": message("library.take_out_use"),
        }
        verb = verbs[self.decision]
        return Preview(
            headline=message(
                "built.decision", verb=verb, noun=self.document.noun, title=self.document.title
            ),
            verb=verb,
            where=message("library.knowledge_base"),
            fields=rows,
        )


class NameProcedure(RecordChange[Naming], AgencyChange):
    """Gives a procedure another name, or removes one.

    `of_clients` are clients and brands whose names are part of it; everybody who searches reads it.
    """

    kind: Literal["name_procedure"] = "name_procedure"
    skill: ClassVar[str] = "name_procedure"
    tier: ClassVar[Tier] = Tier.ADMIN
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    done: ClassVar[str] = "named"
    incidental: ClassVar[frozenset[str]] = RecordChange.incidental | {"of_clients"}

    procedure: Named
    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
    before: Naming
    after: Naming
    of_clients: Annotated[tuple[str, ...], Field(max_length=20)] = ()

    @property
    def is_new(self) -> bool:
        """Whether it gets the name."""
        return self.name in self.after.aliases

    @property
    def no(self) -> str:
        """The label of the button that drops it, and keeps a new name from being suggested."""
        return message("library.not_this_name") if self.is_new else super().no

    @property
    def label(self) -> str:
        """The procedure's title."""
        return self.procedure.name

    @property
    def entity(self) -> str:
        """The procedure's names."""
        return f"names:{self.procedure.id}"

    def prose(self) -> dict[str, str]:
        """The new name."""
        return {"Name": self.name} if self.is_new else {}

    def preview(self) -> Preview:
        """Return the name, the procedure's present names, and who reads them."""
        verb = message("library.add_name") if self.is_new else message("library.drop_name")
        held = ", ".join(f"“{alias}”" for alias in self.before.aliases)
        rows = (("Also called", held), ("Seen by", message("library.whoever_searches")))
        against = message("library.names_clients", names=", ".join(self.of_clients))
        return Preview(
            headline=message("library.named", verb=verb, title=self.label, name=self.name),
            verb=verb,
            where=message("library.knowledge_base"),
            fields=rows,
            against=(against,) if self.of_clients else (),
        )

    def changed(self, now: Naming | None) -> NotWritten:
        """Return that its names have changed."""
        return changed_since(message("library.names_changed", title=self.label), self._onto(now))

    def _onto(self, now: Naming | None) -> NameProcedure | None:
        if now is None or (self.name in now.aliases) is self.is_new:
            return None
        if self.is_new and len(now.aliases) >= MOST_ALIASES:
            return None
        after = now.with_name(self.name) if self.is_new else now.without_name(self.name)
        return self.model_copy(update={"before": now, "after": after})

    def audited(self, held: Naming | None) -> dict[str, Any]:
        """Return the procedure and its names."""
        return {"procedure": self.label, "names": held.model_dump(mode="json") if held else None}

    def receipt(self) -> str:
        """Say by which name it is found, or not any more."""
        title, name = self.label, self.name
        if self.is_new:
            return message("library.is_found_as", title=title, name=name)
        return message("library.is_not_found_as", title=title, name=name)

    def reverse(self) -> NameProcedure:
        """Give it its previous names."""
        return self.model_copy(update={"before": self.after, "after": self.before})


def moves_for(
    item: DocumentVersion, decision: Decision, versions: list[DocumentVersion]
) -> tuple[Move, ...]:
    """Return the state changes: a decision against a version moves only those in its state."""
    out = "retired" if item.kind == "procedure" else "replaced"
    if decision != "use":
        affected = [version for version in versions if version.state == item.state]
        return tuple(Move(version=one.version, before=one.state, after=out) for one in affected)
    in_use = [version.version for version in versions if version.state == "approved"]
    return (
        *(Move(version=number, before="approved", after=out) for number in in_use),
        Move(version=item.version, before="waiting", after="approved"),
    )
