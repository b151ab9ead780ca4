"""Models of what Slack's payloads have in common, and the place that their ids name."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agencyclaw.domain.errors import Unreadable
from agencyclaw.domain.people import Place

Ts = Annotated[str, Field(pattern=r"^\d{1,12}\.\d{1,6}$")]


class Payload(BaseModel):
    """A part of Slack's payload; fields we do not read are ignored, and so is a null."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, raw: Any) -> Any:
        """Slack writes null for some of what is not there, such as the time zone of an app."""
        if not isinstance(raw, dict):
            return raw
        fields = cast("dict[str, Any]", raw)
        return {name: value for name, value in fields.items() if value is not None}


P = TypeVar("P", bound=Payload)


def parsed(model: type[P], answer: object) -> P:
    """Return an answer of Slack's, or a part of it, as a model; raises Unreadable."""
    try:
        return model.model_validate(answer)
    except ValidationError as unreadable:
        raise Unreadable("Unreadable answer.") from unreadable


class IdReference(Payload):
    """Anything that has an id."""

    id: str = Field(min_length=2)


class SelectedOption(Payload):
    """A chosen option of checkboxes or a select."""

    value: str


class InputState(Payload):
    """What is entered in one input; a field per kind of input."""

    value: str | None = None
    selected_date: str | None = None
    selected_option: SelectedOption | None = None
    selected_options: tuple[SelectedOption, ...] | None = None


class InputStates(Payload):
    """The inputs of a message or a modal, by block and action."""

    values: dict[str, dict[str, InputState]] = Field(
        default_factory=dict[str, dict[str, InputState]]
    )


def is_direct(channel_id: str, channel_type: str | None = None) -> bool:
    """Return whether a channel is a direct message: by its type, else by the form of its id."""
    return channel_type == "im" if channel_type else channel_id.startswith("D")


def place_in(
    team_id: str, channel_id: str, thread_ts: str, channel_type: str | None = None
) -> Place:
    """Return the place of a thread; without its type, a channel is judged by its id."""
    return Place(
        team_id=team_id,
        channel_id=channel_id,
        thread_ts=thread_ts,
        is_direct=is_direct(channel_id, channel_type),
    )
