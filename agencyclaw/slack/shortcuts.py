"""Handles message shortcuts, stored before they are acknowledged."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import logfire
from pydantic import Field, ValidationError

from agencyclaw.conversation.inbox import Inbox
from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.messages import localized, message
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.domain.text import clean, cut
from agencyclaw.domain.thread import Affiliation, QuotedMessage
from agencyclaw.slack.action_ids import ASK_ABOUT, ASK_FORM, MAKE_TASK
from agencyclaw.slack.blocks import Block, context, modal
from agencyclaw.slack.channels import Channels
from agencyclaw.slack.escaping import escaped_with_names, one_line
from agencyclaw.slack.ignored import log_ignored
from agencyclaw.slack.inputs import Submission, text_input
from agencyclaw.slack.messages import shorten
from agencyclaw.slack.modals import Modals
from agencyclaw.slack.payloads import IdReference, Payload, Ts, place_in
from agencyclaw.slack.ports import BotIdentity
from agencyclaw.slack.thread_reader import name_of, text_of
from agencyclaw.slack.threads import ThreadMessage, permalink
from agencyclaw.slack.web import Web
from agencyclaw.store.events import Audit

_QUESTION = "question"
_QUESTION_LIMIT = 2_000
_BEGINNING = 200
_FILES_NAMED = 5
_MAKE_TASK = message("shortcuts.make_task")
_FORGED = message("proposal.forged")
_EMPTY = message("shortcuts.empty")
_FORM_FAILED = message("commands.failed")


class ShortcutUse(Payload):
    """A `message_action` payload."""

    callback_id: str
    trigger_id: str = Field(min_length=1)
    action_ts: Ts
    user: IdReference
    team: IdReference | None = None
    channel: IdReference
    message_ts: Ts
    message: ThreadMessage


class Shortcuts:
    """Stores uses of shortcuts, and opens the form in which a question about a message is typed."""

    def __init__(
        self,
        web: Web,
        me: BotIdentity,
        inbox: Inbox,
        channels: Channels,
        audit: Audit,
        now: Callable[[], float],
        start_task: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._modals = Modals(web)
        self._me = me
        self._inbox = inbox
        self._channels = channels
        self._audit = audit
        self._now = now
        self._start_task = start_task

    async def handle(self, body: dict[str, Any]) -> None:
        """Store a use; the same one, sent again, is known."""
        try:
            use = ShortcutUse.model_validate(body)
        except ValidationError:
            log_ignored("malformed")
            return
        if use.team is not None and use.team.id != self._me.team_id:
            await self._turn_away("another_workspace", use.user.id, use.callback_id)
        elif use.callback_id == MAKE_TASK:
            await self._inbox.accept(await self._placed(use, _MAKE_TASK))
        elif use.callback_id == ASK_ABOUT:
            held = await self._placed(use, "")
            await self._inbox.hold(held)
            self._start_task(self._open_form(use.trigger_id, held))
        else:
            log_ignored(f"shortcut {clean(use.callback_id, limit=60)}")

    async def submit(self, body: dict[str, Any]) -> dict[str, Any] | None:
        """Store a question that was typed in the form; None where it is another form."""
        submission = _read_question(body)
        if submission is None:
            return None
        held = await self._inbox.held(submission.view.private_metadata)
        if held is None or held.slack_user_id != submission.user.id:
            await self._turn_away("forged_form", submission.user.id, ASK_FORM)
            return _error(_FORGED)
        text = clean(submission.entered(_QUESTION).value or "", limit=_QUESTION_LIMIT).strip()
        if not text:
            return _error(_EMPTY)
        question = {
            "key": f"asked:{held.place.team_id}:{submission.view.id}",
            "text": text,
            "slack_ts": f"{max(self._now(), float(held.slack_ts)):.6f}",
        }
        await self._inbox.accept(held.model_copy(update=question))
        return {"response_action": "clear"}

    async def _placed(self, use: ShortcutUse, text: str) -> Incoming:
        """Return a use as it is stored, with its place as Slack says it is."""
        incoming = _incoming(use, self._me, text)
        place = await self._channels.placed(incoming.place)
        return incoming.model_copy(update={"place": place})

    async def _open_form(self, trigger_id: str, held: Incoming) -> None:
        """Show the form; a trigger soon ends, so otherwise the person is asked to try again."""
        try:
            await self._modals.open(trigger_id, _question_form(held))
        except AgencyClawError as error:
            logfire.warn("slack.form_failed", error=type(error).__name__)
            await self._inbox.post_ephemeral(held.place, held.slack_user_id, _FORM_FAILED)

    async def _turn_away(self, reason: str, slack_user_id: str, action: str) -> None:
        log_ignored(reason)
        payload = {"action": clean(action, limit=60), "team": self._me.team_id}
        await self._audit.turned_away(reason, slack_user_id=slack_user_id, payload=payload)


def _incoming(use: ShortcutUse, me: BotIdentity, text: str) -> Incoming:
    """Return a use as it is stored; a trigger is one use, however often it is sent."""
    return Incoming(
        key=f"shortcut:{me.team_id}:{use.trigger_id}",
        source="interactions",
        kind=ReceiptKind.SHORTCUT,
        place=place_in(me.team_id, use.channel.id, use.message.thread_ts or use.message_ts),
        slack_ts=use.action_ts,
        slack_user_id=use.user.id,
        text=text,
        carries=(),
        quoted=_quoted_message(use, me),
        files=use.message.attached,
    )


def _quoted_message(use: ShortcutUse, me: BotIdentity) -> QuotedMessage:
    """Return the message as the payload has it; its author is looked up later."""
    post = use.message
    is_ours = post.bot_id == me.bot_id or post.user == me.user_id
    file_names = [file.file_name for file in post.files if file.file_name]
    return QuotedMessage(
        ts=use.message_ts,
        slack_user_id=post.person,
        name=name_of(post),
        affiliation=Affiliation.UNKNOWN if post.person else Affiliation.APP,
        text=shorten(text_of(post.model_copy(update={"files": ()}))),
        carries=post.carries,
        channel_id=use.channel.id,
        permalink=permalink(me.url, use.channel.id, use.message_ts, post.thread_ts),
        files=tuple(file_names[:_FILES_NAMED]),
        is_ours=is_ours,
    )


def _question_form(held: Incoming) -> Block:
    """Return the form for a question; its metadata is the key of what is held."""
    label = message("shortcuts.question")
    blocks = [
        text_input(_QUESTION, label, "", limit=_QUESTION_LIMIT, multiline=True, optional=False)
    ]
    if held.quoted and held.quoted.text.strip():
        beginning = escaped_with_names(cut(one_line(held.quoted.text), _BEGINNING))
        blocks.insert(0, context(f"“{beginning}”"))
    return modal(
        message("shortcuts.title"),
        blocks,
        submit=localized("Ask"),
        callback_id=ASK_FORM,
        private_metadata=held.key,
    )


def _read_question(body: dict[str, Any]) -> Submission | None:
    try:
        submission = Submission.model_validate(body)
    except ValidationError:
        return None
    return submission if submission.view.callback_id == ASK_FORM else None


def _error(text: str) -> dict[str, Any]:
    return {"response_action": "errors", "errors": {_QUESTION: text}}
