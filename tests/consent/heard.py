"""A conversation as the stand-in for Slack holds it, as the oracle's transcript."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.consent.transcript import (
    OUR_APP,
    Act,
    Card,
    Change,
    Channel,
    Field,
    Kind,
    Message,
    PauseSwitch,
    Person,
    Place,
    Press,
    Proposal,
    Question,
    Role,
    Said,
    Source,
    State,
    SubjectSwitch,
    Suspension,
    Transcript,
    Ts,
    Turn,
    Work,
    instant,
)
from tests.flow.stage import Stage
from workbench.slack.workspace import WORKSPACE

CLAW, SUPER_ADMIN = "U01CLAW", "U01INES"
BUTTONS = ("claw_confirm", "claw_confirm_selected")
QUESTION = timedelta(minutes=10)
STATES = {"cancelled": State.CANCELLED, "superseded": State.REPLACED, "done": State.DONE}
Document = dict[str, Any]


@dataclass
class Played:
    """What the one who plays knows besides: which message is the word, what is gone since.

    Where a button is pressed instead, `press` is the act.
    """

    word: str = ""
    press: Press | None = None
    rows: list[Document] = field(default_factory=list[Document])
    cards: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    said: dict[str, str] = field(default_factory=dict[str, str])
    gone: list[Document] = field(default_factory=list[Document])
    changes: list[Change] = field(default_factory=list[Change])
    is_late: bool = False
    is_expired: bool = False
    press_only: bool = False
    pauses: list[PauseSwitch] = field(default_factory=list[PauseSwitch])
    switches: list[SubjectSwitch] = field(default_factory=list[SubjectSwitch])

    async def look(self, stage: Stage, channel: str) -> None:
        """Note the open proposals and the cards that show them."""
        known = [row["id"] for row in self.rows]
        rows = await stage.db.pool.fetch(
            "select * from proposals where state = 'open' or id = any($1)", known
        )
        self.rows = [dict(row) for row in rows]
        for message in await stage.bench.messages(channel):
            if shown := _shown(message, {str(row["id"]) for row in self.rows}):
                self.cards[message["ts"]] = shown

    async def change(self, stage: Stage, channel: str, ts: str, text: str | None) -> None:
        """Edit a person's message, or delete it, as Slack's own client does."""
        workspace = stage.bench.app[WORKSPACE]
        place = workspace.records.channel(channel)
        old = workspace.records.message(channel, ts)
        assert place
        assert old
        if text is None:
            self.gone.append(old)
            workspace.posts.remove(place, old)
        else:
            self.said[ts] = old["text"]
            edited = {"user": old["user"], "ts": workspace.records.new_ts()}
            workspace.posts.replace(place, old, {**old, "text": text, "edited": edited})
        at = workspace.records.new_ts()
        self.changes.append(Change(channel, ts, at, text, instant(at)))


async def transcript_of(stage: Stage, channel: str, played: Played) -> tuple[Transcript, Act]:
    """Return what stood there up to the word or the press, and that act."""
    stops = await _stops(stage)
    held = [*await stage.bench.messages(channel), *played.gone]
    held.sort(key=lambda message: message["ts"])
    lines = [_line(message, channel, played, held, stops) for message in held]
    act = played.press or _said(channel, played, lines)
    known = [line for line in lines if line.ts <= act.ts]
    transcript = Transcript(
        channels=(_channel(channel),),
        people=tuple(map(_person, {line.author for line in lines} | _pressing(act))),
        messages=tuple(known),
        proposals=tuple(map(_proposal, played.rows)),
        cards=tuple(
            Card(channel, line.ts, line.thread, played.cards[line.ts], line.turn or "")
            for line in lines
            if line.ts in played.cards
        ),
        turns=tuple(Turn(one) for one in {line.turn for line in lines if line.turn}),
        changes=tuple(played.changes),
        switches=tuple(played.switches),
        pauses=tuple(played.pauses),
        press_only_everything=played.press_only,
    )
    return transcript, act


def _said(channel: str, played: Played, lines: list[Message]) -> Said:
    word = next(line for line in lines if line.ts == played.word)
    judged = (word.received or instant(word.ts)) + timedelta(seconds=0.5)
    return Said(channel, played.word, judged)


def _pressing(act: Act) -> set[str]:
    return {act.person} if isinstance(act, Press) else set()


async def _stops(stage: Stage) -> dict[str, Ts]:
    """Return when each message that was written bit by bit was whole."""
    calls = await stage.bench.log(target="slack", method="chat.stopStream")
    return {call["arguments"]["ts"]: f"{call['at']:.6f}" for call in calls}


def _person(slack_id: str) -> Person:
    return Person(slack_id, Role.SUPER_ADMIN if slack_id == SUPER_ADMIN else Role.MEMBER)


def _channel(channel: str) -> Channel:
    is_direct = channel.startswith("D")
    return Channel(channel, Place.DM if is_direct else Place.CHANNEL, words_allowed=True)


def _shown(message: Document, open_ones: set[str]) -> tuple[str, ...]:
    """Return the open proposals that the buttons of a message name."""
    elements = [
        element
        for block in message.get("blocks") or ()
        if block["type"] == "actions"
        for element in block["elements"]
    ]
    marks = [e["value"] for e in elements if e.get("action_id") in BUTTONS]
    named = [mark.partition(":")[0] for value in marks for mark in value.split(",")]
    return tuple(dict.fromkeys(one for one in named if one in open_ones))


def _line(
    message: Document, channel: str, played: Played, held: list[Document], stops: dict[str, Ts]
) -> Message:
    ts, is_ours = message["ts"], message.get("user") == CLAW
    root = message.get("thread_ts")
    thread = root if root and root != ts else None
    author = OUR_APP if is_ours else message.get("user") or "app:other"
    kind = Kind.ORDINARY
    if is_ours:
        kind = Kind.STREAM if "streaming_state" in message else Kind.ANSWER
        kind = Kind.CARD if ts in played.cards else kind
    text = played.said.get(ts, message.get("text") or "")
    turn = _turn(ts, root or ts, held) if is_ours else None
    received = _received(ts, played) if ts == played.word else instant(ts)
    stop = stops.get(ts)
    return Message(channel, ts, author, kind, text, thread, turn=turn, stop=stop, received=received)


def _turn(ts: str, root: str, held: list[Document]) -> str:
    """Return which message of a person ours answers: the last one of the thread before it."""
    asked = [
        one["ts"]
        for one in held
        if one["ts"] < ts and root in (one["ts"], one.get("thread_ts")) and one.get("user") != CLAW
    ]
    return asked[-1] if asked else root


def _received(ts: str, played: Played) -> datetime:
    """Return when the word was stored; of a late one, as late as the rows were made to say."""
    if played.is_expired:
        return max(row["created_at"] for row in played.rows) + timedelta(hours=12, seconds=1)
    return instant(ts) + timedelta(minutes=11 if played.is_late else 0, seconds=0.1)


def _proposal(row: Document) -> Proposal:
    arguments: Document = row["arguments"]
    work = Work(
        arguments["title"],
        str((arguments.get("brand") or {}).get("id")),
        str(arguments["client"]["id"]),
        str(arguments["destination"]["list_id"]),
    )
    asked = next((b for b in arguments.get("bases", ()) if b["needs_press"]), None)
    source = Source.OTHERS_MESSAGE if asked else Source.TYPED
    title = Field("title", source, arguments["title"], arguments["title"])
    marks: tuple[Suspension, ...] = ()
    if row["suspended_by"] and row["suspended_until"]:
        since = row["suspended_until"] - QUESTION
        marks = (Suspension(since, since, None, Question(since)),)
    never = datetime.max.replace(tzinfo=UTC)
    return Proposal(
        id=str(row["id"]),
        owner=row["actor_slack_user_id"],
        work=work,
        created=row["created_at"],
        words_until=row["words_until"] or never,
        expires_at=row["expires_at"],
        fields=(title,),
        state=STATES.get(row["state"], State.OPEN),
        suspensions=marks,
    )
