"""Message shortcuts: used on any message, and stored before Slack hears that it arrived."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import logfire
from pydantic import Field, ValidationError

from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.domain.text import clean, cut
from agencyclaw.domain.thread import Affiliation, QuotedMessage
from agencyclaw.slack.action_ids import ASK_ABOUT, ASK_FORM, MAKE_TASK
from agencyclaw.slack.blocks import context, plain_text
from agencyclaw.slack.clicks import IdReference
from agencyclaw.slack.escaping import escaped_with_names, one_line
from agencyclaw.slack.forms import Submission, filled, text_input
from agencyclaw.slack.messages import Ignored, Payload, Ts, is_direct, shorten
from agencyclaw.slack.passing_over import pass_over
from agencyclaw.slack.ports import AuditPort, Identity, InboxPort
from agencyclaw.slack.retrying import retry_within
from agencyclaw.slack.thread_reader import name_of, words_of
from agencyclaw.slack.threads import ThreadMessage, permalink
from agencyclaw.slack.web import Method, Web

_TRIGGER_S = 2.0
_QUESTION = "question"
_QUESTION_LIMIT = 2_000
_BEGINNING = 200
_FILES_NAMED = 5
_MAKE_TASK = message("shortcuts.make_task")
_FORGED = message("submissions.forged_form")
_EMPTY = message("shortcuts.empty")


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


def read_use(body: dict[str, Any]) -> ShortcutUse | Ignored:
    """Return on which message which shortcut was used."""
    try:
        return ShortcutUse.model_validate(body)
    except ValidationError:
        return Ignored("malformed")


class Shortcuts:
    """Stores what was asked about a message, and opens the form in which a question is typed."""

    def __init__(
        self,
        web: Web,
        me: Identity,
        inbox: InboxPort,
        audit: AuditPort,
        now: Callable[[], float],
        begin: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._web = web
        self._me = me
        self._inbox = inbox
        self._audit = audit
        self._now = now
        self._begin = begin

    async def take(self, body: dict[str, Any]) -> None:
        """Store a use; the same one, sent again, is known."""
        use = read_use(body)
        if isinstance(use, Ignored):
            pass_over(use.reason)
            return
        if use.team is not None and use.team.id != self._me.team_id:
            await self._note("another_workspace", use.user.id, use.callback_id)
            return
        match use.callback_id:
            case action_id if action_id == MAKE_TASK:
                await self._inbox.accept(incoming_of(use, self._me, _MAKE_TASK))
            case action_id if action_id == ASK_ABOUT:
                asked = incoming_of(use, self._me, "")
                await self._inbox.hold(asked)
                self._begin(self._open(use.trigger_id, build_question(asked)))
            case other:
                pass_over(f"shortcut {clean(other, limit=60)}")

    async def submit(self, body: dict[str, Any]) -> dict[str, Any] | None:
        """Store a question that was typed in the form; None where it is another form."""
        submission = _read_question(body)
        if submission is None:
            return None
        held = await self._inbox.held(submission.view.private_metadata)
        if held is None or held.slack_user_id != submission.user.id:
            await self._note("forged_form", submission.user.id, ASK_FORM)
            return _wrong(_FORGED)
        text = clean(filled(submission, _QUESTION).value or "", limit=_QUESTION_LIMIT).strip()
        if not text:
            return _wrong(_EMPTY)
        asked = {
            "key": f"asked:{held.place.team_id}:{submission.view.id}",
            "text": text,
            "slack_ts": f"{max(self._now(), float(held.slack_ts)):.6f}",
        }
        await self._inbox.accept(held.model_copy(update=asked))
        return {"response_action": "clear"}

    async def _open(self, trigger_id: str, view: dict[str, Any]) -> None:
        ask = partial(self._web.call, Method.OPEN_VIEW, trigger_id=trigger_id, view=view)
        try:
            await retry_within(ask, _TRIGGER_S)
        except AgencyClawError as error:
            logfire.warn("slack.form_failed", error=type(error).__name__)

    async def _note(self, reason: str, slack_user_id: str, action: str) -> None:
        pass_over(reason)
        payload = {"action": clean(action, limit=60), "team": self._me.team_id}
        await self._audit.turned_away(reason, slack_user_id=slack_user_id, payload=payload)


def incoming_of(use: ShortcutUse, me: Identity, text: str) -> Incoming:
    """Return a use as it is stored; a trigger is one use, however often it is sent."""
    root = use.message.thread_ts or use.message_ts
    return Incoming(
        key=f"shortcut:{me.team_id}:{use.trigger_id}",
        source="interactions",
        kind=ReceiptKind.SHORTCUT,
        place=Place(
            team_id=me.team_id,
            channel_id=use.channel.id,
            thread_ts=root,
            is_direct=is_direct(use.channel.id),
        ),
        slack_ts=use.action_ts,
        slack_user_id=use.user.id,
        text=text,
        carries=(),
        quoted=quoted_message(use, me),
    )


def quoted_message(use: ShortcutUse, me: Identity) -> QuotedMessage:
    """Return the message as the payload has it; who wrote it, only Slack can say."""
    post = use.message
    is_ours = post.bot_id == me.bot_id or post.user == me.user_id
    named = [one_line(clean(one.name, limit=200)) for one in post.files if one.name]
    return QuotedMessage(
        ts=use.message_ts,
        slack_user_id=post.person,
        name=name_of(post),
        affiliation=Affiliation.UNKNOWN if post.person else Affiliation.APP,
        text=shorten(words_of(post.model_copy(update={"files": ()}))),
        carries=post.carries,
        channel_id=use.channel.id,
        permalink=permalink(me.url, use.channel.id, use.message_ts, post.thread_ts),
        files=tuple(named[:_FILES_NAMED]),
        is_ours=is_ours,
    )


def build_question(asked: Incoming) -> dict[str, Any]:
    """Return the form for a question; it remembers what is stored by its key."""
    beginning = cut(one_line(asked.quoted.text), _BEGINNING) if asked.quoted else ""
    label = message("shortcuts.question")
    asks = text_input(_QUESTION, label, "", limit=_QUESTION_LIMIT, is_long=True, is_needed=True)
    about = context(f"“{escaped_with_names(beginning)}”")
    return {
        "type": "modal",
        "callback_id": ASK_FORM,
        "private_metadata": asked.key,
        "title": plain_text(message("shortcuts.title")),
        "submit": plain_text("Ask"),
        "close": plain_text("Close"),
        "blocks": [*([about] if beginning else []), asks],
    }


def _read_question(body: dict[str, Any]) -> Submission | None:
    try:
        submission = Submission.model_validate(body)
    except ValidationError:
        return None
    return submission if submission.view.callback_id == ASK_FORM else None


def _wrong(text: str) -> dict[str, Any]:
    return {"response_action": "errors", "errors": {_QUESTION: text}}
