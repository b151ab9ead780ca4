"""Procedures taken over from ClickUp Docs, and what waits for approval: by an admin's own act."""

from __future__ import annotations

from typing import Any

import pytest
from acting import CLAW, INES, SARA_L, Acting, call, offer, text, turn
from stage import Stage, whole_text

from agencyclaw.store.documents import DocumentStore, Piece

HEALTH = "18m2dn-4457"
TARGETS = "18m2dn-4397-campaign_target"
COUPONS = ("18m2dn-4537", "18m2dn-4537-coupons")
SYNC = "fetch the procedures from ClickUp"
APPEAL = "Listing Appeal SOP"


def finding(say: str, tool: str, **arguments: Any) -> dict[str, Any]:
    """A turn that finds a rarely needed tool first, and then calls it."""
    return turn(say, call("search_tools", queries=[tool]), call(tool, **arguments), text("There."))


SYNCING = finding(SYNC, "sop_sync_run")


async def pages(stage: Stage) -> dict[str, tuple[str, str, str]]:
    rows = await stage.db.pool.fetch("select name, state, version, content_md from playbook_sops")
    return {row["name"]: (row["state"], row["version"], row["content_md"]) for row in rows}


async def found(stage: Stage, question: str) -> list[str]:
    """The titles that a question finds."""
    root = await stage.say(SARA_L, f"look up: {question}")
    await stage.reply(SARA_L, root)
    answer = await stage.result("search_kb")
    return [one["title"] for one in answer.get("procedures", [])]


def asking(question: str) -> dict[str, Any]:
    looked = call("search_kb", query=question)
    return turn(f"look up: {question}", looked, text("There.", sources=[]))


async def test_a_sync_is_a_card_that_names_every_page_and_a_press_takes_them_over(
    acting: Acting,
) -> None:
    stage = await acting(SYNCING, asking("listing appeal"))
    before = await pages(stage)
    stage.bench.drop_page(COUPONS[1])
    root = await stage.say(INES, SYNC)
    card = await offer(stage, INES, root, "Take over")
    shown = whole_text(card)
    assert "1 new, 1 changed, 1 gone" in shown
    assert APPEAL in shown
    assert "Stranded Inventory SOP (lines: 1 added, 0 removed" in shown
    assert "now: Afterwards, note in the task how many units were recovered." in shown
    assert "Category listing appeal; also found as “listing appeal”" in shown
    assert "Coupons Promotion SOP" in shown
    assert await pages(stage) == before

    await stage.press(INES, card, "Take over")
    await stage.reply_with(
        INES, root, "Taken over from ClickUp: 1 new, 1 changed, 1 gone; 13 unchanged"
    )
    after = await pages(stage)
    assert after[APPEAL][:2] == ("waiting", "1")
    state, version, body = after["Stranded Inventory SOP"]
    assert (state, int(version)) == ("approved", int(before["Stranded Inventory SOP"][1]) + 1)
    assert "how many units were recovered" in body
    assert after["Coupons Promotion SOP"][0] == "gone"
    untouched = before.keys() - {"Stranded Inventory SOP", "Coupons Promotion SOP"}
    assert {name: after[name] for name in untouched} == {name: before[name] for name in untouched}
    # Neither what waits nor what is gone is found.
    assert APPEAL not in await found(stage, "listing appeal")


async def test_names_and_categories_of_a_procedure_outlive_its_changes(acting: Acting) -> None:
    stage = await acting(SYNCING)
    kept = "select category, aliases from playbook_sops where clickup_page_id = $1"
    before = await stage.db.pool.fetchrow(kept, COUPONS[1])
    stage.bench.write_page(*COUPONS, "Coupons, newly written", "1. Something else.")
    root = await stage.say(INES, SYNC)
    await stage.press(INES, await offer(stage, INES, root, "Take over"), "Take over")
    await stage.reply_with(INES, root, "Taken over from ClickUp: 1 new, 2 changed")
    assert await stage.db.pool.fetchrow(kept, COUPONS[1]) == before


async def test_a_page_that_comes_back_waits_for_approval_again(acting: Acting) -> None:
    stage = await acting(SYNCING)
    await stage.db.pool.execute(
        "update playbook_sops set state = 'gone' where clickup_page_id = $1", COUPONS[1]
    )
    root = await stage.say(INES, SYNC)
    await stage.press(INES, await offer(stage, INES, root, "Take over"), "Take over")
    await stage.reply_with(INES, root, "Taken over from ClickUp: 2 new, 1 changed")
    assert (await pages(stage))["Coupons Promotion SOP"][0] == "waiting"


async def test_what_an_admin_took_out_of_use_stays_out(acting: Acting) -> None:
    stage = await acting(SYNCING)
    await stage.db.pool.execute(
        "update playbook_sops set state = 'retired' where clickup_page_id = $1", COUPONS[1]
    )
    stage.bench.write_page(*COUPONS, "Coupons Promotion SOP", "1. Something else.")
    root = await stage.say(INES, SYNC)
    card = await offer(stage, INES, root, "Take over")
    assert "Coupons" not in whole_text(card)


async def taken_over(stage: Stage) -> tuple[str, dict[str, Any]]:
    """A sync with a new, two changed and a lost page, carried out; where, and its card."""
    stage.bench.write_page(*COUPONS, "Coupons, newly written", "1. Something else.")
    stage.bench.drop_page(TARGETS)
    root = await stage.say(INES, SYNC)
    await stage.press(INES, await offer(stage, INES, root, "Take over"), "Take over")
    await stage.reply_with(INES, root, "Taken over from ClickUp: 1 new, 2 changed, 1 gone")
    return root, await offer(stage, INES, root, "Undo")


async def test_undo_brings_every_page_back_and_the_next_sync_finds_the_same(
    acting: Acting,
) -> None:
    stage = await acting(SYNCING)
    before = await pages(stage)
    root, card = await taken_over(stage)
    assert await pages(stage) != before

    await stage.press(INES, card, "Undo")
    said = whole_text(await stage.reply_with(INES, root, "Undone. The"))

    assert "Taken out again: Listing Appeal SOP" in said
    assert await pages(stage) == before
    root = await stage.say(INES, SYNC)
    again = whole_text(await offer(stage, INES, root, "Take over"))
    assert "called before: Coupons Promotion SOP" in again


async def test_undo_overwrites_nothing_that_was_changed_since(acting: Acting) -> None:
    stage = await acting(SYNCING)
    root, card = await taken_over(stage)
    await stage.db.pool.execute(
        "update playbook_sops set state = 'approved' where name = $1", APPEAL
    )
    after = await pages(stage)

    await stage.press(INES, card, "Undo")
    said = whole_text(await stage.reply_with(INES, root, "was changed since"))

    assert APPEAL in said
    assert await pages(stage) == after


async def test_a_new_page_is_called_as_its_document_says(acting: Acting) -> None:
    stage = await acting(SYNCING)
    text = "Category: Account health\nAlso called: POA, plan of action\n\n1. Read the notice."
    stage.bench.write_page(HEALTH, "18m2dn-4457-appeal", APPEAL, text)
    root = await stage.say(INES, SYNC)
    card = await offer(stage, INES, root, "Take over")
    assert "Category account health; also found as “poa”, “plan of action”" in whole_text(card)
    await stage.press(INES, card, "Take over")
    await stage.reply_with(INES, root, "Taken over from ClickUp: 1 new")
    kept = "select category, aliases from playbook_sops where name = $1"
    row = await stage.db.pool.fetchrow(kept, APPEAL)
    assert tuple(row) == ("account_health", ["poa", "plan of action", "listing appeal"])


async def test_a_procedure_that_changed_here_since_leaves_everything_as_it_was(
    acting: Acting,
) -> None:
    stage = await acting(SYNCING)
    root = await stage.say(INES, SYNC)
    card = await offer(stage, INES, root, "Take over")
    await stage.db.pool.execute(
        "update playbook_sops set content_md = 'mine' where category = 'stranded_inventory'"
    )
    await stage.press(INES, card, "Take over")
    await stage.reply_with(INES, root, "was changed since")
    after = await pages(stage)
    assert APPEAL not in after
    assert after["Stranded Inventory SOP"][2] == "mine"


@pytest.mark.usefixtures("brisk")
@pytest.mark.usefixtures("brisk")
async def test_a_clickup_that_fails_marks_nothing_as_gone(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.domain.waiting.LONGEST_S", 0.3)
    stage = await acting(SYNCING)
    await stage.bench.set_fault("clickup", "error_before", method="list_doc_pages", times=50)
    root = await stage.say(INES, SYNC)
    await stage.reply_with(INES, root, "ClickUp is what failed")
    assert await stage.proposals() == []
    assert {state for state, _, _ in (await pages(stage)).values()} == {"approved"}


async def test_a_doc_that_is_hidden_is_said_and_its_procedures_stay(acting: Acting) -> None:
    stage = await acting(SYNCING, clickup_docs=(HEALTH, "18m2dn-4537", "18m2dn-9999"))
    stage.bench.storage.delete("clickup_doc", "18m2dn-4537")
    root = await stage.say(INES, SYNC)
    card = await offer(stage, INES, root, "Take over")
    assert "1 new, 1 changed" in whole_text(card)
    assert "Not read" in whole_text(card)
    await stage.press(INES, card, "Take over")
    await stage.reply_with(INES, root, "Taken over from ClickUp: 1 new, 1 changed")
    assert (await pages(stage))["Coupons Promotion SOP"][0] == "approved"


async def test_only_admins_take_procedures_over(acting: Acting) -> None:
    stage = await acting(SYNCING)
    root = await stage.say(SARA_L, SYNC)
    await stage.reply(SARA_L, root)
    assert await stage.proposals() == []
    assert await stage.bench.log(target="clickup", operation="list_doc_pages") == []


async def test_what_waits_is_listed_approved_with_a_card_and_found_and_undo_takes_it_back(
    acting: Acting,
) -> None:
    stage = await acting(
        SYNCING,
        finding("what waits", "list_waiting_documents"),
        finding("put it to use", "decide_document", document=APPEAL, decision="use"),
        asking("listing appeal"),
    )
    root = await stage.say(INES, SYNC)
    await stage.press(INES, await offer(stage, INES, root, "Take over"), "Take over")
    await stage.reply_with(INES, root, "Taken over from ClickUp: 1 new")
    await stage.reply(INES, await stage.say(INES, "what waits"))
    listed = await stage.result("list_waiting_documents")
    assert [one["title"] for one in listed["documents"]] == [APPEAL]

    root = await stage.say(INES, "put it to use")
    card = await offer(stage, INES, root, "Put to use")
    assert "plan of action" in whole_text(card)
    assert APPEAL not in await found(stage, "listing appeal")
    await stage.press(INES, card, "Put to use")
    await stage.reply_with(INES, root, "in use from now on")
    assert (await found(stage, "listing appeal"))[0] == APPEAL

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone")
    assert (await pages(stage))[APPEAL][0] == "waiting"


async def test_admins_see_what_nothing_answered_and_what_answers_it_by_now(
    acting: Acting,
) -> None:
    stage = await acting(
        asking("how do we paint shop signs"),
        asking("who writes the anniversary newsletter"),
        finding("what is missing", "list_unanswered_questions"),
    )
    for question in ("how do we paint shop signs", "who writes the anniversary newsletter"):
        await found(stage, question)
        await stage.settled()
    await found(stage, "how do we paint shop signs")
    await stage.db.pool.execute(
        "update playbook_sops set name = 'Anniversary Newsletter SOP', aliases = '{newsletter}'"
        " where category = 'coupons'"
    )
    await stage.reply(INES, await stage.say(INES, "what is missing"))

    [signs, letter] = (await stage.result("list_unanswered_questions"))["questions"]
    assert (signs["question"], signs["times"]) == ("how do we paint shop signs", 2)
    assert "now" not in signs
    assert letter["now"] == "Anniversary Newsletter SOP"


async def test_unanswered_questions_are_told_in_no_channel(acting: Acting) -> None:
    stage = await acting(
        asking("how do we paint shop signs"),
        finding("what is missing", "list_unanswered_questions"),
    )
    await found(stage, "how do we paint shop signs")
    root = await stage.bench.post_message("C01GLINTLY", INES, f"<@{CLAW}> what is missing")

    said = whole_text(await stage.reply_in("C01GLINTLY", root))

    assert "I answer you in our direct messages" in said
    assert "shop signs" not in said


async def returns_in_two_versions(stage: Stage, *, newer: str = "internal") -> None:
    """A document of which version 1 is in use and version 2, of a given tier, waits."""
    store = DocumentStore(stage.db)

    async def add(body: str, tier: str) -> None:
        piece = Piece("Returns", body)
        await store.add("returns.md", [piece], tier=tier, checksum=body, by="a test")

    await add("How returns were handled.", "internal")
    await store.approve("returns.md", by="a test")
    await add("How returns are handled now.", newer)


async def versions(stage: Stage) -> dict[str, str]:
    rows = await stage.db.pool.fetch("select version, state from knowledge_documents")
    return {row["version"]: row["state"] for row in rows}


@pytest.mark.parametrize("newer", ["internal", "external"])
async def test_a_newer_version_of_a_document_replaces_the_one_in_use(
    acting: Acting, newer: str
) -> None:
    stage = await acting(
        finding("put it to use", "decide_document", document="returns.md", decision="use")
    )
    await returns_in_two_versions(stage, newer=newer)
    root = await stage.say(INES, "put it to use")
    card = await offer(stage, INES, root, "Put to use")
    assert "version 1" in whole_text(card)
    await stage.press(INES, card, "Put to use")
    await stage.reply_with(INES, root, "Version 2 of the")
    assert await versions(stage) == {"1": "replaced", "2": "approved"}

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "is in use from now on, instead of version 2")
    assert await versions(stage) == {"1": "approved", "2": "waiting"}


async def test_a_newer_version_is_turned_down_and_the_one_in_use_stays(acting: Acting) -> None:
    stage = await acting(
        finding("turn it down", "decide_document", document="returns.md", decision="reject")
    )
    await returns_in_two_versions(stage)
    root = await stage.say(INES, "turn it down")
    card = await offer(stage, INES, root, "Turn down")
    await stage.press(INES, card, "Turn down")
    await stage.reply_with(INES, root, "Version 2 of the document “Returns” is turned down.")
    assert await versions(stage) == {"1": "approved", "2": "replaced"}

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Version 2 of the document “Returns” waits for approval")
    assert await versions(stage) == {"1": "approved", "2": "waiting"}


async def test_the_version_in_use_is_retired_and_the_newer_one_still_waits(acting: Acting) -> None:
    stage = await acting(
        finding("retire it", "decide_document", document="returns.md", decision="retire")
    )
    await returns_in_two_versions(stage)
    root = await stage.say(INES, "retire it")
    card = await offer(stage, INES, root, "Take out of use")
    assert "How returns were handled." in whole_text(card)
    await stage.press(INES, card, "Take out of use")
    await stage.reply_with(INES, root, "out of use from now on")
    assert await versions(stage) == {"1": "replaced", "2": "waiting"}


async def test_somebody_elses_decision_in_between_is_not_overwritten(acting: Acting) -> None:
    say = finding(
        "retire it", "decide_document", document="Coupons Promotion SOP", decision="retire"
    )
    stage = await acting(say)
    root = await stage.say(INES, "retire it")
    card = await offer(stage, INES, root, "Take out of use")
    await stage.db.pool.execute(
        "update playbook_sops set version = '99' where clickup_page_id = $1", COUPONS[1]
    )
    await stage.press(INES, card, "Take out of use")
    await stage.reply_with(INES, root, "since")
    assert (await pages(stage))["Coupons Promotion SOP"][0] == "approved"
