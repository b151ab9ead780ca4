"""An answer may leave out what was seen; it may not add to it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.domain.people import Value
from agencyclaw.knowledge.grounding import Seen, check_grounding, cited
from agencyclaw.knowledge.links import repair

SOP = "Coupons Promotion SOP"
FOUND = '{"procedures":[{"title":"Coupons Promotion SOP"}],"budget":"1,500 USD","share":12.5}'
SEEN = Seen(request="how do we do a 20% coupon?", text=f"a 20% coupon? {FOUND}", procedures=(SOP,))


def codes(answer: str, seen: Seen = SEEN, severity: str = "error") -> set[str]:
    return {one.code for one in check_grounding(answer, seen) if one.severity == severity}


@pytest.mark.parametrize(
    "answer",
    [
        "The Pricing Ladder SOP says to start at once.",
        "See the Hijacker Response Playbook.",
        "Check stock first [2].",
        "The procedure “Pricing Ladder” says to start at once.",
        "There is no need to wait: the Pricing Ladder SOP says to start.",
    ],
)
def test_a_source_it_does_not_have_is_an_error(answer: str) -> None:
    assert codes(answer) == {"unknown_source"}


@pytest.mark.parametrize(
    "answer",
    [
        "The Coupons Promotion SOP says to check stock.",
        "Per the Coupons Promotion SOP, check stock [1].",
        "There is no SOP for this.",
        "An SOP is a written procedure.",
        "[Open the task](https://app.clickup.com/t/99999)",
        "This SOP says to check stock.",
        "Which SOP do you mean?",
        "Only one SOP covers this.",
        "I found no Refund Handling SOP.",
        "No Refund Handling SOP is in the library.",
        "I couldn't find a procedure called “Refund Handling”.",
        "The procedure “Coupons Promotion” says to check stock.",
    ],
)
def test_a_source_that_was_found_may_be_named(answer: str) -> None:
    assert codes(answer) == set()


@pytest.mark.parametrize(
    "answer",
    [
        "The discount is 35%.",
        "The budget is 2,750 USD.",
        "They sold $4,800,000 last year.",
        "ACOS was 28.40 in October.",
        "The target is 200k.",
        "They sold USD 950.",
        "They sold 950€.",
        "They sold £950.",
        "They sold 1.9 bn.",
        "A discount of 35 per cent.",
    ],
)
def test_a_figure_that_nothing_returned_is_an_error(answer: str) -> None:
    assert codes(answer) == {"unknown_figure"}


@pytest.mark.parametrize(
    "answer",
    [
        "A 20% coupon with a budget of $1,500.",
        "The budget is 1.5k USD.",
        "The share is 12.5 percent.",
        "Three of the 7 tasks are late, due on 20 November 2026.",
        "20% of 1,500 USD is 300 USD.",
        "Should the discount be 35%?",
        "Available 24/7.",
        "All of them (100%) are open, none (0%) is done.",
        "The call is at 2.30 pm.",
        "1,500 USD, or USD 1.5k.",
    ],
)
def test_figures_that_were_seen_or_follow_from_them_pass(answer: str) -> None:
    assert codes(answer) == set()


def test_days_hours_and_addresses_are_no_evidence_of_a_figure() -> None:
    found = (
        'Today is 2026-11-28, 10:35. {"due":"2026-11-29","url":"https://app.clickup.com/t/86x31",'
        '"acos":"25%","total":3}'
    )

    for invented in ("28%", "29%", "35%", "31%", "36%"):
        assert codes(f"ACOS was {invented}.", Seen(text=found)) == {"unknown_figure"}
    assert codes("ACOS was 25%.", Seen(text=found)) == set()


def test_small_counts_are_reckoned_with_where_they_stand_beside() -> None:
    found = Seen(text='{"units":"3","price":"12.50"} in 7 lists')

    assert codes("3 units at $12.50 make $37.50.", found) == set()
    assert codes("It costs $87.50.", found) == {"unknown_figure"}


SALES = (
    'in all 7 tasks {"rows":[{"sales":"1200","acos":"28.5"},{"sales":"1500","acos":"31.0"},'
    '{"sales":"2400","acos":"24.0"}],"total":7,"late":3,"owners":2}'
)


@pytest.mark.parametrize(
    "answer",
    [
        "3 of 7 are late, which is 43%.",
        "3 of 7 are late, which is 42.86 percent.",
        "It grew from 1,200 to 1,500, so by 25%.",
        "1,200 and 1,500 USD make 1,350 USD on average.",
        "All three sold 5,100 USD.",
        "Mean ACOS over the three: 27.83%.",
        "1,200 and 1,500 USD make 2,700 USD.",
        "44%, 1,200 of 2,700 USD.",
    ],
)
def test_one_simple_operation_on_seen_figures_is_no_invention(answer: str) -> None:
    assert codes(answer, Seen(text=SALES)) == set()


@pytest.mark.parametrize(
    "answer",
    [
        "43% are late.",
        "5 of 9 are late, which is 55.56%.",
        "3 of 7 are late, which is 45%.",
        "1,200 and 1,500 USD make 1,400 USD on average.",
        "All three sold 5,200 USD.",
        "Mean ACOS over the three: 26.83%.",
    ],
)
def test_what_no_simple_operation_gives_is_invented(answer: str) -> None:
    assert codes(answer, Seen(text=SALES)) == {"unknown_figure"}


FIGURES = st.lists(st.integers(10_000, 90_000), min_size=2, max_size=4, unique=True)


@given(FIGURES, st.sampled_from(["sum", "difference", "share", "mean"]), st.integers(0, 2))
def test_whatever_one_operation_gives_passes_and_its_neighbour_does_not(
    figures: list[int], operation: str, places: int
) -> None:
    one, other = figures[:2]
    exact = {
        "sum": float(one + other),
        "difference": float(abs(one - other)),
        "share": 100 * one / other,
        "mean": (one + other) / 2,
    }[operation]
    unit = "%" if operation == "share" else " USD"
    seen = Seen(text=" and ".join(str(figure) for figure in figures))
    said = f"{one} and {other} give "
    assert codes(f"{said}{exact:.{places}f}{unit}.", seen) == set()
    wrong = exact * 1.37 + 7_777.7
    assert codes(f"{said}{wrong:.2f} USD.", seen) == {"unknown_figure"}


def test_a_secret_is_an_error_whoever_wrote_it() -> None:
    seen = Seen(request="is xoxb-123456789012-abc ours?", text="xoxb-123456789012-abc")

    assert codes("Yes, xoxb-123456789012-abc is ours.", seen) == {"secret"}


ALL = Seen(request="list all open tasks", text="", listed=7)


def test_a_sample_where_all_were_asked_for_is_an_error() -> None:
    some = "Open tasks, for example:\n- Fix the listing\n- Restock\n"

    assert codes(some, ALL) == {"sample_for_all"}
    assert codes("- Fix\n- Restock\n… and 5 more", ALL) == {"sample_for_all"}
    assert codes(some, ALL.model_copy(update={"request": "which tasks matter?"})) == set()
    assert codes("\n".join(f"- Task {n}" for n in "abcdefg"), ALL) == set()


def test_o07_a_short_correct_answer_passes() -> None:
    seen = Seen(request="is Acme active?", text="Acme active")

    assert check_grounding("Yes, Acme is active.", seen) == []


def test_o08_a_vague_answer_to_a_long_question_is_a_warning() -> None:
    seen = Seen(request="which of the coupon tasks of Glintly are late and who holds them now?")

    found = check_grounding("I think some of them may be a bit late.", seen)

    assert {(one.severity, one.code) for one in found} >= {("warning", "short")}
    assert codes("I think some of them may be a bit late.", seen) == set()


def test_evidence_without_a_citation_is_only_recorded() -> None:
    assert codes("Check stock, then set the coupon.", severity="warning") == {"uncited"}


def test_o15_only_the_source_that_was_used_is_shown() -> None:
    titles = (SOP, "Price Discounts Promotion SOP", "N-PAT Optimization SOP", "Pacvue Rules SOP")

    assert cited("As the Coupons Promotion SOP says, check stock.", titles) == (SOP,)


def test_o10_code_stays_as_it_is_written() -> None:
    code = "```\ndef call(**kwargs):\n> quoted\n| a | b |\n|---|---|\n```"

    assert repair(code) == code
    assert codes(code) == set()


def test_o11_a_quoted_line_is_no_block_quote() -> None:
    assert repair("He wrote:\n> check stock\n>> twice\nso") == "He wrote:\ncheck stock\ntwice\nso"


def test_a_table_becomes_rows() -> None:
    rows = "| Fix | Friday | Sara |\n| Restock | | Yuki |"
    table = f"| Task | Due | Who |\n|---|:---:|---|\n{rows}\n\nEnd"

    assert repair(table) == "- Fix · Due: Friday · Who: Sara\n- Restock · Who: Yuki\n\nEnd"
    assert repair(repair(table)) == repair(table)


class Endless(Value):
    """Texts that a careless expression would read for minutes."""

    texts: tuple[str, ...] = ("word " * 20_000, "1" * 50_000, "Aa " * 20_000, "> " * 20_000)


@pytest.mark.parametrize("text", Endless().texts)
def test_an_endless_text_is_checked_to_its_end(text: str) -> None:
    assert codes(repair(text)) == set()
