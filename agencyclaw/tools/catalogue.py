"""The registry of tools: two decorators fill it, and check each tool's arguments."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, cast, get_type_hints

from pydantic import BaseModel, TypeAdapter
from pydantic_ai import RunContext

from agencyclaw.domain.changes import EffectScope
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.policy import Rule, Shows
from agencyclaw.domain.records import SetRecord
from agencyclaw.domain.skills import Skill

Function = Callable[..., Awaitable[Any]]
F = TypeVar("F", bound=Function)

_NOT_FOR_A_MODEL = re.compile(
    r"confirm|consent|approv|\bforce\b|force_|skip_|actor|on_behalf|profile|tier|fingerprint"
    r"|proposal|channel|thread|team|space|destination|run_id|(^|_)ids?$|user"
)

# What is written in one of them is short; an address or base64 is as long as one likes.
_SHORT_FORMATS = frozenset({"date", "date-time", "time", "uuid"})


@dataclass(frozen=True)
class ToolSpec:
    """One tool: its function, what it may prepare, and the rule it is judged by.

    `needs` names a field of `Deps` that not every deployment has; without it the tool is disabled.
    One that `delegates` runs sub-agents: it is not offered to them, and may take long. One that
    `attaches` puts something under the answer, which is the main agent's.
    """

    function: Function
    rule: Rule
    skill_id: str
    effect: type[BaseModel] | None = None
    is_on_demand: bool = False
    needs: str = ""
    delegates: bool = False
    attaches: bool = False

    @property
    def is_for_children(self) -> bool:
        """Whether sub-agents may have it."""
        return not (self.rule.changes or self.delegates or self.attaches)

    @property
    def name(self) -> str:
        """The name by which the model calls it."""
        return self.rule.skill

    @property
    def title(self) -> str:
        """What a person reads while it runs."""
        return self.rule.title


TOOLS: dict[str, ToolSpec] = {}


def built_skills() -> list[Skill]:
    """Return the skill that each tool serves."""
    return [
        Skill(
            id=spec.skill_id,
            tool_name=spec.name,
            name=spec.title,
            min_tier=spec.rule.tier,
            changes=spec.rule.changes,
            implemented_in_code=True,
        )
        for spec in TOOLS.values()
    ]


def reads(
    *,
    tier: Tier,
    skill_id: str = "",
    on_demand: bool = False,
    needs: str = "",
    delegates: bool = False,
    attaches: bool = False,
    shows: Shows = Shows.OURS,
) -> Callable[[F], F]:
    """Make a function a tool that reads and changes nothing.

    People read the sentence `steps.<name>` while it runs. `on_demand`: it is rarely needed, so the
    model finds it by searching. `needs`: a field of `Deps` without which it is disabled.
    `delegates`: it runs sub-agents. `attaches`: it puts something under the answer. `shows`: whose
    data it returns, which decides who may read along.
    """

    def register(function: F) -> F:
        name = function.__name__
        rule = Rule(skill=name, changes=False, tier=tier, title=_title_of(name), shows=shows)
        _register(
            ToolSpec(
                function,
                rule,
                skill_id or name,
                is_on_demand=on_demand,
                needs=needs,
                delegates=delegates,
                attaches=attaches,
            )
        )
        return function

    return register


def proposes(
    effect: type[BaseModel], *, tier: Tier, skill_id: str = "", on_demand: bool = False
) -> Callable[[F], F]:
    """Make a function a tool that returns an effect for a person to confirm.

    Whom all of its effects concern decides in which places it is offered: a question or an error on
    the way to an effect that is refused there could name what may not be named there.
    """

    def register(function: F) -> F:
        name = function.__name__
        scope: EffectScope | None = getattr(effect, "scope", None)
        rule = Rule(skill=name, changes=True, tier=tier, title=_title_of(name, effect), scope=scope)
        _register(ToolSpec(function, rule, skill_id or name, effect, is_on_demand=on_demand))
        return function

    return register


def _title_of(name: str, effect: type[BaseModel] | None = None) -> str:
    """Return what people read while a tool runs; those of records may share a sentence."""
    try:
        return message(f"steps.{name}")
    except KeyError:
        if effect and issubclass(effect, SetRecord):
            return message("steps.a_record")
        where = "agencyclaw/domain/messages/en/steps.py"
        raise TypeError(f"tool {name}: {where} lacks the sentence steps.{name}") from None


def _register(spec: ToolSpec) -> None:
    check_function(spec.function)
    if spec.name in TOOLS:
        raise TypeError(f"tool {spec.name}: there is one of that name already")
    TOOLS[spec.name] = spec


def check_function(function: Function) -> None:
    """Raise TypeError, naming tool and fault, unless the function may be a tool."""
    name = function.__name__
    if not inspect.iscoroutinefunction(function):
        raise TypeError(f"tool {name}: it must be an async function")
    if not inspect.getdoc(function):
        raise TypeError(f"tool {name}: the model reads its docstring, and there is none")
    hints = get_type_hints(function, include_extras=True)
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters or not _is_context(hints.get(parameters[0].name)):
        raise TypeError(f"tool {name}: the first parameter must be RunContext[Deps]")
    if "return" not in hints:
        raise TypeError(f"tool {name}: its result has no annotation")
    for parameter in parameters[1:]:
        _check_parameter(name, parameter, hints)


def _is_context(hint: Any) -> bool:
    return getattr(hint, "__origin__", hint) is RunContext


def _check_parameter(tool: str, parameter: inspect.Parameter, hints: dict[str, Any]) -> None:
    where = f"tool {tool}, argument {parameter.name}"
    if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
        raise TypeError(f"{where}: open-ended arguments have no limits")
    if parameter.name not in hints:
        raise TypeError(f"{where}: it has no annotation")
    if fault := _forbidden(parameter.name) or _fault_of(hints[parameter.name]):
        raise TypeError(f"{where}: {fault}")


def _forbidden(name: str) -> str:
    """Return why a model must not fill in an argument, or a field of one, of that name."""
    if not _NOT_FOR_A_MODEL.search(name):
        return ""
    return f"consent, people's identity and destinations are not arguments: {name}"


@cache
def _fault_of(hint: Any) -> str:
    """Return what a type lacks; cached, as tools share their arguments' types."""
    schema = TypeAdapter(hint).json_schema()
    return _unfit(schema, cast(dict[str, Any], schema.get("$defs", {})))


def _unfit(
    schema: dict[str, Any], defs: dict[str, Any], within: frozenset[str] = frozenset()
) -> str:
    """Return what lacks a limit, or has a forbidden name, in a JSON schema; "" if nothing does.

    `within` are the types of `defs` that the schema is a part of.
    """
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        if name in within:
            return f"{name} within itself has no limits"
        return _unfit(defs[name], defs, within | {name})
    if "enum" in schema or "const" in schema:
        return ""
    fields: dict[str, dict[str, Any]] = schema.get("properties", {})
    parts = [*_parts(schema), *fields.values()]
    within_parts = (_unfit(part, defs, within) for part in parts)
    faults = (_limitless(schema), *(_forbidden(name) for name in fields), *within_parts)
    return next((fault for fault in faults if fault), "")


def _parts(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the alternatives of a schema and what its lists are of."""
    several = ("anyOf", "oneOf", "allOf", "prefixItems")
    items = [schema["items"]] if "items" in schema else []
    return [*items, *(part for key in several for part in schema.get(key, []))]


def _limitless(schema: dict[str, Any]) -> str:
    """Return which limit a schema itself lacks, apart from its parts."""
    low, high = {"minimum", "exclusiveMinimum"}, {"maximum", "exclusiveMaximum"}
    match schema.get("type"):
        case "string" if "maxLength" not in schema and schema.get("format") not in _SHORT_FORMATS:
            return "a str needs max_length"
        case "integer" | "number" if not (low & schema.keys() and high & schema.keys()):
            return "a number needs a least and a greatest value"
        case "array" if "maxItems" not in schema:
            return "a list needs max_length"
        case "object" if schema.get("additionalProperties") is not False:
            return "an open object has no limits"
        case None if not _parts(schema):
            return "a value of any type has no limits"
        case _:
            return ""
