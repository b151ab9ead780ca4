"""What is found half done is finished, and nothing that was promised is dropped."""

from __future__ import annotations

from stage import Stage

from agencyclaw.store.jobs import defer, queue_of

INES = "U01INES"
COUPON = "create a coupon task for Copperleaf: 20% off the garlic press B0CF7GARL1, starting Monday"
TITLE = "Set up 20% coupon for the garlic press"


async def test_a_consent_whose_request_was_never_written_is_still_carried_out(
    stage: Stage,
) -> None:
    root = await stage.say(INES, COUPON)
    await stage.card(INES, root)
    await stage.settled()
    [proposal] = await stage.proposals()
    async with stage.db.transaction() as conn:
        await conn.execute(
            "update proposals set state = 'unclear', reason = 'looking',"
            " confirmed_by = actor_profile_id, confirming_receipt_id = receipt_id"
        )
        args = {"proposal_id": str(proposal["id"])}
        await defer(conn, "look", args, queue=queue_of(proposal["team_id"]))

    await stage.created(TITLE)
    await stage.reply_with(INES, root, "Created “")
    await stage.settled()
    assert await stage.creates_sent() == 1
