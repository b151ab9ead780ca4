"""Checklists of a ClickUp task."""

from __future__ import annotations

from agencyclaw.domain.people import Value


class ChecklistEntry(Value):
    """An item of a checklist, by its id in ClickUp."""

    id: str
    name: str
    is_done: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """What it is called."""
        return (self.name,)

    @property
    def full_name(self) -> str:
        """The same."""
        return self.name


class Checklist(Value):
    """A checklist with its items."""

    id: str
    name: str
    items: tuple[ChecklistEntry, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What it is called."""
        return (self.name,)

    @property
    def full_name(self) -> str:
        """The same."""
        return self.name
