"""The sub-agents of the main agent, built once per process."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic_ai import Agent

from agencyclaw.agents.planner import build_planner
from agencyclaw.agents.research import build_researcher
from agencyclaw.deps import Deps
from agencyclaw.domain.planning import Plan
from agencyclaw.tools import build_reading_toolset


@dataclass(frozen=True)
class SubAgents:
    """The researcher and the planner."""

    researcher: Agent[Deps, str]
    planner: Agent[Deps, Plan]


def build_sub_agents() -> SubAgents:
    """Build both, with tools that only read."""
    toolset = build_reading_toolset()
    return SubAgents(build_researcher(toolset), build_planner(toolset))
