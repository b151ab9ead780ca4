"""Imports of people, clients, brands and other records from CSV files, as one change."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from agencyclaw.domain.brands import BrandChange, CreateBrand, UpdateBrand
from agencyclaw.domain.changes import AgencyChange, ConsentPolicy, Preview
from agencyclaw.domain.client_records import ClientRecordChange, CreateClient, UpdateClient
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier, Value
from agencyclaw.domain.record_kinds import ImportedRecord
from agencyclaw.domain.team import AddPerson, ChangePerson, PersonChange
from agencyclaw.domain.text import counted

LINES_AT_MOST = 500
FAULTS_AT_MOST = 100
FILES_AT_MOST = 5
FILE_NAME_LIMIT = 200
# A card shows all of it, on as many messages as that takes.
CHARACTERS_AT_MOST = 60_000

ImportedChange = Annotated[
    AddPerson
    | ChangePerson
    | CreateClient
    | UpdateClient
    | CreateBrand
    | UpdateBrand
    | ImportedRecord,
    Field(discriminator="kind"),
]


class TextFile(Value):
    """A file of plain text."""

    name: Annotated[str, Field(max_length=FILE_NAME_LIMIT)]
    text: str


class FaultyLine(Value):
    """A line of a file that can't be imported: where it is, and why."""

    file: Annotated[str, Field(max_length=FILE_NAME_LIMIT)]
    line: int
    column: Annotated[str, Field(max_length=80)] = ""
    why: Annotated[str, Field(max_length=400)]

    @property
    def what(self) -> str:
        """The fault as a person reads it."""
        column = message("imports.column", column=self.column) if self.column else ""
        return message("imports.fault", file=self.file, line=self.line, column=column, why=self.why)

    @property
    def sentence(self) -> str:
        """The fault, and that the line is left out."""
        return message("imports.is_left_out", fault=self.what)


class ImportRecords(AgencyChange):
    """Adds and changes people, clients, brands and other records; all of them, or none.

    Without `files` it comes from comparing people with their accounts in Slack and ClickUp.
    `faults` are the lines that are left out, `unchanged` counts those that change nothing, and
    `against` is what the others bring about, or whose an account is by its own name.
    """

    kind: Literal["import_records"] = "import_records"
    skill: ClassVar[str] = "import_records"
    tier: ClassVar[Tier] = Tier.ADMIN
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    done: ClassVar[str] = "imported"
    incidental: ClassVar[frozenset[str]] = AgencyChange.incidental | {"files", "against"}

    files: Annotated[tuple[str, ...], Field(max_length=FILES_AT_MOST)]
    changes: Annotated[tuple[ImportedChange, ...], Field(min_length=1, max_length=LINES_AT_MOST)]
    faults: Annotated[tuple[FaultyLine, ...], Field(max_length=FAULTS_AT_MOST)] = ()
    unchanged: int = 0
    against: Annotated[tuple[str, ...], Field(max_length=LINES_AT_MOST)] = ()

    @property
    def label(self) -> str:
        """How many records there are."""
        return counted(len(self.changes), "record")

    @property
    def entity(self) -> str:
        """Imports run one after the other."""
        return "records"

    @property
    def parts(self) -> tuple[ImportedChange, ...]:
        """Each record's own change."""
        return self.changes

    @property
    def counts(self) -> tuple[tuple[str, str], ...]:
        """How many records of each kind are new, and how many change."""
        every = Counter(map(_kind, self.changes))
        new = Counter(_kind(change) for change in self.changes if change.was is None)
        return tuple(
            (kind, message("imports.counts", new=new[kind], changed=count - new[kind]))
            for kind, count in every.items()
        )

    def preview(self) -> Preview:
        """Return what is imported, and each line that is left out."""
        rows = (
            (message("imports.files"), ", ".join(self.files) or message("imports.accounts")),
            *self.counts,
            (message("imports.unchanged"), str(self.unchanged) if self.unchanged else ""),
        )
        return Preview(
            headline=self._headline(),
            verb=self._verb(),
            where=message("records.where"),
            fields=rows,
            body="\n".join(f"- {_sentence(change)}" for change in self.changes),
            is_always_shown=True,
            against=(*(fault.sentence for fault in self.faults), *self.against),
        )

    def _headline(self) -> str:
        if not self.files:
            return message("imports.accounts_headline", label=self.label)
        left_out = counted(len(self.faults), "line")
        all_but = message("imports.all_but", left_out=left_out) if self.faults else ""
        return message("imports.headline", label=self.label, all_but=all_but)

    def _verb(self) -> str:
        if not self.files:
            return message("imports.accounts_verb", label=self.label)
        return message("imports.verb", label=self.label)

    def receipt(self) -> str:
        """Say how many were imported, and which lines were not."""
        lines = [f"{noun}: {count}." for noun, count in self.counts]
        lines += [message("imports.left_out", fault=fault.what) for fault in self.faults]
        return "\n".join([message("imports.receipt", label=self.label), *lines])


def _kind(change: ImportedChange) -> str:
    """Return what records such as this one are called."""
    match change:
        case PersonChange():
            return message("imports.people")
        case ClientRecordChange():
            return message("imports.clients")
        case BrandChange():
            return message("imports.brands")
        case _:
            return change.record.plural.capitalize()


def _sentence(change: ImportedChange) -> str:
    preview = change.preview()
    fields = "; ".join(f"{name}: {value}" for name, value in preview.fields)
    return f"{preview.headline} ({fields})"
