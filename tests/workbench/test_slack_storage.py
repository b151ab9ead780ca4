import asyncio
import os
from pathlib import Path

import pytest

from workbench.clock import MovableClock
from workbench.events import Broadcaster
from workbench.faults import Fault, Faults
from workbench.fixture import running_workbench
from workbench.storage import Storage


def test_documents_keep_the_order_of_their_first_coming() -> None:
    storage = Storage(":memory:")
    for key in ("b", "a", "c"):
        storage.put("kind", key, {"key": key})
    storage.put("kind", "b", {"key": "B"})
    storage.delete("kind", "a")
    assert storage.all("kind") == [{"key": "B"}, {"key": "c"}]
    assert storage.get("kind", "a") is None
    assert storage.all("other") == []


async def test_a_start_that_fails_leaves_no_file_open(tmp_path: Path) -> None:
    path = tmp_path / "file.sqlite"

    with pytest.raises(TypeError):
        async with running_workbench(str(path), no_such_option=True):
            raise AssertionError("it has started")

    # SQLite removes its log with the last connection.
    assert os.listdir(tmp_path) == [path.name]


def test_counters_and_the_log_count_up_and_survive(tmp_path: Path) -> None:
    path = str(tmp_path / "file.sqlite")
    first = Storage(path)
    assert [first.next("task"), first.next("task"), first.next("other")] == [1, 2, 1]
    first.append_log({"text": "a\x00\ud800🦑"})
    second = Storage(path)
    assert second.next("task") == 3
    assert second.log() == [{"seq": 1, "text": "a\x00\ud800🦑"}]
    assert second.log(after=1) == []


def test_a_failed_transaction_leaves_nothing() -> None:
    storage = Storage(":memory:")

    def fail() -> None:
        with storage.transaction():
            storage.put("kind", "a", {})
            with storage.transaction():
                storage.append_log({})
            raise ValueError("half way")

    with pytest.raises(ValueError, match="half way"):
        fail()
    assert storage.all("kind") == storage.log() == []


def test_a_fault_strikes_as_often_as_planned_and_in_order() -> None:
    faults = Faults()
    faults.add(Fault("slack", "html", method="chat.*", times=2))
    faults.add(Fault("slack", "error_before"))

    def strike(method: str) -> str | None:
        fault = faults.take("slack", method)
        return fault.kind if fault else None

    struck = [strike("chat.update"), strike("users.info"), strike("chat.delete"), strike("x")]
    assert struck == ["html", "error_before", "html", None]


def test_a_fault_of_another_kind_stays_planned() -> None:
    faults = Faults()
    faults.add(Fault("socket", "duplicate"))
    assert faults.take("socket", "message", "reorder") is None
    assert faults.take("clickup", "message") is None
    assert faults.take("socket", "message", "reorder", "duplicate")


async def test_moving_the_clock_wakes_sleepers_that_are_due() -> None:
    clock = MovableClock()
    before = clock.now()
    soon = asyncio.ensure_future(clock.sleep(60))
    late = asyncio.ensure_future(clock.sleep(7200))
    await asyncio.sleep(0)
    clock.advance(3600)
    await asyncio.wait_for(soon, 300)
    assert not late.done()
    late.cancel()
    assert clock.now() >= before + 3600


def test_a_watcher_that_does_not_read_loses_the_oldest() -> None:
    events = Broadcaster(backlog=2)
    with events.watch() as changes:
        for number in range(3):
            events.publish("message", number=number)
        assert [changes.get_nowait()["number"] for _ in range(2)] == [1, 2]
    events.publish("message")
    assert changes.empty()
