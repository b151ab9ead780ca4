"""A warmed parent of assistants: the imports are done, so starting one is a fork.

Run as a process; orders come in on standard input, births and deaths go out on standard output,
one JSON object a line. Each child is the real command line in a process of its own.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import selectors
import signal
import sys
import time
import traceback
from types import FrameType
from typing import Any

_WARM = (
    "agencyclaw.cli.run",
    "agencyclaw.cli.serve",
    "agencyclaw.store.seed",
    "agencyclaw.store.conversation_tables",
    "agencyclaw.store.proposal_tables",
    "sqlalchemy.dialects.postgresql.asyncpg",
    "sqlmodel.ext.asyncio.session",
    "psycopg_pool",
    "pydantic_ai.models.function",
)
_SUBREAPER = 36
# Deliveries that broke off are looked for again after this; the product waits longer.
_SETTLE_S = 0.3


def main() -> int:
    """Give birth on demand until standard input ends."""
    for name in _WARM:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    _adopt_grandchildren()
    lifeline, held = os.pipe()
    bell, rope = os.pipe()
    os.set_blocking(rope, False)
    os.set_blocking(bell, False)
    signal.signal(signal.SIGCHLD, _hear)
    signal.set_wakeup_fd(rope)
    with selectors.DefaultSelector() as ears:
        ears.register(0, selectors.EVENT_READ)
        ears.register(bell, selectors.EVENT_READ)
        pending = b""
        while True:
            for key, _ in ears.select():
                if key.fd == bell:
                    _drain(bell)
                    _tell_deaths()
                    continue
                said = os.read(0, 1 << 16)
                if not said:
                    return 0
                *orders, pending = (pending + said).split(b"\n")
                for order in orders:
                    _obey(json.loads(order), lifeline, (held, bell, rope))


def _hear(_: int, __: FrameType | None) -> None:
    """The wake-up descriptor rings; nothing more is done inside a signal."""


def _drain(bell: int) -> None:
    with contextlib.suppress(BlockingIOError):
        while os.read(bell, 512):
            pass


def _adopt_grandchildren() -> None:
    """A Postgres whose assistant was killed becomes ours, so that somebody waits for its end."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def _tell_deaths() -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        _tell({"died": pid, "code": os.waitstatus_to_exitcode(status)})


def _tell(fact: dict[str, Any]) -> None:
    os.write(1, json.dumps(fact).encode() + b"\n")


def _obey(order: dict[str, Any], lifeline: int, ours: tuple[int, ...]) -> None:
    pid = os.fork()
    if pid:
        _tell({"born": pid, "order": order["order"]})
        return
    code = 70
    try:
        _settle_in(order, lifeline, ours)
        code = _live(order)
    except SystemExit as end:
        code = int(end.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _settle_in(order: dict[str, Any], lifeline: int, ours: tuple[int, ...]) -> None:
    """Give up everything that is the parent's."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for descriptor in ours:
        os.close(descriptor)
    os.setsid()
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for source, target in ((lifeline, 0), (log, 1), (log, 2)):
        os.dup2(source, target)
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])


def _live(order: dict[str, Any]) -> int:
    from crossings import Crossings, FaultPlan, watch

    plan = FaultPlan.model_validate(order["fate"])
    watch(Crossings(plan))
    _play_the_model()
    if plan.blind:
        _blindfold()
    if plan.clock_off_s:
        _set_clock_off(plan.clock_off_s)
    from agencyclaw.cli.main import main as assistant

    return assistant(order["words"])


def _play_the_model() -> None:
    import scripted_model

    from agencyclaw import models
    from agencyclaw.slack.edge import Edge, SlackTiming
    from agencyclaw.slack.streaming import Tempo

    models.play = scripted_model.play  # type: ignore[assignment]
    defaults: dict[str, Any] = Edge.__init__.__kwdefaults__
    # A stream is opened sooner, so that there is one to die in.
    tempo = Tempo(look_s=0.02, words_s=0.1, append_s=0.1, update_s=0.1, least=60)
    defaults["timing"] = SlackTiming(settle_s=_SETTLE_S, tempo=tempo)


def _blindfold() -> None:
    """Take away the looks before a resend: what remains must lose against the referee."""
    from agencyclaw.clickup.reader import ClickUpReader
    from agencyclaw.slack.posted_messages import PostedMessages

    async def see_nothing(*_: object, **__: object) -> Any:
        return []

    async def find_nothing(*_: object, **__: object) -> Any:
        return {}

    ClickUpReader.find_by_marker = see_nothing  # type: ignore[method-assign]
    PostedMessages.find = find_nothing  # type: ignore[method-assign]


def _set_clock_off(seconds: float) -> None:
    """Let this process believe in another time than the database and its neighbours."""
    true = time.time
    time.time = lambda: true() + seconds


if __name__ == "__main__":
    sys.exit(main())
