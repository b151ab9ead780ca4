"""The pipeline without Slack: sends a message or a press, and collects everything it leads to."""

from __future__ import annotations

import asyncio
import shlex
import time
from dataclasses import dataclass
from html import unescape
from typing import Any
from uuid import UUID

from agencyclaw.app import Services
from agencyclaw.conversation.terminal_acts import super_admins_at_work
from agencyclaw.domain.commands import is_stop
from agencyclaw.domain.consent.words import Word, read_word
from agencyclaw.domain.errors import Misconfigured, TooMuch, Unclear
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import (
    Click,
    Delivery,
    Incoming,
    OutboxKind,
    ReceiptKind,
    rests_on,
)
from agencyclaw.domain.text import clean
from agencyclaw.knowledge.link_breaking import WORD_JOINER
from agencyclaw.slack.details import without_blocks
from agencyclaw.slack.escaping import RECEIPT
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.jobs import TERMINAL

_TIMEOUT_S = 180.0
_UNDER_WAY = {ProposalState.CONFIRMED, ProposalState.EXECUTING}


@dataclass(frozen=True)
class TerminalLine:
    """One message that came back."""

    kind: str
    text: str
    proposals: tuple[dict[str, Any], ...] = ()
    links: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON-like data."""
        return {
            "kind": self.kind,
            "text": self.text,
            "proposals": list(self.proposals),
            "links": list(self.links),
        }


async def talk(
    services: Services,
    text: str,
    *,
    person: str,
    thread: str,
    super_admins: frozenset[UUID],
    team: str = TERMINAL,
) -> list[TerminalLine]:
    """Send a message as a person and wait for everything it leads to."""
    slack_user_id = await _resolve(DirectoryReader(services.db), person, super_admins)
    return await _send(services, _incoming(text, slack_user_id, thread, team))


async def press(
    services: Services,
    key: str,
    *,
    person: str,
    thread: str,
    super_admins: frozenset[UUID],
) -> list[TerminalLine]:
    """Press the button of the card with this key, as a person, in this conversation."""
    slack_user_id = await _resolve(DirectoryReader(services.db), person, super_admins)
    waiting = await services.proposals.waiting_for(TERMINAL, slack_user_id)
    matching = [card for card in waiting if _key(card) == key and card.place.thread_ts == thread]
    if len(matching) != 1:
        raise Misconfigured(f"No card with the key {key} waits for you in this conversation.")
    [proposal] = matching
    incoming = _incoming("", slack_user_id, thread, TERMINAL)
    click = Click(
        act="confirm", proposal_ids=(proposal.id,), fingerprints=(proposal.fingerprint[:16],)
    )
    pressed = {"kind": ReceiptKind.CLICK, "click": click, "key": f"press:{incoming.key}"}
    return await _send(services, incoming.model_copy(update=pressed))


async def _send(services: Services, incoming: Incoming) -> list[TerminalLine]:
    """Store an act, and return everything it leads to; raises TooMuch if it is declined."""
    receipt_id = await services.inbox.accept(incoming)
    if receipt_id is None:
        raise TooMuch(message("talk.not_taken"), reason="lane_full")
    deliveries = await _await_end(services, receipt_id)
    lines = [await _line(services, delivery) for delivery in deliveries]
    return [line for line in lines if line]


async def _resolve(directory: DirectoryReader, person: str, super_admins: frozenset[UUID]) -> str:
    """Return the Slack id of the named person; without a name, of the first super admin at work."""
    if "@" in person:
        profile = await directory.profile_by_email(person)
        if profile is None or not profile.slack_user_id:
            raise Misconfigured(f"No profile with a Slack account has the e-mail {person}.")
        return profile.slack_user_id
    if person:
        return person
    for admin in await super_admins_at_work(directory, super_admins):
        if admin.slack_user_id:
            return admin.slack_user_id
    raise Misconfigured(
        "Say who is speaking, with a Slack user id or an e-mail address: with --as, over HTTP as"
        " `person`."
    )


def _incoming(text: str, slack_user_id: str, thread: str, team: str) -> Incoming:
    now = f"{time.time():.6f}"
    place = Place(
        team_id=team,
        channel_id=f"{team}:{slack_user_id}",
        thread_ts=thread,
        is_direct=True,
    )
    is_urgent = read_word(text) is Word.NO or is_stop(text)
    return Incoming(
        key=f"{team}:{slack_user_id}:{thread}:{now}",
        source="terminal",
        kind=ReceiptKind.WORD if is_urgent else ReceiptKind.MESSAGE,
        place=place,
        slack_ts=now,
        slack_user_id=slack_user_id,
        text=clean(text),
        carries=(),
    )


async def _await_end(services: Services, receipt_id: int) -> list[Delivery]:
    """Wait until the receipt is settled and nothing it confirmed is still under way.

    Raises Unclear when that takes longer than _TIMEOUT_S.
    """
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            while not await _is_over(services, receipt_id):  # noqa: ASYNC110  (another process may end it)
                await asyncio.sleep(0.05)
    except TimeoutError as error:
        raise Unclear(message("talk.no_answer_in_time")) from error
    return await services.outbox.of_receipt(receipt_id)


async def _is_over(services: Services, receipt_id: int) -> bool:
    if not await services.receipts.is_settled(receipt_id):
        return False
    confirmed = await services.proposals.confirmed_by_receipt(receipt_id)
    return all(proposal.state not in _UNDER_WAY for proposal in confirmed)


async def _line(services: Services, delivery: Delivery) -> TerminalLine | None:
    if delivery.kind in {OutboxKind.CARD_UPDATE, OutboxKind.HOME}:
        return None
    proposals = await services.proposals.to_show(delivery.proposal_ids)
    note = delivery.note
    rests = rests_on(note.sources, lambda title, _: title) if note else ""
    parts = [note.text, rests, note.footer] if note else [_card(p) for p in proposals]
    parts += [RECEIPT] if note and note.about else []
    links = tuple(f"{link.text}: {link.url}" for link in note.links) if note else ()
    text = "\n".join([*(part for part in parts if part), *links])
    return TerminalLine(delivery.kind.value, text, tuple(_plain(p) for p in proposals), links)


def _card(proposal: Proposal) -> str:
    """Return what a card in Slack says, without Slack's markup of others' text."""
    lines = [unescape(without_blocks(proposal)).replace(WORD_JOINER, ""), ""]
    if proposal.words_until:
        lines.append(f"Say “{proposal.effect.yes}” or “cancel”.")
    else:
        lines.append(f"Only a press confirms this: `{_pressing(proposal)}`. Or say “cancel”.")
    return "\n".join(lines)


def _pressing(proposal: Proposal) -> str:
    """Return the command that presses a card's button, as its person, in its conversation."""
    who, where = proposal.actor_slack_user_id, proposal.place.thread_ts
    return shlex.join(
        ["agencyclaw", "chat", "--press", _key(proposal), "--as", who, "--thread", where]
    )


def _key(proposal: Proposal) -> str:
    """Return a key for exactly this version of a card."""
    return f"{str(proposal.id)[:8]}-{proposal.fingerprint[:4]}"


def _plain(proposal: Proposal) -> dict[str, Any]:
    return {
        "id": str(proposal.id),
        "state": proposal.state.value,
        "effect": proposal.effect.model_dump(mode="json"),
        "result": proposal.result,
    }
