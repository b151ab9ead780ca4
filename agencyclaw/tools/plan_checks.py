"""Checks plans: the tools this person may use here, with valid arguments."""

from __future__ import annotations

from functools import cache

from pydantic import ValidationError
from pydantic_ai import Tool

from agencyclaw.deps import Deps
from agencyclaw.domain.planning import STEPS_AT_MOST, UNKNOWN, Plan, PlanStep
from agencyclaw.domain.policy import Deny
from agencyclaw.domain.text import canonical_json, folded
from agencyclaw.knowledge.tokens import count_tokens
from agencyclaw.tools.catalogue import TOOLS
from agencyclaw.tools.gate import built
from agencyclaw.tools.policy_checks import allows, judge

STEPS_TOKENS_AT_MOST = 1_200


def describe_tools(deps: Deps) -> str:
    """Return a line for each tool that a step may name."""
    lines = [_line(name, tool) for name, tool in _tools().items() if allows(deps, name)]
    return "\n".join(["Tools that steps may name, * for what must be given:", *lines])


def check_plan(plan: Plan) -> list[str]:
    """Return what is wrong with a plan, for the model; an empty list means valid."""
    faults = [fault for step in plan.steps[:STEPS_AT_MOST] if (fault := _fault(step))]
    if len(plan.steps) > STEPS_AT_MOST:
        faults.append(f"At most {STEPS_AT_MOST} steps: those that come first.")
    if not plan.steps and folded(plan.intent) != UNKNOWN:
        faults.append(f"Without a step the intent is “{UNKNOWN}”: say what has to be asked.")
    # What no tool could take has been found out by here: numbers without end, for example.
    if not faults and count_tokens(canonical_json(plan.steps)) > STEPS_TOKENS_AT_MOST:
        faults.append("The steps are too long: say it in fewer words.")
    return faults


def refused_steps(deps: Deps, plan: Plan) -> list[tuple[PlanStep, str]]:
    """Return the steps that this person may not take here, with the reasons."""
    decisions = [(step, judge(deps, step.tool)) for step in plan.steps]
    return [(step, one.message) for step, one in decisions if isinstance(one, Deny)]


@cache
def _tools() -> dict[str, Tool[Deps]]:
    return {name: built(spec) for name, spec in TOOLS.items() if not spec.delegates}


def _line(name: str, tool: Tool[Deps]) -> str:
    schema = tool.function_schema.json_schema
    needed = schema.get("required", [])
    arguments = [f"{one}*" if one in needed else one for one in schema.get("properties", {})]
    first = (tool.description or "").split("\n\n", 1)[0].replace("\n", " ")
    prepares = " Only prepares; the person confirms." if TOOLS[name].rule.changes else ""
    return f"- {name}({', '.join(arguments)}): {first}{prepares}"


def _fault(step: PlanStep) -> str:
    tool = _tools().get(step.tool)
    if tool is None:
        return f"There is no tool “{step.tool}” for a step: name one of the list."
    try:
        tool.function_schema.validator.validate_python(step.arguments)
    except ValidationError as error:
        return f"{step.tool} can't be called like that: {_first(error)}."
    return ""


def _first(error: ValidationError) -> str:
    one = error.errors()[0]
    return f"{'.'.join(map(str, one['loc']))}: {one['msg']}"
