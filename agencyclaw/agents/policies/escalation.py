"""Changes to a stronger model when a run is in trouble, and withdraws tools that keep failing.

If a provider refuses or takes too long, the next stronger model is asked at once, and stays. After
two failed calls in a row, an empty answer or one that was sent back, the next request goes to a
stronger model. A run never returns to a weaker one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import ModelResponse
from pydantic_ai.models import Model
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.settings import ModelSettings

from agencyclaw.agents.policies.trail import Trail
from agencyclaw.tools.results import Refusal

STRONGER_AFTER = 2
WITHDRAWN_AFTER = 4
_WITHDRAWN = (
    "That was the {count}th failed call in a row, so what failed is put aside for this answer."
    " Go on without it, and say plainly what could not be found out and why."
)


@dataclass
class Escalation:
    """Tracks the trouble of one run; one instance per run.

    `ladder` are its models, weakest first; `level` is the index of the one that answers next.
    """

    ladder: Sequence[Model | str]
    trail: Trail
    level: int = 0
    withdrawn: set[str] = field(default_factory=set[str])
    _chains: dict[int, Model | str] = field(default_factory=dict[int, Model | str])

    def select(self, rejected_answers: int) -> Model | str:
        """Return the model of the next request."""
        failed_pairs = len(self.trail.errors_in_a_row) // STRONGER_AFTER
        self.level = min(max(self.level, rejected_answers, failed_pairs), len(self.ladder) - 1)
        if self.level not in self._chains:
            self._chains[self.level] = with_fallbacks(self.ladder[self.level :])
        return self._chains[self.level]

    def record_response(self, response: ModelResponse) -> None:
        """Stay with the model that answered where weaker ones refused or hung before it."""
        self.level += len(response.failed_attempts or ())

    def withdraw(self, result: Any) -> Any:
        """Withdraw tools that failed too often in a row; returns the result, which then says so."""
        failed = self.trail.errors_in_a_row
        if len(failed) < WITHDRAWN_AFTER:
            return result
        newly_failed = {step.tool for step in failed} - self.withdrawn
        self.withdrawn |= newly_failed
        if not newly_failed or not isinstance(result, Refusal):
            return result
        note = _WITHDRAWN.format(count=len(failed))
        return result.model_copy(update={"message": f"{result.message} {note}"})


def with_fallbacks(models: Sequence[Model | str]) -> Model | str:
    """Return the first model, with the others as fallbacks if its provider refuses."""
    return FallbackModel(*models) if len(models) > 1 else models[0]


def request_timeout(models: Sequence[Model | str], whole_s: float) -> ModelSettings | None:
    """Return a time limit for one request, which leaves a stronger model time to answer."""
    return ModelSettings(request_timeout=whole_s / 2) if len(models) > 1 else None
