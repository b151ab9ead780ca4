"""The manifest asks for what the code uses, and for nothing else."""

import ast
import json
from pathlib import Path
from typing import Any

import agencyclaw.slack
from agencyclaw.domain.addresses import CLICKUP_HOSTS
from agencyclaw.slack.action_ids import ASK_ABOUT, MAKE_TASK
from agencyclaw.slack.commands import COMMAND, COMMAND_SCOPE
from agencyclaw.slack.member_lifecycle import EVENTS
from agencyclaw.slack.web import AGENT_VIEW_SCOPE, SCOPES, Method
from workbench.slack.shortcuts import SHORTCUTS

ROOM = Path(agencyclaw.slack.__file__).parent
MANIFEST: dict[str, Any] = json.loads((ROOM / "manifest.json").read_text())


def test_it_subscribes_to_every_event_the_code_reads() -> None:
    assert sorted(EVENTS) == MANIFEST["settings"]["event_subscriptions"]["bot_events"]


def test_it_asks_for_every_scope_the_code_needs_and_no_other() -> None:
    needed = {COMMAND_SCOPE, AGENT_VIEW_SCOPE} | {scope for scope in EVENTS.values() if scope}
    needed |= {scope for scopes in SCOPES.values() for scope in scopes}
    assert sorted(needed) == MANIFEST["oauth_config"]["scopes"]["bot"]


def test_every_method_has_its_scopes_and_every_method_is_called() -> None:
    assert set(SCOPES) == set(Method)
    trees = [ast.parse(file.read_text()) for file in ROOM.glob("*.py") if file.name != "web.py"]
    used = {
        node.attr
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "Method"
    }
    assert used == {method.name for method in Method}


def test_it_is_a_socket_mode_agent_with_buttons_and_a_home_tab() -> None:
    features, settings = MANIFEST["features"], MANIFEST["settings"]
    assert settings["socket_mode_enabled"]
    assert settings["interactivity"]["is_enabled"]
    assert features["app_home"]["home_tab_enabled"]
    assert features["app_home"]["messages_tab_enabled"]
    assert not features["app_home"]["messages_tab_read_only_enabled"]
    assert [one["command"] for one in features["slash_commands"]] == [COMMAND]
    assert len(features["agent_view"]["agent_description"]) <= 300
    assert "assistant_view" not in features


def test_its_shortcuts_are_those_the_code_takes_and_the_workbench_offers() -> None:
    declared = MANIFEST["features"]["shortcuts"]
    assert [one["callback_id"] for one in declared] == [MAKE_TASK, ASK_ABOUT]
    assert {one["type"] for one in declared} == {"message"}
    assert all(len(one["name"]) <= 24 and len(one["description"]) <= 150 for one in declared)
    offered = [{name: one[name] for name in ("callback_id", "name")} for one in declared]
    assert offered == list(SHORTCUTS)


def test_it_hears_of_links_to_clickup_alone() -> None:
    assert set(MANIFEST["features"]["unfurl_domains"]) == CLICKUP_HOSTS
