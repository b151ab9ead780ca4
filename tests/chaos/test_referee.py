"""The referee sees what a run may have left behind; each of these would be somebody's trouble."""

from __future__ import annotations

import itertools
import json
from random import Random
from typing import Any
from uuid import UUID, uuid4

from changes import judge_notes, judge_values
from crowd import Ledger, Person, Said, Scheduled, buttons
from ground import Ground, Message
from reckoning import (
    Verdict,
    judge_background,
    judge_cards,
    judge_presses,
    judge_schedules,
    judge_words,
    reckon,
    settle,
)

MIG = "D01MIG"
_AN_HOUR_LATER = """
insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
  thread_ts, slack_ts, is_direct, slack_user_id, lane, payload, status, received_at)
select 'again', event_source, event_type, team_id, channel_id, thread_ts, slack_ts, is_direct,
  slack_user_id, lane, payload, 'ignored', received_at + interval '1 hour'
from slack_event_receipts where event_type = 'click'
returning id
"""


def a_row(kind: str, words: str = "", proposals: tuple[UUID, ...] = ()) -> dict[str, Any]:
    body = json.dumps({"text": words} if words else {})
    return {"id": uuid4(), "key": kind, "kind": kind, "body": body, "proposal_ids": proposals}


def a_message(row: dict[str, Any], text: str, *labels: str) -> Message:
    elements = [{"type": "button", "text": {"text": label}} for label in labels]
    payload = {"id": str(row["id"]), "part": 0}
    return {
        "text": text,
        "metadata": {"event_payload": payload},
        "blocks": [{"type": "actions", "elements": elements}] if labels else [],
    }


def test_an_old_version_on_top_of_the_last_words_is_a_loss() -> None:
    row, verdict = a_row("answer", "Seven are due. *None* of them is late."), Verdict()
    judge_words(verdict, [row], [a_message(row, "Seven are due. None of them is late.")])
    assert verdict.is_clean
    judge_words(verdict, [row], [a_message(row, "Seven are due.")])
    assert len(verdict.lost) == 1


def test_a_card_that_still_asks_when_nothing_waits_is_a_loss() -> None:
    proposal, verdict = uuid4(), Verdict()
    row = a_row("card", proposals=(proposal,))
    card = a_message(row, "Create it?", "Create task", "Cancel")
    judge_cards(verdict, [row], [card], {proposal})
    assert verdict.is_clean
    judge_cards(verdict, [row], [card], set())
    assert len(verdict.lost) == 1


def test_a_press_that_was_taken_and_never_stored_is_a_loss() -> None:
    ledger, verdict = Ledger(), Verdict()
    ledger.pressed[MIG, "1.000001", "U01MIG"] = 2
    kept = [f"click:T1:{MIG}:1.000001:U01MIG:claw_confirm:{at}.5" for at in (2, 3)]
    judge_presses(verdict, ledger, kept, "T1")
    assert verdict.is_clean
    judge_presses(verdict, ledger, kept[1:], "T1")
    assert verdict.lost == ["1 presses of U01MIG on the card 1.000001"]


def test_what_came_due_and_was_posted_never_or_twice_is_noticed() -> None:
    due, verdict = Scheduled(uuid4(), MIG, "hello 1"), Verdict()
    post = a_message(a_row("answer"), "Hello. From “hello 1”.")
    judge_schedules(verdict, [due], [post])
    assert verdict == Verdict(fired=1)
    judge_schedules(verdict, [due], [])
    judge_schedules(verdict, [due], [post, post])
    assert (len(verdict.lost), len(verdict.doubled)) == (1, 1)


def test_what_went_on_and_came_to_nothing_or_came_twice_is_noticed() -> None:
    said, words = Said(MIG, "1.1", "1.1", "long 1"), "The long work number 1 is done."
    begun = {"goes_on:1": {"slack_ts": "1.1", "status": "done"}}
    post, verdict = a_message(a_row("answer"), words), Verdict()
    judge_background(verdict, [(said, words)], begun, [post])
    judge_background(verdict, [(said, words)], {}, [])
    assert verdict == Verdict(gone_on=1)
    judge_background(verdict, [(said, words)], begun, [])
    judge_background(verdict, [(said, words)], begun, [post, post])
    judge_background(verdict, [(said, words)], {}, [post])
    assert (len(verdict.lost), len(verdict.doubled)) == (1, 2)


async def test_what_a_press_came_to_is_no_second_post_of_what_it_ran(ground: Ground) -> None:
    ledger, trouble = Ledger(), {"target": "slack", "method": "users.info"}
    person = Person(ground, "U01MIG", Random(1), ledger, itertools.count(1))
    await ground.start()
    await ground.connected()
    await person.ask()
    trouble |= {"kind": "error_before", "times": 15}
    await ground.bench.control("POST", "faults", trouble)
    await person.run_now()
    assert await settle(ground) == {}
    quoting = ground.view.posted(MIG, "hello 2")
    assert len(quoting) == 2, "the press was not kept until Slack knew again who it was"
    assert await reckon(ground, ledger) == Verdict(answered=1, fired=1)


async def test_a_message_of_ours_that_no_delivery_owns_is_a_double(ground: Ground) -> None:
    ledger = Ledger()
    await ground.start()
    ts = await ground.bench.post_message(MIG, "U01MIG", "hello 1")
    ledger.said.append(Said(MIG, ts, ts, "hello 1"))
    assert await ground.view.until(lambda: ground.view.said(MIG, ts), 15)
    assert await settle(ground) == {}
    assert await reckon(ground, ledger) == Verdict(answered=1)
    [message] = ground.view.said(MIG, ts)
    stray = {**message, "ts": "1.000001", "metadata": None}
    ground.bench.storage.put(f"slack/messages/{MIG}", stray["ts"], stray)
    assert len((await reckon(ground, ledger)).doubled) == 1


async def test_the_first_consent_counts_and_a_late_one_is_a_double(ground: Ground) -> None:
    ledger = Ledger()
    await ground.start()
    ts = await ground.bench.post_message(MIG, "U01MIG", "job 1")
    ledger.said.append(Said(MIG, ts, ts, "job 1"))
    view = ground.view
    assert await view.until(lambda: any(map(buttons, view.said(MIG, ts))), 15)
    card = next(one for one in view.said(MIG, ts) if "Create task" in buttons(one))
    hand = {"channel": MIG, "messageTs": card["ts"], "user": "U01MIG", "action": "Create task"}
    assert (await ground.bench.control("POST", "interact", hand))["ok"]
    assert await settle(ground) == {}
    async with ground.database() as database:
        # Tried again an hour later: that is nobody's late consent.
        again = await database.fetchval(_AN_HOUR_LATER)
        await database.execute(
            "insert into agent_events (event_type, reason, proposal_id, payload)"
            " select event_type, reason, proposal_id, jsonb_build_object('receipt_id', $1::bigint)"
            " from agent_events where event_type = 'consent_confirm'",
            again,
        )
        assert await reckon(ground, ledger) == Verdict(answered=1, created=1)
        await database.execute("update proposals set expires_at = opened_at - interval '1 second'")
    [late] = (await reckon(ground, ledger)).doubled
    assert "carried out on a late consent" in late


async def test_a_draft_that_stays_when_its_message_has_ended_is_a_loss(ground: Ground) -> None:
    await ground.start()
    ts = await ground.bench.post_message(MIG, "U01MIG", "job 1")
    assert await ground.view.until(lambda: any(map(buttons, ground.view.said(MIG, ts))), 15)
    assert await settle(ground) == {}
    await ground.execute("update proposals set state = 'draft'")

    assert await settle(ground, 0.2) == {"proposals": 1}
    assert any("its message has ended" in one for one in (await reckon(ground, Ledger())).lost)


def change(words: str, **more: Any) -> dict[str, Any]:
    return {"state": "done", "is_confirmed": True, "words": f"add {words}", **more}


def test_a_note_that_stands_twice_or_nowhere_or_unasked_is_noticed() -> None:
    verdict = Verdict()
    judge_notes(verdict, ["Note 1."], [change("Note 1.")], ["Note 1.\n\nNote 1."])
    assert verdict.doubled == ["the note “Note 1.” stands 2 times"]

    judge_notes(verdict, ["Note 2."], [change("Note 2.")], ["Note 1."])
    assert verdict.lost == ["the note “Note 2.”"]

    verdict = Verdict()
    judge_notes(verdict, ["Note 3."], [change("Note 3.", is_confirmed=False)], ["Note 3."])
    assert verdict.doubled == ["the note “Note 3.” stands there, and nobody confirmed it"]


def test_a_value_that_is_called_set_and_is_not_or_is_set_unasked_is_noticed() -> None:
    verdict = Verdict()
    tasks = [{"custom_fields": [{"name": "ASIN", "value": "Note 1."}]}]
    judge_values(verdict, ["Note 1."], [], tasks)
    assert verdict.doubled == ["“Note 1.” is set, and nobody confirmed it"]

    judge_values(verdict, ["Note 1."], [change("Note 1.")], [{"custom_fields": []}])
    assert verdict.lost == ["the values of custom fields that are called set"]
