"""What a person reads while a tool runs: what it does, and what it is about."""

import pytest

from agencyclaw.agents.policies.progress import step_of
from agencyclaw.domain.people import ScopeKind
from tests.fakes.ports import demo_agency


@pytest.mark.parametrize(
    ("tool", "args", "step"),
    [
        ("list_tasks", {"client": "Copperleaf"}, "Reading ClickUp tasks: Copperleaf"),
        (
            "list_tasks",
            {"client": "Copperleaf", "brand": "Glintly"},
            "Reading ClickUp tasks: Glintly",
        ),
        ("search_kb", {"query": "coupon promotion"}, "Searching the procedures: coupon promotion"),
        ("load_prior_skill_result", {"key": "ev:1/2"}, "Looking at an earlier result"),
        ("clickup_task_duplicate_check", {"title": "https://x.y/t/1"}, "Looking for the same task"),
        ("nothing_of_ours", {}, ""),
    ],
)
def test_a_step_names_its_subject(tool: str, args: dict[str, str], step: str) -> None:
    assert step_of(demo_agency().run(), tool, args) == step


def test_a_step_names_nobody_where_others_read_along() -> None:
    deps = demo_agency().run(scope=ScopeKind.UNKNOWN)
    assert step_of(deps, "list_tasks", {"client": "Copperleaf"}) == "Reading ClickUp tasks"


def test_a_long_subject_is_cut_and_never_live() -> None:
    step = step_of(demo_agency().run(), "search_kb", {"query": "<!here> " + "coupon " * 40})
    assert "<!here>" not in step
    assert len(step) < 120
