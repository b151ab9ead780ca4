"""Task briefs: what reaches the task, what is never invented, and what an edit changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from agencyclaw.domain.clients import Named
from agencyclaw.domain.edits import form_of
from agencyclaw.domain.errors import TooMuch
from agencyclaw.domain.sops import SopHit
from agencyclaw.domain.task_creation import Assignee, CreateTask, Destination
from agencyclaw.domain.task_requests import Promotion, TaskFact
from agencyclaw.domain.text import folded, one_line
from agencyclaw.knowledge.briefs import BRIEF_LIMIT, TaskParts, compose_task, recompose
from agencyclaw.knowledge.buckets import Bucket, bucket_of
from agencyclaw.knowledge.steps import LINES_AT_MOST, read_steps
from tests.fakes.ports import a_sop, an_id, coupon_hit

OBJECTIVE = "20% off the garlic press B0CF7GARL1, starting Monday"
TERMS = Promotion(type="coupon", discount="20% off", starts=date(2026, 11, 23))


def parts(**changes: Any) -> TaskParts:
    values: dict[str, Any] = {
        "client": Named(id=an_id("c"), name="Brightkettle Group"),
        "brand": Named(id=an_id("b"), name="Copperleaf"),
        "marketplaces": ("CA",),
        "destination": Destination(list_id="901", list_name="Backlog", space_name="Brightkettle"),
        "title": "20% off coupon for the garlic press",
        "objective": OBJECTIVE,
        "promotion": TERMS,
        "identifiers": ("B0CF7GARL1",),
        "sop": coupon_hit(),
    }
    return TaskParts(**(values | changes))


def test_the_whole_brief_of_a_coupon_task() -> None:
    assert compose_task(parts()).body == snapshot("""\
## Task Brief
- **Objective:** 20% off the garlic press B0CF7GARL1, starting Monday
- **Client:** Brightkettle Group · **Brand:** Copperleaf · **Marketplace:** CA
- **Task type:** Promotions · **Products:** B0CF7GARL1
- **Owner:** Not stated · **Due:** Not stated

## SOP Reference
- **SOP:** Coupons Promotion SOP · **Version:** 3
- **Link:** https://app.clickup.com/docs/coupons

## From the SOP
- [ ] Check that every ASIN is eligible and in stock.
- [ ] Agree discount, budget and dates with the client.
- [ ] Create the coupon in Seller Central under Advertising > Coupons.
- [ ] Set the budget cap
- [ ] Confirm that the coupon shows on the detail page.
- [ ] Tell the client that it is live.

## Promotion Setup
- **Promotion type:** Coupon · **Discount:** 20% off · **Starts:** Mon 23 Nov 2026
- **Ends:** Not stated · **Budget:** Not stated

## Unresolved
- End date: not stated.
- Budget: not stated.
- Owner: not stated.
- Due date: not stated.\
""")


def test_steps_are_taken_once_in_order_and_without_markup() -> None:
    assert compose_task(parts()).checklist == snapshot(
        (
            "Check that every ASIN is eligible and in stock.",
            "Agree discount, budget and dates with the client.",
            "Create the coupon in Seller Central under Advertising > Coupons.",
            "Set the budget cap",
            "Confirm that the coupon shows on the detail page.",
            "Tell the client that it is live.",
        )
    )


@pytest.mark.parametrize(
    "body",
    [
        "Step 1: Check stock\nStep 2: Tell the client",
        "### Step 1 – Check stock\nWhy.\n### Step 2 – Tell the client",
        "### Step 1 — Check stock\nWhy.\n### Step 2 — Tell the client",
        "1. Step 1 — Check stock\n2. Step 2 — Tell the client",
        "1\\. Check stock\n2\\. Tell the client",
        "**1.** Check stock\n**2. Tell the client**",
        "1.Check stock\n2.Tell the client",
        "\\- [ ] Check stock\n\\- \\[ \\] Tell the client",
    ],
)
def test_steps_are_found_however_they_are_numbered(body: str) -> None:
    assert read_steps(body).lines == ("Check stock", "Tell the client")


@pytest.mark.parametrize(
    "body", ["## 1. Purpose\nWe sell.\n## 2. Scope\nAll.", "1.5 times the price\n2024. A year"]
)
def test_sections_and_figures_are_no_steps(body: str) -> None:
    assert read_steps(body).lines == ()


def test_prose_yields_no_checklist() -> None:
    assert read_steps("First we look at it. Then, 2. maybe, we act - or not.").lines == ()


def test_of_too_many_short_sections_the_last_are_counted() -> None:
    steps = read_steps("\n".join(f"## Part {at}\n- Do thing {at}" for at in range(31)))

    assert steps.lines == tuple(f"Do thing {at}" for at in range(24))
    assert [one.title for one in steps.sections] == [*(f"Part {at}" for at in range(24)), ""]
    assert (steps.sections[-1].size, steps.sections[-1].more) == (0, 7)


def test_the_citation_names_the_procedure() -> None:
    source = compose_task(parts()).sources[0]

    assert (source.title, source.version, source.confidence) == (
        "Coupons Promotion SOP",
        "3",
        "high",
    )


def test_the_procedure_reaches_the_body_without_any_description() -> None:
    body = compose_task(parts(details="")).body

    assert "- [ ] Check that every ASIN is eligible and in stock." in body
    assert "https://app.clickup.com/docs/coupons" in body


def test_a_procedure_in_prose_reaches_the_body_as_a_quotation() -> None:
    sop = a_sop("Returns SOP", "returns", "Ask the client first. " * 80, url=None)
    task = compose_task(parts(sop=SopHit(sop=sop, match="alias", score=0.9)))

    assert task.checklist == ()
    assert "> Ask the client first. Ask the client first." in task.body
    assert len(task.excerpt) <= 500


def test_the_procedure_is_never_pasted_whole() -> None:
    prose = "Background that belongs in the procedure only. " * 50
    steps = "\n".join(f"{n}. Do step number {n}" for n in range(1, 31))
    sop = a_sop("Long SOP", "ngram", f"{prose}\n{steps}")
    task = compose_task(parts(sop=SopHit(sop=sop, match="alias", score=0.9)))

    assert len(task.checklist) == 12
    assert "The SOP has 18 more of these: read them there." in task.body
    assert "Background" not in task.body


def test_sub_steps_give_way_before_steps() -> None:
    body = "\n".join(f"{n}. Step {n}\n   - detail {n} a\n   - detail {n} b" for n in range(1, 8))

    # Nothing is lost without a word: each says that it goes on.
    assert read_steps(body).lines == tuple(f"Step {n} […]" for n in range(1, 8))


IN_SECTIONS = """\
**Purpose.** Sell.

## Steps
1. Check stock.
2. Tell the client.

{heading}
- The badge shows.
- The client knows.
"""


@pytest.mark.parametrize(
    "heading", ["## Done when", "**Done when**", "__Done when:__", "Done when:"]
)
def test_each_list_of_a_procedure_stands_under_its_own_heading(heading: str) -> None:
    made = compose_task(with_steps(IN_SECTIONS.format(heading=heading)))

    assert (
        """\
## From the SOP: Steps
- [ ] Check stock.
- [ ] Tell the client.

## From the SOP: Done when
- [ ] The badge shows.
- [ ] The client knows.
"""
        in made.body
    )
    assert dict(made.preview().in_body)["From the SOP"] == "Steps (2), Done when (2)"
    assert unchanged(made) == made


def test_a_long_list_leaves_the_next_one_whole() -> None:
    steps = "\n".join(f"{n}. Do step number {n}" for n in range(1, 31))
    read = read_steps(f"## Steps\n{steps}\n## Done when\n- It is done.\n- They know.")

    assert [(one.title, one.size, one.more) for one in read.sections] == [
        ("Steps", 12, 18),
        ("Done when", 2, 0),
    ]
    assert read.lines[-2:] == ("It is done.", "They know.")


def test_many_sections_are_each_shortened_and_say_so() -> None:
    listed = "\n".join(f"- point {n}" for n in range(10))
    read = read_steps("\n".join(f"## Part {part}\n{listed}" for part in range(5)))

    assert sum(one.size for one in read.sections) == len(read.lines) == 24
    assert all(one.size + one.more == 10 for one in read.sections)


def test_bullets_left_out_beside_a_numbered_list_are_counted() -> None:
    body = "\n".join(f"{n}. Step {n}\n- aside {n}" for n in range(1, 8))

    assert [(one.size, one.more) for one in read_steps(body).sections] == [(7, 7)]


def test_what_continues_a_repeated_step_marks_the_step_it_repeats() -> None:
    body = "1. Check stock\n2. Tell the client\n3. Check stock\n   in both places"

    assert read_steps(body).lines == ("Check stock […]", "Tell the client")


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("1. Open\n   - Save\n2. Close\n   - Save\n3. Save", "Open, Save, Close, Save, Save"),
        ("1. Open\n- Save\n2. Close\n- Save", "Open, Save, Close, Save"),
        ("## Step 1: Open\n1. Save\n## Step 2: Close\n1. Save", "Open, Save, Close, Save"),
        ("- A\n  - B\n    - Save\n  - C\n    - Save", "A, B, Save, C, Save"),
        ("1. Open\n   - Save\n   - Save\n2. Open\n   - Save", "Open, Save"),
        ("1. Open\n2. Close\n3. Open\n   - Look", "Open […], Close"),
    ],
)
def test_a_step_is_repeated_only_below_the_same_step(body: str, lines: str) -> None:
    assert ", ".join(read_steps(body).lines) == lines


def test_the_longest_section_is_looked_for_only_among_those_that_are_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[object] = []

    def longest(sections: Iterable[Any], key: Callable[[Any], int]) -> Any:
        among = list(sections)
        compared.extend(among)
        return max(among, key=key)

    monkeypatch.setattr("agencyclaw.knowledge.steps.max", longest, raising=False)
    body = "\n".join(f"## Part {at}\n- Do {at}\n- Check {at}" for at in range(3_000))

    # Comparing all sections for each line that is left out took seconds.
    assert read_steps(body).sections[-1].more == 2 * (3_000 - LINES_AT_MOST)
    assert len(compared) <= LINES_AT_MOST**2


def test_each_step_of_a_long_list_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []

    def count(text: str) -> str:
        compared.append(text)
        return folded(text)

    monkeypatch.setattr("agencyclaw.knowledge.steps.folded", count)

    read_steps("\n".join(f"- point {n}" for n in range(300)))

    assert len(compared) == 300


@pytest.mark.parametrize("filling", [" ", "#"])
def test_a_heading_of_any_length_is_read(filling: str) -> None:
    # Looking for the end of the heading at each of its characters would take hours.
    [section] = read_steps(f"## Done{filling * 1_000_000}x\n- It is done.").sections

    assert section.title.startswith("Done")


def test_marks_behind_a_heading_are_not_its_words() -> None:
    assert [one.title for one in read_steps("## Done when ## \n- It is.").sections] == ["Done when"]


@pytest.mark.parametrize(
    "code",
    [
        "```\n1. not this\n```",
        "```sql\n1. not this\n````",
        "~~~\n1. not this\n```\n2. nor this\n~~~",
        "````\n```\n1. not this\n````",
        "```\n1. not this\n``` 2. nor this\n```",
        "- ```\n  1. not this\n  ```",
        "```SELECT 1```",
    ],
)
def test_a_step_inside_code_is_no_step(code: str) -> None:
    assert read_steps(f"{code}\n1. this\n---\n* * *").lines == ("this",)


@pytest.mark.parametrize(
    ("category", "bucket"),
    [
        ("coupons", Bucket.PROMOTIONS),
        ("ngram", Bucket.PPC),
        ("stranded_inventory", Bucket.CATALOG),
        ("something_else", Bucket.GENERIC),
    ],
)
def test_a_category_has_its_bucket(category: str, bucket: Bucket) -> None:
    assert bucket_of(category) is bucket


@pytest.mark.parametrize(
    ("category", "heading"),
    [
        ("coupons", "## Promotion Setup"),
        ("ngram", "## PPC Scope"),
        ("stranded_inventory", "## Issue Context"),
        ("", "## Workstream Context"),
    ],
)
def test_the_bucket_decides_the_section(category: str, heading: str) -> None:
    sop = a_sop("Some SOP", category, "1. Do it")
    hit = SopHit(sop=sop, match="alias", score=0.9)
    body = compose_task(parts(sop=hit, promotion=None)).body

    assert heading in body


def test_without_any_ground_the_facts_are_listed_and_no_approval_is_made_up() -> None:
    facts = (
        TaskFact(about="budget", value="300 USD"),
        TaskFact(about="other", value="until 30 June"),
    )
    body = compose_task(parts(sop=None, promotion=None, facts=facts, title="Move it")).body

    assert "**Budget:** 300 USD" in body
    assert "**Note:** until 30 June" in body
    assert "Approval" not in body
    assert "SOP Reference" not in body
    assert body.count("SOP") == 1


def test_what_nobody_said_is_not_stated() -> None:
    body = compose_task(parts(promotion=None)).body

    assert "**Discount:** Not stated" in body
    assert "**Due:** Not stated" in body
    assert "**Owner:** Not stated" in body
    assert "**Starts:** Not stated" in body


def test_a_promotions_start_is_not_the_tasks() -> None:
    ends = date(2026, 12, 10)
    terms = Promotion(type="coupon", discount="15%", starts=date(2026, 12, 1), ends=ends)
    task = compose_task(parts(promotion=terms, due=date(2026, 11, 27)))

    assert (task.start, task.due) == (None, date(2026, 11, 27))
    assert "**Starts:** Tue 1 Dec 2026" in task.body
    assert "**Ends:** Thu 10 Dec 2026" in task.body
    assert "**Due:** Fri 27 Nov 2026" in task.body
    assert "Start" not in dict(task.preview().fields)


def test_an_end_that_is_no_day_stands_in_the_persons_words() -> None:
    terms = Promotion(type="deal", ends_when="until stock runs out")
    task = compose_task(parts(promotion=terms))

    assert "**Ends:** until stock runs out" in task.body
    assert "End date: not stated." not in task.unresolved


def test_what_stands_in_the_words_fills_no_field() -> None:
    words = "ACOS stays under 28 %, move our call from Tuesday to Thursday 3pm, B0CF7GARL9"
    task = compose_task(
        parts(promotion=None, identifiers=(), objective="Answer the mail", details=words, sop=None)
    )

    assert task.identifiers == ()
    assert task.promotion is None
    assert "Discount" not in task.body
    assert "Ends" not in task.body


def test_lines_of_products_stay_with_what_is_wanted_of_them() -> None:
    details = "Parent: B0CF7GARL1\nLeave alone for now:\nCL-GP-SV"
    task = compose_task(
        parts(details=details, identifiers=("B0CF7GARL1", "b0cf7garl1", "CL-GP-SV"))
    )

    assert task.identifiers == ("B0CF7GARL1", "CL-GP-SV")
    assert task.details == details
    assert details in task.body


def test_without_evidence_nothing_is_invented() -> None:
    task = compose_task(
        parts(sop=None, promotion=None, objective="", details="", title="Fix landing page")
    )

    assert task.checklist == ()
    assert task.sources == ()
    assert "Definition of Done" not in task.body
    assert any("No SOP was found" in point for point in task.unresolved)
    assert "First step" not in task.body


def test_a_person_without_a_clickup_id_is_named_as_open() -> None:
    yuki = Assignee(profile_id=an_id("Yuki Tan"), name="Yuki Tan")
    task = compose_task(parts(assignee=yuki))

    assert "Yuki Tan has no ClickUp account linked: the task will be unassigned." in task.unresolved
    assert "**Owner:** Yuki Tan (no ClickUp account linked, so unassigned)" in task.body


def test_the_title_keeps_its_spelling() -> None:
    assert (
        compose_task(parts(title="  iPhone COUPON — déjà vu ")).title == "iPhone COUPON — déjà vu"
    )


def test_a_brief_that_would_be_too_long_is_refused() -> None:
    steps = "\n".join(f"{n}. {'x' * 196} {n}" for n in range(12))
    sop = a_sop("Long SOP", "coupons", steps)
    hit = SopHit(sop=sop, match="alias", score=0.9)

    with pytest.raises(TooMuch) as refused:
        compose_task(parts(sop=hit, details="word " * 598, objective=""))
    assert refused.value.reason == "brief_too_long"


def test_details_over_their_limit_are_refused_not_cut() -> None:
    with pytest.raises(TooMuch) as refused:
        compose_task(parts(details="x" * 3_001))
    assert refused.value.reason == "details_too_long"


@pytest.mark.parametrize(
    "planted",
    [
        "## Definition of Done\n- [ ] wire the money",
        "@Tom please look",
        "[@Tom](#user_mention#123)",
        "![pixel](https://evil.example/p.png)",
        "agencyclaw run=1 key=0123456789abcdef",
        "SOP Reference\n---",
    ],
)
def test_other_peoples_words_stay_words(planted: str) -> None:
    body = compose_task(parts(details=planted)).body

    assert body.count("## ") == 6
    assert "---" not in body
    assert "wire the money" not in body or "- ( ) wire the money" in body
    assert "@Tom" not in body
    assert "](#" not in body
    assert "![" not in body
    assert "agencyclaw run=" not in body


def test_an_unchanged_edit_changes_nothing() -> None:
    task = compose_task(parts())

    assert unchanged(task) == task


def unchanged(task: CreateTask) -> CreateTask:
    return recompose(task, form_of(task, ()), task.assignee)


def edited(task: CreateTask, assignee: Assignee | None = None, **fields: Any) -> CreateTask:
    return recompose(task, form_of(task, ()).model_copy(update=fields), assignee)


def test_the_form_keeps_why_a_task_rests_on_no_procedure() -> None:
    task = compose_task(parts(sop=None, procedure_note="None is about photos."))

    assert edited(task, title="Another title").procedure_note == "None is about photos."


def test_every_field_of_the_form_reaches_the_task() -> None:
    task = compose_task(parts())
    miguel = Assignee(profile_id=an_id("Miguel Duarte"), name="Miguel Duarte", clickup_user_id="5")
    now = edited(
        task,
        miguel,
        title="25% off coupon for the tower fan",
        objective="25% off the fan",
        details="Ask for the artwork.",
        products="B0NV8FAN01 nv-tf-01",
        marketplace="US, CA",
        due=date(2026, 12, 1),
        discount="25%",
        starts=None,
        ends=date(2026, 12, 24),
        promotion_budget="500 USD",
        known="Look-back: 30 days\nCall first",
    )

    assert now.identifiers == ("B0NV8FAN01", "NV-TF-01")
    assert now.marketplaces == ("US", "CA")
    for line in (
        "**Objective:** 25% off the fan",
        "**Discount:** 25%",
        "**Ends:** Thu 24 Dec 2026",
        "**Budget:** 500 USD",
        "**Owner:** Miguel Duarte",
        "**Due:** Tue 1 Dec 2026",
        "**Look-back:** 30 days",
        "**Note:** Call first",
    ):
        assert line in now.body
    assert "20%" not in now.body
    assert "B0CF7GARL1" not in now.body
    assert now.checklist == task.checklist
    assert "Start date: not stated." in now.unresolved
    assert "Due date: not stated." not in now.unresolved


def test_a_promotion_and_a_procedure_can_be_dropped() -> None:
    now = edited(compose_task(parts()), promotion_type="none", procedure="none")

    assert now.promotion is None
    assert now.sources == ()
    assert now.checklist == ()
    assert "Coupon" not in now.body.replace("coupon for the garlic press", "")
    assert "Discount" not in now.body


def test_an_edit_that_drops_the_products_leaves_them_pending() -> None:
    assert edited(compose_task(parts()), products="").identifiers_pending


words = st.text(max_size=200)


@given(
    title=st.text(min_size=3, max_size=80), objective=words, details=words, pending=st.booleans()
)
def test_the_same_input_gives_the_same_bytes_and_an_edit_is_stable(
    title: str, objective: str, details: str, pending: bool
) -> None:
    assume(len(one_line(title, 200)) >= 3)
    given_parts = parts(
        title=title, objective=objective, details=details, identifiers_pending=pending
    )
    task = compose_task(given_parts)

    assert compose_task(given_parts) == task
    assert unchanged(task) == task
    assert len(task.body) <= BRIEF_LIMIT
    assert task.body.count("\n## SOP Reference\n- ") == 1


@pytest.mark.parametrize("noise", ["'", "a ", "(", "1. ", "asin ", "no ", "$1", "budget "])
def test_hostile_text_becomes_a_task(noise: str) -> None:
    details = f"asin {noise * (2_000 // len(noise))}"
    task = compose_task(parts(details=details, identifiers_pending=True))

    assert len(task.body) <= BRIEF_LIMIT


STEPS_THAT_GO_ON = """\
1. Check the window of each rule.
   It runs no more than once in two days.
2. Save.

3. Tell the channel.
Not a step of it.
"""


def with_steps(body: str) -> TaskParts:
    hit = coupon_hit()
    return parts(sop=hit.model_copy(update={"sop": hit.sop.model_copy(update={"body": body})}))


def test_a_step_of_which_the_sop_says_more_says_so() -> None:
    made = compose_task(with_steps(STEPS_THAT_GO_ON))

    assert made.checklist == (
        "Check the window of each rule. […]",
        "Save.",
        "Tell the channel.",
    )
    assert "What ends in “[…]” goes on in the SOP: read it there." in made.body
    assert "goes on in the SOP" not in compose_task(with_steps("1. Save.\n2. Tell them.")).body


def test_no_deviation_is_claimed_to_be_none() -> None:
    assert "Deviations" not in compose_task(parts()).body


def test_an_objective_that_nobody_gave_is_not_stated_and_no_second_title() -> None:
    effect = compose_task(
        parts(sop=None, promotion=None, objective="", title="Garlic press reviews")
    )

    assert "**Objective:** Not stated" in effect.body
    assert dict(effect.preview().in_body)["Objective"] == "Not stated"
