"""Which client a task is for if none was named: by what else it names, else by the conversation."""

from __future__ import annotations

from collections.abc import Sequence

from agencyclaw.deps import Deps
from agencyclaw.tools.clients import FoundClient, find_client, visible_clients
from agencyclaw.tools.names import as_choices
from agencyclaw.tools.results import Ask, ask_which
from agencyclaw.tools.task_products import clients_having


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
