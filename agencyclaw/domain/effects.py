"""The union of all effects: what the model may propose and a person's act carries out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, get_args

from pydantic import Field, TypeAdapter

from agencyclaw.domain.archiving import ArchiveTask
from agencyclaw.domain.assignments import AssignPerson, RemoveAssignment
from agencyclaw.domain.brands import ApplyRemediation, CreateBrand, DeleteBrand, UpdateBrand
from agencyclaw.domain.bulk_changes import UpdateTasks
from agencyclaw.domain.changes import Change
from agencyclaw.domain.channel_links import LinkChannel
from agencyclaw.domain.client_records import CreateClient, RestoreClient, UpdateClient
from agencyclaw.domain.identifiers import occurs_alone
from agencyclaw.domain.imports import ImportRecords
from agencyclaw.domain.library import DecideDocument, NameProcedure
from agencyclaw.domain.procedures import RestoreProcedures, SyncProcedures
from agencyclaw.domain.record_kinds import AnyRecord
from agencyclaw.domain.remembering import (
    ForgetNote,
    ForgetPreference,
    RememberNote,
    RememberPreference,
)
from agencyclaw.domain.retries import RetryRun
from agencyclaw.domain.schedule_adjustments import AdjustForAnother, AdjustSchedule
from agencyclaw.domain.schedule_changes import (
    EndSchedule,
    SetAdminWatch,
    SetChannelQuestion,
    SetQuestion,
    SetReminder,
    SetWatch,
)
from agencyclaw.domain.spaces import ClassifySpaces, SyncSpaces
from agencyclaw.domain.task_changes import UpdateTask
from agencyclaw.domain.task_comments import CommentOnTask
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.team import (
    AddPerson,
    ArchiveAdmin,
    ArchivePerson,
    BringBackAdmin,
    BringBackPerson,
    ChangeAdmin,
    ChangePerson,
)

Effect = Annotated[
    CreateTask
    | ArchiveTask
    | AssignPerson
    | RemoveAssignment
    | CreateBrand
    | UpdateBrand
    | ApplyRemediation
    | RememberNote
    | ForgetNote
    | RememberPreference
    | ForgetPreference
    | SetReminder
    | SetQuestion
    | SetChannelQuestion
    | SetWatch
    | SetAdminWatch
    | AdjustSchedule
    | AdjustForAnother
    | EndSchedule
    | SyncProcedures
    | RestoreProcedures
    | DecideDocument
    | NameProcedure
    | UpdateTask
    | UpdateTasks
    | CommentOnTask
    | SyncSpaces
    | ClassifySpaces
    | AddPerson
    | ChangePerson
    | ChangeAdmin
    | ArchivePerson
    | BringBackPerson
    | BringBackAdmin
    | ArchiveAdmin
    | CreateClient
    | UpdateClient
    | RestoreClient
    | DeleteBrand
    | ImportRecords
    | RetryRun
    | LinkChannel
    | AnyRecord,
    Field(discriminator="kind"),
]
EFFECT: TypeAdapter[Effect] = TypeAdapter(Effect)


def kind_of(effect: type[Change]) -> str:
    """Return the name by which a class of effects is stored."""
    return effect.model_fields["kind"].default


def kinds_of(base: type[Change]) -> list[str]:
    """Return the kinds of the effects that are of a class."""
    union = get_args(Effect)[0]
    return [kind_of(one) for one in get_args(union) if issubclass(one, base)]


def without_identifiers_used_by(drafts: Sequence[Effect], effect: Effect) -> Effect:
    """Return the effect without `unused` identifiers that another draft of the run uses."""
    if not isinstance(effect, CreateTask) or not effect.unused:
        return effect
    others = [draft for draft in drafts if draft is not effect]
    unused = tuple(
        identifier
        for identifier in effect.unused
        if not any(_uses(other, identifier, effect) for other in others)
    )
    return effect.model_copy(update={"unused": unused})


def _uses(other: Effect, identifier: str, effect: CreateTask) -> bool:
    """Return whether another draft has an identifier, or another identifier of its product."""
    if isinstance(other, CreateTask) and other.client.id == effect.client.id:
        return identifier not in other.unused
    return occurs_alone(identifier, "\n".join((other.label, *other.prose().values())))
