"""Whom a task is for: a name a person typed becomes a team member, or a question."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from uuid import UUID

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Assignment, Brand, Client, Named, Person
from agencyclaw.domain.effects import Assignee
from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.tasks import TaskRow
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.results import Ask, ask_which

_SELF = frozenset({"me", "myself", "i", "self"})
_NOBODY = frozenset({"nobody", "no one", "none", "unassigned", "no-one"})
_MENTION = re.compile(r"<@([A-Z0-9]{3,20})(?:\|[^<>\n]*)?>")
ALIKE = 0.75


def name_mentions(text: str, people: list[Person]) -> str:
    """Return a message with colleagues' names where Slack has their ids; others stay as they are.

    An id that several profiles carry is nobody's.
    """
    times = Counter(person.slack_user_id for person in people)
    named = zip(people, _labels(people), strict=True)
    called = {one.slack_user_id: name for one, name in named if times[one.slack_user_id] == 1}
    return _MENTION.sub(lambda m: f"@{called[m[1]]}" if m[1] in called else m[0], text)


async def find_assignee(
    deps: Deps, hint: str | None, client: Client, brand: Brand | None
) -> Assignee | Ask | None:
    """Return the one person a name means; those who work for the client come first."""
    wanted = folded(hint or "").removeprefix("@")
    if not wanted or wanted in _NOBODY:
        return None
    people = await deps.directory.people()
    if wanted in _SELF:
        return _own(deps, people)
    found = match_people(wanted, people)
    if len(found) == 1:
        return as_assignee(found[0])
    held = await deps.directory.assignments(client.id)
    preferred = _preferred(found, held, brand)
    if len(preferred) == 1:
        return as_assignee(preferred[0])
    return _ask(one_line(hint or "", 60), wanted, found, people, held)


async def find_member(deps: Deps, hint: str, question: str) -> Named | Ask:
    """Return the one active team member a name means; raises NotFound when it means nobody."""
    wanted = folded(hint).removeprefix("@")
    if wanted in _SELF:
        return Named(id=deps.actor.profile_id, name=deps.actor.name)
    people = await deps.directory.people()
    found = match_people(wanted, people) if wanted else []
    if len(found) == 1:
        return Named(id=found[0].profile_id, name=found[0].name)
    offered = found or (_alike(wanted, people) if wanted else [])
    if offered:
        return ask_which(question, _labels(offered))
    message = f"I don't know an active team member called “{one_line(hint, 60)}”."
    raise NotFound(message, reason="person_not_found")


def match_people(wanted: str, people: list[Person]) -> list[Person]:
    """Return whom a folded name means, best kind only: whole name or e-mail, else a part."""
    whole = [person for person in people if wanted in _names(person)]
    if whole:
        return whole
    words = wanted.split()
    return [person for person in people if _has_words(person, words)]


def as_assignee(person: Person) -> Assignee:
    """Return a person as ClickUp can take them; an id that is no number is none."""
    number = (person.clickup_user_id or "").strip()
    usable = number if number.isascii() and number.isdigit() else None
    return Assignee(profile_id=person.profile_id, name=person.name, clickup_user_id=usable)


async def tasks_of(deps: Deps, rows: list[TaskRow], hint: str | None) -> tuple[list[TaskRow], str]:
    """Return the tasks of whoever a name fits, with a remark when it fits several people."""
    wanted = folded(hint or "").removeprefix("@")
    if not wanted:
        return rows, ""
    if wanted in _NOBODY:
        return [row for row in rows if not row.assignees], "Only unassigned tasks."
    names = await _known_as(deps, wanted)
    called = deps.actor.name if wanted in _SELF else one_line(hint or "", 60)
    kept: list[TaskRow] = []
    fitting: dict[str, str] = {}
    for row in rows:
        own = [name for name in row.assignees if _fits(name, wanted, names)]
        fitting.update({folded(name): name for name in own})
        kept.extend([row] if own else [])
    who = ", ".join(one_line(name, 60) for name in fitting.values())
    if len(fitting) > 1:
        return kept, f"“{called}” fits {who}: the tasks of all are counted."
    return kept, f"Only tasks of {who}." if who else f"None is assigned to {called}."


async def _known_as(deps: Deps, wanted: str) -> set[str]:
    if wanted in _SELF:
        return {folded(deps.actor.name)}
    people = await deps.directory.people()
    return {name for person in match_people(wanted, people) for name in _names(person)}


def _fits(assignee: str, wanted: str, names: set[str]) -> bool:
    plain = folded(assignee)
    return plain in names or (wanted not in _SELF and _begins(plain.split(), wanted.split()))


def _names(person: Person) -> set[str]:
    """What a person may be called, as it is compared; what stood on a button is said back."""
    called = (person.name, person.display_name, person.email, _with_email(person))
    return {folded(name) for name in called} - {""}


def _has_words(person: Person, words: list[str]) -> bool:
    return _begins(f"{folded(person.name)} {folded(person.display_name)}".split(), words)


def _begins(parts: list[str], words: list[str]) -> bool:
    """Return whether every word is the beginning of a part: Ed is no part of Fred."""
    return all(any(part.startswith(word) for part in parts) for word in words)


def _with_email(person: Person) -> str:
    return f"{person.name} ({person.email})"


def _own(deps: Deps, people: list[Person]) -> Assignee:
    own = [person for person in people if person.profile_id == deps.actor.profile_id]
    if own:
        return as_assignee(own[0])
    actor = deps.actor
    return Assignee(
        profile_id=actor.profile_id, name=actor.name, clickup_user_id=actor.clickup_user_id
    )


def _preferred(found: list[Person], held: list[Assignment], brand: Brand | None) -> list[Person]:
    """Who holds a slot of the brand, else of the client."""
    on_brand = {slot.profile_id for slot in held if brand and slot.brand_id == brand.id}
    on_client: set[UUID] = {slot.profile_id for slot in held}
    for holders in (on_brand, on_client):
        known = [person for person in found if person.profile_id in holders]
        if known:
            return known
    return []


def _ask(
    hint: str, wanted: str, found: list[Person], people: list[Person], held: list[Assignment]
) -> Ask:
    if found:
        return ask_which(f"Which {hint} should do it?", _labels(found))
    if alike := _alike(wanted, people):
        return ask_which(f"I don't know a “{hint}”. Do you mean one of these?", _labels(alike))
    holders = {slot.profile_id for slot in held}
    team = [person for person in people if person.profile_id in holders]
    question = f"I don't know a “{hint}” in the team. Who should do it?"
    return Ask(question=question, options=ask_which(question, _labels(team)).options)


def _labels(people: list[Person]) -> list[str]:
    """Names, with the e-mail where two people share one."""
    names = [folded(person.name) for person in people]
    return [
        person.name if names.count(folded(person.name)) == 1 else _with_email(person)
        for person in people
    ]


def _alike(wanted: str, people: list[Person]) -> list[Person]:
    """People with a first or last name spelled almost like that: offered, never taken."""
    return [
        person
        for person in people
        if difflib.get_close_matches(wanted.split()[0], folded(person.name).split(), 1, ALIKE)
    ]
