"""What must not hold up the event loop."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from pathlib import Path

import pytest

from agencyclaw.cli import eventloop


def test_what_was_loaded_is_no_longer_gone_through() -> None:
    loaded = len(gc.get_objects())
    eventloop.freeze_loaded_objects()
    assert len(gc.get_objects()) < loaded / 10
    assert gc.get_freeze_count() >= loaded * 0.9


def test_garbage_is_collected_again_once_all_is_loaded() -> None:
    with eventloop.without_collection():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_an_input_that_makes_nobody_wait_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait_for_the_end() -> None:
        ended = asyncio.Event()
        eventloop.end_at_eof(ended.set)
        await asyncio.wait_for(ended.wait(), 5)

    with Path(os.devnull).open(encoding="utf-8") as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        eventloop.run(wait_for_the_end())
