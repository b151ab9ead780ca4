"""Builds the cards of proposals: what would happen, who may confirm it, and until when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from uuid import UUID

from agencyclaw.domain.changes import EffectScope
from agencyclaw.domain.clock import later_time
from agencyclaw.domain.messages import localized, message
from agencyclaw.domain.press import because_to_requester
from agencyclaw.domain.proposals import WORDS_FOR, Proposal, ProposalState
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
from agencyclaw.slack.details import (
    detail,
    headline,
    headline_in_list,
    is_folded,
    without_blocks,
)
from agencyclaw.slack.endings import ending_of
from agencyclaw.slack.escaping import LIVE_HOSTS, RECEIPT, escaped, link, one_line

# The most characters that Slack takes in the text of a dialog.
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
    that the card is drawn for: a proposal that a later card shows is one line here, even after it
    has ended, so that its outcome and next steps are in one place. `moved_to` has the addresses of
    later cards in another thread; None for one that was not sent.
    """
    moved = [proposal for proposal in proposals if shown_by and is_moved(proposal, shown_by)]
    here = [proposal for proposal in proposals if proposal not in moved]
    if not here:
        return [_moved(moved, moved_to)]
    moved_lines = _moved(moved, moved_to).blocks if moved else []
    blocks = [*moved_lines, *_card(here, live_hosts, with_details=True)]
    if fits(blocks):
        return [_message(here, blocks)]
    pages: list[Message] = []
    for proposal in here:
        if is_open(proposal):
            pages += _pages(proposal, live_hosts)
    blocks = [*moved_lines, *_card(here, live_hosts, with_details=False)]
    return [*pages, _message(here, blocks)]


def buttons(proposal: Proposal, *, in_thread: bool = True) -> Block:
    """Return the buttons of one open proposal; in a thread, a colleague can have the same."""
    value, effect = action_ids.button_value(proposal), proposal.effect
    row = [button(action_ids.CONFIRM, localized(effect.preview().verb), value, primary=True)]
    if effect.is_editable:
        row.append(button(action_ids.EDIT, message("built.edit"), value))
    row.append(button(action_ids.CANCEL, effect.no, value))
    return actions([*row, *_neutral_buttons(proposal, in_thread=in_thread)])


def _neutral_buttons(proposal: Proposal, *, in_thread: bool = True) -> list[Block]:
    """Return the buttons that decide nothing."""
    value, effect = action_ids.button_value(proposal), proposal.effect
    row: list[Block] = []
    if is_folded(proposal) or effect.has_full_text:
        row.append(button(*_FULL_TEXT, value))
    if in_thread and _is_for_others(proposal):
        row.append(button(action_ids.PREPARE_FOR_ME, message("cards.prepare"), value))
    return row


def _is_for_others(proposal: Proposal) -> bool:
    """Return whether colleagues who read its card can have the same prepared for themselves."""
    return not proposal.place.is_direct and proposal.effect.scope is not EffectScope.OWN


def next_buttons(proposal: Proposal) -> Block | None:
    """Return the buttons of a proposal in a note about it; None if nothing can be done with it.

    An open one is in such a note when another version of it was requested.
    """
    value = action_ids.button_value(proposal)
    match proposal.state:
        case ProposalState.OPEN:
            verb = localized(proposal.effect.preview().verb).split(" ", 1)[0]
            confirm = button(action_ids.AS_SHOWN, message("built.as_shown", verb=verb), value)
            return actions([confirm, button(action_ids.DROP, message("built.drop_it"), value)])
        case ProposalState.EXPIRED:
            label = message("card.prepare_again")
            return actions([button(action_ids.PREPARE_AGAIN, label, value)])
        case _:
            return None


def who_and_until(proposal: Proposal, *, is_only_one: bool = True) -> str:
    """Say who may confirm and how, and until when in that person's time zone."""
    name = escaped(one_line(proposal.actor_name))
    how = message("cards.with_button") if is_only_one else message("cards.with_buttons")
    until = ""
    if proposal.expires_at:
        zone = proposal.effect.timezone
        time = later_time(proposal.expires_at, zone, since=proposal.created_at)
        until = message("built.until", time=time)
    if is_only_one and proposal.words_until:
        yes = proposal.effect.yes
        how += message("cards.or_by_words", yes=yes, minutes=WORDS_FOR)
    why = _why_press(proposal) if is_only_one else ""
    return message("cards.only_can_confirm", name=name, until=until, how=how, why=why)


def _for_others(waiting: Sequence[Proposal]) -> str:
    """Say for whom the button prepares that anybody may press; "" where there is none."""
    if not any(map(_is_for_others, waiting)):
        return ""
    return message("cards.for_others", button=message("cards.prepare"))


def _why_press(proposal: Proposal) -> str:
    if proposal.press_reason is None:
        return ""
    return message("cards.press_reason", because=because_to_requester(proposal.press_reason))


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
    lines = "\n".join(_moved_line(proposal, moved_to) for proposal in proposals)
    return Message(text=cut(lines, TEXT_LIMIT), blocks=[context(lines)], plain=lines)


def _moved_line(proposal: Proposal, moved_to: Mapping[UUID, str | None]) -> str:
    """Say where its card is now; in this thread if it is not elsewhere."""
    title = headline_in_list(proposal)
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
    plain = "\n\n".join(_without_blocks(proposal) for proposal in proposals)
    return Message(text=cut(text, TEXT_LIMIT), blocks=blocks, plain=plain)


def _pages(proposal: Proposal, live_hosts: frozenset[str]) -> list[Message]:
    title = headline(proposal)
    blocks = [*paragraphs(f"*{title}*"), *detail(proposal, live_hosts)]
    text = cut(title, TEXT_LIMIT)
    return [
        Message(text=text, blocks=page, plain=without_blocks(proposal)) for page in pack(blocks)
    ]


def _card(
    proposals: Sequence[Proposal], live_hosts: frozenset[str], *, with_details: bool
) -> list[Block]:
    blocks: list[Block] = []
    waiting = [proposal for proposal in proposals if is_open(proposal)]
    for number, proposal in enumerate(proposals, start=1):
        is_single = len(proposals) == 1
        title = headline(proposal) if is_single else f"{number}. {headline_in_list(proposal)}"
        if blocks and with_details:
            blocks.append(divider())
        blocks += _item(
            proposal, live_hosts, title, with_details=with_details, with_buttons=len(waiting) > 1
        )
    if not waiting:
        return blocks
    if not with_details:
        blocks.append(context(message("cards.details_above")))
    who = who_and_until(waiting[0], is_only_one=len(waiting) == 1)
    blocks.append(context(f"{who}{_for_others(waiting)}"))
    if len(waiting) == 1:
        return [*blocks, buttons(waiting[0])]
    return [*blocks, *_selection(proposals, waiting)]


def _item(
    proposal: Proposal,
    live_hosts: frozenset[str],
    title: str,
    *,
    with_details: bool,
    with_buttons: bool,
) -> list[Block]:
    """Return one proposal of a card, with buttons of its own if the card has several open ones."""
    blocks = paragraphs(f"*{title}*")
    if not is_open(proposal):
        return [*blocks, *_ended(proposal, live_hosts, with_details=with_details)]
    if with_buttons and proposal.effect.is_editable:
        value = action_ids.button_value(proposal)
        blocks[0]["accessory"] = button(action_ids.EDIT, message("built.edit"), value)
    if with_details:
        blocks += detail(proposal, live_hosts)
    if with_buttons and (neutral := _neutral_buttons(proposal)):
        blocks.append(actions(neutral))
    return blocks


def _ended(proposal: Proposal, live_hosts: frozenset[str], *, with_details: bool) -> list[Block]:
    """Return the outcome; details only if more can be done with it."""
    ending = ending_of(proposal)
    blocks = detail(proposal, live_hosts) if with_details and ending.keeps_detail else []
    blocks += [section(ending.text), context(RECEIPT)]
    value = action_ids.button_value(proposal)
    row = [button(*ending.button, value)] if ending.button else []
    has_text = proposal.effect.has_full_text or proposal.effect.preview().body
    if proposal.state is ProposalState.DONE and has_text:
        row.append(button(*_FULL_TEXT, value))
    return [*blocks, actions(row)] if row else blocks


def _selection(proposals: Sequence[Proposal], waiting: Sequence[Proposal]) -> list[Block]:
    """Return a box for each open proposal, and the buttons for the selected ones or all."""
    numbers = {proposal.id: number for number, proposal in enumerate(proposals, start=1)}
    labels = _numbered_titles(waiting, numbers, LABEL_LIMIT)
    values = [action_ids.button_value(proposal) for proposal in waiting]
    options = [option(*boxed) for boxed in zip(labels, values, strict=True)]
    verb, every = _shared_verb(waiting), ",".join(values)
    confirm = button(
        action_ids.CONFIRM_SELECTED, message("built.selected", verb=verb), every, primary=True
    )
    confirm_all = button(
        action_ids.CONFIRM_ALL, message("built.all_counted", verb=verb, count=len(waiting)), every
    )
    confirm_all["confirm"] = _confirmation_dialog(verb, waiting, numbers)
    cancel = button(action_ids.CANCEL_SELECTED, message("built.cancel_selected"), every)
    starts = range(0, len(options), OPTIONS_LIMIT)
    boxes = [_boxes(options[at : at + OPTIONS_LIMIT]) for at in starts]
    return [*boxes, actions([confirm, confirm_all, cancel])]


def _shared_verb(proposals: Sequence[Proposal]) -> str:
    """Return the verb of their buttons without its noun if they share one, else "Confirm"."""
    labels = {
        localized(proposal.effect.preview().verb).partition(" ")[::2] for proposal in proposals
    }
    verbs = {verb for verb, _ in labels}
    has_nouns = all(noun for _, noun in labels)
    return verbs.pop() if len(verbs) == 1 and has_nouns else localized("Confirm")


def _numbered_titles(
    proposals: Sequence[Proposal], numbers: Mapping[UUID, int], length: int
) -> list[str]:
    """Return number, title and owner of each, so that equal titles differ; only titles are cut.

    Where they do different things, a title says what is done: one task can be changed and
    commented on.
    """
    effects = [proposal.effect for proposal in proposals]
    is_mixed = len({type(effect) for effect in effects}) > 1
    titles = [effect.preview().headline if is_mixed else effect.label for effect in effects]
    return [
        _numbered_title(numbers[proposal.id], title, proposal.effect.owner, length)
        for proposal, title in zip(proposals, titles, strict=True)
    ]


def _numbered_title(number: int, title: str, owner: str, length: int) -> str:
    owner = cut(one_line(owner), length // 2)
    start, end = f"{number}. ", f" – {owner}" if owner else ""
    return f"{start}{cut(redacted(one_line(title)), length - len(start) - len(end))}{end}"


def _confirmation_dialog(
    verb: str, waiting: Sequence[Proposal], numbers: Mapping[UUID, int]
) -> Block:
    """Return Slack's confirmation dialog, which lists all proposals once more."""
    titles = _numbered_titles(waiting, numbers, _DIALOG_TEXT // len(waiting) - 1)
    return {
        "title": plain_text(message("built.all_asked", verb=verb, count=len(waiting))),
        "text": plain_text("\n".join(titles)),
        "confirm": plain_text(message("built.all", verb=verb)),
        "deny": plain_text(localized("Back")),
    }


def _boxes(options: list[Block]) -> Block:
    """Return checkboxes, none of them selected."""
    return actions([{"type": "checkboxes", "action_id": action_ids.SELECTION, "options": options}])


def _without_blocks(proposal: Proposal) -> str:
    if is_open(proposal):
        return f"{without_blocks(proposal)}\n{who_and_until(proposal)}"
    return f"*{headline(proposal)}*\n{ending_of(proposal).text}\n{RECEIPT}"
