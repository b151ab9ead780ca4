"""Starts jobs in the process that stores them, without a fetch from the queue.

While few jobs run here, a message and its answer are stored with a job that is marked as running
already. The engine runs, ends and retries it like any other; if this process dies first, the job is
found unattended and retried.

Hot path: every message.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

# Beyond so many jobs of a queue, a job waits in the database, where every process can take it.
_FEW = 2


@dataclass(frozen=True)
class StartedJob:
    """A job that was stored as running."""

    id: int
    queue: str
    task: str
    lock: str
    args: Mapping[str, object]


class Worker(Protocol):
    """The worker of this process."""

    worker_id: int | None
    queues: Collection[str]

    def running(self, queue: str) -> int:
        """Return how many jobs of a queue run here."""
        ...

    def wake_soon(self) -> None:
        """Let it look for jobs."""
        ...


class JobDispatcher:
    """Hands stored jobs to the worker of this process; without one, they wait in the queue."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._reserved: Counter[str] = Counter()
        self._started: deque[StartedJob] = deque()

    def attach(self, worker: Worker) -> None:
        """Serve a worker that starts; what an earlier one left is found unattended."""
        self._worker = worker
        self._started.clear()

    def detach(self, worker: Worker) -> None:
        """Start nothing any more."""
        if self._worker is worker:
            self._worker = None

    @contextmanager
    def slot(self, queue: str) -> Generator[int | None]:
        """Reserve a slot while a job is stored; yields the worker's id, or None without a slot."""
        worker = self._worker
        if worker is None or queue not in worker.queues or self._taken(worker, queue) >= _FEW:
            yield None
            return
        self._reserved[queue] += 1
        try:
            yield worker.worker_id
        finally:
            self._reserved[queue] -= 1

    def start(self, job: StartedJob) -> None:
        """Let the worker run a job that was stored as running."""
        self._started.append(job)
        if self._worker is not None:
            self._worker.wake_soon()

    def next_for(self, worker: Worker) -> StartedJob | None:
        """Return the next job that waits for this worker."""
        return self._started.popleft() if self._started and self._worker is worker else None

    def _taken(self, worker: Worker, queue: str) -> int:
        waiting = sum(job.queue == queue for job in self._started)
        return worker.running(queue) + self._reserved[queue] + waiting
