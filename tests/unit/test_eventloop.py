"""What must not hold up the event loop."""

from __future__ import annotations

import gc

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
