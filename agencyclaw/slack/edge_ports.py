"""The ports of the edge, by what they are for."""

from __future__ import annotations

from dataclasses import dataclass

from agencyclaw.slack.ports import (
    AuditPort,
    Banner,
    ChoicesPort,
    Feedback,
    InboxPort,
    LinkedTasksPort,
    OpenedHomes,
    OpenProposals,
    OutboxPort,
    Overview,
    RecentActions,
    RememberedLines,
    RevisionsPort,
    SessionsPort,
    SlashCommandsPort,
    StreamsPort,
    SuggestedPromptsPort,
    Texts,
)


@dataclass(frozen=True)
class InboundPorts:
    """Where Slack's requests are stored, and what answers those that can't wait for a queue."""

    inbox: InboxPort
    audit: AuditPort
    choices: ChoicesPort
    proposals: OpenProposals
    revisions: RevisionsPort
    texts: Texts
    commands: SlashCommandsPort
    memory: RememberedLines | None = None
    prompts: SuggestedPromptsPort | None = None
    feedback: Feedback | None = None
    tasks: LinkedTasksPort | None = None


@dataclass(frozen=True)
class OutboundPorts:
    """What is to be delivered, and what has been streamed and shown."""

    outbox: OutboxPort
    sessions: SessionsPort
    streams: StreamsPort


@dataclass(frozen=True)
class HomePorts:
    """What the Home tab shows besides a person's own proposals and kept lines."""

    recent: RecentActions | None = None
    overview: Overview | None = None
    homes: OpenedHomes | None = None
    banner: Banner | None = None
