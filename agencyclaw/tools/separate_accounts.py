"""Keeping an account of Slack or ClickUp apart from the team, so that it is not offered again."""

from __future__ import annotations

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.record_kinds.separate_accounts import KeepSeparate
from agencyclaw.domain.text import one_line
from agencyclaw.tools.accounts import NamedAccount, find_account
from agencyclaw.tools.arguments import Name, Title
from agencyclaw.tools.catalogue import proposes
from agencyclaw.tools.records import with_stored
from agencyclaw.tools.results import Ask
from agencyclaw.tools.team import find_teammate


@proposes(KeepSeparate, tier=Tier.ADMIN, on_demand=True)
async def keep_account_separate(
    ctx: RunContext[Deps],
    account: Name,
    not_of: Name | None = None,
    why: Title | None = None,
    offer_again: bool = False,
) -> KeepSeparate | Ask:
    """Prepare keeping an account of Slack or ClickUp separate, or taking that back.

    For a bot, a guest, or an account that is not a person's: comparisons offer it no more.

    Args:
        account: The account's id or name, as compare_accounts shows it.
        not_of: Whose it is not; leave out if it is nobody's on the team.
        why: Why, in their words.
        offer_again: The decision is taken back.
    """
    deps = ctx.deps
    if offer_again:
        separate = await deps.directory.records(KeepSeparate, [])
        accounts = [NamedAccount(one.key.account, one.held.name) for one in separate]
        return await with_stored(deps, KeepSeparate(account=find_account(account, accounts).id), {})
    chosen = find_account(account, await _unlinked(deps, account))
    name, email = one_line(chosen.name, 120), None
    if not_of:
        person = await find_teammate(deps, not_of, message("accounts.whose_not", name=name))
        if isinstance(person, Ask):
            return person
        email = person.email.lower()
    fields = {"name": name, "not_of": email, "why": why}
    # Another decision, whose reason is no longer that of the earlier one.
    return await with_stored(deps, KeepSeparate(account=chosen.id), fields, ("not_of", "why"))


async def _unlinked(deps: Deps, named: str) -> list[NamedAccount]:
    """Return the accounts that are on nobody's profile; raises Refused if that one is."""
    if deps.accounts is None:
        raise Refused(message("refused.accounts.no_slack"), reason="no_slack")
    accounts = [NamedAccount(one.id, one.name, one.email) for one in await deps.accounts.people()]
    for member in await deps.board.members():
        email = member.email or ""
        accounts.append(NamedAccount(str(member.id), member.name or email, email))
    team = await deps.directory.team()
    owners = {of: one.name for one in team for of in (one.facts.slack, one.facts.clickup)}
    if owner := owners.get(named):
        words = message("refused.team.account_taken", account=named, name=owner)
        raise Refused(words, reason="account_taken")
    return [one for one in accounts if one.id not in owners]
