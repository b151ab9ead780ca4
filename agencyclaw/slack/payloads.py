"""Models of what Slack's payloads have in common, and the place that their ids name."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from agencyclaw.domain.people import Place

Ts = Annotated[str, Field(pattern=r"^\d{1,12}\.\d{1,6}$")]


class Payload(BaseModel):
    """A part of Slack's payload; fields we do not read are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


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
