"""The file format of scripts: what people say, and the steps the model then takes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field

from agencyclaw.domain.replies import Changes
from agencyclaw.domain.text import digest

# Several times as fast, where PyYAML has it; a start reads a long script.
_FAST_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class ScriptedCall(BaseModel):
    """One tool call; a string argument may contain `${tool.path.to.field}` of an earlier result.

    In place of a tool, `said` names the person's words, `thread` the quoted messages of the thread,
    and `meant` those on which shortcuts were used.
    """

    model_config = ConfigDict(extra="forbid")

    tool: str
    args: dict[str, Any] = Field(default_factory=dict)


class ScriptedReply(BaseModel):
    """The fields of an answer beside its text; what is left out follows from the turn's results."""

    model_config = ConfigDict(extra="forbid")

    changes: Changes | None = None
    earlier: str = ""
    question: str = ""
    sources: list[str] | None = None


class ScriptStep(BaseModel):
    """What the model does next: calls in one response, a text that ends the run, or a failure.

    With `when`, the step is taken only if the named value of an earlier result is not empty.
    A line of the text with `*` in a path is written once for each item of that list.
    `fail` is the HTTP status with which the model's service answers.
    """

    model_config = ConfigDict(extra="forbid")

    calls: list[ScriptedCall] = Field(default_factory=list[ScriptedCall])
    text: str = ""
    reply: ScriptedReply = Field(default_factory=ScriptedReply)
    when: str = ""
    fail: int = 0


class ScriptedTurn(BaseModel):
    """What a person says, in any of these wordings, and the model's steps.

    `anywhere`: it names nothing of the tour's agency, so it makes sense in any other.
    """

    model_config = ConfigDict(extra="forbid")

    say: list[str]
    anywhere: bool = False
    steps: list[ScriptStep]


class Script(BaseModel):
    """A whole script; `otherwise` is the answer to everything it does not contain.

    With `closest`, that answer ends with this line and its most similar sentences.
    `admins` are turns that only admins are shown, `also` such that nobody is.
    `barred` replaces the call of a tool that is not offered; without it, the call is made.
    `children` are turns of the sub-agents, matched by their question.
    """

    model_config = ConfigDict(extra="forbid")

    name: str
    opening: str = ""
    otherwise: str
    closest: str = ""
    barred: str = ""
    turns: list[ScriptedTurn]
    admins: list[ScriptedTurn] = Field(default_factory=list[ScriptedTurn])
    also: list[ScriptedTurn] = Field(default_factory=list[ScriptedTurn])
    children: list[ScriptedTurn] = Field(default_factory=list[ScriptedTurn])

    @property
    def known(self) -> list[ScriptedTurn]:
        """Every turn of a person."""
        return [*self.turns, *self.admins, *self.also]


def load_script(path: Path) -> Script:
    """Read a script file; raises pydantic's ValidationError with the place of each mistake."""
    content = yaml.load(path.read_text(encoding="utf-8"), Loader=_FAST_LOADER)  # noqa: S506
    return Script.model_validate(content)


@cache
def tour() -> Script:
    """Return the tour the keyless demo plays."""
    return load_script(Path(__file__).parent / "scripts" / "tour.yaml")


def script_hash(script: Script) -> str:
    """Return the short hash that identifies this script on every run it plays."""
    return digest(script.model_dump(mode="json"))[:12]
