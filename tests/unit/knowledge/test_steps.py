"""A procedure's lists as a checklist: no step goes missing, and none changes its words."""

from __future__ import annotations

import pytest

from agencyclaw.knowledge.steps import STEP_LIMIT, read_steps


@pytest.mark.parametrize(
    "body",
    [
        "1.Área\n2.库存",
        "Step 1-2: Área\nStep 3: 库存",
        "Step 1.1: Área\nStep 1.2: 库存",
        "**Step 1**: Área\n__Step 2__ – 库存",
    ],
)
def test_no_step_is_missed_for_its_letters_or_its_number(body: str) -> None:
    assert read_steps(body).lines == ("Área", "库存")


def test_figures_and_versions_are_no_steps() -> None:
    assert read_steps("1.5 times the price\n2.x is old\nStep 2.5 is a half").lines == ()


def test_steps_that_only_begin_alike_are_both_listed() -> None:
    begins = "Check the price of " + "a" * STEP_LIMIT
    lines = read_steps(f"1. {begins} in Germany\n2. {begins} in France").lines

    assert len(lines) == 2
    assert all(len(line) <= STEP_LIMIT + len(" […]") for line in lines)


def test_a_name_keeps_its_underscores() -> None:
    steps = read_steps("- Upload `DE__coupons.csv`\n- __Tell__ the **client**")

    assert steps.lines == ("Upload DE__coupons.csv", "Tell the client")


def test_the_first_list_is_called_as_the_line_before_it_says() -> None:
    sections = read_steps("Before you begin:\n- Log in.\n\nAfterwards:\n- Log out.").sections

    assert [one.title for one in sections] == ["Before you begin", "Afterwards"]


def test_a_list_below_a_heading_keeps_it() -> None:
    [section] = read_steps("## Set-up\nDo this:\n- Log in.").sections

    assert section.title == "Set-up"


@pytest.mark.parametrize("heading", ["Learn C#", "Learn C# ##", "Learn C#  # "])
def test_only_marks_behind_a_blank_close_a_heading(heading: str) -> None:
    assert [one.title for one in read_steps(f"## {heading}\n- Read.").sections] == ["Learn C#"]
