"""A case file's contents, field by field as `evals/scene.py` and `evals/expected.py` read them.

Written without the fields that have their default.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from agencyclaw.agents.script_file import ScriptStep
from agencyclaw.domain.proposals import ProposalState
from agencyclaw.store.catalogue import Row


class CasePart(BaseModel):
    """A part of a case file."""

    model_config = ConfigDict(frozen=True, serialize_by_alias=True)


class CaseChild(CasePart):
    """What a sub-agent was asked, and what it did."""

    question: str
    steps: list[ScriptStep]


class CaseTurn(CasePart):
    """What a person does, or that time passes, and the model's steps."""

    say: str = ""
    press: str = ""
    edit: dict[str, Any] | None = None
    wait_minutes: int = 0
    proposals: list[int] | None = None
    by: str = ""
    thread: str = ""
    gold: list[ScriptStep] = []
    lazy: list[ScriptStep] = []
    children: list[CaseChild] = []


class BoardTask(CasePart):
    """A task that is in ClickUp before the conversation begins."""

    in_list: str
    title: str
    due_in_days: int | None = None


class Snapshot(CasePart):
    """The agency as far as it is not the demo's, and ClickUp's contents."""

    rows: dict[str, list[Row]] = {}
    places: dict[str, str] = {}
    tasks: list[BoardTask] = []
    super_admins: list[str] = []


class Scene(CasePart):
    """Who writes where, in which world, and what they do."""

    person: str
    surface: str = ""
    snapshot: Snapshot = Snapshot()
    turns: list[CaseTurn]


class Metadata(CasePart):
    """What a case proves, and what people thought of the answers it was made of."""

    proves: list[str]
    tags: list[str]
    notes: list[str] = []


class ExpectedTurn(CasePart):
    """What a turn has to lead to."""

    by: str = "model"
    calls: list[dict[str, dict[str, Any]]] = []
    quiet: bool = False
    cites: list[str] = []
    asks: bool | None = None
    fails: bool = False
    tells: list[str] = []
    refused: list[str] = []
    events: list[str] = []


class ExpectedProposal(CasePart):
    """A proposal at the end; those from `list` on are those of a new task."""

    kind: str = "create_task"
    client: str | None = None
    brand: str | None = None
    title: list[str]
    state: ProposalState
    undo: bool = False
    task_list: str = Field(default="", serialization_alias="list")
    assignee: str | None = None
    start: str | None = None
    due: str | None = None
    starts: str | None = None
    ends: str | None = None
    identifiers: list[str] = []
    pending: bool = False
    sources: list[str] = []
    anyway: bool = False


class ExpectedTask(CasePart):
    """A task that is in ClickUp at the end."""

    task_list: str = Field(serialization_alias="list")
    title: list[str]
    assignees: list[str] = []
    archived: bool = False


class Expected(CasePart):
    """What the conversation has to leave behind."""

    turns: list[ExpectedTurn]
    proposals: list[ExpectedProposal] = []
    tasks: list[ExpectedTask] = []


class Case(CasePart):
    """One conversation with its script and the expected result."""

    name: str
    inputs: Scene
    metadata: Metadata
    expected_output: Expected


class CaseFile(CasePart):
    """A file of cases."""

    name: str
    cases: list[Case]
