"""How long tools that a search found stay loaded."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from pydantic_ai.messages import ModelRequest, ToolSearchReturnPart

from agencyclaw.agents.found_tools import (
    LOADED_TOKENS,
    loaded_after,
    stored_searches,
    with_loaded_tools,
)
from agencyclaw.tools.gate import definition_tokens

LIGHT, MIDDLING, HEAVY, HEAVIER = "read_task", "kpi_target_upsert", "remind", "change_tasks"


def stored(*names: str, outcome: str = "success") -> list[dict[str, Any]]:
    content = {"discovered_tools": [{"name": name} for name in names]}
    part = {"part_kind": "tool-return", "tool_kind": "tool-search", "content": content}
    return [{"parts": [part | {"outcome": outcome}]}]


def search(*names: str) -> ModelRequest:
    content: Any = {"discovered_tools": [{"name": name} for name in names]}
    return ModelRequest(parts=[ToolSearchReturnPart(content=content, tool_call_id="1")])


def found_in(message: Any) -> set[str]:
    return {tool["name"] for part in message.parts for tool in part.discovered_tools}


def test_what_was_found_stays_until_there_is_no_room() -> None:
    light = [LIGHT, "finished_tasks", "comment_on_task"]

    assert sum(map(definition_tokens, light)) <= LOADED_TOKENS
    assert loaded_after([[one] for one in light]) == set(light)
    assert loaded_after([]) == frozenset()


def test_where_there_is_no_room_what_was_found_longest_ago_goes() -> None:
    assert definition_tokens(HEAVY) + definition_tokens(HEAVIER) > LOADED_TOKENS

    assert loaded_after([[HEAVIER], [LIGHT], [HEAVY]]) == {LIGHT, HEAVY}
    # Found again is found last.
    assert loaded_after([[LIGHT], [HEAVIER], [LIGHT], [HEAVY]]) == {LIGHT, HEAVY}


def test_what_one_search_found_stays_whole() -> None:
    assert loaded_after([[LIGHT], [HEAVY, HEAVIER]]) == {HEAVY, HEAVIER}


def test_a_search_that_finds_only_loaded_tools_unloads_none() -> None:
    heavy = {HEAVY, HEAVIER}
    searches = [search(HEAVY, HEAVIER), search(HEAVY)]

    assert loaded_after([[HEAVY, HEAVIER], [HEAVY]]) == heavy
    assert {name for message in with_loaded_tools(searches) for name in found_in(message)} == heavy
    # Found again is found last.
    assert loaded_after([[HEAVY, HEAVIER], [HEAVY], [LIGHT]]) == {HEAVY, LIGHT}


def test_searches_of_one_message_count_as_one() -> None:
    at_once = ModelRequest(
        parts=[*search(LIGHT).parts, *search(HEAVY).parts, *search(HEAVIER).parts]
    )
    kept = [{"parts": [stored(name)[0]["parts"][0] for name in (LIGHT, HEAVY, HEAVIER)]}]

    assert found_in(with_loaded_tools([at_once])[0]) == {LIGHT, HEAVY, HEAVIER}
    assert stored_searches([kept]) == [[LIGHT, HEAVY, HEAVIER]]


def test_a_search_that_finds_nothing_or_fails_unloads_nothing() -> None:
    failed = stored(outcome="failed")

    assert loaded_after([[HEAVY], []]) == {HEAVY}
    assert stored_searches([stored(HEAVY), failed]) == [[HEAVY]]


def test_a_request_and_the_next_message_load_the_same_tools() -> None:
    names = [[HEAVIER], [LIGHT], [HEAVY]]
    first, second, third = with_loaded_tools([search(*found) for found in names])

    assert found_in(first) == set()
    assert found_in(second) | found_in(third) == {LIGHT, HEAVY}
    assert loaded_after(stored_searches(stored(*found) for found in names)) == {LIGHT, HEAVY}


@pytest.mark.parametrize("first", list(permutations((LIGHT, HEAVY))))
def test_of_what_one_search_found_the_same_goes_in_a_request_and_the_next_message(
    first: tuple[str, ...],
) -> None:
    searches = [first, (MIDDLING,)]
    request = with_loaded_tools([search(*found) for found in searches])

    loaded = loaded_after(stored_searches([stored(*found) for found in searches]))
    assert loaded != {LIGHT, HEAVY, MIDDLING}
    assert {name for message in request for name in found_in(message)} == loaded


def test_what_two_searches_at_once_both_find_weighs_once() -> None:
    twice = [*stored(HEAVY)[0]["parts"], *stored(HEAVY)[0]["parts"]]

    assert 2 * definition_tokens(HEAVY) > LOADED_TOKENS
    loaded = loaded_after(stored_searches([stored(LIGHT), [{"parts": twice}]]))
    assert loaded == {LIGHT, HEAVY}


def test_without_a_tool_to_unload_a_request_stays_as_it_is() -> None:
    searches = [search(LIGHT), search(HEAVY)]

    assert with_loaded_tools(searches) == searches
