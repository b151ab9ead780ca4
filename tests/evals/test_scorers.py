"""A scorer that cannot fail is worth nothing: each finds what is wrong in a wrong ledger."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from evals.expected import Expected
from evals.ledger import KeptProposal, Ledger, MadeCall, NewTask, PlayedTurn
from evals.scorers import (
    SCORERS,
    Answers,
    Audit,
    Effects,
    Proposals,
    Scored,
    Trajectory,
    is_wrong,
)

TODAY = date(2026, 3, 12)
DUE = TODAY + timedelta(days=3)
EXPECTED = Expected.model_validate({
    "turns": [
        {
            "calls": [{"search_kb": {"query": "coupon"}}, {"create_task": {"brand": "Copperleaf"}}],
            "avoids": ["list_tasks"], "cites": ["Coupons Promotion SOP"], "facts": ["owner"],
            "point": "The coupon task", "never": ["Hearthlane"], "asks": False, "bullets": 1,
        },
        {"by": "code", "tells": ["Created"], "events": ["consent_confirm:confirmed"]},
        {
            "quiet": True, "asks": True, "questions": 1, "choices": ["Copperleaf", "Nordvent"],
            "condensed": ["15%"], "about": "Pawtrail",
        },
    ],
    "gaps": ["parental leave"],
    "proposals": [{
        "client": "Brightkettle Group", "brand": "Copperleaf", "list": "Brightkettle Backlog",
        "title": ["coupon"], "state": "done", "assignee": "Hana Idris", "due": "today+3",
        "identifiers": ["B0CF7GARL1"], "sources": ["Coupons Promotion SOP"], "missing": ["Owner"],
        "body": ["20% off"], "never": ["Nordvent"],
    }],
    "tasks": [{"list": "Brightkettle Backlog", "title": ["coupon"], "assignees": ["Hana Idris"]}],
})  # fmt: skip
SEARCHED = MadeCall(
    tool="search_kb",
    args={"query": "coupon 20% off"},
    result={"procedures": [{"title": "Coupons Promotion SOP"}]},
)
CREATED = MadeCall(
    tool="create_task",
    args={"brand": "Copperleaf", "title": "Set up the coupon"},
    result={"kind": "proposed"},
)
ANSWER = "The coupon task is on the card:\n- by the “Coupons Promotion SOP”, the owner is open"
KEPT = KeptProposal(
    kind="create_task", undo=False, client="Brightkettle Group", brand="Copperleaf",
    list="Brightkettle Backlog", title="Set up the coupon", body="20% off", state="done",
    reason=None, actor="Sara Lindqvist", confirmed_by_actor=True, assignee="Hana Idris", due=DUE,
    identifiers=("B0CF7GARL1",), sources=("Coupons Promotion SOP",), missing=("Owner is open",),
)  # fmt: skip
TASK = NewTask(
    list="Brightkettle Backlog", title="Set up the coupon", assignees=("Hana Idris",), body=""
)
TURNS = (
    PlayedTurn(said="coupon", status="completed", calls=(SEARCHED, CREATED), answer=ANSWER),
    PlayedTurn(said="yes", notices=("Created it",), events=("consent_confirm:confirmed",)),
    PlayedTurn(
        said="hm",
        status="completed",
        answer="Which one?",
        choices=("Copperleaf", "Nordvent"),
        condensed="A coupon of 15% was agreed.",
        about="Pawtrail",
    ),
)
RIGHT = Ledger(
    today=TODAY, turns=TURNS, proposals=(KEPT,), tasks=(TASK,), writes=("create_task",),
    gaps=("how do we hand over for a parental leave?",), unsettled=(),
)  # fmt: skip


def turn(number: int, **differs: Any) -> Ledger:
    """The right ledger with one turn that went otherwise."""
    turns = [one.model_copy(update=differs) if at == number else one
             for at, one in enumerate(TURNS, start=1)]  # fmt: skip
    return RIGHT.model_copy(update={"turns": tuple(turns)})


def proposal(**differs: Any) -> Ledger:
    return RIGHT.model_copy(update={"proposals": (KEPT.model_copy(update=differs),)})


def whole(**differs: Any) -> Ledger:
    return RIGHT.model_copy(update=differs)


def call(made: MadeCall, **differs: Any) -> MadeCall:
    return made.model_copy(update=differs)


ASKED = call(CREATED, args={"brand": "Copperleaf", "title": "x"}, result={"kind": "ask"})
TWICE = call(CREATED, args={**CREATED.args, "create_anyway": True})
CLAIMS = "The coupon task, owner open, by the Coupons Promotion SOP:\n- I have created the task."
WRONG: list[tuple[type[Scored], str, Ledger]] = [
    (Proposals, "0 proposals instead of 1", whole(proposals=())),
    (Proposals, "2 proposals instead of 1", whole(proposals=(KEPT, KEPT))),
    (Proposals, "kind is", proposal(kind="assign_person")),
    (Proposals, "undo is", proposal(undo=True)),
    (Proposals, "client is", proposal(client="Pawtrail")),
    (Proposals, "brand is", proposal(brand="Nordvent")),
    (Proposals, "list is", proposal(list="Inbox")),
    (Proposals, "state is", proposal(state="open")),
    (Proposals, "assignee is", proposal(assignee=None)),
    (Proposals, "pending is", proposal(pending=True)),
    (Proposals, "anyway is", proposal(anyway=True)),
    (Proposals, "due is", proposal(due=TODAY)),
    (Proposals, "start is", proposal(start=TODAY)),
    (Proposals, "identifiers is", proposal(identifiers=())),
    (Proposals, "sources is", proposal(sources=())),
    (Proposals, "title lacks", proposal(title="Set it up")),
    (Proposals, "body lacks", proposal(body="15% off")),
    (Proposals, "open points lacks", proposal(missing=())),
    (Proposals, "contains “Nordvent”", proposal(title="coupon for Nordvent")),
    (Effects, "0 tasks were created instead of 1", whole(tasks=())),
    (Effects, "list is", whole(tasks=(TASK.model_copy(update={"list": "Inbox"}),))),
    (Effects, "assignees is", whole(tasks=(TASK.model_copy(update={"assignees": ()}),))),
    (Effects, "archived is", whole(tasks=(TASK.model_copy(update={"archived": True}),))),
    (Effects, "1 older tasks are other now", whole(changed=(TASK,))),
    (Effects, "0 proposals are done", proposal(state="open")),
    (Effects, "did not release", proposal(confirmed_by_actor=False)),
    (Effects, "changed in other ways", whole(writes=("create_task", "update_task"))),
    (Effects, "2 requests to create", whole(writes=("create_task", "create_task"))),
    (Trajectory, "no call search_kb", turn(1, calls=(CREATED,))),
    (Trajectory, "no call create_task", turn(1, calls=(SEARCHED, call(CREATED, args={})))),
    (Trajectory, "list_tasks was called", turn(1, calls=(
        SEARCHED, CREATED, MadeCall(tool="list_tasks", args={}, result={"total": 1})))),
    (Trajectory, "no tool was needed", turn(3, calls=(SEARCHED,))),
    (Trajectory, "a change nobody asked for", turn(2, calls=(CREATED,))),
    (Trajectory, "prepared again", turn(1, calls=(SEARCHED, CREATED, CREATED))),
    (Trajectory, "instead of putting the question", turn(1, calls=(SEARCHED, ASKED, CREATED))),
    (Trajectory, "it insisted", turn(1, calls=(SEARCHED, TWICE))),
    (Trajectory, "no tool could take", turn(1, calls=(SEARCHED, call(CREATED, result={})))),
    (Answers, "who answered is 'code'", turn(1, status=None)),
    (Answers, "who answered is 'nobody'", turn(2, notices=())),
    (Answers, "does not begin with the point", turn(1, answer=f"{'Well, ' * 40}{ANSWER}")),
    (Answers, "lacks “owner”", turn(1, answer=ANSWER.replace("owner", "rest"))),
    (Answers, "lacks “Coupons Promotion SOP”", turn(1, answer=ANSWER.replace("Promotion ", ""))),
    (Answers, "nobody was told “Created”", turn(2, notices=("Done.",))),
    (Answers, "it says “Hearthlane”", turn(1, answer=f"{ANSWER}, as for Hearthlane")),
    (Answers, "it says “something went wrong”", turn(2, whispers=("Something went wrong",))),
    (Answers, "0 list items", turn(1, answer=ANSWER.replace("- ", ""))),
    (Answers, "no question was asked", turn(3, answer="The first one.")),
    (Answers, "a question was asked", turn(1, answer=f"{ANSWER}. Shall I?")),
    (Answers, "2 questions were asked", turn(3, answer="Which one? And when?")),
    (Answers, "choices are", turn(3, choices=("Copperleaf",))),
    (Answers, "claims_change", turn(1, answer=CLAIMS)),
    (Answers, "is no procedure that was found", turn(1, answer=f"{ANSWER}, and the Returns SOP")),
    (Audit, "left half-done", whole(unsettled=("left half-done",))),
    (Audit, "nothing to press", turn(2, was_possible=False)),
    (Audit, "it was answered 2 times", turn(1, answers=2)),
    (Audit, "the run is failed", turn(1, status="failed")),
    (Audit, "refused is", turn(1, refused=("not_mapped",))),
    (Audit, "no consent_confirm:confirmed", turn(2, events=())),
    (Audit, "the talk's client is ''", turn(3, about="")),
    (Audit, "0 questions without an answer are kept", whole(gaps=())),
    (Audit, "kept without an answer lacks", whole(gaps=("how do we hire?",))),
    (Audit, "nothing of the thread was condensed", turn(3, condensed="")),
    (Audit, "what was condensed lacks “15%”", turn(3, condensed="They spoke of a coupon.")),
]  # fmt: skip


GLINTLY = call(CREATED, args={"brand": "Glintly", "title": "Set up the coupon"})


def calls_of(*made: MadeCall, wanted: list[Any]) -> list[str]:
    """What the trajectory of one turn with these calls is told."""
    played = PlayedTurn(said="coupon", status="completed", calls=made)
    expected = Expected.model_validate({"turns": [{"calls": wanted}]})
    return list(Trajectory().find(whole(turns=(played,)), expected))


def test_a_call_that_fits_two_expected_ones_leaves_the_other_its_own() -> None:
    wanted = ["create_task", {"create_task": {"brand": "Copperleaf"}}]

    assert calls_of(CREATED, GLINTLY, wanted=wanted) == []
    assert "no call create_task" in calls_of(GLINTLY, GLINTLY, wanted=wanted)[0]


def test_a_task_that_fits_two_expected_ones_leaves_the_other_its_own() -> None:
    other = TASK.model_copy(update={"title": "Set up the deal"})
    wanted = [{"list": TASK.list, "title": [title], "assignees": list(TASK.assignees)}
              for title in ("Set up", "coupon")]  # fmt: skip
    expected = EXPECTED.model_copy(
        update={"tasks": Expected.model_validate({"turns": [], "tasks": wanted}).tasks}
    )

    told = list(Effects().find(whole(tasks=(TASK, other)), expected))

    assert not [one for one in told if "lacks" in one]


def test_two_tools_with_the_same_arguments_are_two_changes() -> None:
    same, tools = {"person": "Hana Idris"}, ("assign_person", "remove_assignment")
    made = [MadeCall(tool=tool, args=same, result={"kind": "proposed"}) for tool in tools]

    assert calls_of(*made, wanted=list(tools)) == []
    assert len(calls_of(made[0], *made, wanted=list(tools))) == 1


def test_a_turn_is_scored_by_the_day_of_its_play() -> None:
    wanted = Expected.model_validate({
        "turns": [{"calls": [{"create_task": {"due": "today+3"}}], "facts": ["card"]}]
    }).turns[0]  # fmt: skip
    made = call(CREATED, args={"due": DUE.isoformat()})
    played = PlayedTurn(said="x", status="completed", calls=(made,), answer="It's on the card.")

    assert not is_wrong(played, wanted, TODAY)
    assert is_wrong(played, wanted, DUE)


@pytest.mark.parametrize(
    ("day", "other", "words"),
    [
        ("2026-03-13", "2026-03-20", "this friday"),
        ("2026-03-20", "2026-03-13", "friday next week"),
        ("2026-03-19", "2026-03-12", "next thursday"),
        ("Next steps for Glintly", "Steps for Glintly", "next steps"),
    ],
)
def test_a_day_may_be_written_in_every_form_and_any_other_text_is_text(
    day: str, other: str, words: str
) -> None:
    wanted = [{"create_task": {"due": words}}]

    assert calls_of(call(CREATED, args={"due": day}), wanted=wanted) == []
    assert len(calls_of(call(CREATED, args={"due": other}), wanted=wanted)) == 1


def told_of(said: str, answer: str, **wanted: Any) -> list[str]:
    """What an answer without a look-up is told."""
    played = PlayedTurn(said=said, status="completed", answer=answer)
    return list(
        Answers().find(
            whole(turns=(played,)), Expected.model_validate({"turns": [{"asks": False, **wanted}]})
        )
    )


@pytest.mark.parametrize(
    ("words", "right", "wrong"),
    [
        ("7 | seven", "There are 7 of them.", "There are 17 of them."),
        ("7", "7, to be exact.", "7,000 of them."),
        ("60 days", "For 60 days.", "For 160 days."),
        ("15%", "15% off.", "1.15% off."),
        ("$40", "It cost $40.", "It cost $400."),
        ("b0cf7garl2", "It is B0CF7GARL2.", "It is B0CF7GARL20."),
    ],
)
def test_a_figure_that_is_part_of_another_is_another_figure(
    words: str, right: str, wrong: str
) -> None:
    assert told_of("how many?", right, facts=[words], point=words) == []
    assert len(told_of("how many?", wrong, facts=[words], point=words)) == 2


def test_a_procedure_is_not_known_because_its_name_contains_what_was_said() -> None:
    assert told_of("what does the Shipping SOP say?", "The Shipping SOP says nothing of it.") == []
    assert "no procedure that was found" in told_of("hi", "The Shipping SOP says how.")[0]


@pytest.mark.parametrize("scorer", SCORERS, ids=lambda scorer: scorer.__name__)
def test_a_right_ledger_has_nothing_wrong(scorer: type[Scored]) -> None:
    assert list(scorer().find(RIGHT, EXPECTED)) == []


@pytest.mark.parametrize(("scorer", "says", "ledger"), WRONG, ids=[says for _, says, _ in WRONG])
def test_a_wrong_ledger_is_told_what_is_wrong(
    scorer: type[Scored], says: str, ledger: Ledger
) -> None:
    assert says in "; ".join(scorer().find(ledger, EXPECTED))


def test_a_failure_that_was_expected_has_to_come() -> None:
    expected = Expected.model_validate({"turns": [{"fails": True}]})
    ledger = Ledger(
        today=TODAY,
        turns=(PlayedTurn(said="hello", status="completed", answer="Hello!"),),
        proposals=(),
        tasks=(),
        writes=(),
        unsettled=(),
    )

    assert list(Audit().find(ledger, expected)) == ["turn 1: the run is completed"]
