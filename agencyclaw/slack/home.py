"""Builds Home tabs: open proposals (for admins, also those of others), recent effects, memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from agencyclaw.domain.clock import later_time, time_span
from agencyclaw.domain.memory import MemoryLine
from agencyclaw.domain.messages import localized, message
from agencyclaw.domain.operations import AgencyOverview
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.spending import CostCaps, WorkspaceSpent
from agencyclaw.domain.text import counted
from agencyclaw.slack import action_ids
from agencyclaw.slack.blocks import Block, button, context, divider, header, paragraphs, section
from agencyclaw.slack.cards import buttons, who_and_until
from agencyclaw.slack.details import detail, headline_in_list
from agencyclaw.slack.endings import ending_of
from agencyclaw.slack.escaping import LIVE_HOSTS, escaped, one_line
from agencyclaw.slack.memory_lines import memory_lines
from agencyclaw.slack.scopes import feature_of

_BLOCKS_LIMIT = 100
_RECENT_LIMIT = 10
_OTHERS_LIMIT = 15
_LACKING = message("home.lacking")
_ABOUT = message("home.about")


def build_home(
    waiting: Sequence[Proposal],
    recent: Sequence[Proposal] = (),
    live_hosts: frozenset[str] = LIVE_HOSTS,
    *,
    of_others: Sequence[Proposal] | None = None,
    overview: AgencyOverview | None = None,
    remembered: Sequence[MemoryLine] = (),
    banner: str = "",
    missing_scopes: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the Home view of a person; `of_others` and `overview` are None but for admins."""
    top = [section(f":double_vertical_bar: *{escaped(banner)}*")] if banner else []
    top += _missing_scopes(missing_scopes)
    bottom = [
        *_of_others(of_others),
        *_overview(overview),
        *_recent(recent),
        *_remembered(remembered),
        header(localized("About")),
        section(_ABOUT),
    ]
    available = _BLOCKS_LIMIT - len(bottom) - len(top)
    return {"type": "home", "blocks": [*top, *_waiting(waiting, live_hosts, available), *bottom]}


def _missing_scopes(scopes: Sequence[str]) -> list[Block]:
    """Tell an admin which scopes this installation lacks, and how to fix it."""
    lines = "\n".join(f"• {feature_of(scope)} (`{scope}`)" for scope in scopes)
    return paragraphs(f":warning: *{_LACKING}*\n{lines}") if scopes else []


def _waiting(
    waiting: Sequence[Proposal], live_hosts: frozenset[str], available: int
) -> list[Block]:
    """Return as many open proposals as fit, each in full, and the number of the others."""
    blocks = [header(message("home.waiting_you"))]
    if not waiting:
        return [*blocks, section(message("home.nothing_waits"))]
    for number, proposal in enumerate(waiting):
        item = [*_item(proposal, live_hosts), divider()]
        if len(blocks) + len(item) >= available:
            left = len(waiting) - number
            return [*blocks, context(message("home.more_waiting", left=left))]
        blocks += item
    return blocks


def _item(proposal: Proposal, live_hosts: frozenset[str]) -> list[Block]:
    return [
        *paragraphs(f"*{headline_in_list(proposal)}*"),
        *detail(proposal, live_hosts, in_message=False),
        context(who_and_until(proposal)),
        buttons(proposal, in_thread=False),
    ]


def _of_others(proposals: Sequence[Proposal] | None) -> list[Block]:
    """Return a line and a button each: an admin may cancel them, never confirm."""
    if proposals is None:
        return []
    blocks = [header(message("home.waiting_agency"))]
    if not proposals:
        return [*blocks, section(message("home.nothing_waits_for_others"))]
    for proposal in proposals[:_OTHERS_LIMIT]:
        blocks += _others_item(proposal)
    left = len(proposals) - _OTHERS_LIMIT
    return [*blocks, context(message("built.left", left=left))] if left > 0 else blocks


def _overview(overview: AgencyOverview | None) -> list[Block]:
    """Return a line each on health, links of brands, costs, and what waits for an admin."""
    if overview is None:
        return []
    lines = (
        _health(overview),
        message("home.unmapped", unmapped=overview.unmapped_brands, brands=overview.brands),
        _cost(overview.spent, overview.caps),
        message("home.documents", waiting=overview.waiting_documents),
        _alerts(overview.alert_channel),
    )
    accounts = section(f"• {_accounts(overview)}")
    accounts["accessory"] = button(
        action_ids.COMPARE_ACCOUNTS, message("home.compare_accounts"), "compare"
    )
    shown = "\n".join(f"• {line}" for line in lines)
    return [header(localized("Assistant")), section(shown), accounts]


def _accounts(overview: AgencyOverview) -> str:
    """Say how many accounts wait for a decision, and how old that is: nothing is looked up."""
    if overview.undecided_accounts is None:
        return message("home.never_compared")
    days = overview.compared_days or 0
    age = message("home.days_ago", days=counted(days, "day")) if days else message("home.today")
    return message("home.undecided_accounts", undecided=overview.undecided_accounts, age=age)


def _alerts(channel: str) -> str:
    """Say where alerts go; an admin changes that by asking."""
    if channel:
        return message("alerts.home_channel", channel=channel)
    return message("alerts.home_each")


def _cost(spent: WorkspaceSpent, caps: CostCaps) -> str:
    cost = f"{spent.cost_usd:.2f}"
    most = f"{caps.workspace:.2f}"
    parts = (
        message("home.cost_of", cost=cost, most=most)
        if caps.workspace
        else message("home.cost", cost=cost),
        message("home.at_limit", people=spent.people_at_limit, most=f"{caps.person:.2f}")
        if spent.people_at_limit
        else "",
        message("home.unpriced", tokens=f"{spent.unpriced:,}") if spent.unpriced else "",
    )
    return "".join(parts)


def _health(overview: AgencyOverview) -> str:
    waiting = message("home.waiting_messages", waiting=overview.waiting_messages)
    if overview.waiting_messages:
        waiting += message("home.oldest", waited=time_span(timedelta(seconds=overview.oldest_s)))
    if overview.is_healthy:
        return message("home.healthy", waiting=waiting)
    failed = counted(overview.failed_answers, "failed answer")
    lost = counted(overview.undelivered, "undelivered message")
    return message("home.unhealthy", failed=failed, undelivered=lost, waiting=waiting)


def _others_item(proposal: Proposal) -> list[Block]:
    name = escaped(one_line(proposal.actor_name))
    until = ""
    if proposal.expires_at:
        zone = proposal.effect.timezone
        until = later_time(proposal.expires_at, zone, since=proposal.created_at)
    title = headline_in_list(proposal)
    line = (
        message("built.for_until", title=title, name=name, until=until)
        if until
        else message("built.for", title=title, name=name)
    )
    blocks = paragraphs(line)
    value = action_ids.button_value(proposal)
    blocks[0]["accessory"] = button(action_ids.WITHDRAW, message("built.cancel"), value)
    return blocks


def _remembered(lines: Sequence[MemoryLine]) -> list[Block]:
    if not lines:
        return []
    return [header(localized("Remembered")), *memory_lines(lines, _more)]


def _more(left: int) -> str:
    return message("home.more_remembered", left=left)


def _recent(recent: Sequence[Proposal]) -> list[Block]:
    blocks = [header(localized("Recent"))] if recent else []
    for proposal in recent[:_RECENT_LIMIT]:
        blocks += paragraphs(f"*{headline_in_list(proposal)}*\n{ending_of(proposal).text}")
    return blocks
