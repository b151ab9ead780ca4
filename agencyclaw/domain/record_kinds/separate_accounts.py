"""Accounts of Slack or ClickUp that an admin decided to keep apart from the agency's people."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from agencyclaw.domain.changes import AgencyChange, ConsentPolicy
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.records import Fields, Record, SetRecord


class Separation(Fields):
    """What is recorded of such an account; without `not_of` it is nobody's on the team."""

    name: Annotated[str, Field(max_length=120, title="Account of")]
    not_of: Annotated[str | None, Field(max_length=254, title="Not of")] = None
    why: Annotated[str, Field(max_length=200, title="Why")] = ""

    def excludes(self, email: str | None) -> bool:
        """Return whether the account is not to be offered for the person of this e-mail."""
        return self.not_of is None or self.not_of.lower() == email


class KeepSeparate(SetRecord[Separation], AgencyChange):
    """Keeps an account from being offered again; without `after` it is offered as before."""

    kind: Literal["keep_separate"] = "keep_separate"
    skill: ClassVar[str] = "keep_account_separate"
    tier: ClassVar[Tier] = Tier.ADMIN
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    done: ClassVar[str] = "kept separate"
    noun: ClassVar[str] = "separate account"
    set_verb: ClassVar[str] = message("accounts.keep_separate")
    record: ClassVar[Record] = Record(Separation, table="separate_accounts", key=("account",))

    account: Annotated[str, Field(max_length=40, pattern=r"^[A-Z0-9]+$")]

    @property
    def verb(self) -> str:
        """What is done with it, as on a button."""
        return self.set_verb if self.after else message("accounts.offer_again")

    def prose(self) -> dict[str, str]:
        """Return why; the account's name is a fact."""
        return {"Why": why} if (why := self.wanted().get("why")) else {}
