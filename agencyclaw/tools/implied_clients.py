"""Which client a task is for if none was named: by what else it names, else by the conversation."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from agencyclaw.deps import Deps
from agencyclaw.domain.names import match_names
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.clients import FoundClient, find_client, visible_clients
from agencyclaw.tools.names import as_choices
from agencyclaw.tools.policy_checks import check_client
from agencyclaw.tools.results import Ask, ask_which
from agencyclaw.tools.task_products import clients_having


def meant_without_name(deps: Deps) -> str:
    """Say in a line which client is meant where none is named, and why that one; "" if none is."""
    session, default = deps.session, deps.preferences.default_client
    remembered = default.name if default else None
    whys = (
        (session.thread_client, "this thread is about it"),
        (deps.scope.client_name, "this place is about it"),
        (remembered, "it is their default client"),
    )
    meant = [(one_line(name, 80), why) for name, why in whys if name]
    if not meant:
        return ""
    (name, why), *others = meant
    passed = ", ".join(dict.fromkeys(other for other, _ in others if other != name))
    before = f", which goes before their other default ({passed})" if passed else ""
    return f"Where they name no client, {name} is meant: {why}{before}.{_of_brand(deps)}"


def _of_brand(deps: Deps) -> str:
    """Say which brand is meant where none is named: the one this place is for."""
    scope = deps.scope
    if not (scope.brand_name and scope.client_name):
        return ""
    brand, client = one_line(scope.brand_name, 80), one_line(scope.client_name, 80)
    return f" Where they name no brand of {client}, {brand} is meant: this channel is for it."


def client_hint(client: str | None, brand: str | None) -> str:
    """Return what says which client is meant: its name, or that of a brand where none is named."""
    return client if client and folded(client) else brand or ""


async def find_unnamed_client(
    deps: Deps, brand: str | None, identifiers: Sequence[str]
) -> FoundClient | Ask:
    """Return the client whose brand or products were named, else the one that is meant here.

    Of several it is the thread's or the place's; another one has to be asked about.
    """
    having = await clients_having(deps, await visible_clients(deps), brand, identifiers)
    settled = (deps.session.thread_client_id, deps.scope.client_id)
    likely = [one for one in having if one.id in settled] or having
    if len(likely) > 1:
        return ask_which("Which client is this for?", as_choices("client", likely))
    return await find_client(deps, likely[0].name if likely else "")


async def find_by_market(
    deps: Deps, hint: str, asked: Ask, markets: Sequence[str]
) -> FoundClient | Ask:
    """Return the only client of a shared name that sells in what was named; else the question.

    A client with a brand whose marketplaces are not on record may sell there, too.
    """
    ids = {one.id for one in asked.options if one.kind == "client"}
    clients = [one for one in await visible_clients(deps) if str(one.id) in ids]
    brands = await deps.directory.brands([one.id for one in clients])
    called = match_names(hint, brands)
    meant = called.things if called.is_sure else tuple(brands)
    sold: dict[UUID, set[str]] = {one.id: set() for one in clients}
    for one in meant:
        sold[one.client_id].update(one.marketplaces)
    is_known = all(one.marketplaces for one in meant) and all(sold.values())
    likely = [one for one in clients if sold[one.id].issuperset(markets)]
    if not (markets and is_known and len(likely) == 1 < len(clients)):
        return asked
    await check_client(deps, likely[0])
    deps.topic.clients.add(likely[0].id)
    own = [one for one in brands if one.client_id == likely[0].id]
    brand_hint = hint if any(one in own for one in called.things if called.is_sure) else None
    return FoundClient(likely[0], own, brand_hint, by_market=", ".join(markets))
