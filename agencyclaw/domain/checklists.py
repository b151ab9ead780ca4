"""Checklists of a ClickUp task, and what stands in them before and after a change."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

from pydantic import Field

from agencyclaw.domain.messages import message
from agencyclaw.domain.names import OneName
from agencyclaw.domain.people import Value

# So the keys begin of what takes a request of its own, among the facts of a task.
KEY = "custom:"
Words = Annotated[str, Field(max_length=2_000)]


class ChecklistItem(Value):
    """An item of a checklist."""

    name: str
    is_done: bool = False
    id: str = ""


class Checklist(OneName):
    """A checklist with its items."""

    id: str
    items: tuple[ChecklistItem, ...] = ()


class ChecklistLine(Value):
    """An item of a checklist as it is or as it is to be; one that is not `called` is the checklist.

    `called` is what the card calls it, `says` what stands there, "" if it is not there. What is to
    be made has no id yet, and is known by its name.
    """

    key: Words
    checklist: Words
    checklist_id: Annotated[str, Field(max_length=120)] = ""
    called: Words = ""
    id: Annotated[str, Field(max_length=120)] = ""
    says: Words = ""
    is_done: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """What it is called."""
        return (self.called,)

    @property
    def name(self) -> str:
        """What it is called, with its checklist."""
        if not self.called:
            return message("checklists.name")
        return message("checklists.item", item=self.called, checklist=self.checklist)

    @property
    def full_name(self) -> str:
        """The same."""
        return self.name

    @property
    def compared(self) -> tuple[str, bool]:
        """What two of them are equal by; what is not there is neither ticked nor open."""
        return self.says, self.is_done and bool(self.says)

    @property
    def label(self) -> str:
        """What people read."""
        if not self.says:
            return message("checklists.not_there")
        if not self.called:
            return self.says
        state = message("checklists.ticked") if self.is_done else message("checklists.not_ticked")
        if self.says == self.called:
            return state
        return message("checklists.renamed", name=self.says, state=state)

    @property
    def text(self) -> str:
        """The words that it brings into the task; "" if they stand there."""
        return "" if self.id and self.says == self.called else self.says

    def changed(self, *, says: str | None = None, is_done: bool | None = None) -> ChecklistLine:
        """Return it with other words, or ticked or not."""
        words = self.says if says is None else says
        done = self.is_done if is_done is None else is_done
        return self.model_copy(update={"says": words, "is_done": done})

    def seen_in(self, checklists: Sequence[Checklist], beside: Collection[str]) -> ChecklistLine:
        """Return it as it is now.

        A checklist that is to go says what is in it beside the items of these names.
        """
        held = next((one for one in checklists if self._is_in(one)), None)
        place = {"checklist_id": held.id if held else "", "id": ""}
        absent = self.model_copy(update=place).changed(says="", is_done=False)
        if held is None:
            return absent
        if not self.called:
            theirs = [one.name for one in held.items if one.name not in beside]
            says = held.name if self.says else ", ".join((held.name, *theirs))
            return absent.changed(says=says)
        item = self._item_of(held)
        if item is None:
            return absent
        found = absent.model_copy(update={"id": item.id})
        return found.changed(says=item.name, is_done=item.is_done)

    def _is_in(self, checklist: Checklist) -> bool:
        if self.checklist_id:
            return checklist.id == self.checklist_id
        return checklist.name == self.checklist

    def _item_of(self, checklist: Checklist) -> ChecklistItem | None:
        """Return the item by its id, else by the name it is to have; what has an id goes by it."""
        by_id = (one for one in checklist.items if self.id and one.id == self.id)
        name = self.says or ("" if self.id else self.called)
        return next(by_id, next((one for one in checklist.items if one.name == name), None))


def lines_of(checklist: Checklist) -> list[ChecklistLine]:
    """Return the items of a checklist."""
    return [
        ChecklistLine(
            key=f"{KEY}{checklist.id}/{one.id}",
            checklist=checklist.name,
            checklist_id=checklist.id,
            called=one.name,
            id=one.id,
            says=one.name,
            is_done=one.is_done,
        )
        for one in checklist.items
    ]


def new_line(checklist: str, checklist_id: str = "", item: str = "") -> ChecklistLine:
    """Return an item that is not there yet; without one the checklist itself."""
    key = f"{KEY}{checklist_id or checklist}/{item}"
    return ChecklistLine(key=key, checklist=checklist, checklist_id=checklist_id, called=item)
