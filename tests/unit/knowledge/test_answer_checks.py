"""Checks of an answer: empty, only promised, falsely claimed, leaking machinery or ids."""

from __future__ import annotations

import pytest

from agencyclaw.knowledge.checks import AnswerFacts, check_answer

NAMES = frozenset({"list_tasks", "create_task"})
FACTS = AnswerFacts(drafts=1, tool_names=NAMES)
UUID = "d4fc02b1-00be-5850-96ac-01f150a64962"


def codes(text: str, facts: AnswerFacts = FACTS) -> set[str]:
    return {issue.code for issue in check_answer(text, facts) if issue.severity == "error"}


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "…", "**", "\u200f\u200f"])
def test_an_empty_answer_is_an_error(text: str) -> None:
    assert codes(text) == {"empty"}


@pytest.mark.parametrize(
    "text",
    [
        "Let me check the coupon SOP for you.",
        "Sure! I'll look into it and get back to you.",
        "One moment please.",
        "I'm checking the tasks now…",
        "Okay. Let me pull up the list. One second!",
        "I will search the procedures for this.",
        "I’ll draft the task now.",
        "On it!",
        "Got it – let me quickly look that up.",
        "Hold on, I am going to fetch Glintly's tasks.",
    ],
)
def test_j11_an_answer_that_only_promises_is_an_error(text: str) -> None:
    assert codes(text) == {"only_promise"}


@pytest.mark.parametrize(
    "text",
    [
        "Let me know if you need anything else.",
        "Which brand is it for?",
        "Let me check: which client do you mean?",
        "Glintly has 4 open tasks this week. I'll look at Copperleaf too if you like.",
        "I'll create it once you confirm.",
        "I found no procedure for this. What should be done?",
        "Good morning! How can I help?",
        "I see three tasks due on Friday:\n- Fix the listing\n- Coupon\n- Restock",
        "The SOP says to check stock first. One moment of care saves a refund.",
        "Sure – tell me the title and I'll create the card.",
        "Tell me what it should say and I will prepare it.",
        "Press Create task and I'll create it.",
        "One-word negatives need a second pair of eyes.",
    ],
)
def test_j11_an_answer_with_something_in_it_passes(text: str) -> None:
    assert codes(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "I've created the task for Copperleaf.",
        "I have added the task to ClickUp.",
        "Done! The coupon task is set up.",
        "Done.",
        "All done, it's in ClickUp.",
        "The task has been created in ClickUp.",
        "Your task was successfully created.",
        "Task created: 20% coupon for the garlic press.",
        "✅ Created “20% coupon”.",
        "I just assigned it to Miguel.",
        "The task is now live in ClickUp and has been saved.",
        "It's been a pleasure. I’ve updated the due date to Friday.",
        "- I created the coupon task\n- I assigned Miguel",
        "I've marked all tasks as done.",
        "All tasks are now closed.",
        "I've confirmed it for you.",
        "I've cancelled the proposal.",
        "Confirmed! The task is on its way.",
        "I notified Miguel.",
        "I went ahead and created it.",
        "I took care of it.",
        "It has been taken care of.",
        "I made the coupon task for you.",
        "I've opened a new ticket.",
        "I've put it on the board.",
        "I've set the due date to Friday.",
        "I set the ACOS target to 25%.",
        "I've rolled it back.",
        "I reverted the change.",
        "I let Miguel know.",
        "I've reminded Sara.",
        "I've approved the procedure.",
        "Consider it done.",
        "Updated.",
        "Task updated!",
        "It's created in ClickUp.",
    ],
)
def test_e73_a_change_that_did_not_happen_may_not_be_claimed(text: str) -> None:
    assert codes(text) == {"claims_change"}


@pytest.mark.parametrize(
    "text",
    [
        "I've prepared a coupon task for Copperleaf; it waits for your confirmation.",
        "I drafted the task. Nothing has been created yet.",
        "Done – I've prepared the draft, please confirm it.",
        "The task will be created once you confirm.",
        "No task was created.",
        "I haven't created anything.",
        "Should the task be created today?",
        "I've added the ASIN to the draft.",
        "I've updated the proposal: it is due on Friday now.",
        "The coupon task was created on 3 March by Sara.",
        "I created that task yesterday: [Coupon](https://app.clickup.com/t/1).",
        "Sara Okafor created it last week.",
        "Three tasks were updated this week:\n- Listing fixed – done\n- Coupon created – open",
        "Open tasks:\n1. Task created by mistake – open\n2. Added images – review",
        "The procedure says “the coupon has been created in Seller Central”.",
        "Miguel is assigned to Glintly, and Copperleaf is mapped.",
        "Two tasks are completed, one is closed.",
        "Before it is created, check the stock.",
        "To be created: one coupon.",
        "I've added nothing new: this is the same proposal as before.",
        "The proposal has been updated: it starts on Friday 27 November.",
        "The draft has been updated with both ASINs.",
        "I've changed the start to Friday on a new card; nothing is created yet.",
        "I've moved the start to Friday; the end stays 30 November. The card shows it.",
        "I added the two ASINs. Still open: owner and due date.",
        "I created two proposals: the report and the stock check.",
        "The task is created only after you confirm.",
        "Ben says the old ads were deleted and the storefront has been updated.",
        "From the notes: the storefront has been updated, so it needs no task.",
        "Units whose offer has been deleted are relisted with the same SKU.",
        "Since Monday, three tasks have been updated for Hearthlane.",
        "Four tasks have been added to the lists in the last 7 days.",
        "Rodric is now live in the UK; Rodric Home isn't linked to a list yet.",
        "I confirmed that Copperleaf is linked to the Brightkettle Backlog.",
        "It's created in Seller Central, under Advertising.",
        "It is sent by the report specialist every Monday.",
        "I opened the task: it is due on Friday.",
        "I made a task list for you:\n- Fix the listing",
        "I went ahead and looked up the tasks.",
        "I've set the due date to Friday on the draft.",
        "I set the start to Friday; the card shows it.",
        "Let me know if Miguel should have it.",
    ],
)
def test_past_facts_drafts_and_denials_are_no_claims(text: str) -> None:
    assert codes(text) == set()


def test_a_claim_is_only_a_warning_where_something_was_carried_out_before() -> None:
    issues = check_answer("I've created the task.", AnswerFacts(has_changed_before=True))

    assert [(issue.code, issue.severity) for issue in issues] == [("claims_change", "warning")]


def test_beside_a_new_draft_an_earlier_change_excuses_no_claim() -> None:
    facts = AnswerFacts(has_changed_before=True, drafts=1)

    assert codes("I've created the task.", facts) == {"claims_change"}


@pytest.mark.parametrize(
    "text",
    [
        "I've prepared the task for Copperleaf.",
        "I've put together a coupon task. Please check the card.",
        "I drafted it for Nordvent.",
    ],
)
def test_a_card_that_is_not_there_may_not_be_announced(text: str) -> None:
    assert codes(text, AnswerFacts()) == {"claims_draft"}
    assert codes(text, AnswerFacts(drafts=1)) == set()
    assert codes(text, AnswerFacts(has_proposed_before=True)) == set()


@pytest.mark.parametrize(
    "text",
    [
        "I haven't prepared a task yet: which brand is it for?",
        "Shall I say that I prepared the task?",
        "I've put together the list you asked for.",
        "I can prepare the task once I know the brand.",
    ],
)
def test_no_card_is_announced_by_these(text: str) -> None:
    assert codes(text, AnswerFacts()) == set()


def test_the_message_says_what_really_happened() -> None:
    with_draft = check_answer("I've created the task.", AnswerFacts(drafts=1))[0].message
    without = check_answer("I've created the task.", AnswerFacts())[0].message

    assert "waits for the person's confirmation" in with_draft
    assert "Nothing was prepared either" in without


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
    asked = AnswerFacts(request="what does list_tasks do?", tool_names=NAMES)
    assert codes("list_tasks shows tasks.", asked) == set()
    assert codes("Use the coupon SOP [see steps] {today}.") == set()
    assert codes('["Fix the listing"](https://app.clickup.com/t/1) is due.') == set()


@pytest.mark.parametrize(
    "text", [f"The client is {UUID}.", "See ev:abc_1/2.", "Ask U01INES about it."]
)
def test_an_internal_id_is_an_error(text: str) -> None:
    assert codes(text) == {"shows_id"}


@pytest.mark.parametrize(
    "text",
    [
        f"That failed on our side (run {UUID}).",
        "The products are B0CF7GARL1 and CL-GP-BK.",
        f"[Coupon](https://app.clickup.com/t/{UUID})",
    ],
)
def test_references_products_and_links_are_no_internal_ids(text: str) -> None:
    assert codes(text) == set()


def test_what_the_person_wrote_may_be_said_back() -> None:
    assert codes(f"I don't know {UUID}.", AnswerFacts(request=f"who is {UUID}?")) == set()


def test_a_link_nobody_returned_is_a_warning_not_an_error() -> None:
    facts = AnswerFacts(allowed_links=frozenset({"https://app.clickup.com/t/1"}))
    issues = check_answer("See https://evil.example/x.", facts)

    assert [(issue.code, issue.severity) for issue in issues] == [("unknown_link", "warning")]
    assert check_answer("See https://app.clickup.com/t/1.", facts) == []


def test_e78_an_answer_that_is_too_long_is_an_error() -> None:
    assert codes("word " * 2_000) == {"too_long"}


def test_errors_come_before_warnings() -> None:
    issues = check_answer(f"{UUID} https://evil.example", AnswerFacts())

    assert [issue.severity for issue in issues] == ["error", "warning"]


@pytest.mark.parametrize(
    "part", ["let me ", "a.", "<", "[](", "created ", "i have set a ", "been "]
)
def test_hostile_text_is_checked_to_its_end(part: str) -> None:
    assert "shows_id" in codes(f"{part * (9_000 // len(part))} {UUID}")
