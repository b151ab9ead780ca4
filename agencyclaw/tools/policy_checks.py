"""Applies the policy inside tools: at the call, and to the client it turns out to be about."""

from __future__ import annotations

from dataclasses import replace

from agencyclaw.deps import Deps
from agencyclaw.domain.changes import Change
from agencyclaw.domain.clients import Client
from agencyclaw.domain.errors import NotAllowed, WrongPlace
from agencyclaw.domain.policy import (
    Allow,
    Answering,
    Decision,
    Deny,
    Switches,
    answered_in,
    decide,
    decide_each,
    decide_effect,
    used_up,
)
from agencyclaw.tools.catalogue import TOOLS, ToolSpec


def judge(deps: Deps, name: str, client: Client | None = None) -> Decision:
    """Return the policy's decision on a tool for this run's person and place, and a client."""
    spec = TOOLS.get(name)
    rule = spec.rule if spec else None
    if rule and client:
        rule = replace(rule, client_id=client.id)
    switches = deps.switches if not spec or has_needs(deps, spec) else deps.switches.without(name)
    return decide(deps.actor, deps.surface, rule, switches)


def allows(deps: Deps, name: str, client: Client | None = None) -> bool:
    """Return whether a tool may be used by this run's person and place, and for a client."""
    return not isinstance(judge(deps, name, client), Deny)


def has_needs(held: object, spec: ToolSpec) -> bool:
    """Return whether what a tool needs is connected: a field of a run's `Deps`, or of `Sources`.

    What only the place of a run brings counts as connected in `Sources`.
    """
    return not spec.needs or bool(getattr(held, spec.needs, True))


def connected(deps: Deps) -> Switches:
    """Return the switches with those tools disabled that need what is not connected."""
    lacking = (name for name, spec in TOOLS.items() if not has_needs(deps, spec))
    return deps.switches.without(*lacking)


async def metered(deps: Deps, decision: Decision) -> Decision:
    """Count an allowed call if calls are limited, once a limit; one too many becomes a refusal.

    A tool and an effect that another tool makes as well have limits of their own.
    """
    limit = decision.limit if isinstance(decision, Allow) else None
    if not isinstance(decision, Allow) or limit is None:
        return decision
    key = (decision.meta["skill"], limit.client_id)
    free_at = None if key in deps.counted else await deps.meter.use(key[0], limit)
    if free_at is None:
        deps.counted.add(key)
        return decision
    return used_up(decision, limit, free_at.astimezone(deps.actor.zone))


def require_allowed(decision: Decision) -> None:
    """Raise NotAllowed, with words for the person, unless the decision allows it."""
    if isinstance(decision, Deny):
        raise NotAllowed(decision.message, reason=decision.reason)


def require_showable(deps: Deps, name: str) -> None:
    """Raise WrongPlace if a tool's result must not be shown to those who read along."""
    spec = TOOLS.get(name)
    if spec and answered_in(deps.surface, spec.rule) is not Answering.HERE:
        raise WrongPlace(answered_in(deps.surface, spec.rule).value)


def may_show(deps: Deps, name: str) -> bool:
    """Return whether this person may use a tool, and its result may be shown to who reads along."""
    return allows(deps, name) and answered_in(deps.surface, TOOLS[name].rule) is Answering.HERE


async def check_client(deps: Deps, client: Client) -> None:
    """Raise NotAllowed if the present tool may not be used for this client."""
    if deps.calling:
        require_allowed(await metered(deps, judge(deps, deps.calling, client)))


async def check_effect(deps: Deps, effect: Change) -> None:
    """Raise NotAllowed unless the effect is allowed for every client it touches, with all parts.

    The call counts for those clients, too, that no argument named.
    """
    require_allowed(decide_effect(deps.actor, deps.surface, effect, deps.switches))
    for decision in decide_each(deps.actor, deps.surface, effect, deps.switches):
        require_allowed(await metered(deps, decision))


def listable(deps: Deps, clients: list[Client]) -> list[Client]:
    """Return the clients that the present tool may list.

    They are judged one by one only if an admin decided something for a single client.
    """
    if not deps.calling or not clients:
        return clients
    own = {one.scope_id for one in deps.switches.overrides if one.scope == "client"}
    if own or deps.surface.client_id:
        return [client for client in clients if allows(deps, deps.calling, client)]
    return clients if allows(deps, deps.calling, clients[0]) else []
