"""Answering a message again whose run failed, as a person confirms it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.changes import AgencyChange, ConsentPolicy, Preview
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier

RETRIES_AT_MOST = 3
# More are counted in a further line.
DONE_AT_MOST = 20


class RetryRun(AgencyChange):
    """Answers the message of a failed run again, for the person who wrote it.

    `number` counts the retries of that run, so that one card begins one retry. `done_already` names
    the changes that the run led to, which stay as they are.
    """

    kind: Literal["retry_run"] = "retry_run"
    skill: ClassVar[str] = "run_retry"
    tier: ClassVar[Tier] = Tier.ADMIN
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    done: ClassVar[str] = "tried again"
    incidental: ClassVar[frozenset[str]] = AgencyChange.incidental | {"failed_at", "done_already"}

    run: UUID
    number: Annotated[int, Field(ge=1, le=RETRIES_AT_MOST)]
    person: Annotated[str, Field(max_length=120)]
    failed_at: Annotated[str, Field(max_length=40)]
    done_already: Annotated[
        tuple[Annotated[str, Field(max_length=200)], ...], Field(max_length=DONE_AT_MOST + 1)
    ] = ()

    @property
    def label(self) -> str:
        """Whose run it is, and since when it has failed."""
        return message("retries.label", person=self.person, failed_at=self.failed_at)

    @property
    def entity(self) -> str:
        """The run."""
        return f"run:{self.run}"

    def preview(self) -> Preview:
        """Say whose message is answered again, and what is not repeated."""
        rows = (
            ("Run", str(self.run)[:8]),
            ("Of", self.person),
            ("Failed", self.failed_at),
            ("Not repeated", "; ".join(self.done_already)),
        )
        return Preview(
            headline=message("retries.headline", person=self.person, failed_at=self.failed_at),
            verb=message("card.try_again"),
            where=message("retries.where"),
            fields=rows,
        )
