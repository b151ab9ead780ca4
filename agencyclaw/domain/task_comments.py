"""A comment on an existing ClickUp task, with the name of whoever writes it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field

from agencyclaw.domain.changes import ClientChange, Preview
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.text import one_line

COMMENT_LIMIT = 3_000
AUTHOR_LIMIT = 120
_LABEL_LIMIT = 120


class CommentOnTask(ClientChange):
    """Writes a comment below a task; `author` stands in front of it, because we post it."""

    kind: Literal["comment_on_task"] = "comment_on_task"
    skill: ClassVar[str] = "comment_on_task"
    tier: ClassVar[Tier] = Tier.MEMBER
    done: ClassVar[str] = "commented on"

    task_id: Annotated[str, Field(max_length=64)]
    url: Annotated[str, Field(max_length=300)]
    title: Annotated[str, Field(max_length=2_048)]
    list_id: str = ""
    list_name: str = ""
    author: Annotated[str, Field(max_length=AUTHOR_LIMIT)]
    text: Annotated[str, Field(min_length=1, max_length=COMMENT_LIMIT)]

    @property
    def label(self) -> str:
        """The task's title."""
        return one_line(self.title, _LABEL_LIMIT)

    @property
    def entity(self) -> str:
        """The task in ClickUp."""
        return f"clickup:{self.task_id}"

    @property
    def subject(self) -> str:
        """Its comments, because a card that changes the task goes on waiting beside it."""
        return f"comments:{self.task_id}"

    @property
    def signed_text(self) -> str:
        """The comment as it is posted, without the trace below it."""
        return f"{self.author}: {self.text}"

    def in_name_of(self, name: str) -> Self:
        """Return the comment with another author."""
        return self.model_copy(update={"author": one_line(name, AUTHOR_LIMIT)})

    def preview(self) -> Preview:
        """Return the task and the whole comment."""
        author = message("task_comments.in_the_name_of")
        return Preview(
            headline=message("task_comments.comment_on_task", label=self.label),
            verb="Comment",
            where=self.list_name or "ClickUp",
            fields=(
                ("Client", self.client.name),
                (author, self.author),
            ),
            body=self.text,
            in_body=(("Comment", self.text),),
        )

    def prose(self) -> dict[str, str]:
        """The comment."""
        return {"Comment": self.text}
