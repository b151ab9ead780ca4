"""Calculations: a short program by the model over what tools returned, and nothing else."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from pydantic_ai import RunContext
from pydantic_ai.messages import ModelRequest, ToolReturnPart
from pydantic_core import to_jsonable_python

from agencyclaw.deps import Deps
from agencyclaw.domain.people import Tier
from agencyclaw.domain.policy import Shows
from agencyclaw.domain.text import canonical_json
from agencyclaw.knowledge.claimed_figures import numbers_in
from agencyclaw.knowledge.programs import fault_of
from agencyclaw.tools.arguments import Key
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.results import Refusal, Result
from agencyclaw.tools.visible_texts import visible_texts

Code = Annotated[str, Field(max_length=4_000)]
Keys = Annotated[list[Key], Field(max_length=3)]


class WorkedOut(Result):
    """The output of a program."""

    printed: str


@reads(tier=Tier.VIEWER, shows=Shows.NOTHING, on_demand=True, needs="calculator")
async def calculate(
    ctx: RunContext[Deps], code: Code, earlier: Keys | None = None
) -> WorkedOut | Refusal:
    """Work out sums, shares, means, dates or groups over what tools returned, with a short program.

    Python with datetime, math, json, collections, re, decimal; print the outcome. `results` holds
    what tools returned in this turn, newest last: results["list_tasks"][-1]["tasks"]. `earlier` is
    a list of what the given keys bring back. Every figure comes from there or from the person.

    Args:
        code: The program.
        earlier: Keys of earlier results, such as "ev:...".
    """
    deps = ctx.deps
    assert deps.calculator is not None
    brought = [(await deps.notebook.evidence(key)).payload["result"] for key in earlier or ()]
    seen = "\n".join([*visible_texts(ctx), *map(canonical_json, brought)])
    if fault := fault_of(code, numbers_in(seen)):
        return _refused(fault)
    values = {"results": _returned(ctx), "earlier": brought}
    done = await deps.calculator.run(code, values)
    return _refused(done.fault) if done.fault else WorkedOut(printed=done.printed)


def _refused(fault: str) -> Refusal:
    message = f"That could not be worked out. {fault}"
    return Refusal(reason="program", message=message, is_for_model=True)


def _returned(ctx: RunContext[Deps]) -> dict[str, list[Any]]:
    """Return what each tool returned in this run, as the model saw it."""
    found: dict[str, list[Any]] = {}
    for request in ctx.messages:
        if isinstance(request, ModelRequest) and request.run_id == ctx.run_id:
            for part in request.parts:
                if isinstance(part, ToolReturnPart):
                    shown = to_jsonable_python(part.content, fallback=str)
                    found.setdefault(part.tool_name, []).append(shown)
    return found
