"""The accounts of Slack and ClickUp beside the agency's people: what differs, and linking them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple, TypeVar

from pydantic import Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clock import day_of
from agencyclaw.domain.errors import NotFound, Refused
from agencyclaw.domain.imports import ImportedChange, ImportRecords
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier, Value
from agencyclaw.domain.policy import Shows
from agencyclaw.domain.reconciling import Conflict, NeedsReview, Reconciliation, reconcile
from agencyclaw.domain.record_kinds.separate_accounts import KeepSeparate
from agencyclaw.domain.records import StoredRecord
from agencyclaw.domain.team import AddPerson, ChangePerson, TeamMember, concerns_admins
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.arguments import Name
from agencyclaw.tools.catalogue import proposes, reads
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.results import Ask, Result, shown_names
from agencyclaw.tools.team import find_teammate, require_free

_SHOWN = 60
Service = Literal["Slack", "ClickUp"]
T = TypeVar("T")


class NamedAccount(NamedTuple):
    """An account of Slack or ClickUp, by what people may call it."""

    id: str
    name: str
    email: str = ""


class AccountOwner(Result):
    """Somebody with accounts that are on no profile, or not on their own yet."""

    name: str
    email: str
    accounts: tuple[Service, ...]


class OpenAccount(Result):
    """An account that no rule decides on; an admin says whose it is, or leaves it."""

    name: str
    account: str
    why: Conflict
    may_belong_to: tuple[str, ...] = ()


class KeptAccount(Result):
    """An account that an admin keeps apart: from one person, or from everybody on the team."""

    name: str
    account: str
    not_of: str = ""
    why: str = ""
    decided: str


class AccountComparison(Result):
    """What differs between Slack, ClickUp and the agency's people; nothing was changed.

    `missing_links` follow from e-mails and ids, `new_people` have no profile, `undecided` need an
    admin, `of_admins` only a super admin may link, and `kept_separate` are offered no more.
    `without_slack` and `without_clickup` are people of the team with no account that follows.
    """

    missing_links: tuple[AccountOwner, ...] = ()
    of_admins: tuple[AccountOwner, ...] = ()
    new_people: tuple[AccountOwner, ...] = ()
    undecided: tuple[OpenAccount, ...] = ()
    kept_separate: tuple[KeptAccount, ...] = ()
    without_slack: tuple[str, ...] = ()
    without_clickup: tuple[str, ...] = ()
    note: str = ""


class AccountMatch(Value):
    """An admin's decision on one undecided account."""

    account: Name
    person: Name


@reads(tier=Tier.ADMIN, on_demand=True, needs="accounts", shows=Shows.NOTES)
async def compare_accounts(ctx: RunContext[Deps]) -> AccountComparison:
    """Compare the people of Slack and ClickUp with the team (identity sync); changes nothing."""
    found = await _compared(ctx.deps)
    separate = await ctx.deps.directory.records(KeepSeparate, [])
    ours, of_admins = await _by_rights(ctx.deps, found)
    team = await ctx.deps.directory.team()
    without_slack = _without(team, "slack", found.links)
    without_clickup = _without(team, "clickup", found.links)
    total = len(found.links) + len(found.new) + len(found.review)
    total += len(without_slack) + len(without_clickup)
    note = "Slack, ClickUp and the team agree." if not total else ""
    if max(map(len, (found.new, found.review, found.links, separate))) > _SHOWN:
        note = f"At most {_SHOWN} of each are shown."
    return AccountComparison(
        missing_links=tuple(_owner(link) for link in ours[:_SHOWN]),
        of_admins=tuple(_owner(link) for link in of_admins[:_SHOWN]),
        new_people=tuple(_owner(person) for person in found.new[:_SHOWN]),
        undecided=tuple(_open(one) for one in found.review[:_SHOWN]),
        kept_separate=tuple(_kept(ctx.deps, one) for one in sorted(separate, key=_name)[:_SHOWN]),
        without_slack=without_slack,
        without_clickup=without_clickup,
        note=note,
    )


@proposes(ImportRecords, tier=Tier.ADMIN, on_demand=True)
async def sync_accounts(
    ctx: RunContext[Deps],
    add: Annotated[list[Name], Field(max_length=_SHOWN)] | None = None,
    decided: Annotated[list[AccountMatch], Field(max_length=20)] | None = None,
) -> ImportRecords | Ask:
    """Prepare linking the Slack and ClickUp accounts that the rules match (sync identities).

    compare_accounts shows them first. People are added, and undecided accounts linked, only as the
    admin said; keep_account_separate is for one that is not to be offered again.

    Args:
        add: The new people to add, by e-mail or name.
        decided: Whose each undecided account is.
    """
    deps = ctx.deps
    found = await _compared(deps)
    links, _ = await _by_rights(deps, found)
    changes: list[ImportedChange] = [*links]
    owners, lacking = list[str](), Lacking()
    undecided = [NamedAccount(one.account, one.name) for one in found.review]
    for name in add or ():
        with lacking.refused():
            changes.append(_chosen(found.new, name))
    for match in decided or ():
        with lacking.refused():
            account = find_account(match.account, undecided)
            change = lacking.found(await _decided(deps, account, match.person, changes))
            if change:
                changes = [*(one for one in changes if one.entity != change.entity), change]
                owners.append(_owned(account, change.label))
    if lacking:
        return lacking.as_ask()
    if not changes:
        raise Refused(message("refused.accounts.no_changes"), reason="no_changes")
    return ImportRecords(
        files=(),
        changes=tuple(dict.fromkeys(changes)),
        against=tuple(owners),
    )


async def _compared(deps: Deps) -> Reconciliation:
    if deps.accounts is None:
        raise Refused(message("refused.accounts.no_slack"), reason="no_slack")
    slack = await deps.accounts.people()
    clickup, team = await deps.board.members(), await deps.directory.team()
    return reconcile(slack, clickup, team, await deps.directory.records(KeepSeparate, []))


async def _by_rights(
    deps: Deps, found: Reconciliation
) -> tuple[list[ChangePerson], list[ChangePerson]]:
    """Return the links that an admin may make, and those of admins."""
    supers = {one.email.strip().lower() for one in await deps.directory.team() if one.is_super}
    ours, of_admins = list[ChangePerson](), list[ChangePerson]()
    for link in found.links:
        is_super = link.email in supers
        is_admins = (
            link.before
            and link.after
            and concerns_admins(link.before, link.after, is_super=is_super)
        )
        (of_admins if is_admins else ours).append(link)
    return ours, of_admins


def _without(
    team: Sequence[TeamMember], service: Literal["slack", "clickup"], links: Sequence[ChangePerson]
) -> tuple[str, ...]:
    """Return who at work has no account of a service, nor one that the rules match."""
    linked = {one.email for one in links if one.after and getattr(one.after, service)}
    names = (
        one_line(one.name, 120)
        for one in team
        if one.facts.employment != "inactive"
        and not getattr(one.facts, service)
        and one.email.strip().lower() not in linked
    )
    return shown_names(names, _SHOWN)


def _owner(change: AddPerson | ChangePerson) -> AccountOwner:
    before, after = change.before, change.after
    gained: list[Service] = []
    if after and after.slack != (before and before.slack):
        gained.append("Slack")
    if after and after.clickup != (before and before.clickup):
        gained.append("ClickUp")
    return AccountOwner(name=change.label, email=change.email, accounts=tuple(gained))


def _open(one: NeedsReview) -> OpenAccount:
    names = tuple(one_line(name, 120) for name in one.candidates)
    return OpenAccount(
        name=one_line(one.name, 120), account=one.account, why=one.why, may_belong_to=names
    )


def _name(one: StoredRecord[KeepSeparate]) -> str:
    return folded(one.held.name)


def _kept(deps: Deps, one: StoredRecord[KeepSeparate]) -> KeptAccount:
    return KeptAccount(
        name=one_line(one.held.name, 120),
        account=one.key.account,
        not_of=one.held.not_of or "",
        why=one_line(one.held.why, 200),
        decided=f"{one_line(one.by, 120)}, {day_of(one.since, deps.actor.zone)}",
    )


def _chosen(new: Sequence[AddPerson], name: str) -> AddPerson:
    """Return the new person of exactly this name or e-mail; raises NotFound or Refused."""
    shown = one_line(name, 80)
    matching = [one for one in new if folded(name) in (folded(one.email), folded(one.label))]
    return _only(matching, shown, message("refused.accounts.several", name=shown))


def find_account(named: str, accounts: Sequence[NamedAccount]) -> NamedAccount:
    """Return the one account of this id, name or e-mail; raises NotFound or Refused."""
    wanted, shown = folded(named), one_line(named, 80)
    matching = [one for one in accounts if wanted and wanted in map(folded, one)]
    ids = ", ".join(one.id for one in matching)
    return _only(matching, shown, message("refused.accounts.several_ids", name=shown, ids=ids))


def _only(matching: Sequence[T], name: str, several: str) -> T:
    if not matching:
        raise NotFound(message("refused.accounts.nobody", name=name), reason="nobody")
    if len(matching) > 1:
        raise Refused(several, reason="several")
    return matching[0]


def _owned(account: NamedAccount, person: str) -> str:
    """Say who an account belongs to by its own name, which its id tells nobody."""
    own = one_line(account.name, 120) or account.id
    return message("imports.account_of", account=account.id, own=own, person=person)


async def _decided(
    deps: Deps, undecided: NamedAccount, named: str, changes: Sequence[ImportedChange]
) -> ChangePerson | Ask:
    """Return the link of an undecided account, with what else changes of its owner already.

    One of an admin takes its own card.
    """
    question = message("refused.accounts.whose", name=one_line(undecided.name, 80))
    member = await find_teammate(deps, named, question)
    if isinstance(member, Ask):
        return member
    account = undecided.id
    field = "clickup" if account.isdecimal() else "slack"
    links = [(one, one.after) for one in changes if isinstance(one, ChangePerson) and one.after]
    own = [facts for one, facts in links if one.email.lower() == member.email.lower()]
    facts = own[0] if own else member.facts
    if getattr(facts, field) != getattr(member.facts, field):
        raise Refused(message("refused.accounts.twice", name=member.name), reason="twice")
    if owner := next((one for one, held in links if getattr(held, field) == account), None):
        why = message("refused.accounts.two_owners", owner=owner.label, other=member.name)
        raise Refused(why, reason="account_taken")
    after = facts.model_copy(update={field: account})
    await require_free(deps, member.email, after)
    if concerns_admins(member.facts, after, is_super=member.is_super):
        raise Refused(message("refused.accounts.admin", name=member.name), reason="admin")
    return ChangePerson(email=member.email, before=member.facts, after=after)
