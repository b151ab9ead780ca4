"""Socket Mode: sends payloads to the app, awaits acknowledgements, and retries."""

import asyncio
from collections import deque
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.clock import MachineClock
from workbench.events import Broadcaster
from workbench.faults import Faults
from workbench.slack.http_delivery import HttpConnection
from workbench.slack.socket_connections import AppConnection, Connections
from workbench.slack.socket_delivery import Acked, Answer, NoAnswer, PayloadDelivery
from workbench.storage import Document, Storage

_KIND = "slack/deliveries"


@dataclass(frozen=True)
class Timeouts:
    """Seconds to wait for an acknowledgement: of an event, and of an interaction."""

    event_s: float
    answer_s: float

    def of(self, delivery: PayloadDelivery) -> float:
        return self.event_s if delivery.type == "events_api" else self.answer_s


class Hub:
    """Sends in order, each to one connection; events are stored until they are acknowledged."""

    def __init__(
        self,
        storage: Storage,
        clock: MachineClock,
        faults: Faults,
        events: Broadcaster,
        retry_delays: Sequence[float],
        timeouts: Timeouts,
    ) -> None:
        self.connections = Connections()
        self._storage = storage
        self._clock = clock
        self._faults = faults
        self._events = events
        self._retry_delays = tuple(retry_delays)
        self._timeouts = timeouts
        self._queue: deque[PayloadDelivery] = deque()
        self._queued = asyncio.Event()
        self._held: list[PayloadDelivery] = []
        self._under_way: dict[str, PayloadDelivery] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Start sending, beginning with what an earlier process left unacknowledged."""
        for document in self._storage.all(_KIND):
            delivery = PayloadDelivery(**document)
            if delivery.sent:
                delivery.start_retry()
            self._enqueue(delivery)
        self._spawn(self._send_queued())

    async def stop(self) -> None:
        """Close every socket; stored events wait for the next process."""
        for delivery in self._pending():
            delivery.settle(NoAnswer("stopped"))
        for connection in self.connections.all():
            await connection.close()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def deliver_to(self, url: str) -> None:
        """Send everything to an address from now on; without one, over sockets again."""
        for connection in self.connections.all():
            self.detach(connection)
            await connection.close()
        if url:
            patience_s = self._timeouts.answer_s
            self.attach(HttpConnection(url, self._clock, self.acknowledge, self._log, patience_s))

    def attach(self, connection: AppConnection) -> None:
        self.connections.add(connection)
        self._events.publish("connection", connections=len(self.connections))

    def detach(self, connection: AppConnection) -> None:
        self.connections.remove(connection)
        self._events.publish("connection", connections=len(self.connections))

    def send_event(self, label: str, payload: dict[str, Any]) -> None:
        """Store an event and send it as soon as a connection takes it."""
        delivery = PayloadDelivery("events_api", label, payload, redelivers=True)
        self._store(delivery)
        self._enqueue(delivery)

    async def ask(self, delivery: PayloadDelivery) -> Answer:
        """Send an interaction or a command once and wait for its acknowledgement."""
        self._enqueue(delivery)
        self._spawn(self._give_up_unsent(delivery))
        return await delivery.answer

    def acknowledge(self, envelope_id: str, payload: dict[str, Any]) -> None:
        delivery = self._under_way.get(envelope_id)
        entry = {"kind": "ack", "envelope_id": envelope_id, "payload": payload}
        if delivery is None:
            self._log({**entry, "known": False})
        elif self._faults.take("socket", delivery.label, "drop_ack"):
            delivery.redelivers = True
            self._log({**entry, "label": delivery.label, "dropped": True})
        else:
            self._log({**entry, "label": delivery.label})
            self._accept(delivery, envelope_id, payload)

    def release_held(self) -> None:
        """Send what a reorder fault holds back."""
        self._queue.extendleft(reversed(self._held))
        self._held.clear()
        self._queued.set()

    def forget(self) -> None:
        """Drop everything in progress, because the storage was wiped."""
        for delivery in self._pending():
            delivery.settle(NoAnswer("reset"))
        self._queue.clear()
        self._held.clear()
        self._under_way.clear()

    def _pending(self) -> list[PayloadDelivery]:
        return [*self._queue, *self._held, *self._under_way.values()]

    async def refresh(self) -> None:
        """Ask every connection to reconnect, as Slack does every few hours."""
        for connection in self.connections.all():
            await self._refresh(connection)

    async def _refresh(self, connection: AppConnection) -> None:
        self.connections.remove(connection)
        reason = {"reason": "refresh_requested"}
        self._log({"kind": "disconnect", "connection": connection.id, **reason})
        await connection.send({"type": "disconnect", **reason})
        self._spawn(self._close_later(connection))

    async def _close_later(self, connection: AppConnection) -> None:
        """Close after a while: a client that was asked to reconnect may still acknowledge."""
        await self._clock.sleep(self._timeouts.event_s)
        await connection.close()

    async def _send_queued(self) -> None:
        while True:
            await self._queued.wait()
            connection = await self.connections.next()
            if self._queue and not (delivery := self._queue.popleft()).answer.done():
                await self._send(delivery, connection)
            if not self._queue:
                self._queued.clear()

    async def _send(self, delivery: PayloadDelivery, connection: AppConnection) -> None:
        fault = self._faults.take("socket", delivery.label, "reorder", "disconnect")
        match fault.kind if fault else None:
            case "reorder":
                self._held.append(delivery)
            case "disconnect" if fault and fault.delay_s:
                await self._send_now(delivery, connection)
                self._spawn(self._cut_later(connection, fault.delay_s))
            case "disconnect":
                self._queue.appendleft(delivery)
                await self._refresh(connection)
            case _:
                await self._send_now(delivery, connection)
                self.release_held()

    async def _send_now(self, delivery: PayloadDelivery, connection: AppConnection) -> None:
        if delivery.redelivers and self._clock.now() - delivery.queued_at > self._timeouts.event_s:
            # What Slack could not deliver at once arrives as a retry, never as a first attempt.
            delivery.attempt = max(delivery.attempt, 1)
        delivery.sent = True
        self._store(delivery)
        delivery.sent_as.append(delivery.envelope_id)
        self._under_way[delivery.envelope_id] = delivery
        self._log_envelope(delivery, connection)
        if not await connection.send(delivery.envelope()):
            self.connections.remove(connection)
        self._spawn(self._await_ack(delivery))

    async def _await_ack(self, delivery: PayloadDelivery) -> None:
        if await self._answered_within(delivery, self._timeouts.of(delivery)):
            return
        if not delivery.redelivers or delivery.attempt >= len(self._retry_delays):
            self._give_up(delivery, "timeout")
            return
        delay = self._retry_delays[delivery.attempt]
        if not await self._answered_within(delivery, delay):
            delivery.start_retry()
            self._enqueue(delivery)

    async def _give_up_unsent(self, delivery: PayloadDelivery) -> None:
        answered = await self._answered_within(delivery, self._timeouts.answer_s)
        if not answered and not delivery.sent:
            self._give_up(delivery, "dispatch_failed")

    async def _answered_within(self, delivery: PayloadDelivery, seconds: float) -> bool:
        sleeper = asyncio.ensure_future(self._clock.sleep(seconds))
        await asyncio.wait({sleeper, delivery.answer}, return_when=asyncio.FIRST_COMPLETED)
        sleeper.cancel()
        return delivery.answer.done()

    async def _cut_later(self, connection: AppConnection, seconds: float) -> None:
        await self._clock.sleep(seconds)
        self.connections.remove(connection)
        connection.cut()
        self._log({"kind": "disconnect", "connection": connection.id, "reason": "cut"})

    def _accept(self, delivery: PayloadDelivery, envelope_id: str, payload: dict[str, Any]) -> None:
        first = not delivery.answer.done()
        self._finish(delivery, Acked(payload))
        if first and self._faults.take("socket", delivery.label, "duplicate"):
            copy = PayloadDelivery(delivery.type, delivery.label, delivery.payload)
            copy.envelope_id, copy.attempt = envelope_id, delivery.attempt
            self._enqueue(copy)

    def _give_up(self, delivery: PayloadDelivery, error: str) -> None:
        self._log({"kind": "given_up", "label": delivery.label, "error": error})
        self._finish(delivery, NoAnswer(error))

    def _finish(self, delivery: PayloadDelivery, answer: Answer) -> None:
        self._storage.delete(_KIND, delivery.key)
        for envelope_id in delivery.sent_as:
            self._under_way.pop(envelope_id, None)
        delivery.settle(answer)

    def _enqueue(self, delivery: PayloadDelivery) -> None:
        delivery.queued_at = self._clock.now()
        self._queue.append(delivery)
        self._queued.set()

    def _store(self, delivery: PayloadDelivery) -> None:
        if delivery.type == "events_api":
            self._storage.put(_KIND, delivery.key, delivery.as_document())

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _log_envelope(self, delivery: PayloadDelivery, connection: AppConnection) -> None:
        entry = {"kind": "envelope", "label": delivery.label, "connection": connection.id}
        self._log(entry | delivery.envelope())

    def _log(self, entry: Document) -> None:
        self._storage.append_log({"at": self._clock.now(), "target": "socket"} | entry)
