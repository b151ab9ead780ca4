"""Everything a new run needs from the database: one round trip, and two for each open card.

Hot path: every message.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from agencyclaw.domain.choices import Choice
from agencyclaw.domain.memory import Preferences
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor, Place
from agencyclaw.domain.policy import Switches
from agencyclaw.domain.proposals import Proposal, ProposalState, lapsed
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.thread import AttachedFile, Carried, QuotedMessage
from agencyclaw.store.consent_rules import apply_word_rules
from agencyclaw.store.engine import Database, fetch_one
from agencyclaw.store.memory import PREFERENCES_OF, preferences_of
from agencyclaw.store.person_names import FULL_NAME
from agencyclaw.store.proposals import BEING_UNDONE, readable
from agencyclaw.store.switches import SWITCHES, switches_of

_RUNS = 24
_DELETED = "(deleted since)"
# Besides those that wait in the thread itself, all of which are shown.
_PROPOSALS = 5

_BACKGROUND_OF = """
select
  (select coalesce(json_agg(run order by run.thread_ts = $3, run.started_at), '[]') from (
    select recent.id as run_id, recent.thread_ts, recent.started_at,
      coalesce(recent.is_own, false) as is_own, coalesce(recent.reply, '') as reply,
      case when recent.actor_profile_id = $4 then recent.about end as about,
      coalesce(asked.payload ->> 'text', '') as request,
      coalesce(asked.slack_ts, '') as message_ts, asked.edited_at is not null as is_edited,
      asked.payload -> 'carries' as carries, asked.payload -> 'quoted' as quoted,
      coalesce(asked.payload -> 'csv_files', '[]') as files,
      asked.payload ->> 'choice' is not null as was_choice,
      coalesce((select {full_name} from profiles p
        where p.id = recent.actor_profile_id and p.id <> $4), '') as speaker,
      (select body -> 'choices' from outbox
        where run_id = recent.id and kind = 'answer' and sent_ts is not null
        order by seq desc limit 1) as offered,
      (select coalesce(json_agg(content order by id), '[]') from agent_messages
        where run_id = recent.id and recent.status not in ('failed', 'cancelled')) as contents
    from (
      select id, thread_ts, started_at, receipt_id, status, actor_profile_id,
        coalesce(output_payload ->> 'text', case when status = 'cancelled' then $11 end) as reply,
        actor_profile_id = $4 and input_payload @> $5 as is_own,
        output_payload ->> 'about' as about
      from agent_runs
      where team_id = $1 and place = $2
        and (run_type = 'main' or run_type = 'heartbeat' and thread_ts = $3 and thread_ts <> '')
        and (status in ('completed', 'awaiting_confirmation', 'failed')
          or status = 'cancelled' and error_message = 'stopped')
        and coalesce(output_payload ->> 'reason', '') <> 'ContentFilterError'
        and not coalesce(output_payload ? 'silent', false)
        and session_id is not null
        and (thread_ts = $3 or $6 and started_at > now() - make_interval(secs => $7))
      order by thread_ts = $3 desc, started_at desc limit $8
    ) as recent left join slack_event_receipts asked on asked.id = recent.receipt_id
  ) as run) as runs,
  (select coalesce(json_agg(one order by one.waits_here desc, one.at desc), '[]') from (
    select *, row_number() over (partition by waits_here order by at desc) as number from (
      select *, coalesce(settled_at, opened_at, created_at) as at,
        thread_ts = $3 and state = 'open' and expires_at > now() as waits_here, {being_undone}
      from proposals
      where team_id = $1 and actor_profile_id = $4 and state not in ('draft', 'superseded')
        and (place = $2 or channel_id = $10 and state = 'open' and expires_at > now())
    ) as known
  ) as one where waits_here or number <= $9) as proposals,
  (select count(*) from proposals
    where team_id = $1 and actor_profile_id = $4 and state = 'open' and expires_at > now()
  ) as waiting,
  (select coalesce(json_agg(known order by known.at desc), '[]') from (
    select *, coalesce(settled_at, opened_at) as at, {being_undone} from proposals
    where team_id = $1 and place = $2 and thread_ts = $3 and actor_profile_id <> $4
      and (state in ('done', 'unclear', 'failed') and settled_at is not null
        or state = 'open' and expires_at > now())
    order by at desc limit $9
  ) as known) as of_others,
  (select coalesce(json_agg(json_build_object('text', notice.text, 'about', notice.about)
      order by notice.seq), '[]') from (
      select body ->> 'text' as text, body ->> 'about' as about, seq from outbox
      where team_id = $1 and channel_id = $10 and (thread_ts = $3 or $6) and kind = 'notice'
        and created_at > now() - make_interval(secs => $7)
        and not exists (select from proposals
          where id = (outbox.body ->> 'about')::uuid and actor_profile_id = $4
            and state in ('open', 'superseded'))
      order by created_at desc, seq desc limit 3
    ) as notice
  ) as notices,
  (select jsonb_build_object('text', s.text, 'until', s.covers_until, 'last_run', s.last_run_id)
    from thread_summaries s join agent_runs r on r.id = s.last_run_id
    where s.team_id = $1 and s.place = $2 and s.thread_ts = $3 and s.profile_id = $4
      and s.standing @> $5 and r.session_id is not null
    order by s.covers_until desc limit 1
  ) as summary,
  ({preferences}) as preferences,
  exists (
    select 1 from outbox where kind = 'answer' and team_id = $1 and channel_id = $10
      and body -> 'choices' <> '[]' and body ->> 'answered' is null
  ) as is_asking,
  {switches}
"""
_BACKGROUND = _BACKGROUND_OF.format(
    being_undone=BEING_UNDONE,
    full_name=FULL_NAME,
    preferences=PREFERENCES_OF.format(person="$4"),
    switches=SWITCHES,
)


@dataclass(frozen=True)
class PastRun:
    """An earlier run of this conversation: the request, the reply and the stored messages.

    `contents` is empty if the run failed or its journal could not be written. `speaker` is the name
    of the person who wrote, empty if it is the present one. `was_choice`: a button was pressed,
    nothing was typed. `message_ts` is the message's Slack ts, empty if it is not stored any more.
    `quoted` is the message on which a shortcut was used, `files` are the readable ones that came
    with it. `is_edited`: it was edited or deleted after it was answered.
    `offered` are the buttons that Slack showed under the reply. `about` is the client that the
    present person settled in it, "" if several, None if none.
    """

    run_id: UUID
    thread_ts: str
    started_at: datetime
    contents: list[dict[str, Any]]
    is_own: bool
    request: str
    carries: tuple[Carried, ...] | None
    was_choice: bool
    reply: str
    speaker: str
    message_ts: str = ""
    quoted: QuotedMessage | None = None
    files: tuple[AttachedFile, ...] = ()
    offered: tuple[Choice, ...] = ()
    about: str | None = None
    is_edited: bool = False


@dataclass(frozen=True)
class PastSummary:
    """The stored summary of the older part of a thread, up to the moment `until`."""

    text: str
    until: datetime
    last_run: UUID


@dataclass(frozen=True)
class Background:
    """Earlier runs, proposals and notices, the tool switches, and the person's preferences.

    `notices` about a card of theirs that waits or was replaced are left out: how it stands now is
    told by its proposal, if at all.
    `waiting_elsewhere` cards of theirs can be pressed besides those of `proposals`. `of_others` are
    what others had changed in this thread, or still can. `is_asking`: choices of an earlier answer
    can still be pressed somewhere in this channel.
    """

    runs: list[PastRun]
    proposals: list[Proposal]
    notices: list[Note]
    preferences: Preferences
    switches: Switches
    summary: PastSummary | None = None
    waiting_elsewhere: int = 0
    of_others: tuple[Proposal, ...] = ()
    is_asking: bool = False

    @property
    def for_nobody(self) -> Background:
        """Preferences and switches alone: what a schedule starts from, whatever was said before."""
        return Background([], [], [], self.preferences, self.switches)

    def client_of(self, thread_ts: str) -> UUID | None:
        """Return the client settled in a thread: by the newest run that says, else by its card."""
        about = [one.about for one in self.runs if one.thread_ts == thread_ts]
        settled = [one for one in about if one is not None]
        if settled:
            return UUID(settled[-1]) if settled[-1] else None
        waiting = [one for one in self.proposals if one.state is ProposalState.OPEN]
        own = [one.effect for one in waiting if one.place.thread_ts == thread_ts]
        clients = {client.id for effect in own for client in effect.clients}
        return clients.pop() if len(clients) == 1 else None


async def read_background(
    db: Database, place: Place, actor: Actor, permissions: dict[str, Any], *, idle_s: float
) -> Background:
    """Return what is known of the thread, and in a DM of its current session.

    A run counts as this person's own only if their tier and scope then were what they are now.
    """
    row = await fetch_one(
        db.pool,
        _BACKGROUND,
        place.team_id,
        place.key,
        place.thread_ts,
        actor.profile_id,
        permissions,
        place.is_direct,
        idle_s,
        _RUNS,
        _PROPOSALS,
        place.channel_id,
        message("talk.stopped"),
    )
    proposals = readable(row["proposals"])
    shown = sum(one.state is ProposalState.OPEN for one in proposals)
    return Background(
        runs=[_past_run(run) for run in row["runs"]],
        proposals=[lapsed(one) for one in await apply_word_rules(db, proposals)],
        waiting_elsewhere=max(0, row["waiting"] - shown),
        notices=[Note(**notice) for notice in row["notices"]],
        preferences=preferences_of(row["preferences"]),
        switches=switches_of(row["enabled"], row["overrides"]),
        summary=_summary(row["summary"]),
        of_others=tuple(readable(row["of_others"])),
        is_asking=row["is_asking"],
    )


def _summary(stored: dict[str, Any] | None) -> PastSummary | None:
    if stored is None:
        return None
    until = datetime.fromisoformat(stored["until"])
    return PastSummary(stored["text"], until, UUID(stored["last_run"]))


def _with_current_text(run: dict[str, Any]) -> list[dict[str, Any]]:
    """Return stored messages with the person's text as it is now: edited, or deleted."""
    words = run["request"] or _DELETED
    prompts = (
        part
        for message in run["contents"]
        for part in message.get("parts", ())
        if part.get("part_kind") == "user-prompt"
    )
    if asked := next(prompts, None):
        kept = asked["content"]
        asked["content"] = [*kept[:-1], words] if isinstance(kept, list) else words
    return run["contents"]


def _past_run(run: dict[str, Any]) -> PastRun:
    quoted, offered = run["quoted"], run["offered"] or ()
    typed: dict[str, Any] = {
        "run_id": UUID(run["run_id"]),
        "started_at": datetime.fromisoformat(run["started_at"]),
        "contents": _with_current_text(run) if run["is_edited"] else run["contents"],
        "carries": None if run["carries"] is None else tuple(run["carries"]),
        "files": tuple(AttachedFile.model_validate(one, extra="ignore") for one in run["files"]),
        "quoted": QuotedMessage.model_validate(quoted, extra="ignore") if quoted else None,
        "offered": tuple(Choice.model_validate(one, extra="ignore") for one in offered),
    }
    return PastRun(**run | typed)
