"""The channel in which admins of a workspace hear what went wrong."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from agencyclaw.domain.changes import AgencyChange, ConsentPolicy, Preview
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.records import Fields, NotWritten, Record, SetRecord, changed_since


class AlertChannel(Fields):
    """The channel by Slack's id."""

    channel_id: Annotated[str, Field(max_length=32, pattern="^[A-Z0-9]+$")]


class SetAlertChannel(SetRecord[AlertChannel], AgencyChange):
    """Sends the alerts of a workspace's admins to a channel; without `after` to each admin."""

    kind: Literal["set_alert_channel"] = "set_alert_channel"
    tier: ClassVar[Tier] = Tier.ADMIN
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    noun: ClassVar[str] = "alerts' channel"
    record: ClassVar[Record] = Record(AlertChannel, table="alert_channels", key=("team_id",))

    team_id: Annotated[str, Field(max_length=32)]

    @property
    def label(self) -> str:
        """What is decided; the workspace is the one where it is said."""
        return message("alerts.label")

    def preview(self) -> Preview:
        """Say where alerts go from now on, and what members read there."""
        return Preview(
            headline=message("alerts.send_here") if self.after else message("alerts.send_each"),
            verb=self.verb,
            where=message("records.where"),
            fields=((message("alerts.read_by"), message("alerts.readers")),) if self.after else (),
        )

    def changed(self, now: AlertChannel | None) -> NotWritten:
        """Say that an admin has decided otherwise."""
        return changed_since(message("alerts.changed_since"), self.onto(now))

    def receipt(self) -> str:
        """Say where alerts go now."""
        return message("alerts.to_channel") if self.after else message("alerts.to_each")
