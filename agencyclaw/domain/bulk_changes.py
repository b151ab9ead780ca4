"""One change of many ClickUp tasks, confirmed together; each has a before and after of its own."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from agencyclaw.domain.changes import Change, ConsentPolicy, EffectScope, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.task_changes import UpdateTask
from agencyclaw.domain.text import counted, digest

# Nobody reads more lines before a press, and each takes two requests of ClickUp's limit per minute.
TASKS_AT_MOST = 25


class UpdateTasks(Change):
    """Changes several tasks of one or more clients.

    `remarks` were noticed while it was prepared.
    """

    kind: Literal["update_tasks"] = "update_tasks"
    skill: ClassVar[str] = "change_tasks"
    tier: ClassVar[Tier] = Tier.MEMBER
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    scope: ClassVar[EffectScope] = EffectScope.CLIENT

    tasks: Annotated[tuple[UpdateTask, ...], Field(min_length=1, max_length=TASKS_AT_MOST)]
    remarks: tuple[Annotated[str, Field(max_length=500)], ...] = Field(default=(), max_length=8)

    @property
    def label(self) -> str:
        """The title of a single task, else the number of tasks."""
        return self.tasks[0].label if len(self.tasks) == 1 else self.count

    @property
    def count(self) -> str:
        """The number of tasks."""
        return counted(len(self.tasks), "task")

    @property
    def entity(self) -> str:
        """These tasks together."""
        return f"clickup tasks:{digest(sorted(task.task_id for task in self.tasks))}"

    @property
    def parts(self) -> tuple[UpdateTask, ...]:
        """Each task's own change."""
        return self.tasks

    @property
    def clients(self) -> tuple[Named, ...]:
        """The clients of its tasks, each once."""
        return tuple({task.client.id: task.client for task in self.tasks}.values())

    def prose(self) -> dict[str, str]:
        """The new texts of custom fields, each once."""
        texts = dict.fromkeys(item for task in self.tasks for item in task.prose().items())
        return {
            name: "\n".join(text for other, text in texts if other == name) for name, _ in texts
        }

    def preview(self) -> Preview:
        """Return a line for each task: its title, and what changes from what to what."""
        headline = message("bulk_changes.change_tasks", label=self.count)
        if len(self.tasks) == 1:
            headline = message("task_changes.change_task", label=self.label)
        return Preview(
            headline=headline,
            verb=message("bulk_changes.verb"),
            where="ClickUp",
            fields=(("Clients", self.owner),),
            in_body=tuple((f"“{task.label}”", task.summary) for task in self.tasks),
            body="\n".join(f"- {self._line(task)}" for task in self.tasks),
            is_always_shown=True,
            against=self.remarks,
        )

    def _line(self, task: UpdateTask) -> str:
        owner = f" ({task.client.name})" if len(self.clients) > 1 else ""
        return f"“{task.label}”{owner}: {task.summary}"
