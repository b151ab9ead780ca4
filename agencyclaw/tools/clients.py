"""Clients: which ones this person may see, and which one a name means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from pydantic_ai import RunContext

from agencyclaw.deps import Deps, OtherMatches
from agencyclaw.domain.clients import Brand, Client, as_called, is_distinguished, namesakes_of
from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import Match, match_names, may_single_out, names_in
from agencyclaw.domain.people import ScopeKind, Tier
from agencyclaw.domain.policy import Shows
from agencyclaw.domain.proposals import ProposalState
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.arguments import Name
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.client_questions import ask_which_client, former_client
from agencyclaw.tools.names import (
    as_choices,
    decide,
    find_named,
    pick,
    was_offered,
    would_change,
    written_in,
)
from agencyclaw.tools.people import admin_names
from agencyclaw.tools.policy_checks import check_client, listable, require_showable
from agencyclaw.tools.results import NAMED_AT_MOST, Ask, Listing, Result, ask_which, shown_names

ALL_CLIENTS = "All active clients of the agency"
MOST_CLIENTS = "Active clients of the agency, without those for which admins restrict this,"
OWN_CLIENTS = "Only the clients this person is assigned to"
WHICH = "Which client do you mean?"
ALSO_FITS = (
    "What was said also fits {others}; this is of {name} only. Name both;"
    " what prepares something asks by itself."
)
NO_MATCH = "No client of that name is among those this person may see. Do not use another one."


class ClientRow(Result):
    """A client and its brands."""

    name: str
    brands: tuple[str, ...] = ()


class ClientList(Listing):
    """The clients found, their total, and how far the person's view reaches."""

    clients: tuple[ClientRow, ...]
    total: int
    scope_note: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class FoundClient:
    """The one client a name means; `brand_hint` is set if a brand was named.

    `namesakes` are other clients with a brand of exactly the client's name. `is_default`: nobody
    named it, it is the one that the person asked to remember. `by_market` is the marketplace that
    told it from others of its name. `of_place` is its brand that this place is for.
    """

    client: Client
    brands: list[Brand]
    brand_hint: str | None = None
    namesakes: tuple[str, ...] = ()
    is_default: bool = False
    by_market: str = ""
    of_place: Brand | None = None


@reads(tier=Tier.VIEWER, skill_id="cc_client_lookup", shows=Shows.THEIRS)
async def lookup_client(ctx: RunContext[Deps], query: Name | None = None) -> ClientList:
    """Find clients of the agency by name or by a brand's name, or list all this person may see.

    Args:
        query: What the person called the client or brand; leave out to list all.
    """
    visible = await listed_clients(ctx.deps)
    brands = await ctx.deps.directory.brands([client.id for client in visible])
    if not visible:
        return ClientList(clients=(), total=0, note=await no_clients(ctx.deps))
    found = visible
    if query and folded(query):
        found = list(find_named(ctx.deps, query, visible).things)
        found = found or _owners(find_named(ctx.deps, query, brands), visible)
    _note_topic(ctx.deps, found, visible, brands)
    reach = await reach_of(ctx.deps, visible)
    return ClientList(
        clients=tuple(_row(client, brands) for client in found[:NAMED_AT_MOST]),
        total=len(found),
        scope_note=_scope_note(ctx.deps, visible, reach, is_all=found is visible),
        note=(
            _namesakes_note(ctx.deps, query, found, visible, brands)
            if found
            else await _no_match(ctx.deps, query or "", NO_MATCH)
        ),
        reach=reach if found is visible or not found else "",
    )


def _note_topic(
    deps: Deps, found: list[Client], visible: list[Client], brands: list[Brand]
) -> None:
    """Set the conversation's topic: a client that was named alone, or none after a look at all."""
    if found is visible:
        deps.topic.is_wide = True
    elif len(found) == 1:
        several = (*found, *_namesakes(deps, found[0], visible, brands))
        chosen = _chosen_among(several, deps, visible, brands)
        deps.topic.clients.update(one.id for one in ([chosen] if chosen else several))


async def visible_clients(deps: Deps) -> list[Client]:
    """Return the clients that both person and place may see; a client's channel sees one."""
    clients = await deps.directory.clients(deps.actor)
    if deps.surface.scope is ScopeKind.CLIENT_SCOPED:
        return [client for client in clients if client.id == deps.surface.client_id]
    return clients


async def sees_a_client(deps: Deps, *, is_new: bool) -> bool:
    """Return whether there is a client that the person may see.

    Of members, who nearly always see one, that is asked only where a conversation begins.
    """
    sees_all = deps.actor.tier >= Tier.ADMIN or (deps.actor.tier >= Tier.MEMBER and not is_new)
    return sees_all or bool(await deps.directory.clients(deps.actor))


async def no_clients(deps: Deps) -> str:
    """Say why this person sees no client here, and who can change that."""
    is_of_client = deps.surface.scope is ScopeKind.CLIENT_SCOPED
    why = message("refused.clients.not_yours") if is_of_client else message("refused.clients.none")
    return await _by_admins(deps, why)


async def _by_admins(deps: Deps, what: str) -> str:
    """Name the admins who can do what a sentence says."""
    named = ", ".join(await admin_names(deps))
    return f"{what}: {named}." if named else f"{what}."


async def _no_match(deps: Deps, hint: str, missing: str) -> str:
    """Say that there is no such client here, and who can show a person more, if anybody can."""
    missing = await former_client(deps, hint) or missing
    if deps.actor.tier >= Tier.ADMIN or deps.surface.scope is ScopeKind.CLIENT_SCOPED:
        return missing
    return f"{missing} {await _by_admins(deps, message('refused.clients.assigned'))}"


async def reach_of(deps: Deps, listed: list[Client]) -> str:
    """Say how far a list of these clients reaches; "" if it covers everything."""
    if deps.surface.scope is ScopeKind.CLIENT_SCOPED:
        return message("reach.channels_client", client=listed[0].name) if listed else ""
    reach = "" if deps.actor.tier >= Tier.ADMIN else message("reach.own_clients")
    may_be_less = any(one.scope == "client" for one in deps.switches.overrides)
    if may_be_less and len(await visible_clients(deps)) > len(listed):
        return f"{reach} {message('reach.restricted')}".strip()
    return reach


async def listed_clients(deps: Deps) -> list[Client]:
    """Return the clients that a list may include; a tool may be disabled for one of them."""
    return listable(deps, await visible_clients(deps))


async def every_client(deps: Deps) -> list[Client]:
    """Return all clients that a list may include, as the topic of the talk; raises NotFound."""
    clients = await listed_clients(deps)
    if not clients:
        raise NotFound(await no_clients(deps), reason="no_clients")
    deps.topic.is_wide = True
    return clients


async def find_client(deps: Deps, hint: str) -> FoundClient | Ask:
    """Return the client a hint means, or the question which one.

    Raises NotFound, and NotAllowed if the present tool is disabled for this client.
    """
    require_showable(deps, lookup_client.__name__)
    found = await _find(deps, hint)
    if isinstance(found, FoundClient):
        own = (one for one in found.brands if one.id == deps.scope.brand_id)
        found = replace(found, of_place=next(own, None))
        await check_client(deps, found.client)
        deps.topic.clients.add(found.client.id)
        deps.topic.found.add(found.client.id)
        if folded(hint):
            deps.topic.assumed.discard(found.client.id)
    return found


async def _find(deps: Deps, hint: str) -> FoundClient | Ask:
    visible = await visible_clients(deps)
    if not visible:
        raise NotFound(await no_clients(deps), reason="no_clients")
    brands = await deps.directory.brands([client.id for client in visible])
    if not folded(hint):
        return _implied(deps, visible, brands)
    named = _named(deps, hint, visible, brands)
    if not named.things:
        raise NotFound(await _not_found(deps, hint, visible), reason="client_not_found")
    own, of_brands = find_named(deps, hint, visible), find_named(deps, hint, brands)
    settled = (one for one in named.things if one.id == deps.session.thread_client_id)
    client = decide(deps, named) or next(settled, None)
    if client is None:
        question = f"No client or brand is called just “{one_line(hint, 60)}”. Is it this client?"
        if named.is_sure or len(named.things) > 1:
            question = WHICH
        return ask_which_client(question, named.things, own.things, of_brands.things)
    # "Rodric" is a brand's very name, and only looks like "Roderick Ltd", who has it.
    is_brand = not own.is_sure and of_brands.is_sure
    found = _found(client, brands, None if client in own.things and not is_brand else hint)
    namesakes = _namesakes(deps, client, visible, brands)
    if namesakes and would_change(deps):
        named_brands = names_in("\n".join(written_in(deps)), brands)
        return ask_which_client(WHICH, (client, *namesakes), (client,), named_brands)
    # However the model got at one of them, the talk is not about that one alone.
    deps.topic.clients.update(one.id for one in namesakes)
    is_open = of_brands.is_exact and not _is_chosen(deps, client, visible, brands)
    is_open = is_open and not is_distinguished(client, visible, brands, of_brands, written_in(deps))
    owners = _owners(of_brands, visible) if is_open else []
    distinct = {one.name: one for one in (*owners, *namesakes) if one != client}
    others = tuple(distinct.values())
    if others:
        named = ", ".join(shown_names((one_line(one.name, 60) for one in others), 3))
        remark = ALSO_FITS.format(others=named, name=one_line(client.name, 60))
        deps.other_matches.append(
            OtherMatches(remark, tuple(as_choices("client", (client, *others))))
        )
    return replace(found, namesakes=tuple(one.name for one in others))


def _namesakes(
    deps: Deps, client: Client, visible: Sequence[Client], brands: Sequence[Brand]
) -> tuple[Client, ...]:
    """Return the other clients that people may have meant: what they wrote fits several alike.

    A tool may have told the model which clients there are, and a fuller name is no answer to which
    of them is meant. A press is, and so is an answer in other words to the question which of them,
    or the client's card that waits to be corrected.
    """
    waiting = [one.effect for one in deps.revised if one.state is ProposalState.OPEN]
    if any(one.id == client.id for effect in waiting for one in effect.clients):
        return ()
    namesakes = namesakes_of(client, visible, brands, written_in(deps))
    if _is_chosen(deps, client, visible, brands):
        return ()
    called = as_called((client, *namesakes), brands)
    others = [called[one.id] for one in namesakes]
    is_answer = was_offered(deps, "client", client, just_now=True)
    if others and is_answer and may_single_out(deps.request, called[client.id], others):
        pick(deps, "Client", client.name)
        return ()
    return namesakes


def _chosen_among(
    several: Iterable[Client], deps: Deps, visible: Sequence[Client], brands: Sequence[Brand]
) -> Client | None:
    return next((one for one in several if _is_chosen(deps, one, visible, brands)), None)


def _is_chosen(
    deps: Deps, client: Client, visible: Sequence[Client], brands: Sequence[Brand]
) -> bool:
    """Whether this client was chosen of several: pressed just now, or settled in this thread.

    It holds until the message names another of them alone.
    """
    if deps.choice and deps.choice.kind == "client" and deps.choice.id == str(client.id):
        return True
    is_settled = client.id == deps.session.thread_client_id
    return is_settled and not _names_another(deps, client, visible, brands)


def _names_another(
    deps: Deps, client: Client, visible: Sequence[Client], brands: Sequence[Brand]
) -> bool:
    """Whether the message itself names another of the clients that share a name, alone."""
    namesakes = namesakes_of(client, visible, brands, [deps.request])
    return any(not namesakes_of(one, visible, brands, [deps.request]) for one in namesakes)


def _named(deps: Deps, hint: str, visible: list[Client], brands: list[Brand]) -> Match[Client]:
    """Return the clients a name means: by their own name, else by a brand's; exact ones first.

    A client's name without its legal form is no surer than a brand of exactly that name: both are
    asked about if something would change.
    """
    own, of_brands = find_named(deps, hint, visible), find_named(deps, hint, brands)
    owners = tuple(_owners(of_brands, visible))
    if own.is_sure:
        is_open = would_change(deps) or deps.session.thread_client_id in [one.id for one in owners]
        is_shared = of_brands.is_exact and not own.is_exact and is_open
        both = tuple(dict.fromkeys((*own.things, *owners))) if is_shared else own.things
        return replace(own, things=both)
    if of_brands.is_sure:
        return Match(owners, is_sure=True)
    is_likely = own.is_likely or of_brands.is_likely
    likely = (
        *(own.things if own.is_likely or not is_likely else ()),
        *(owners if of_brands.is_likely or not is_likely else ()),
    )
    is_begun = own.is_begun or of_brands.is_begun
    return Match(tuple(dict.fromkeys(likely)), is_begun=is_begun)


async def _not_found(deps: Deps, hint: str, visible: list[Client]) -> str:
    name = one_line(hint, 60)
    if deps.surface.scope is ScopeKind.CLIENT_SCOPED:
        return message("refused.clients.other_here", client=visible[0].name, name=name)
    return await _no_match(deps, hint, message("refused.clients.not_found", name=name))


def _implied(deps: Deps, visible: list[Client], brands: list[Brand]) -> FoundClient | Ask:
    """Return the client meant without a name: the thread's, the place's, or the person's default.

    Only what this person may see here counts; a single visible client needs no choice. What they
    talked about in another thread is only read about, which the answer says, and never changed.
    """
    session, default = deps.session, deps.preferences.default_client
    settled = (session.thread_client_id, deps.scope.client_id)
    by_id = {client.id: client for client in visible}
    order = (*settled, default.id if default else None)
    known = [by_id[one] for one in order if one and one in by_id]
    last = by_id.get(session.active_client_id) if session.active_client_id else None
    chosen = known[0] if known else visible[0] if len(visible) == 1 else None
    if chosen is None and not would_change(deps):
        chosen = last
    if chosen is None:
        options = sorted(visible, key=lambda one: one != last)
        return ask_which("Which client is this for?", as_choices("client", options))
    if chosen.id in (session.thread_client_id, session.active_client_id):
        deps.topic.implied = one_line(chosen.name, 120)
    is_assumed = chosen.id not in settled and len(visible) > 1
    if is_assumed:
        deps.topic.assumed.add(chosen.id)
    return replace(_found(chosen, brands, None), is_default=is_assumed and chosen in known)


def _found(client: Client, brands: list[Brand], brand_hint: str | None) -> FoundClient:
    own = [brand for brand in brands if brand.client_id == client.id]
    return FoundClient(client, own, brand_hint)


def _owners(named: Match[Brand], clients: list[Client]) -> list[Client]:
    owners: set[UUID] = {brand.client_id for brand in named.things}
    return [client for client in clients if client.id in owners]


def _row(client: Client, brands: list[Brand]) -> ClientRow:
    own = [one_line(brand.name, 80) for brand in brands if brand.client_id == client.id]
    return ClientRow(name=one_line(client.name, 120), brands=shown_names(own))


def _scope_note(deps: Deps, visible: list[Client], reach: str, *, is_all: bool) -> str:
    if deps.surface.scope is ScopeKind.CLIENT_SCOPED:
        return f"This channel belongs to {visible[0].name}; other clients are not shown here."
    whose = OWN_CLIENTS if deps.actor.tier < Tier.ADMIN else MOST_CLIENTS if reach else ALL_CLIENTS
    return f"{whose} {'are listed' if is_all else 'were searched'}."


def _namesakes_note(
    deps: Deps, query: str | None, found: list[Client], visible: list[Client], brands: list[Brand]
) -> str | None:
    """Return a note on brands of the same name elsewhere."""
    if len(found) > NAMED_AT_MOST:
        return f"{NAMED_AT_MOST} of {len(found)} are shown."
    if not query or not folded(query):
        return None
    called = match_names(query, brands)
    owners = _owners(called, visible)
    is_one = len(found) == 1
    namesakes = _namesakes(deps, found[0], visible, brands) if is_one else ()
    chosen = _chosen_among((*found, *owners, *namesakes), deps, visible, brands)
    texts = written_in(deps)
    if is_one and not chosen and is_distinguished(found[0], visible, brands, called, texts):
        owners = []
    others = [one for one in dict.fromkeys((*owners, *namesakes)) if one not in found]
    if not others:
        return None
    names = ", ".join(shown_names((one.name for one in others), 3))
    meant = f" In this thread {chosen.name} is meant." if chosen else ""
    return f"A brand of that name also belongs to {names}.{meant}"
