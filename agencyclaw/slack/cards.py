"""Cards of proposals: what would happen, exactly, and who may release it until when."""

from __future__ import annotations

from collections.abc import Sequence

from agencyclaw.domain.outgrown import Outgrown
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.text import cut
from agencyclaw.slack import marks
from agencyclaw.slack.blocks import (
    OPTIONS_LIMIT,
    TEXT_LIMIT,
    Block,
    Message,
    actions,
    button,
    context,
    fits,
    option,
    pack,
    paragraphs,
    section,
)
from agencyclaw.slack.clock import clock_time
from agencyclaw.slack.details import detail, headline, in_words
from agencyclaw.slack.endings import ending_of
from agencyclaw.slack.inert import LIVE_HOSTS, escaped, one_line


def build_cards(
    proposals: Sequence[Proposal], live_hosts: frozenset[str] = LIVE_HOSTS
) -> list[Message]:
    """Return the card of proposals in their present states: one message whenever it fits.

    Nobody may consent to what they can't read, so nothing is cut: what is too long goes into
    messages of its own, and the last one always holds the buttons.
    """
    blocks = _card(proposals, live_hosts, is_whole=True)
    if fits(blocks):
        return [_message(proposals, blocks)]
    waiting = [proposal for proposal in proposals if is_open(proposal)]
    pages = [page for one in waiting for page in _pages(one, live_hosts)]
    return [*pages, _message(proposals, _card(proposals, live_hosts, is_whole=False))]


def buttons(proposal: Proposal) -> Block:
    """The three things that can be done with one open proposal."""
    mark = marks.mark_of(proposal)
    verb = proposal.effect.preview().verb
    return actions(
        [
            button(marks.CONFIRM, verb, mark, primary=True),
            *([button(marks.EDIT, "Edit", mark)] if proposal.effect.is_editable else []),
            button(marks.CANCEL, proposal.effect.no, mark),
        ]
    )


def who_and_until(proposal: Proposal, *, is_only_one: bool = True) -> str:
    """Say who may confirm, until when on that person's clock, and how."""
    name = escaped(one_line(proposal.actor_name))
    until = ""
    if proposal.expires_at:
        until = f" until {clock_time(proposal.expires_at, proposal.effect.timezone)}"
    say_yes = f"with the button, or by saying “{proposal.effect.yes}”"
    how = say_yes if is_only_one else "with the buttons"
    return f"Only {name} can confirm this{until}: {how}."


def is_open(proposal: Proposal) -> bool:
    """Return whether a person can still decide about it."""
    is_waiting = proposal.state in (ProposalState.OPEN, ProposalState.DRAFT)
    return is_waiting and not isinstance(proposal.effect, Outgrown)


def _message(proposals: Sequence[Proposal], blocks: list[Block]) -> Message:
    text = "\n".join(headline(proposal) for proposal in proposals)
    plain = "\n\n".join(_in_words(proposal) for proposal in proposals)
    return Message(text=cut(text, TEXT_LIMIT), blocks=blocks, plain=plain)


def _pages(proposal: Proposal, live_hosts: frozenset[str]) -> list[Message]:
    title = headline(proposal)
    blocks = [*paragraphs(f"*{title}*"), *detail(proposal, live_hosts)]
    text = cut(title, TEXT_LIMIT)
    return [Message(text=text, blocks=page, plain=in_words(proposal)) for page in pack(blocks)]


def _card(
    proposals: Sequence[Proposal], live_hosts: frozenset[str], *, is_whole: bool
) -> list[Block]:
    blocks: list[Block] = []
    waiting = [proposal for proposal in proposals if is_open(proposal)]
    can_edit = len(waiting) > 1
    for number, proposal in enumerate(proposals, start=1):
        title = f"{number}. {headline(proposal)}" if len(proposals) > 1 else headline(proposal)
        blocks += [{"type": "divider"}] if blocks and is_whole else []
        blocks += _item(proposal, live_hosts, title, is_whole=is_whole, can_edit=can_edit)
    if not is_whole and waiting:
        blocks.append(context("The details are in the messages above."))
    if waiting:
        blocks.append(context(who_and_until(waiting[0], is_only_one=len(waiting) == 1)))
    return [*blocks, *_choosers(proposals, waiting)]


def _item(
    proposal: Proposal,
    live_hosts: frozenset[str],
    title: str,
    *,
    is_whole: bool,
    can_edit: bool,
) -> list[Block]:
    first, *rest = paragraphs(f"*{title}*")
    if not is_open(proposal):
        return [first, *rest, *_ended(proposal, live_hosts, is_whole=is_whole)]
    if can_edit and proposal.effect.is_editable:
        first["accessory"] = button(marks.EDIT, "Edit", marks.mark_of(proposal))
    return [first, *rest, *(detail(proposal, live_hosts) if is_whole else [])]


def _ended(proposal: Proposal, live_hosts: frozenset[str], *, is_whole: bool) -> list[Block]:
    """What was released stays readable; what was dropped keeps its headline only."""
    ending = ending_of(proposal)
    blocks = detail(proposal, live_hosts) if is_whole and ending.keeps_detail else []
    blocks.append(section(ending.text))
    if ending.act:
        action_id, label = ending.act
        blocks.append(actions([button(action_id, label, marks.mark_of(proposal))]))
    return blocks


def _choosers(proposals: Sequence[Proposal], waiting: list[Proposal]) -> list[Block]:
    if not waiting:
        return []
    if len(waiting) == 1:
        return [buttons(waiting[0])]
    numbers = {proposal.id: number for number, proposal in enumerate(proposals, start=1)}
    options = [
        option(f"{numbers[p.id]}. {one_line(p.effect.label)}", marks.mark_of(p)) for p in waiting
    ]
    every = ",".join(marks.mark_of(proposal) for proposal in waiting)
    verb = "Create" if all(p.effect.done == "created" for p in waiting) else "Confirm"
    confirm = button(marks.CONFIRM_SELECTED, f"{verb} selected", every, primary=True)
    drop = button(marks.CANCEL_SELECTED, "Cancel selected", every)
    boxes = [
        _boxes(options[at : at + OPTIONS_LIMIT]) for at in range(0, len(options), OPTIONS_LIMIT)
    ]
    return [*boxes, actions([confirm, drop])]


def _boxes(options: list[Block]) -> Block:
    return actions(
        [
            {
                "type": "checkboxes",
                "action_id": marks.SELECTION,
                "options": options,
                "initial_options": options,
            }
        ]
    )


def _in_words(proposal: Proposal) -> str:
    if is_open(proposal):
        return f"{in_words(proposal)}\n{who_and_until(proposal)}"
    return f"*{headline(proposal)}*\n{ending_of(proposal).text}"
