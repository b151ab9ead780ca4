"""Finds one task by its title or link, among those that may be seen here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from agencyclaw.deps import Deps
from agencyclaw.domain.addresses import addresses_in
from agencyclaw.domain.clients import Brand, Client
from agencyclaw.domain.errors import NotAllowed, NotFound, Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import Match, distinct_names
from agencyclaw.domain.task_changes import TaskState
from agencyclaw.domain.task_fields import ChangedPart
from agencyclaw.domain.tasks import TaskRow
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.similar import titled_like
from agencyclaw.tools.boards import BoardQuery, BoardRead, find_list, read_boards
from agencyclaw.tools.brands import not_mapped
from agencyclaw.tools.clients import find_client, visible_clients
from agencyclaw.tools.names import as_choices, decide, find_named
from agencyclaw.tools.policy_checks import check_client
from agencyclaw.tools.results import Ask, ask_which


@dataclass(frozen=True)
class TaskMatch:
    """A task, and the client whose list it is in."""

    state: TaskState
    client: Client

    def with_parts(self, changes: Iterable[ChangedPart]) -> TaskMatch:
        """Return it with the parts that are to change among its facts, as they are."""
        custom = tuple(one.before for one in changes)
        facts = self.state.facts.model_copy(update={"custom": custom})
        return replace(self, state=self.state.model_copy(update={"facts": facts}))


async def find_task(deps: Deps, task: str, client: str | None) -> TaskMatch | Ask:
    """Return the task with this link, or the open one with this title, that may be seen here.

    What only has words of a title in its own is asked about where something would change.
    """
    if addresses := addresses_in(task):
        return await _by_link(deps, addresses)
    found = await find_client(deps, client or "")
    if isinstance(found, Ask):
        return found
    if not any(brand.is_mapped for brand in found.brands):
        raise not_mapped(deps, found.client.name, is_read=True)
    read = await read_boards(deps, found.brands, BoardQuery(None, "updated"))
    named = find_named(deps, task, read.tasks)
    if not named.things:
        named = Match(tuple(titled_like(task, read.tasks)))
    if not named.things:
        raise _not_among(read, found.client.name, one_line(task, 80))
    row = decide(deps, named)
    if row is None:
        return _which(named, one_line(task, 80))
    state = await deps.board.task_state(row.id)
    # A list shows tasks of other lists, too, and those may be of another client.
    if [owner.id for owner in await owners_of(deps, state)] != [found.client.id]:
        name = one_line(found.client.name, 80)
        why = message("refused.task_lookup.list_of_others", client=name)
        raise NotAllowed(why, reason="not_allowed")
    return TaskMatch(state, found.client)


def _not_among(read: BoardRead, client: str, title: str) -> Refused:
    """Return why there is no such task; it may be in a list that could not be read."""
    if read.skipped:
        brands = ", ".join(read.skipped)
        why = message("refused.task_lookup.lists_unread", title=title, brands=brands)
        return Refused(why, reason="lists_unread")
    why = message("refused.task_lookup.task_not_found", client=client, title=title)
    return NotFound(why, reason="task_not_found")


def _which(named: Match[TaskRow], title: str) -> Ask:
    """Ask which of several tasks is meant, or whether one of a similar title is."""
    labels = distinct_names(named.things)
    repeated = [label for label in labels if labels.count(label) > 1]
    if repeated:
        return Ask(question=message("task_lookup.alike", title=repeated[0]))
    question = message("task_lookup.which")
    if len(labels) == 1:
        question = message("task_lookup.this_one", title=title)
    return ask_which(question, as_choices("task", named.things))


async def _by_link(deps: Deps, addresses: Sequence[str]) -> TaskMatch:
    """Return a linked task if it is in a list of a client this person may see."""
    ids = {deps.board.task_at(address) for address in addresses} - {None}
    task_id = ids.pop() if len(ids) == 1 else None
    if task_id is None:
        raise Refused(message("refused.task_lookup.no_task_address"), reason="no_task_address")
    state = await deps.board.task_state(task_id)
    owners = await owners_of(deps, state)
    if len(owners) != 1:
        raise NotAllowed(message("refused.task_lookup.not_allowed"), reason="not_allowed")
    await check_client(deps, owners[0])
    deps.topic.clients.add(owners[0].id)
    return TaskMatch(state, owners[0])


async def owners_of(deps: Deps, state: TaskState) -> list[Client]:
    """Return the client in whose list alone a task is at home, if this person may see it here.

    Whose a task in a list of several clients is nobody can tell, and least of all who sees only one
    of them.
    """
    brands = await deps.directory.brands_in_use()
    owner_ids = {
        brand.client_id
        for brand in brands
        if brand.is_mapped and await _has_list(deps, brand, state)
    }
    return [one for one in await visible_clients(deps) if owner_ids == {one.id}]


async def _has_list(deps: Deps, brand: Brand, state: TaskState) -> bool:
    if brand.list_id:
        return brand.list_id == state.list_id
    if state.space_id and brand.space_id != state.space_id:
        return False
    try:
        return (await find_list(deps, brand)).id == state.list_id
    except Refused:
        return False
