"""The request bodies ClickUp accepts; a malformed one is refused."""

import json
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from workbench.clickup.dates import LATEST_MS
from workbench.clickup.records import Json
from workbench.clickup.refusals import (
    BODY_INVALID,
    TASK_NAME_INVALID,
    RequestRefused,
    invalid,
)

Moment = Annotated[int, Field(ge=0, le=LATEST_MS)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Priority = Annotated[int, Field(ge=1, le=4)]


class _Body(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", allow_inf_nan=False)

    def sent(self, field: str) -> bool:
        """Return the fields that were sent: PUT distinguishes an absent field from null."""
        return field in self.model_fields_set


class CustomFieldValue(_Body):
    """The value of one custom field."""

    value: Any
    id: str = ""


class _TaskBody(_Body):
    description: str | None = None
    markdown_content: str | None = None
    markdown_description: str | None = None
    status: str | None = None
    priority: Priority | None = None
    due_date: Moment | None = None
    due_date_time: bool | None = None
    start_date: Moment | None = None
    start_date_time: bool | None = None
    points: float | None = None
    time_estimate: Moment | None = None
    parent: str | None = None
    archived: bool = False
    custom_item_id: int | None = None


class TaskDraft(_TaskBody):
    """The body of a create."""

    name: Name
    assignees: list[int] = Field(default_factory=list)
    tags: list[str] = Field(default_factory=list)
    notify_all: bool = False
    custom_fields: list[CustomFieldValue] = Field(default_factory=list[CustomFieldValue])


class TaskUpdateBody(_TaskBody):
    """The body of an update: only fields that are sent change."""

    name: Name | None = None
    assignees: Any = None
    watchers: Any = None


class CommentDraft(_Body):
    """The body of a new comment."""

    comment_text: Name
    notify_all: bool = False
    assignee: int | None = None


class ChecklistDraft(_Body):
    """The body of a new checklist."""

    name: Name


class ItemDraft(_Body):
    """The body of a new item of a checklist."""

    name: Name
    assignee: int | None = None


class ItemChange(_Body):
    """The body of a change of an item: only fields that are sent change."""

    name: Name | None = None
    resolved: bool | None = None


class MembershipChange(_Body):
    """People added to and removed from a set."""

    add: list[int] = Field(default_factory=list)
    rem: list[int] = Field(default_factory=list)


_BodyType = TypeVar("_BodyType", bound=_Body)


def parse_json(text: str) -> Json:
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        raise RequestRefused(BODY_INVALID) from None
    if not isinstance(body, dict):
        raise RequestRefused(BODY_INVALID)
    return body  # pyright: ignore[reportUnknownVariableType]


def read_body(body_type: type[_BodyType], body: Json) -> _BodyType:
    try:
        return body_type.model_validate(body)
    except ValidationError as error:
        field = str(next(iter(error.errors()[0]["loc"]), "body"))
        refusal = TASK_NAME_INVALID if field == "name" else invalid(field)
        raise RequestRefused(refusal) from None


def read_membership(value: object) -> MembershipChange | None:
    """Read added and removed people; a flat list on PUT changes nothing, as in ClickUp."""
    if not isinstance(value, dict):
        return None
    return read_body(MembershipChange, value)  # pyright: ignore[reportUnknownArgumentType]
