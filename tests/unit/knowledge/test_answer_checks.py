"""Checks of an answer: empty, claims of its fields, leaking machinery or ids; no wording."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from agencyclaw.domain.replies import Changes, Reply
from agencyclaw.knowledge.checks import (
    SYMBOLS,
    AnswerFacts,
    check_answer,
    check_reply,
    check_sources,
    is_short,
    named_among,
)

PACKAGE = Path(__file__).parents[3] / "agencyclaw"
NAMES = frozenset({"list_tasks", "create_task", "sop_lookup", "cc_client_lookup"})
FACTS = AnswerFacts(drafts=1, own_names=NAMES)
UUID = "d4fc02b1-00be-5850-96ac-01f150a64962"


def codes(text: str, facts: AnswerFacts = FACTS) -> set[str]:
    return {issue.code for issue in check_answer(text, facts)}


def faults(reply: Reply, facts: AnswerFacts) -> list[str]:
    return [issue.code for issue in check_reply(reply, facts)]


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "…", "**", "\u200f\u200f"])
def test_an_empty_answer_is_an_error(text: str) -> None:
    assert codes(text) == {"empty"}


@pytest.mark.parametrize(
    "text",
    [
        "Let me know which brand it is and I'll prepare the task.",
        "| # | Action item | Relevant SOP |\n|---|---|---|\n| 1 | Coupon | Coupons Promotion SOP |",
        "Laut Coupons Promotion SOP beginnst du mit dem Briefing.",
        "Hi Dana,\n\nWe've completed the October report and sent it to you.",
        "Your task was created by Ines and is due Friday.",
        "I assigned it to Sara Okafor and changed it to 20%.",
        "There is no Listing Title SOP in what I can search.",
        "Dafür habe ich keine Titel SOP gefunden.",
        "I sorted them by due date and added who owns each.",
    ],
)
def test_no_wording_is_a_fault(text: str) -> None:
    assert codes(text) == set()


def test_what_is_said_to_be_prepared_is_on_a_card_of_this_turn() -> None:
    said = Reply(text="It waits on the card.", changes="prepared")

    assert faults(said, AnswerFacts()) == ["claims_draft"]
    assert faults(said, AnswerFacts(drafts=1)) == []


def test_what_is_said_to_wait_is_an_open_card() -> None:
    said = Reply(text="Press the button.", changes="waiting")

    assert faults(said, AnswerFacts(drafts=1)) == ["claims_draft"]
    assert faults(said, AnswerFacts(waiting=1)) == []


@pytest.mark.parametrize("key", ["", "e2", "card-1"])
def test_what_is_said_to_have_been_carried_out_is_a_row(key: str) -> None:
    facts = AnswerFacts(earlier=frozenset({"e1"}), drafts=1)

    assert faults(Reply(text="Done.", changes="earlier", earlier=key), facts) == ["claims_change"]
    assert faults(Reply(text="Done.", changes="earlier", earlier="e1"), facts) == []


@pytest.mark.parametrize(
    ("keys", "found"), [("e1, e3", []), ("e1 e3", []), ("e1, e2", ["claims_change"])]
)
def test_an_answer_speaks_of_several_earlier_changes_only_if_each_was_made(
    keys: str, found: list[str]
) -> None:
    facts = AnswerFacts(earlier=frozenset({"e1", "e3"}))

    assert faults(Reply(text="Both are done.", changes="earlier", earlier=keys), facts) == found


@pytest.mark.parametrize("changes", ["none", "wanted_not_done"])
def test_whoever_claims_no_change_needs_no_row(changes: Changes) -> None:
    assert faults(Reply(text="The task is closed.", changes=changes), AnswerFacts()) == []


READ = AnswerFacts(read=("Coupons Promotion SOP", "N-PAT Optimization SOP"))


def test_a_document_that_was_read_is_asked_for_unless_a_card_rests_on_it() -> None:
    issue = check_sources((), READ)

    assert issue is not None
    assert issue.code == "unnamed_source"
    assert "“Coupons Promotion SOP”" in issue.message
    assert check_sources(("Coupons Promotion SOP",), READ) is None
    assert check_sources((), READ.model_copy(update={"drafts": 1})) is None
    assert check_sources((), AnswerFacts()) is None


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("Check stock first.", ["Coupons Promotion SOP"]),
        ("Check stock first.", ["Coupons Promotion SOP, step 6"]),
        ("Check stock first.", ["Coupon SOP"]),
        ("Check stock first.", ["coupons"]),
        ("Laut Coupons Promotion SOP zuerst der Bestand.", []),
    ],
)
def test_a_document_is_named_in_the_sources_or_by_its_title(text: str, sources: list[str]) -> None:
    assert named_among(READ.read, text, sources) == ("Coupons Promotion SOP",)


@pytest.mark.parametrize(
    ("text", "is_empty"), [("👍", False), ("", True), (" … ", True), ("--", True)]
)
def test_a_sign_alone_is_an_answer_and_marks_alone_are_none(text: str, is_empty: bool) -> None:
    assert bool(check_answer(text, AnswerFacts())) is is_empty


@pytest.mark.parametrize("sources", [[], ["ClickUp"], ["86c305"], ["…"]])
def test_other_words_name_no_document(sources: list[str]) -> None:
    assert named_among(READ.read, "Check stock before you set the coupon.", sources) == ()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("All uploads were returned.", ()),
        ("By Ads and Return: check stock.", ("Ads", "Return")),
        ("返品手順を見てください。", ("返品手順",)),
    ],
)
def test_no_document_is_named_by_a_piece_of_a_word(text: str, named: tuple[str, ...]) -> None:
    assert named_among(("Ads", "Return", "返品手順", "???"), text, ()) == named


@pytest.mark.parametrize(
    "text",
    [
        '{"client": "Copperleaf"}',
        'Here it is: {"tool": "x", "args": {}}',
        "```json\n[1, 2]\n```",
        '<tool_call>lookup</tool_call> {"name": "x"}',
        "{'client': 'Copperleaf'}",
    ],
)
def test_raw_json_is_an_error(text: str) -> None:
    assert codes(text) == {"raw_json"}


def test_a_tool_name_is_an_error_unless_the_person_used_it() -> None:
    assert codes("I used list_tasks for that.") == {"tool_name"}
    assert codes("I used `create_task`.") == {"tool_name"}
    asked = AnswerFacts(request="what does list_tasks do?", own_names=NAMES)
    assert codes("list_tasks shows tasks.", asked) == set()
    assert codes("Use the coupon SOP [see steps] {today}.") == set()
    assert codes('["Fix the listing"](https://app.clickup.com/t/1) is due.') == set()


@pytest.mark.parametrize(
    "text",
    [
        "Mode: operator, skill: sop_lookup.",
        "This came of cc_client_lookup.",
        *(f"{mark} and then the answer." for mark in SYMBOLS),
    ],
)
def test_skills_and_marks_of_our_own_are_machinery(text: str) -> None:
    assert codes(text) == {"tool_name"}


# What the judge is told never reaches the model that answers.
NOT_READ_BY_IT = {"judge.py"}


def marks_of_our_own() -> Iterator[str]:
    for path in (PACKAGE / "agents").rglob("*.py"):
        if path.name in NOT_READ_BY_IT:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
            if is_text and (mark := re.match(r"\[(?=[A-Z{]).*?(?:\]|$)", str(node.value))):
                yield mark[0]


def test_every_mark_that_a_model_reads_is_known_as_machinery() -> None:
    marks = list(marks_of_our_own())

    assert "[Situation]" in marks
    assert "[The message they mean]" in marks
    assert not [one for one in marks if codes(f"{one} Slack: Done.") != {"tool_name"}]


@pytest.mark.parametrize(
    "text",
    [
        f"The client is {UUID}.",
        f"That failed on our side (run {UUID}).",
        "See ev:abc_1/2.",
        "Ask U01INES about it.",
    ],
)
def test_an_internal_id_is_an_error(text: str) -> None:
    assert codes(text) == {"shows_id"}


@pytest.mark.parametrize(
    "text",
    [
        "The products are B0CF7GARL1 and CL-GP-BK.",
        f"[Coupon](https://app.clickup.com/t/{UUID})",
    ],
)
def test_products_and_links_are_no_internal_ids(text: str) -> None:
    assert codes(text) == set()


def test_only_the_reference_of_this_very_run_may_be_told() -> None:
    text = f"That failed on our side (run {UUID})."

    assert codes(text, AnswerFacts(reference=UUID)) == set()
    assert codes(text, AnswerFacts(reference=UUID[::-1])) == {"shows_id"}


def test_what_the_person_wrote_may_be_said_back() -> None:
    assert codes(f"I don't know {UUID}.", AnswerFacts(request=f"who is {UUID}?")) == set()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"番号は{UUID}です。", "shows_id"),
        ("宛先はU0123ABCDEFです。", "shows_id"),
        ("list_tasksを使いました。", "tool_name"),
    ],
)
def test_machine_names_are_found_in_a_sentence_without_spaces(text: str, code: str) -> None:
    assert codes(text) == {code}


def test_an_answer_that_is_too_long_is_an_error() -> None:
    assert codes("word " * 2_000) == {"too_long"}


@pytest.mark.parametrize("part", ["let me ", "a.", "<", "[](", "[Situation", "<thin", "24,"])
def test_hostile_text_is_checked_to_its_end(part: str) -> None:
    assert "shows_id" in codes(f"{part * (9_000 // len(part))} {UUID}")


def test_an_address_that_another_one_begins_with_leaves_no_id_behind() -> None:
    page, home = "https://app.example/C0123456", "https://app.example"

    assert codes(f"See {home} or {page}.") == set()


@pytest.mark.parametrize(
    ("asked", "is_warned_of"),
    [("which of the coupon tasks of Glintly are late and who has them?", True), ("any?", False)],
)
def test_a_vague_answer_to_a_long_question_is_a_warning(asked: str, is_warned_of: bool) -> None:
    assert is_short("I think some of them may be a bit late.", asked) is is_warned_of
