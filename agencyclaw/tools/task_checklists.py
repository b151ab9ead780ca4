"""Changes of a task's checklists: items found by what they say, and new ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.checklists import Checklist, ChecklistLine, lines_of, new_line
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.task_changes import TaskState, UpdateTask
from agencyclaw.domain.task_fields import ChangedPart
from agencyclaw.domain.text import folded, one_line
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.tools.arguments import Name, PresentTitle, Request, Titles
from agencyclaw.tools.catalogue import proposes
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.names import as_choices, find_named
from agencyclaw.tools.results import Ask, ask_which
from agencyclaw.tools.task_changes import checking, prepared, waiting_change
from agencyclaw.tools.task_fields import only
from agencyclaw.tools.task_lookup import find_task

_NewItem = Annotated[str, Field(min_length=1, max_length=120)]
_NewItems = Annotated[list[_NewItem], Field(max_length=25)]
_NewChecklist = Annotated[str, Field(min_length=1, max_length=60)]


class Rewording(BaseModel):
    """An item and what it says from now on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    item: PresentTitle
    new_text: _NewItem


_Rewordings = Annotated[list[Rewording], Field(max_length=25)]


@proposes(UpdateTask, tier=Tier.MEMBER, on_demand=True)
async def clickup_task_checklist(
    ctx: RunContext[Deps],
    task: Request,
    client: Name | None = None,
    checklist: Name | None = None,
    tick: Titles | None = None,
    untick: Titles | None = None,
    add: _NewItems | None = None,
    remove: Titles | None = None,
    rename: _Rewordings | None = None,
    new_checklist: _NewChecklist | None = None,
    instead: bool = False,
) -> UpdateTask | Ask:
    """Prepare a change of a ClickUp task's checklist: tick, untick, add, remove, rename items.

    Pass only what changes; a waiting card of this task keeps the rest.

    Args:
        task: Its title, or its link.
        client: What the person called the client; not needed with a link.
        checklist: Which one, if they named it.
        tick: Items that are done.
        untick: Items that are open again.
        add: New items, in their words.
        remove: Items that go.
        rename: Items that say something else.
        new_checklist: Name of one to be made; `add` has its items.
        instead: Drop the rest of that card.
    """
    found = await find_task(ctx.deps, task, client)
    if isinstance(found, Ask):
        return found
    card = None if instead else waiting_change(ctx.deps, found.state)
    edits = [*_each(tick, is_done=True), *_each(untick, is_done=False), *_each(remove, says="")]
    edits += [(one.item, {"says": _worded(one.new_text) or None}) for one in rename or ()]
    lacking = Lacking()
    lines = _Lines(ctx.deps, found.state, card.changed_parts if card else {}, lacking)
    with lacking.refused():
        lines.edit(edits, checklist)
    with lacking.refused():
        lacking.found(lines.add(add or (), checklist, new_checklist))
    if lacking:
        return lacking.as_ask()
    parts = list(lines.changed.values())
    wanted = {"custom": tuple(one.after for one in parts)}
    check = checking(ctx, found)
    return prepared(found.with_parts(parts), wanted, check, card, clear=False)


def _each(items: Sequence[str] | None, **change: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    return ((item, change) for item in items or ())


def _worded(text: str) -> str:
    return redacted(one_line(text, 120))


@dataclass(frozen=True)
class _Lines:
    """The lines of a task's checklists that are to change, by their keys."""

    deps: Deps
    state: TaskState
    changed: dict[str, ChangedPart]
    lacking: Lacking

    def edit(self, edits: Sequence[tuple[str, Mapping[str, Any]]], checklist: str | None) -> None:
        """Change items that are there; of each that is unclear, which is meant is lacking."""
        if not edits:
            return
        places = self._named(checklist) if checklist else self.state.checklists
        places = self.lacking.found(places)
        if places is None:
            return
        there = [line for place in places for line in lines_of(place)]
        if not there:
            raise Refused(message("refused.checklists.no_items"), reason="no_items")
        for name, change in edits:
            named = find_named(self.deps, name, there)
            line = only(named)
            if line is None:
                question = message("checklists.choose_item", hint=one_line(name, 60))
                self.lacking.found(ask_which(question, as_choices("item", named.things or there)))
            else:
                self._put(line, self._now(line).changed(**change))

    def add(self, items: Sequence[str], checklist: str | None, new: str | None) -> Ask | None:
        """Add items to a checklist or to a new one, or ask to which."""
        if new and (place := _worded(new)):
            self._make(place)
            return self._add_to(place, "", items)
        if not items:
            return None
        if checklist and (waiting := self._waiting(checklist)):
            return self._add_to(waiting, "", items)
        named = self._named(checklist)
        if isinstance(named, Ask):
            return named
        [held] = named
        return self._add_to(held.name, held.id, items)

    def _named(self, name: str | None) -> tuple[Checklist] | Ask:
        """Return the checklist of this name, or the only one, or ask which is meant."""
        lists = self.state.checklists
        if not lists:
            raise Refused(message("refused.checklists.none"), reason="no_checklist")
        if not name and len(lists) == 1:
            return (lists[0],)
        named = find_named(self.deps, name or "", lists)
        if held := only(named):
            return (held,)
        choices = as_choices("checklist", named.things or lists)
        return ask_which(message("checklists.choose"), choices)

    def _waiting(self, name: str) -> str:
        """Return the checklist of this name that the waiting card would make, if there is one."""
        made = (one.after for one in self.changed.values())
        lists = (one.checklist for one in made if isinstance(one, ChecklistLine) and not one.called)
        return next((one for one in lists if folded(one) == folded(name)), "")

    def _make(self, name: str) -> None:
        if any(folded(one.name) == folded(name) for one in self.state.checklists):
            raise Refused(message("refused.checklists.exists", name=name), reason="is_there")
        line = new_line(name)
        self._put(line, line.changed(says=name))

    def _add_to(self, checklist: str, checklist_id: str, items: Sequence[str]) -> None:
        for text in filter(None, map(_worded, items)):
            line = new_line(checklist, checklist_id, text)
            there = line.changed(says=text).seen_in(self.state.checklists, ())
            if there.says:
                why = message("refused.checklists.has_item", name=one_line(text, 80))
                raise Refused(why, reason="is_there")
            self._put(line, line.changed(says=text))

    def _now(self, line: ChecklistLine) -> ChecklistLine:
        """Return what an item is to be already; one that was to go stays after all."""
        changed = self.changed.get(line.key)
        after = changed.after if changed else line
        return after if isinstance(after, ChecklistLine) and after.says else line

    def _put(self, before: ChecklistLine, after: ChecklistLine) -> None:
        self.changed[before.key] = ChangedPart(before=before, after=after)
