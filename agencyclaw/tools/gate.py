"""The gate of every tool call: permission, cleaned arguments, and words for each failure."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, cast

from pydantic_ai import FunctionToolset, RunContext, Tool
from pydantic_ai.exceptions import (
    AgentRunError,
    ApprovalRequired,
    CallDeferred,
    ModelRetry,
    SkipToolExecution,
    ToolFailed,
    ToolFailedError,
    ToolRetryError,
)
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool, WrapperToolset

from agencyclaw.deps import Deps
from agencyclaw.domain.changes import UNSUPPORTED_AT_MOST, Change
from agencyclaw.domain.effects import Effect
from agencyclaw.domain.errors import (
    Broken,
    DatabaseUnavailable,
    Misconfigured,
    NotAllowed,
    NotMapped,
    Postponed,
    Refused,
    Throttled,
    Unavailable,
    WrongPlace,
)
from agencyclaw.domain.messages import message
from agencyclaw.domain.policy import Deny
from agencyclaw.domain.press import because
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.text import clean_json
from agencyclaw.knowledge.tokens import count_tokens
from agencyclaw.spans import traced
from agencyclaw.tools.catalogue import TOOLS, ToolSpec
from agencyclaw.tools.people import who_can_help
from agencyclaw.tools.permissions import permitted
from agencyclaw.tools.policy_checks import (
    check_effect,
    connected,
    judge,
    metered,
    require_allowed,
    require_showable,
)
from agencyclaw.tools.replacing import replacement_note
from agencyclaw.tools.results import AWAY, Ask, OpenTask, Proposed, Refusal, Result
from agencyclaw.tools.schemas import ArgumentSchema
from agencyclaw.tools.text_sources import sources_of_texts
from agencyclaw.tools.unsupported_figures import (
    SentBack,
    kept_of_cards,
    send_back,
    unsupported_figures,
)

_FRAMEWORK = (
    ModelRetry,
    ToolFailed,
    ToolFailedError,
    ToolRetryError,
    CallDeferred,
    ApprovalRequired,
    SkipToolExecution,
    AgentRunError,
    WrongPlace,
)


# Children have a clock of their own, and the turn's ends them all.
_DELEGATED_S = 600.0
_TOOLSET = "agency"


def build_toolset() -> Gate:
    """Return all tools behind the gate; tools that prepare changes run one at a time."""
    return _behind_the_gate(TOOLS.values())


def gate_of(toolset: AbstractToolset[Deps]) -> Gate | None:
    """Return the gate in a toolset."""
    leaves: list[AbstractToolset[Deps]] = []
    toolset.apply(leaves.append)
    return next((leaf for leaf in leaves if isinstance(leaf, Gate)), None)


def build_reading_toolset() -> Gate:
    """Return a sub-agent's tools behind the same gate: only those that read themselves."""
    return _behind_the_gate(spec for spec in TOOLS.values() if spec.is_for_children)


def _behind_the_gate(specs: Iterable[ToolSpec]) -> Gate:
    tools = [built(spec) for spec in specs]
    return Gate(FunctionToolset[Deps](tools, id=_TOOLSET, max_retries=3))


def _complete(tool: ToolsetTool[Deps]) -> ToolsetTool[Deps]:
    """Define a tool as models are sent it: the library would copy every definition at each request.

    It stamps the toolset's id, and takes out what a tool returns, which no model is told.
    """
    sent = replace(tool.tool_def, toolset_id=_TOOLSET, return_schema=None)
    return replace(tool, tool_def=sent)


@cache
def definition_tokens(name: str) -> int:
    """Return what a tool's definition weighs in a request; 0 if there is no such tool."""
    if name not in TOOLS:
        return 0
    sent = built(TOOLS[name]).tool_def
    return count_tokens(f"{name} {sent.description} {json.dumps(sent.parameters_json_schema)}")


@cache
def built(spec: ToolSpec) -> Tool[Deps]:
    """Build a tool from signature and docstring, once; it holds nothing of a run."""
    return Tool[Deps](
        spec.function,
        sequential=spec.rule.changes,
        defer_loading=spec.is_on_demand,
        docstring_format="google",
        require_parameter_descriptions=True,
        timeout=_DELEGATED_S if spec.delegates else None,
        schema_generator=ArgumentSchema,
    )


@dataclass
class Gate(WrapperToolset[Deps]):
    """Hides tools this person may not use here, judges each call again, and words failures.

    A refusal is an ordinary result: it costs no retry and never ends the run. Only a change that
    can't be prepared while ClickUp is unavailable ends it: the message waits, and the run starts
    again. Tools are the same for all runs and only their availability differs, so they are `built`
    once, and what runs are offered is `kept` for later ones.
    """

    built: dict[str, ToolsetTool[Deps]] = field(
        default_factory=dict[str, ToolsetTool[Deps]], repr=False, compare=False
    )
    kept: dict[Hashable, dict[str, ToolsetTool[Deps]]] = field(
        default_factory=dict[Hashable, dict[str, ToolsetTool[Deps]]], repr=False, compare=False
    )

    def apply(self, visitor: Callable[[AbstractToolset[Deps]], None]) -> None:
        """Show itself, as it lists and calls its tools itself."""
        visitor(self)

    def allowed(self, deps: Deps) -> frozenset[str]:
        """Return the tools that may be used here, as far as what they need is there."""
        return permitted(deps.actor, deps.surface, connected(deps))

    async def get_tools(self, ctx: RunContext[Deps]) -> dict[str, ToolsetTool[Deps]]:
        """Return the tools this person may use in this place."""
        if not self.built:
            tools = await super().get_tools(ctx)
            self.built.update({name: _complete(tool) for name, tool in tools.items()})
        allowed = self.allowed(ctx.deps)
        return {name: tool for name, tool in self.built.items() if name in allowed}

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Deps], tool: ToolsetTool[Deps]
    ) -> Any:
        """Run an allowed tool with cleaned arguments, and record how it ended."""
        counted = ctx.deps.counted_before.pop(name, set())
        deps = replace(ctx.deps, calling=name, counted=counted, other_matches=[], picked=[])
        ctx = replace(ctx, deps=deps)
        with traced("tool", tool=name, run=str(ctx.deps.run_id)) as span:
            try:
                decision = judge(ctx.deps, name)
                if not isinstance(decision, Deny):
                    require_showable(ctx.deps, name)
                require_allowed(await metered(ctx.deps, decision))
                arguments = clean_json(tool_args)
                waiting = await _suspend(name, arguments, ctx.deps)
                if waiting:
                    ctx = replace(ctx, deps=replace(ctx.deps, revised=tuple(waiting)))
                returned = await super().call_tool(name, arguments, ctx, tool)
                result = await _settle(name, arguments, returned, ctx, waiting)
            except SentBack:
                ctx.deps.counted_before[name] = counted
                raise
            except _FRAMEWORK:
                raise
            except Exception as fault:
                result = await _with_way_out(_explain(fault, ctx.deps), fault, ctx.deps)
                if result.reason == AWAY and TOOLS[name].effect is not None:
                    after = fault.after if isinstance(fault, Throttled) else 0.0
                    raise Postponed(result.message, after=after) from fault
                if result.reason == "broken":
                    span.record_exception(fault)
                    span.set_level("error")
                span.set_attribute("fault", type(fault).__name__)
            span.set_attribute("outcome", _outcome(result))
            return result


async def _suspend(name: str, args: dict[str, Any], deps: Deps) -> Sequence[Proposal]:
    """Suspend the proposals that a changing tool is called about."""
    spec = TOOLS[name]
    if spec.effect is None:
        return ()
    named = [args.get("title"), args.get("replaces")]
    titles = [one for one in named if isinstance(one, str)] if "title" in args else None
    return await deps.proposals.revise(getattr(spec.effect, "skill", name), titles)


async def _settle(
    name: str,
    arguments: dict[str, Any],
    returned: Any,
    ctx: RunContext[Deps],
    waiting: Sequence[Proposal],
) -> Any:
    """Turn an effect into a draft; raises Broken if a reading tool returned one."""
    deps = ctx.deps
    if not isinstance(returned, Change):
        return _with_other_matches(returned, deps)
    declared = TOOLS[name].effect
    if declared is None or not isinstance(returned, declared):
        raise Broken(f"{name} returned an effect it does not propose")
    await check_effect(deps, returned)
    unstated = (*returned.unsupported_facts, *unsupported_figures(ctx, arguments, returned))
    send_back(ctx, unstated)
    unstated = tuple(dict.fromkeys((*unstated, *kept_of_cards(deps, returned))))
    sources = await sources_of_texts(ctx, arguments, returned)
    effect = returned.model_copy(
        update={
            "timezone": deps.actor.timezone,
            "field_sources": (*returned.field_sources, *dict.fromkeys(deps.picked), *sources),
            "unsupported_facts": unstated[:UNSUPPORTED_AT_MOST],
            "left_out": (),
        }
    )
    # Beside others of its run it may miss less than it did alone.
    drafted = (await deps.proposals.draft(cast("Effect", effect))).effect
    preview = drafted.preview()
    return Proposed(
        status=_status(drafted, deps),
        of=(", ".join(one.name for one in drafted.clients), drafted.label),
        summary=preview.headline,
        where=preview.where,
        fields=_merged((*preview.fields, *preview.in_body)),
        rests_on=tuple(source.title for source in preview.sources),
        missing=(*returned.left_out, *preview.missing),
        against=drafted.warnings,
        similar_open_tasks=tuple(OpenTask(title=s.title, url=s.url) for s in preview.similar),
        by_itself=drafted.by_itself,
        note=" ".join(
            (f"Nothing has been {returned.done} yet.", *replacement_note(effect, drafted, waiting))
        ),
    )


def _status(drafted: Change, deps: Deps) -> str:
    """Say what will confirm it, as far as is known before its card is shown."""
    if drafted.press_reason:
        return message("state.press_only", why=f" ({because(drafted.press_reason)})")
    if not deps.place.is_direct:
        return message("state.drafted_in_channel")
    return message("state.drafted")


def _with_other_matches(returned: Any, deps: Deps) -> Any:
    """Say beside what was read whom else a name in the call fits."""
    if (
        not deps.other_matches
        or not isinstance(returned, Result)
        or isinstance(returned, Ask | Refusal)
    ):
        return returned
    remarks = dict.fromkeys(one.remark for one in deps.other_matches)
    choices = dict.fromkeys(choice for one in deps.other_matches for choice in one.choices)
    return returned.model_copy(
        update={"also_meant": " ".join(remarks), "whom_it_fits": tuple(choices)}
    )


def _merged(rows: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return rows by name; several values of a name are listed."""
    merged: dict[str, str] = {}
    for name, value in rows:
        known = merged.get(name)
        merged[name] = value if known in (None, value) else f"{known}; {value}"
    return merged


def _explain(fault: Exception, deps: Deps) -> Refusal:
    """Return the words for an error; its own text only if it was written for people."""
    match fault:
        case NotMapped():
            kept, kept_of = fault.kept, fault.kept_of
            return Refusal(reason=fault.reason, message=fault.message, kept=kept, kept_of=kept_of)
        case Refused():
            return Refusal(reason=fault.reason, message=fault.message)
        case Misconfigured():
            return Refusal(reason="misconfigured", message=message("gate.clickup_unusable"))
        case Throttled():
            seconds = max(1, round(fault.after))
            limited = message("gate.clickup_limits", seconds=seconds)
            return Refusal(reason=AWAY, message=limited)
        case Unavailable() if not isinstance(fault, DatabaseUnavailable):
            return Refusal(reason=AWAY, message=message("gate.clickup_unreachable"))
        case _:
            broken = message("gate.broken", run_id=deps.run_id)
            return Refusal(reason="broken", message=broken)


async def _with_way_out(refusal: Refusal, fault: Exception, deps: Deps) -> Refusal:
    """Add to what a person may not who can change that."""
    if not isinstance(fault, NotAllowed):
        return refusal
    text = " ".join(filter(None, (refusal.message, await who_can_help(deps, refusal.reason))))
    return refusal.model_copy(update={"message": text})


def _outcome(result: Any) -> str:
    match result:
        case Refusal():
            return result.reason
        case Ask() | Proposed():
            return result.kind
        case Result():
            return "ok"
        case _:
            return "untyped"
