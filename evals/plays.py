"""A play: one case with one way for the model to act, performed in a world of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agencyclaw.agents.main import Models
from agencyclaw.agents.prompts import load_prompt
from agencyclaw.agents.script import next_response
from agencyclaw.agents.script_file import Script, ScriptedTurn, ScriptStep
from agencyclaw.agents.summary import PROMPT as SUMMARY
from agencyclaw.domain.text import clean
from evals.expected import Expected, ExpectedTurn, agency_today, with_days
from evals.ledger import Ledger, PlayedTurn
from evals.scene import Part, Scene, Turn
from evals.sent import SentCounter
from evals.stage import Stage, unprompted
from evals.world import Ground, open_world

ENDED = "(The script has no line for this.)"
GOLD, LAZY = "gold", "lazy"
Steps = tuple[tuple[ScriptStep, ...], ...]


class Play(Part):
    """A case and the model's part in it: steps per turn, or none for a real model."""

    subject: str
    case: str
    variant: str
    scene: Scene
    expected: Expected
    steps: Steps | None = None

    @property
    def name(self) -> str:
        """The name in reports."""
        return f"{self.case} / {self.variant}"


def gold_of(scene: Scene) -> Steps:
    """Return the right steps of every turn."""
    return tuple(turn.gold for turn in scene.turns)


def lazy_of(scene: Scene) -> Steps:
    """Return the steps of a model that answers without looking."""
    return tuple(turn.lazy for turn in scene.turns)


@dataclass
class ScriptedModel:
    """Plays the steps of the current turn."""

    scene: Scene
    steps: Steps
    today: date = field(default_factory=agency_today)
    script: Script = field(init=False)
    sent: SentCounter = field(default_factory=SentCounter)

    def begin(self, number: int) -> None:
        """Turn to the steps of this turn."""
        acted = self.scene.turns[number]
        turn = ScriptedTurn(say=[self._heard(acted)], steps=list(self.steps[number]))
        children = [
            ScriptedTurn(say=[with_days(child.question, self.today)], steps=list(child.steps))
            for child in acted.children
        ]
        self.script = Script(
            name="evals", otherwise=ENDED, turns=[turn, *children], children=children
        )

    def model(self) -> FunctionModel:
        """Return the model that has this mind."""

        async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
            if self.scene.long_thread and info.instructions == load_prompt(SUMMARY).text:
                return ModelResponse(parts=[TextPart(self.scene.long_thread.condensed)])
            response = next_response(self.script, messages, info)
            return replace(response, usage=self.sent.usage(messages, info))

        return FunctionModel(answer, model_name="script:evals")

    def _heard(self, turn: Turn) -> str:
        return clean(with_days(turn.written, self.today) or turn.press)


@dataclass(frozen=True)
class Minded:
    """A model that reads, and what it is called."""

    models: Models
    label: str


Look = Callable[[PlayedTurn, ExpectedTurn, date], bool]


async def perform(ground: Ground, play: Play, reader: Minded | None, is_wrong: Look) -> Ledger:
    """Play a case with its script, or with a real model.

    A wrong variant ends once it `is_wrong`: it is caught, whatever would follow. What midnight
    comes into is played again: a play holds one date from start to end.
    """
    while True:
        today = agency_today()
        ledger = await _perform(ground, play, reader, is_wrong, today)
        if today == agency_today():
            return ledger


async def _perform(
    ground: Ground, play: Play, reader: Minded | None, is_wrong: Look, today: date
) -> Ledger:
    script = ScriptedModel(play.scene, play.steps, today) if play.steps is not None else None
    mind = Minded(Models(script.model()), "script:evals") if script else reader
    if mind is None:
        raise ValueError(f"{play.name} has neither a script nor a model")

    def is_enough(number: int, played: PlayedTurn) -> bool:
        is_meant = script is None or play.variant == GOLD
        return not is_meant and is_wrong(played, play.expected.turns[number], today)

    async with open_world(ground, mind.models, mind.label, play.scene) as world:
        begin = script.begin if script else unprompted
        ledger = await Stage(world, play.scene, begin, is_enough, today).play()
    return _with_leftovers(ledger, play) if play.variant == GOLD else ledger


def _with_leftovers(ledger: Ledger, play: Play) -> Ledger:
    """A right script is played to its last line, or the case does not say what happens."""
    acts = [n for n, turn in enumerate(play.scene.turns) if turn.say or turn.press or turn.edit]
    steps = play.steps or ()
    left = [
        f"turn {at}: the script has {len(steps[number])} lines, {turn.requests} were asked for"
        for at, (number, turn) in enumerate(zip(acts, ledger.turns, strict=True), start=1)
        if turn.requests < sum(not (step.when or step.fail) for step in steps[number])
    ]
    return ledger.model_copy(update={"unsettled": (*ledger.unsettled, *left)})
