"""Presses on a card of several, played on the product's own card and its reading of a press."""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.people import Place
from agencyclaw.domain.proposals import Proposal, ProposalState, fingerprint
from agencyclaw.slack import action_ids, cards, clicks
from tests.consent.product import an_id, effect_of
from tests.consent.scene import Case
from tests.consent.transcript import Button, Press, Transcript

CLOCK = "1700000000.000100"


def sends(case: Case) -> frozenset[str] | None:
    """Return what a press sends to be decided about; None where nothing is."""
    press = case.act
    assert isinstance(press, Press)
    transcript = case.transcript
    shown = next(c.proposals for c in transcript.cards if c.ts == press.card)
    proposals = [row_of(transcript, name) for name in shown]
    blocks = [b for message in cards.build_cards(proposals) for b in message.blocks]
    elements = [e for b in blocks if b["type"] == "actions" for e in b["elements"]]
    by_all = press.button is Button.CREATE_ALL
    wanted = action_ids.CONFIRM_ALL if by_all else action_ids.CONFIRM_SELECTED
    button = next((e for e in elements if e.get("action_id") == wanted), None)
    if button is None or (by_all and not lists_all(button, proposals)):
        return frozenset({"anything"})
    chosen = press.proposals if not by_all else frozenset(shown)
    pressed = clicks.read_press(body(button, ticked(elements, chosen)))
    if not isinstance(pressed, clicks.Decision):
        return None
    names = {an_id(name): name for name in shown}
    return frozenset(names[one] for one in pressed.click.proposal_ids)


def lists_all(button: dict[str, Any], proposals: list[Proposal]) -> bool:
    """Return whether Slack's own dialog lists every one before all are confirmed."""
    text = str(button.get("confirm", {}).get("text", {}).get("text", ""))
    lines = text.splitlines()
    begun = [f"{number}. {one.effect.label}"[:12] for number, one in enumerate(proposals, start=1)]
    return len(lines) == len(begun) and all(map(str.startswith, lines, begun))


def ticked(elements: list[dict[str, Any]], chosen: frozenset[str]) -> list[str]:
    """Return the boxes that are ticked: those a person ticks, and those the card came with."""
    wanted = {str(an_id(name)) for name in chosen}
    boxes = [e for e in elements if e["type"] == "checkboxes"]
    values = [o["value"] for e in boxes for o in e["options"]]
    given = {o["value"] for e in boxes for o in e.get("initial_options", ())}
    return [one for one in values if one in given or one.partition(":")[0] in wanted]


def body(button: dict[str, Any], values: list[str]) -> dict[str, Any]:
    """Return what Slack sends when a button is pressed."""
    options = [{"value": value} for value in values]
    return {
        "user": {"id": "U01INES"},
        "team": {"id": "T0LANTERN"},
        "channel": {"id": "D01INES"},
        "message": {"ts": CLOCK},
        "trigger_id": "1.2.3",
        "state": {"values": {"boxes": {action_ids.SELECTION: {"selected_options": options}}}},
        "actions": [
            {"action_id": button["action_id"], "action_ts": CLOCK, "value": button["value"]}
        ],
    }


def row_of(transcript: Transcript, name: str) -> Proposal:
    """Return a proposal of a transcript as the product has it."""
    given = next(one for one in transcript.proposals if one.id == name)
    effect, actor = effect_of(given), an_id(given.owner)
    place = Place(team_id="T0LANTERN", channel_id="D01INES", thread_ts=CLOCK, is_direct=True)
    return Proposal(
        id=an_id(name),
        receipt_id=1,
        run_id=None,
        place=place,
        actor_profile_id=actor,
        actor_slack_user_id="U01INES",
        actor_name="Ines Varga",
        effect=effect,
        fingerprint=fingerprint(effect, actor, place),
        state=ProposalState.OPEN,
        created_at=given.created,
        expires_at=given.expires_at,
    )
