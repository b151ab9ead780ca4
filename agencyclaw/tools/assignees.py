"""Whose tasks a list has: a person's, those of whoever holds a role, or nobody's."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Client, Person
from agencyclaw.domain.names import match_names
from agencyclaw.domain.roles import Role
from agencyclaw.domain.tasks import TaskRow
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.arguments import ME, NOBODY
from agencyclaw.tools.people import role_named


@dataclass(frozen=True)
class Assignees:
    """Those whose tasks are asked for: `called` is how, `names` and `ids` are theirs in ClickUp.

    `role` is the role that was named, which nobody may hold. `are_known` if ClickUp's ids of all of
    them are known: then ClickUp can be asked for their tasks alone, and names decide nothing. Of
    who `is_one` person, no part of the name does.
    """

    called: str
    names: frozenset[str] = frozenset()
    ids: frozenset[int] = frozenset()
    role: str = ""
    are_known: bool = False
    is_one: bool = False
    is_nobody: bool = False

    @property
    def label(self) -> str:
        """What narrows a list down to their tasks."""
        return "unassigned" if self.is_nobody else f"assigned to {self.called}"

    def own(self, rows: Sequence[TaskRow]) -> tuple[list[TaskRow], str]:
        """Return their tasks among some, with a remark on who they are."""
        if self.is_nobody:
            unassigned = [row for row in rows if not row.assignees]
            return unassigned, "Only unassigned tasks."
        found = [(row, self._among(row)) for row in rows]
        names = {folded(name): one_line(name, 60) for _, theirs in found for name in theirs}
        remark = self._remark(list(names.values()))
        return [row for row, theirs in found if theirs], remark

    def _among(self, row: TaskRow) -> list[str]:
        people = zip_longest(row.assignees, row.assignee_ids[: len(row.assignees)])
        return [name for name, number in people if self.has(name, number)]

    def has(self, name: str, number: int | None) -> bool:
        """Return whether somebody of this name and number in ClickUp is one of them."""
        if self.are_known and number is not None:
            return number in self.ids
        forms = {folded(name)} if self.is_one else {folded(name), *folded(name).split()}
        return number in self.ids or not self.names.isdisjoint(forms)

    def _remark(self, found: Sequence[str]) -> str:
        who = ", ".join(found)
        if self.role:
            if not self.names:
                return f"Nobody is {self.role} there: the role is open."
            return f"Only tasks of {who}, {self.role}." if who else f"No {self.role} has any."
        if len(found) > 1:
            return f"“{self.called}” fits {who}: the tasks of all are counted."
        return (
            f"Only tasks of {who}."
            if who
            else f"Nothing in this range is assigned to {self.called}."
        )


async def find_assignees(
    deps: Deps, hint: str | Person | None, clients: Sequence[Client]
) -> Assignees | None:
    """Return whose tasks are asked for, everybody a name fits; None for all tasks."""
    if isinstance(hint, Person):
        team = await deps.directory.team()
        taken = {folded(name) for one in team if one.id != hint.id for name in one.names}
        also = {folded(name) for name in (hint.display_name, hint.email)} - taken
        return _of_one(hint.name, hint.clickup_user_id, also)
    wanted = folded(hint or "").removeprefix("@")
    if not wanted:
        return None
    if hint == NOBODY:
        return Assignees("nobody", is_nobody=True)
    if hint == ME:
        return _of_one(deps.actor.name, deps.actor.clickup_user_id)
    called = one_line(hint or "", 60).removeprefix("@")
    people = await deps.directory.people()
    meant = match_names(wanted, people)
    if not meant.is_sure:
        if role := await role_named(deps, wanted, people):
            return _of_people(called, await _holders(deps, role, people, clients), role.name)
        # Somebody who has left may still have tasks, and is not who is called nearly so.
        everybody: list[Person] = [*await deps.directory.team()]
        exact = match_names(wanted, everybody)
        meant = exact if exact.is_sure else meant
    named = _of_people(called, meant.things)
    # Of a name that is only like theirs, somebody else in ClickUp may have the tasks.
    are_known = named.are_known and (meant.is_sure or meant.is_begun)
    return Assignees(called, named.names | {wanted}, named.ids, are_known=are_known)


async def _holders(
    deps: Deps, role: Role, people: Iterable[Person], clients: Sequence[Client]
) -> list[Person]:
    held = await deps.directory.assignments([one.id for one in clients])
    ids = {slot.profile_id for slot in held if slot.role_slug == role.slug}
    return [person for person in people if person.profile_id in ids]


def _of_one(name: str, clickup_user_id: str | None, also: Collection[str] = ()) -> Assignees:
    names, ids = frozenset({folded(name), *also}), _numbers([clickup_user_id])
    return Assignees(name, names, ids, are_known=bool(ids), is_one=True)


def _of_people(called: str, people: Sequence[Person], role: str = "") -> Assignees:
    names = (name for one in people for name in (one.name, one.display_name, one.email))
    ids = _numbers(person.clickup_user_id for person in people)
    are_known = bool(people) and len(ids) == len(people)
    return Assignees(called, frozenset(map(folded, names)), ids, role, are_known=are_known)


def _numbers(ids: Iterable[str | None]) -> frozenset[int]:
    return frozenset(int(one) for one in ids if one and one.isascii() and one.isdigit())
