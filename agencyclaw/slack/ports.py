"""What the slack package needs of the application.

Protocols are for what leads to the agents, which this package must not import.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from agencyclaw.conversation.feedback import FeedbackReview
from agencyclaw.conversation.inbox import Inbox
from agencyclaw.conversation.suggested_prompts import SuggestedPrompts
from agencyclaw.conversation.task_links import TaskLinks
from agencyclaw.domain.commands import CommandReply, SlashCommand
from agencyclaw.domain.feedback import FeedbackQueue
from agencyclaw.domain.memory import MemoryLine
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Incoming
from agencyclaw.proposals.revisions import Revisions
from agencyclaw.store.choices import Choices
from agencyclaw.store.events import Audit
from agencyclaw.store.homes import Homes
from agencyclaw.store.outbox import Outbox
from agencyclaw.store.proposals import ProposalStore
from agencyclaw.store.sessions import Sessions
from agencyclaw.store.streams import Streams


@dataclass(frozen=True)
class BotIdentity:
    """Who we are in this workspace, as Slack says."""

    team_id: str
    user_id: str
    bot_id: str
    # The address of the workspace.
    url: str = ""


class RememberedLines(Protocol):
    """Lists and deletes remembered items."""

    async def lines(self, team_id: str, slack_user_id: str) -> list[MemoryLine]:
        """Return what a person may see and delete."""
        ...

    async def press(self, act: Incoming) -> str:
        """Delete what a person's button names, or return what to tell them."""
        ...


class SlashCommandsPort(Protocol):
    """Carries out slash commands."""

    async def carry_out(self, typed: SlashCommand) -> CommandReply | FeedbackQueue:
        """Carry out a command; the reply is for the person alone."""
        ...


# Draws a person's Home tab.
PublishHome = Callable[[str], Awaitable[None]]


@dataclass(frozen=True)
class InboundPorts:
    """Where Slack's requests are stored, and what answers those that can't wait for a queue.

    `full_text` returns all that a proposal is about as Markdown. `prompts` is None in the demo.
    """

    inbox: Inbox
    audit: Audit
    choices: Choices
    proposals: ProposalStore
    revisions: Revisions
    full_text: Callable[[Proposal], Awaitable[str]]
    commands: SlashCommandsPort
    memory: RememberedLines
    feedback: FeedbackReview
    tasks: TaskLinks
    prompts: SuggestedPrompts | None = None


@dataclass(frozen=True)
class OutboundPorts:
    """What is to be delivered, and what has been streamed and shown."""

    outbox: Outbox
    sessions: Sessions
    streams: Streams


@dataclass(frozen=True)
class HomePorts:
    """What Home tabs show besides a person's own items, and which of them are kept up to date.

    The functions take a workspace and a person. `others_open` returns other people's open
    proposals, None unless the person is an admin; `visible` those of their own that they may still
    see; `banner` the sentence above everything, "" for none.
    """

    others_open: Callable[[str, str], Awaitable[list[Proposal] | None]]
    visible: Callable[[str, str, Sequence[Proposal]], Awaitable[list[Proposal]]]
    homes: Homes
    banner: Callable[[str, str], Awaitable[str]]
