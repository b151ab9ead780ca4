"""How long tools that a search found stay loaded."""

from __future__ import annotations

from typing import Any

from agencyclaw.agents.found_tools import tools_in_use

Contents = list[dict[str, Any]]


def found(*names: str) -> dict[str, Any]:
    content = {"discovered_tools": [{"name": name} for name in names]}
    return {"part_kind": "tool-return", "tool_kind": "tool-search", "content": content}


def called(name: str) -> dict[str, Any]:
    return {"part_kind": "tool-call", "tool_name": name}


def exchange(*parts: dict[str, Any]) -> Contents:
    return [{"parts": list(parts)}]


TALK = exchange()


def test_of_what_a_search_found_stays_what_was_called() -> None:
    searched = exchange(found("read_task", "export_tasks"), called("read_task"))

    assert tools_in_use([searched]) == {"read_task"}


def test_what_was_found_and_not_called_yet_stays_for_one_more_message() -> None:
    searched = exchange(found("read_task", "export_tasks"))

    assert tools_in_use([searched]) == {"read_task", "export_tasks"}
    assert tools_in_use([searched, TALK]) == frozenset()


def test_what_was_called_stays_for_one_more_message() -> None:
    calling = exchange(called("read_task"))

    assert tools_in_use([TALK, calling]) == {"read_task"}
    assert tools_in_use([calling, TALK]) == frozenset()


def test_nothing_is_in_use_before_anything_was_said() -> None:
    assert tools_in_use([]) == frozenset()
