"""The input of a case: who speaks where, in which world, and what they do turn by turn."""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from agencyclaw.agents.script_file import ScriptStep
from agencyclaw.slack.messages import Content, File

LAZY = "Everything is in order there; nothing needs your attention."


class Part(BaseModel):
    """Frozen, and an unknown field is a mistake: a part of a case file, or of what came of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Procedure(Part):
    """A procedure of this world besides the agency's own."""

    title: str
    category: str
    aliases: tuple[str, ...] = ()
    text: str


class BoardTask(Part):
    """A ClickUp task that is there before the conversation begins."""

    in_list: str
    title: str
    text: str = ""
    due_in_days: int | None = None


class Fault(Part):
    """Something that fails in ClickUp: an operation, how, and how often."""

    operation: str
    kind: Literal["error_before", "error_after", "reset_after", "unauthorized", "html"]
    times: int = 1


class PersonChange(Part):
    """A team member with other data from here on."""

    name: str
    role: str | None = None
    admin: bool | None = None
    status: str | None = None
    slack: str | None = None


class BrandChange(Part):
    """A brand with another ClickUp link from here on."""

    client: str
    brand: str
    space: str | None = None
    list: str | None = None


class Target(Part):
    """A brand's sales target in a marketplace for this month."""

    client: str
    brand: str
    marketplace: str
    sales: int
    currency: str


class Said(Part):
    """What somebody wrote in a channel of Slack, by its id."""

    channel: str
    by: str
    text: str


class Change(Part):
    """One difference from the world the agency is seeded with."""

    procedure: Procedure | None = None
    task: BoardTask | None = None
    fault: Fault | None = None
    person: PersonChange | None = None
    brand: BrandChange | None = None
    target: Target | None = None
    said: Said | None = None
    switched_off: str | None = None

    @model_validator(mode="after")
    def _is_one(self) -> Change:
        if len(self.model_dump(exclude_none=True)) != 1:
            raise ValueError("a change is exactly one thing")
        return self


class Snapshot(Part):
    """What is there instead of the fictional agency's: tables whole, by name.

    `places` names ClickUp lists and spaces by id, `tasks` are on the boards besides, and
    `super_admins` are profile ids.
    """

    rows: dict[str, tuple[dict[str, Any], ...]] = Field(
        default_factory=dict[str, tuple[dict[str, Any], ...]]
    )
    places: dict[str, str] = Field(default_factory=dict[str, str])
    tasks: tuple[BoardTask, ...] = ()
    super_admins: tuple[UUID, ...] = ()


class Edit(Part):
    """What a person enters in the Edit form; fields left out stay."""

    title: str | None = None
    details: str | None = None
    start: str | None = None
    due: str | None = None
    assignee: str | None = None


def _as_step(value: Any) -> Any:
    """A bare text is the step that says it; `{tool: {...}}` is the step that calls it."""
    if isinstance(value, str):
        return {"text": value}
    if isinstance(value, dict):
        named = cast("dict[str, Any]", value)
        if not named.keys() & ScriptStep.model_fields.keys():
            calls: list[dict[str, Any]] = [
                {"tool": tool, "args": args or {}} for tool, args in named.items()
            ]
            return {"calls": calls}
        return named
    return value


Line = Annotated[ScriptStep, BeforeValidator(_as_step)]


class Child(Part):
    """What a sub-agent does that is asked this; `${today+3}` inserts a day, as in arguments.

    It may be a question of research, a goal to plan, or the trial of a recurring question.
    """

    question: str
    steps: tuple[Line, ...]


class Turn(Part):
    """One thing that happens: somebody speaks, presses, edits, time passes, the world changes.

    It is `by` the scene's person if nobody is named, in one of the threads, which the case names.
    `proposals` are those that a press or an edit is about, counted from 0 in the order in which
    they were prepared; left out, those of the newest card. A `forged` press has a wrong
    fingerprint. `attached` are texts of files, by name, that come with what is said. `gold` and
    `lazy` are what the model does in a turn that reaches it; `children` is what sub-agents do; of
    two that are asked the same, the first is played.
    """

    say: str = ""
    attached: dict[str, str] = Field(default_factory=dict[str, str])
    press: str = ""
    edit: Edit | None = None
    wait_minutes: Annotated[int, Field(ge=0)] = 0
    change: Change | None = None
    by: str = ""
    thread: str = "main"
    proposals: tuple[int, ...] | None = None
    forged: bool = False
    gold: tuple[Line, ...] = ()
    lazy: tuple[Line, ...] = Field(default=(ScriptStep(text=LAZY),))
    children: tuple[Child, ...] = ()

    @property
    def written(self) -> str:
        """What is said, with the names of its files as a message has them."""
        files = tuple(File(name=name) for name in self.attached)
        return Content(files=files).words(self.say) if files else self.say

    @model_validator(mode="after")
    def _is_one(self) -> Turn:
        acts = (self.say, self.press, self.edit, self.wait_minutes, self.change)
        if sum(bool(act) for act in acts) != 1:
            raise ValueError("a turn is one of say, press, edit, wait_minutes, change")
        if (self.gold or self.children) and not (self.say or self.press):
            raise ValueError("only what is said or chosen reaches the model")
        if self.attached and not self.say:
            raise ValueError("files come with what is said")
        if (self.forged or self.proposals is not None) and not (self.press or self.edit):
            raise ValueError("only a press or an edit is about proposals")
        return self


class Mutant(Part):
    """A wrong variant of this case alone: the turns that differ, from 1 on, with their steps."""

    name: str
    turns: dict[int, tuple[Line, ...]]


class LongThread(Part):
    """A thread that outgrows what is replayed of it.

    `tokens` is how much that is, as an operator sets it; `condensed` is how the script condenses
    the rest, and `poorly` how a model does that loses what is needed later.
    """

    tokens: Annotated[int, Field(ge=500)]
    condensed: str
    poorly: str


class Scene(Part):
    """The inputs of a case.

    `snapshot` is an agency other than the fictional one, as far as it differs; `long_thread`
    leaves less room for what was said before, so that it is condensed after a few turns.
    `equipped` is what an operator has to set up: the guides of `evals/guides`, the sandbox.
    `mutants` are wrong ways of this case alone; `equivalent` names general ones that come to the
    same thing here, with the reason; `turn_by_turn` mutates the words of every turn.
    """

    person: str
    surface: str = "dm"
    snapshot: Snapshot | None = None
    long_thread: LongThread | None = None
    equipped: tuple[Literal["guides", "sandbox"], ...] = ()
    changes: tuple[Change, ...] = ()
    turns: Annotated[tuple[Turn, ...], Field(min_length=1)]
    mutants: tuple[Mutant, ...] = ()
    equivalent: dict[str, str] = Field(default_factory=dict[str, str])
    turn_by_turn: bool = False


Proof = Literal["rails", "tools", "prompt"]


class About(Part):
    """What a case is for: what it proves, where that is written, and words to find it by.

    `notes` are what people thought of the answers of the run that it was made of.
    """

    proves: Annotated[tuple[Proof, ...], Field(min_length=1)]
    tags: tuple[str, ...] = ()
    behaviours: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    script_only: bool = False
