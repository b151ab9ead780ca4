"""What the executor needs to know of a kind of effect: how to carry out, describe and undo it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar, cast

import logfire

from agencyclaw.domain.changes import Change
from agencyclaw.domain.effects import Effect
from agencyclaw.domain.errors import (
    AgencyClawError,
    Broken,
    Misconfigured,
    NotFound,
    Refused,
    Unclear,
)
from agencyclaw.domain.messages import localized, message
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Note
from agencyclaw.proposals import notices
from agencyclaw.proposals.outcomes import (
    Delayed,
    Done,
    Duplicate,
    NotDone,
    NotThere,
    Outcome,
    Unknown,
    Unsettled,
    waits_for_clickup,
)
from agencyclaw.store.engine import Connection

E = TypeVar("E", bound=Change)
T = TypeVar("T")

# For how long a repeatable request of unknown outcome is repeated; then a person has to look.
PATIENCE = timedelta(minutes=15)

CANNOT_UNDO = message("handlers.cannot_undo")


class Handler(ABC, Generic[E]):
    """Handles one kind of effect; `kind` names it."""

    kind: type[E]

    @abstractmethod
    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Return what changed, with links."""
        ...

    def undo(self, proposal: Proposal) -> Effect | str:
        """Return the effect that undoes a completed one, or a sentence why there is none.

        Its expected value is what the completed effect left behind, so that later changes of others
        are never overwritten.
        """
        return CANNOT_UNDO

    def effect_of(self, proposal: Proposal) -> E:
        """Return the proposal's effect, typed as this handler's."""
        if not isinstance(proposal.effect, self.kind):
            raise Broken(f"{type(self).__name__} got another kind of effect")
        return cast("E", proposal.effect)


class DatabaseHandler(Handler[E]):
    """An effect in our own tables, written in the transaction that settles it."""

    @abstractmethod
    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Check under a lock that the card still holds, then write.

        NotDone means that nothing was written. `Done.result` has `before` and `after` for the
        audit.
        """
        ...


class ExternalHandler(Handler[E]):
    """An effect in another service: first an intent, and a look-up after an unclear outcome."""

    first_look_s: float

    @abstractmethod
    async def may_exist(self, proposal: Proposal) -> bool:
        """Return whether a request for this proposal may have been sent."""
        ...

    @abstractmethod
    async def changed_since(self, proposal: Proposal) -> NotDone | None:
        """Return what has changed since the card; asked before anything is sent."""
        ...

    @abstractmethod
    async def carry_out(self, proposal: Proposal) -> Outcome | NotThere:
        """Send it, or continue what was begun."""
        ...

    @abstractmethod
    async def look(self, proposal: Proposal) -> Outcome | NotThere:
        """Look up the outcome of a request."""
        ...

    async def send_again(self, proposal: Proposal) -> Outcome:
        """Send once more what was not found; it has just been judged again."""
        raise Broken(f"{type(self).__name__} sends nothing twice: {proposal.id}")

    @abstractmethod
    async def settled(self, conn: Connection, proposal: Proposal, outcome: Outcome) -> None:
        """Update the intent, in the transaction that settles the proposal."""
        ...

    def unknown_note(self, proposal: Proposal, outcome: Unknown) -> Note:
        """Return the note that the outcome is unknown, for now or for good."""
        effect = self.effect_of(proposal)
        label, done = effect.label, localized(effect.done)
        if outcome.look_in_s is not None:
            return Note(text=message("outcomes.looking", label=label, done=done))
        advice = "" if proposal.undo_of else message("outcomes.try_again")
        reference = notices.reference(proposal)
        text = message(
            "outcomes.unknown", label=label, done=done, advice=advice, reference=reference
        )
        return Note(text=text.rstrip(), links=notices.link_to(getattr(effect, "url", None)))

    def duplicate_note(self, outcome: Duplicate) -> Note:
        """Return the note on an existing duplicate."""
        raise Broken(f"{type(self).__name__} has no duplicates: {outcome}")


class IdempotentHandler(ExternalHandler[E]):
    """A request that may be repeated, because it is compared with the present state each time.

    So it needs no intent, and after an unclear outcome it is simply carried out again.
    """

    async def may_exist(self, proposal: Proposal) -> bool:
        """Return whether a request of unknown outcome was sent."""
        return proposal.state is ProposalState.UNCLEAR

    @abstractmethod
    async def stopped(self, proposal: Proposal, why: NotDone | Delayed) -> Outcome:
        """End what may have been sent and may not go on: what is there counts; send nothing."""
        ...

    def ended(
        self, proposal: Proposal, compared: Outcome | None, why: NotDone | Delayed
    ) -> Outcome:
        """Return the outcome of what was stopped, which is `why` only if nothing was written.

        What only waits is looked for, too, because a wait forgets that it may have been sent.
        """
        is_unclear = proposal.state is ProposalState.UNCLEAR
        may_come = proposal.may_be_sent if isinstance(why, Delayed) else is_unclear
        if compared is None and not may_come:
            return why
        if compared is None or isinstance(compared, Delayed):
            return self.unknown(proposal)
        return compared

    async def changed_since(self, proposal: Proposal) -> NotDone | None:
        """Return None: the present state is compared right before writing."""
        return None

    async def look(self, proposal: Proposal) -> Outcome | NotThere:
        """Compare again, and send what is missing."""
        return await self.carry_out(proposal)

    async def settled(self, conn: Connection, proposal: Proposal, outcome: Outcome) -> None:
        """Do nothing: there is no intent."""

    async def read(self, proposal: Proposal, reading: Awaitable[T]) -> T | Unsettled:
        """Return what ClickUp says of the task, or what becomes of the proposal without that."""
        try:
            return await reading
        except NotFound:
            return self.gone(proposal)
        except (AgencyClawError, OSError) as error:
            return self._unseen(proposal, error)

    async def send(self, proposal: Proposal, request: Awaitable[T]) -> T | Unsettled:
        """Return ClickUp's answer to a change, or what becomes of the proposal without one.

        What may have been sent before is looked for, because a wait forgets that.
        """
        answer = await self.send_part(proposal, request)
        waits = isinstance(answer, Delayed) and proposal.may_be_sent
        return self.unknown(proposal) if waits else answer

    async def send_part(self, proposal: Proposal, request: Awaitable[T]) -> T | Unsettled:
        """Send a part of a change; Delayed if this one was not sent, whatever was sent before."""
        try:
            return await request
        except Unclear:
            return self.unknown(proposal)
        except NotFound:
            return self.gone(proposal)
        except (AgencyClawError, OSError) as error:
            return self._unsent(proposal, error)

    def gone(self, proposal: Proposal) -> NotDone:
        """Return that the task was deleted."""
        return NotDone("task_gone", message("task_change.gone"), can_retry=False)

    def unknown(self, proposal: Proposal) -> Unknown:
        """Look again, ever less often, until it is unknown for too long; then a person decides."""
        since = proposal.settled_at if proposal.state is ProposalState.UNCLEAR else None
        waited = datetime.now(UTC) - since if since else timedelta()
        if waited > PATIENCE:
            return Unknown(None)
        return Unknown(max(self.first_look_s, waited.total_seconds() / 2))

    def _unseen(self, proposal: Proposal, error: Exception) -> Unsettled:
        """Return that nothing was sent, or that an earlier request can't be checked now."""
        return self.unknown(proposal) if proposal.may_be_sent else self._unsent(proposal, error)

    def _unsent(self, proposal: Proposal, error: Exception) -> NotDone | Delayed:
        """Return why nothing was changed, or what it waits for."""
        logfire.warn("not changed", proposal=str(proposal.id), error=type(error).__name__)
        match error:
            case Refused(reason=reason, message=why):
                return NotDone(reason, why)
            case Misconfigured():
                return NotDone("misconfigured", message("handlers.clickup_refuses_our_access"))
            case _:
                return waits_for_clickup(error)


class EffectHandlers:
    """Finds the handler of an effect."""

    def __init__(self, *handlers: DatabaseHandler[Any] | ExternalHandler[Any]) -> None:
        self._by_kind: Mapping[type[Change], DatabaseHandler[Any] | ExternalHandler[Any]] = {
            handler.kind: handler for handler in handlers
        }

    def of(self, effect: Change) -> DatabaseHandler[Any] | ExternalHandler[Any]:
        """Return the handler of an effect."""
        kinds = (kind for kind in type(effect).__mro__ if kind in self._by_kind)
        return self._by_kind[next(kinds)]

    def undo(self, proposal: Proposal) -> Effect | str:
        """Return the effect that undoes a completed one, or why there is none."""
        return self.of(proposal.effect).undo(proposal)
