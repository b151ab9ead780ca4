"""Builds the cards of proposals: what would happen, who may confirm it, and until when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from uuid import UUID

from agencyclaw.domain.changes import EffectScope
from agencyclaw.domain.clock import later_time
from agencyclaw.domain.messages import message
from agencyclaw.domain.press import because
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.text import cut, digest
from agencyclaw.domain.unsupported import UnsupportedEffect
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.slack import action_ids
from agencyclaw.slack.blocks import (
    LABEL_LIMIT,
    OPTIONS_LIMIT,
    TEXT_LIMIT,
    Block,
    Message,
    actions,
    button,
    context,
    divider,
    fits,
    option,
    pack,
    paragraphs,
    plain_text,
    section,
)
from agencyclaw.slack.details import detail, headline, in_words, is_folded, one_of_several
from agencyclaw.slack.endings import ending_of
from agencyclaw.slack.escaping import LIVE_HOSTS, RECEIPT, escaped, link, one_line

# What Slack takes in the text of a dialog.
_DIALOG_TEXT = 300
_FULL_TEXT = (action_ids.SHOW_TEXT, message("cards.full_text"))


def build_cards(
    proposals: Sequence[Proposal],
    live_hosts: frozenset[str] = LIVE_HOSTS,
    *,
    shown_by: UUID | None = None,
    moved_to: Mapping[UUID, str | None] = MappingProxyType({}),
) -> list[Message]:
    """Return the card of proposals in their present states, in one message whenever it fits.

    Nobody may consent to what they can't read, so nothing is cut: a long text is one press away or
    in messages of its own, and the last message always has the buttons. `shown_by` is the delivery
    it is drawn for: a proposal that a later card shows is one line here, even after it has ended,
    so that its outcome and next steps are in one place. `moved_to` has the addresses of those cards
    that are in another thread, and None for those that are nowhere yet.
    """
    moved = [proposal for proposal in proposals if shown_by and is_moved(proposal, shown_by)]
    left = [proposal for proposal in proposals if proposal not in moved]
    if not left:
        return [_moved(moved, moved_to)]
    lines = _moved(moved, moved_to).blocks if moved else []
    blocks = [*lines, *_card(left, live_hosts, is_whole=True)]
    if fits(blocks):
        return [_message(left, blocks)]
    waiting = [proposal for proposal in left if is_open(proposal)]
    pages = [page for one in waiting for page in _pages(one, live_hosts)]
    return [*pages, _message(left, [*lines, *_card(left, live_hosts, is_whole=False)])]


def buttons(proposal: Proposal) -> Block:
    """Return the buttons of one open proposal; a colleague can have the same prepared."""
    mark = action_ids.mark_of(proposal)
    verb = proposal.effect.preview().verb
    return actions(
        [
            button(action_ids.CONFIRM, verb, mark, primary=True),
            *([button(action_ids.EDIT, "Edit", mark)] if proposal.effect.is_editable else []),
            button(action_ids.CANCEL, proposal.effect.no, mark),
            *_neutral_buttons(proposal),
        ]
    )


def _neutral_buttons(proposal: Proposal) -> list[Block]:
    """Return the buttons that decide nothing."""
    mark = action_ids.mark_of(proposal)
    for_others = not proposal.place.is_direct and proposal.effect.scope is not EffectScope.OWN
    shown = is_folded(proposal) or proposal.effect.has_full_text
    return [
        *([button(*_FULL_TEXT, mark)] if shown else []),
        *(
            [button(action_ids.PREPARE_FOR_ME, message("cards.prepare"), mark)]
            if for_others
            else []
        ),
    ]


def revision_buttons(proposal: Proposal) -> Block:
    """Return both ways on with a proposal of which another version was requested."""
    mark = action_ids.mark_of(proposal)
    verb = proposal.effect.preview().verb.split(" ", 1)[0]
    take = button(action_ids.AS_SHOWN, f"{verb} as shown", mark)
    return actions([take, button(action_ids.CANCEL, "Drop it", mark)])


def again_button(proposal: Proposal) -> Block:
    """Return the button of an expired proposal."""
    return actions(
        [
            button(
                action_ids.PREPARE_AGAIN,
                message("card.prepare_again"),
                action_ids.mark_of(proposal),
            )
        ]
    )


def next_buttons(proposal: Proposal) -> Block | None:
    """Return the buttons of a proposal in a note about it; None if nothing can be done with it."""
    match proposal.state:
        case ProposalState.OPEN:
            return revision_buttons(proposal)
        case ProposalState.EXPIRED:
            return again_button(proposal)
        case _:
            return None


def who_and_until(proposal: Proposal, *, is_only_one: bool = True) -> str:
    """Say who may confirm and how, and until when in that person's time zone."""
    name = escaped(one_line(proposal.actor_name))
    zone, how = (
        proposal.effect.timezone,
        message("cards.with_button") if is_only_one else message("cards.with_buttons"),
    )
    until = ""
    if proposal.expires_at:
        until = f" until {later_time(proposal.expires_at, zone, since=proposal.created_at)}"
    if is_only_one and proposal.words_until:
        how += message("cards.or_answering_right_below", yes=proposal.effect.yes)
    why = _why_press(proposal) if is_only_one else ""
    return message("cards.only_can_confirm", name=name, until=until, how=how, why=why)


def _why_press(proposal: Proposal) -> str:
    if proposal.press_reason is None:
        return ""
    return message("cards.press_reason", because=because(proposal.press_reason))


def is_open(proposal: Proposal) -> bool:
    """Return whether a person can still decide about it."""
    is_waiting = proposal.state in (ProposalState.OPEN, ProposalState.DRAFT)
    return is_waiting and not isinstance(proposal.effect, UnsupportedEffect)


def is_moved(proposal: Proposal, shown_by: UUID) -> bool:
    """Return whether a later card shows it."""
    return proposal.card_id not in (None, shown_by)


def shown_hash(messages: Sequence[Message]) -> str:
    """Return the hash of a card as sent; the audit of its outcome refers to it."""
    return digest([message.blocks for message in messages])


def _moved(proposals: Sequence[Proposal], moved_to: Mapping[UUID, str | None]) -> Message:
    lines = "\n".join(_moved_line(one, moved_to) for one in proposals)
    return Message(text=cut(lines, TEXT_LIMIT), blocks=[context(lines)], plain=lines)


def _moved_line(proposal: Proposal, moved_to: Mapping[UUID, str | None]) -> str:
    """Say where its card is now; in this thread if it is not elsewhere."""
    title = one_of_several(proposal)
    if proposal.id not in moved_to:
        return message("cards.shown_again_below", one_of_several=title)
    address = moved_to[proposal.id]
    if address is None:
        return message("cards.replaced_by_newer", one_of_several=title)
    where = message("cards.where_you_wrote")
    place = link(where, address) if address else where
    return message("cards.moved", one_of_several=title, where=place)


def _in_notification(proposal: Proposal) -> str:
    """Return effect, client and place, which is what a notification shows."""
    effect = proposal.effect
    clients = ", ".join(one_line(client.name) for client in effect.clients)
    parts = (headline(proposal), escaped(clients), escaped(one_line(effect.preview().where)))
    return " · ".join(part for part in parts if part)


def _message(proposals: Sequence[Proposal], blocks: list[Block]) -> Message:
    text = "\n".join(_in_notification(proposal) for proposal in proposals)
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
        is_one = len(proposals) == 1
        title = headline(proposal) if is_one else f"{number}. {one_of_several(proposal)}"
        blocks += [divider()] if blocks and is_whole else []
        blocks += _item(proposal, live_hosts, title, is_whole=is_whole, can_edit=can_edit)
    if not is_whole and waiting:
        blocks.append(context(message("cards.details_are_messages_above")))
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
        first["accessory"] = button(action_ids.EDIT, "Edit", action_ids.mark_of(proposal))
    blocks = [first, *rest, *(detail(proposal, live_hosts) if is_whole else [])]
    aside = _neutral_buttons(proposal) if can_edit else []
    return [*blocks, actions(aside)] if aside else blocks


def _ended(proposal: Proposal, live_hosts: frozenset[str], *, is_whole: bool) -> list[Block]:
    """Return headline and outcome; details only if more can be done with it."""
    ending = ending_of(proposal)
    blocks = detail(proposal, live_hosts) if is_whole and ending.keeps_detail else []
    blocks += [section(ending.text), context(RECEIPT)]
    acts = [ending.act] if ending.act else []
    if proposal.state is ProposalState.DONE and _has_text(proposal):
        acts.append(_FULL_TEXT)
    mark = action_ids.mark_of(proposal)
    return [*blocks, *([actions([button(*act, mark) for act in acts])] if acts else [])]


def _has_text(proposal: Proposal) -> bool:
    return bool(proposal.effect.has_full_text or proposal.effect.preview().body)


def _choosers(proposals: Sequence[Proposal], waiting: list[Proposal]) -> list[Block]:
    if not waiting:
        return []
    if len(waiting) == 1:
        return [buttons(waiting[0])]
    numbers = {proposal.id: number for number, proposal in enumerate(proposals, start=1)}
    options = [
        option(_numbered_title(p, numbers[p.id], LABEL_LIMIT), action_ids.mark_of(p))
        for p in waiting
    ]
    every = ",".join(action_ids.mark_of(proposal) for proposal in waiting)
    verb = "Create" if all(p.effect.done == "created" for p in waiting) else "Confirm"
    confirm = button(action_ids.CONFIRM_SELECTED, f"{verb} selected", every, primary=True)
    whole = button(action_ids.CONFIRM_ALL, f"{verb} all {len(waiting)}", every)
    whole["confirm"] = _confirmation_dialog(verb, waiting, numbers)
    drop = button(action_ids.CANCEL_SELECTED, "Cancel selected", every)
    boxes = [
        _boxes(options[at : at + OPTIONS_LIMIT]) for at in range(0, len(options), OPTIONS_LIMIT)
    ]
    return [*boxes, actions([confirm, whole, drop])]


def _numbered_title(proposal: Proposal, number: int, length: int) -> str:
    """Return number, title and owner, so that equal titles differ; only the title is cut."""
    effect = proposal.effect
    owner = cut(one_line(effect.owner), length // 2)
    aside = f" – {owner}" if owner else ""
    begun = f"{number}. "
    title = cut(redacted(one_line(effect.label)), length - len(begun) - len(aside))
    return f"{begun}{title}{aside}"


def _confirmation_dialog(verb: str, waiting: list[Proposal], numbers: dict[UUID, int]) -> Block:
    """Return Slack's confirmation dialog, which lists all proposals once more."""
    length = _DIALOG_TEXT // len(waiting) - 1
    listed = "\n".join(_numbered_title(one, numbers[one.id], length) for one in waiting)
    return {
        "title": plain_text(f"{verb} all {len(waiting)}?"),
        "text": plain_text(listed),
        "confirm": plain_text(f"{verb} all"),
        "deny": plain_text("Back"),
    }


def _boxes(options: list[Block]) -> Block:
    """Return the checkboxes, none of them ticked."""
    return actions([{"type": "checkboxes", "action_id": action_ids.SELECTION, "options": options}])


def _in_words(proposal: Proposal) -> str:
    if is_open(proposal):
        return f"{in_words(proposal)}\n{who_and_until(proposal)}"
    return f"*{headline(proposal)}*\n{ending_of(proposal).text}\n{RECEIPT}"
