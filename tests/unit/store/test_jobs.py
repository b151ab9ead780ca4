"""Queues: what a workspace's work is put into is served by its own process and by no other."""

from __future__ import annotations

import pytest

from agencyclaw.store.jobs import (
    DEBUG,
    TERMINAL,
    background_queue_of,
    queue_of,
    queues_of,
    turn_queues_of,
)


@pytest.mark.parametrize("team_id", ["T01", TERMINAL, DEBUG])
def test_every_queue_of_a_workspace_is_served_by_its_process(team_id: str) -> None:
    queues = {queue_of(team_id), *turn_queues_of(team_id), background_queue_of(team_id)}

    assert queues <= set(queues_of(team_id))


def test_only_the_queue_of_maintenance_is_served_for_other_workspaces() -> None:
    assert len(set(queues_of("T01")) & set(queues_of("T02"))) == 1
