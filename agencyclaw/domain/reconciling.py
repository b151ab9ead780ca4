"""Matches people of Slack and ClickUp with the agency's profiles, by e-mail and account alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from agencyclaw.domain.people import Value
from agencyclaw.domain.record_kinds.separate_accounts import KeepSeparate
from agencyclaw.domain.records import StoredRecord
from agencyclaw.domain.team import (
    AddPerson,
    ChangePerson,
    ClickUpMember,
    PersonFacts,
    TeamMember,
)
from agencyclaw.domain.text import one_line

Service = Literal["slack", "clickup"]
Conflict = Literal["several_profiles", "conflicting_slack_id", "conflicting_clickup_id", "no_email"]


class SlackPerson(Value):
    """A full member of the Slack workspace."""

    id: str
    name: str
    email: str = ""
    timezone: str = "UTC"


class NeedsReview(Value):
    """An account that no rule decides on, and the people it may belong to."""

    account: str
    name: str
    why: Conflict
    candidates: tuple[str, ...] = ()


class Reconciliation(Value):
    """What would bring the profiles in line with Slack and ClickUp.

    `new` are people without a profile, `links` the accounts that are missing on one; what is in
    `review` a person has to decide.
    """

    new: tuple[AddPerson, ...] = ()
    links: tuple[ChangePerson, ...] = ()
    review: tuple[NeedsReview, ...] = ()


@dataclass
class _Candidate:
    """A profile, or one that would be new, with the accounts it would have."""

    email: str
    name: str
    timezone: str = "UTC"
    stored: PersonFacts | None = None
    accounts: dict[Service, str] = field(default_factory=dict[Service, str])


@dataclass(frozen=True)
class _Account:
    """A person as a service knows them."""

    service: Service
    id: str
    name: str
    email: str
    timezone: str


def reconcile(
    slack: Sequence[SlackPerson],
    clickup: Sequence[ClickUpMember],
    team: Sequence[TeamMember],
    separate: Sequence[StoredRecord[KeepSeparate]] = (),
) -> Reconciliation:
    """Return what to add and to link, and what a person must decide; a name matches nobody.

    An account that a profile has already is never replaced, and a `separate` one is not offered.
    """
    candidates = [_of_profile(person) for person in team]
    decisions = {one.key.account: one.held for one in separate}
    review: list[NeedsReview] = []
    for account in (*_slack_accounts(slack), *_clickup_accounts(clickup)):
        decision = decisions.get(account.id)
        matching = [one for one in candidates if _matches(one, account)]
        if decision:
            matching = [one for one in matching if not decision.excludes(one.email)]
            if not matching:
                continue
        if conflict := _conflict(account, matching):
            names = tuple(one.name for one in matching)
            review.append(
                NeedsReview(account=account.id, name=account.name, why=conflict, candidates=names)
            )
        elif matching:
            matching[0].accounts.setdefault(account.service, account.id)
        else:
            new = _Candidate(account.email, account.name, account.timezone)
            new.accounts[account.service] = account.id
            candidates.append(new)
    return Reconciliation(
        new=tuple(_adding(one) for one in candidates if one.stored is None),
        links=tuple(_linking(candidates)),
        review=tuple(review),
    )


def _of_profile(person: TeamMember) -> _Candidate:
    facts, accounts = person.facts, dict[Service, str]()
    if facts.slack:
        accounts["slack"] = facts.slack
    if facts.clickup:
        accounts["clickup"] = facts.clickup
    return _Candidate(person.email.strip().lower(), person.name, stored=facts, accounts=accounts)


def _slack_accounts(people: Iterable[SlackPerson]) -> Iterable[_Account]:
    for one in people:
        yield _Account("slack", one.id, one.name, one.email.strip().lower(), one.timezone)


def _clickup_accounts(members: Iterable[ClickUpMember]) -> Iterable[_Account]:
    for one in members:
        email = (one.email or "").strip().lower()
        yield _Account("clickup", str(one.id), one.name or email, email, one.timezone or "UTC")


def _matches(candidate: _Candidate, account: _Account) -> bool:
    has_account = candidate.accounts.get(account.service) == account.id
    return has_account or bool(account.email and account.email == candidate.email)


def _conflict(account: _Account, matching: Sequence[_Candidate]) -> Conflict | None:
    if len(matching) > 1:
        return "several_profiles"
    if not matching:
        return None if account.email else "no_email"
    if matching[0].accounts.get(account.service, account.id) == account.id:
        return None
    return "conflicting_slack_id" if account.service == "slack" else "conflicting_clickup_id"


def _adding(candidate: _Candidate) -> AddPerson:
    facts = PersonFacts(
        name=one_line(candidate.name, 120),
        slack=candidate.accounts.get("slack"),
        clickup=candidate.accounts.get("clickup"),
        timezone=candidate.timezone,
    )
    return AddPerson(email=candidate.email, after=facts)


def _linking(candidates: Iterable[_Candidate]) -> Iterable[ChangePerson]:
    """Yield the links that are missing on profiles of people at work."""
    for one in candidates:
        before = one.stored
        if before is None or before.employment == "inactive":
            continue
        after = before.model_copy(
            update={
                "slack": before.slack or one.accounts.get("slack"),
                "clickup": before.clickup or one.accounts.get("clickup"),
            }
        )
        if after != before:
            yield ChangePerson(email=one.email, before=before, after=after)
