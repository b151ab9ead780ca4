"""What a card shows, and what it never leaves out."""

# ruff: noqa: E501 - what is shown stands here as it is shown

import json
from datetime import UTC, date, datetime
from typing import Any, get_args

import pytest
from fakes.slack_store import a_place, a_proposal, an_effect, an_id
from inline_snapshot import snapshot

from agencyclaw.domain.brands import ApplyRemediation, Repair
from agencyclaw.domain.changes import FOLD_LIMIT, Preview
from agencyclaw.domain.client_records import ClientFacts, CreateClient
from agencyclaw.domain.clients import Named
from agencyclaw.domain.field_sources import FieldSource, Origin
from agencyclaw.domain.imports import CHARACTERS_AT_MOST, ImportRecords
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.remembering import RememberPreference
from agencyclaw.domain.sops import Source, SourceTier
from agencyclaw.domain.task_comments import CommentOnTask
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.task_requests import Promotion, TaskFact
from agencyclaw.knowledge.link_breaking import WORD_JOINER
from agencyclaw.slack import action_ids
from agencyclaw.slack.blocks import Block, fits
from agencyclaw.slack.cards import build_cards
from agencyclaw.slack.home import build_home
from workbench.slack.limits import check_blocks

AT = datetime(2026, 11, 21, 14, 25, tzinfo=UTC)


def card(*proposals: Proposal) -> list[Block]:
    messages = build_cards(proposals)
    assert len(messages) == 1
    return messages[0].blocks


def strings(node: Any) -> str:
    return json.dumps(node, ensure_ascii=False).replace(WORD_JOINER, "")


def buttons(blocks: list[Block]) -> dict[str, str]:
    parts = [one for block in blocks for one in block.get("elements", [])]
    parts += [block["accessory"] for block in blocks if "accessory" in block]
    return {one["text"]["text"]: one["action_id"] for one in parts if one.get("type") == "button"}


def test_a_card_says_what_where_which_what_is_open_on_what_grounds_and_who_until_when() -> None:
    [message] = build_cards([a_proposal()])
    assert message.text == (
        "Create the task “Set up a 20% coupon” for Copperleaf Kitchen"
        " · Copperleaf · Copperleaf / Promotions"
    )
    assert message.blocks == snapshot(
        [
            {
                "type": "section",
                "text": {
                    "type": "mrkdwn",
                    "text": "*Create the task “Set up a 20% coupon” for Copperleaf Kitchen*",
                    "verbatim": True,
                },
            },
            {
                "type": "section",
                "text": {
                    "type": "mrkdwn",
                    "text": "*Where:* Copperleaf / Promotions",
                    "verbatim": True,
                },
            },
            {
                "type": "section",
                "fields": [
                    {
                        "type": "mrkdwn",
                        "text": """\
*Client*
Copperleaf\
""",
                        "verbatim": True,
                    },
                    {
                        "type": "mrkdwn",
                        "text": """\
*Brand*
Copperleaf Kitchen\
""",
                        "verbatim": True,
                    },
                    {
                        "type": "mrkdwn",
                        "text": """\
*Assignee*
unassigned: Yuki Tan has no ClickUp account linked\
""",
                        "verbatim": True,
                    },
                    {
                        "type": "mrkdwn",
                        "text": """\
*Start*
Mon 23 Nov 2026\
""",
                        "verbatim": True,
                    },
                    {
                        "type": "mrkdwn",
                        "text": """\
*Products*
B0CF7GARL1\
""",
                        "verbatim": True,
                    },
                ],
            },
            {
                "type": "markdown",
                "text": """\
20% off the garlic press.

- [ ] Check the margin
- [ ] Set the dates\
""",
            },
            {
                "type": "section",
                "text": {
                    "type": "mrkdwn",
                    "text": """\
*Still open or assumed:*
• End date of the coupon\
""",
                    "verbatim": True,
                },
            },
            {
                "type": "context",
                "elements": [
                    {
                        "type": "mrkdwn",
                        "text": "Based on: SOP <https://app.clickup.com/1/v/dc/2|“Coupon set-up”>, version 3",
                        "verbatim": True,
                    }
                ],
            },
            {
                "type": "context",
                "elements": [
                    {
                        "type": "mrkdwn",
                        "text": "Only Ines Varga can confirm this until 14:32 (Lisbon): with the button.",
                        "verbatim": True,
                    }
                ],
            },
            {
                "type": "actions",
                "elements": [
                    {
                        "type": "button",
                        "action_id": "claw_confirm",
                        "text": {"type": "plain_text", "text": "Create task", "emoji": False},
                        "value": "4a493565-bb53-52d0-a5c6-d6e97d896837:ed1f86846cd9aad4",
                        "style": "primary",
                    },
                    {
                        "type": "button",
                        "action_id": "claw_edit",
                        "text": {"type": "plain_text", "text": "Edit", "emoji": False},
                        "value": "4a493565-bb53-52d0-a5c6-d6e97d896837:ed1f86846cd9aad4",
                    },
                    {
                        "type": "button",
                        "action_id": "claw_cancel",
                        "text": {"type": "plain_text", "text": "Cancel", "emoji": False},
                        "value": "4a493565-bb53-52d0-a5c6-d6e97d896837:ed1f86846cd9aad4",
                    },
                ],
            },
        ]
    )


def test_the_same_card_in_words() -> None:
    [message] = build_cards([a_proposal()])
    assert message.plain == snapshot("""\
*Create the task “Set up a 20% coupon” for Copperleaf Kitchen*
*Where:* Copperleaf / Promotions
Client: Copperleaf
Brand: Copperleaf Kitchen
Assignee: unassigned: Yuki Tan has no ClickUp account linked
Start: Mon 23 Nov 2026
Products: B0CF7GARL1
20% off the garlic press.

- [ ] Check the margin
- [ ] Set the dates
*Still open or assumed:*
• End date of the coupon
Based on: SOP “Coupon set-up”, version 3
Only Ines Varga can confirm this until 14:32 (Lisbon): with the button.\
""")


def test_several_proposals_share_a_card() -> None:
    two = a_proposal("two", effect=an_effect("Check the listing", body="Look.", sources=()))
    blocks = card(a_proposal(), two)
    assert not any(
        "initial_options" in one for block in blocks for one in block.get("elements", [])
    )
    assert blocks[-1] == snapshot(
        {
            "type": "actions",
            "elements": [
                {
                    "type": "button",
                    "action_id": "claw_confirm_selected",
                    "text": {"type": "plain_text", "text": "Create selected", "emoji": False},
                    "value": "4a493565-bb53-52d0-a5c6-d6e97d896837:ed1f86846cd9aad4,1b148ee8-6f29-51cd-a7cf-ef328542e38e:2dc3ae4e4763d5d4",
                    "style": "primary",
                },
                {
                    "type": "button",
                    "action_id": "claw_confirm_all",
                    "text": {"type": "plain_text", "text": "Create all 2", "emoji": False},
                    "value": "4a493565-bb53-52d0-a5c6-d6e97d896837:ed1f86846cd9aad4,1b148ee8-6f29-51cd-a7cf-ef328542e38e:2dc3ae4e4763d5d4",
                    "confirm": {
                        "title": {"type": "plain_text", "text": "Create all 2?", "emoji": False},
                        "text": {
                            "type": "plain_text",
                            "text": """\
1. Set up a 20% coupon – Copperleaf Kitchen, Copperleaf
2. Check the listing – Copperleaf Kitchen, Copperleaf\
""",
                            "emoji": False,
                        },
                        "confirm": {"type": "plain_text", "text": "Create all", "emoji": False},
                        "deny": {"type": "plain_text", "text": "Back", "emoji": False},
                    },
                },
                {
                    "type": "button",
                    "action_id": "claw_cancel_selected",
                    "text": {"type": "plain_text", "text": "Cancel selected", "emoji": False},
                    "value": "4a493565-bb53-52d0-a5c6-d6e97d896837:ed1f86846cd9aad4,1b148ee8-6f29-51cd-a7cf-ef328542e38e:2dc3ae4e4763d5d4",
                },
            ],
        }
    )
    assert blocks[-2] == snapshot(
        {
            "type": "actions",
            "elements": [
                {
                    "type": "checkboxes",
                    "action_id": "claw_selection",
                    "options": [
                        {
                            "text": {
                                "type": "plain_text",
                                "text": "1. Set up a 20% coupon – Copperleaf Kitchen, Copperleaf",
                                "emoji": False,
                            },
                            "value": "4a493565-bb53-52d0-a5c6-d6e97d896837:ed1f86846cd9aad4",
                        },
                        {
                            "text": {
                                "type": "plain_text",
                                "text": "2. Check the listing – Copperleaf Kitchen, Copperleaf",
                                "emoji": False,
                            },
                            "value": "1b148ee8-6f29-51cd-a7cf-ef328542e38e:2dc3ae4e4763d5d4",
                        },
                    ],
                }
            ],
        }
    )
    assert [block["accessory"]["value"] for block in blocks if "accessory" in block] == [
        action_ids.button_value(a_proposal()),
        action_ids.button_value(two),
    ]


def test_with_several_a_plain_yes_is_not_promised() -> None:
    shown = strings(card(a_proposal(), a_proposal("two")))
    assert "until 14:32 (Lisbon): with the buttons." in shown
    assert "yes, create it" not in shown


def test_the_last_open_one_of_several_has_its_own_buttons() -> None:
    done = a_proposal("two", state=ProposalState.CANCELLED, settled_by="Ines Varga")
    assert buttons(card(a_proposal(), done)) == {
        "Create task": action_ids.CONFIRM,
        "Edit": action_ids.EDIT,
        "Cancel": action_ids.CANCEL,
    }


@pytest.mark.parametrize(
    ("state", "changes", "words", "left"),
    [
        (
            ProposalState.CONFIRMED,
            {"settled_by": "Ines Varga"},
            "⏳ *Confirmed* by Ines Varga. Being created now…",
            {},
        ),
        (
            ProposalState.DONE,
            {
                "settled_by": "Ines Varga",
                "settled_at": AT,
                "result": {"url": "http://127.0.0.1:1/t/9"},
            },
            "✅ *Created* by Ines Varga on Sat 21 Nov, 14:25 (Lisbon). "
            "<http://127.0.0.1:1/t/9|Open it in ClickUp>",
            {"Show the full text": action_ids.SHOW_TEXT},
        ),
        (
            ProposalState.CANCELLED,
            {"settled_by": "Ines Varga", "settled_at": AT},
            "✖️ *Cancelled* by Ines Varga on Sat 21 Nov, 14:25 (Lisbon). Nothing was changed.",
            {},
        ),
        (
            ProposalState.EXPIRED,
            {"settled_at": AT},
            "⌛ *Expired* on Sat 21 Nov, 14:25 (Lisbon). Nothing was changed.",
            {"Prepare it again": action_ids.PREPARE_AGAIN},
        ),
        (
            ProposalState.SUPERSEDED,
            {"settled_by": "Ines Varga", "settled_at": AT},
            "↪️ *Replaced* on Sat 21 Nov, 14:25 (Lisbon) by a newer proposal. Nothing was changed.",
            {},
        ),
        (
            ProposalState.FAILED,
            {"settled_at": AT, "reason": "throttled", "result": {"message": "ClickUp was busy."}},
            "⚠️ *Not created* on Sat 21 Nov, 14:25 (Lisbon): ClickUp was busy. Nothing was changed.",
            {"Try again": action_ids.RETRY},
        ),
        (
            ProposalState.FAILED,
            {"settled_at": AT, "reason": "duplicate", "result": {"url": "https://x.example/t/1"}},
            "⚠️ *Not created* on Sat 21 Nov, 14:25 (Lisbon): a task like this was created within "
            "the last 24 hours. <https://x.example/t/1|Open that one>",
            {"Create anyway": action_ids.CREATE_ANYWAY},
        ),
        (
            ProposalState.CANCELLED,
            {"settled_by": "Ines Varga", "settled_at": AT, "confirmed_by": an_id("Ines")},
            "✖️ *Not created* on Sat 21 Nov, 14:25 (Lisbon). Nothing was changed.",
            {},
        ),
        (
            ProposalState.UNCLEAR,
            {"settled_by": "Ines Varga", "reason": "undecided"},
            "❔ *Not known.* Confirmed by Ines Varga. I could not find out whether it was "
            "created. Please look in ClickUp; if it is not there, try again.",
            {"Try again": action_ids.RETRY},
        ),
        (
            ProposalState.UNCLEAR,
            {"settled_by": "Ines Varga"},
            "❔ *Not known yet.* Confirmed by Ines Varga. ClickUp did not say whether it was "
            "created. I am looking for it, and I won't send it twice.",
            {},
        ),
    ],
)
def test_after_an_ending_the_card_says_what_happened_and_keeps_no_open_button(
    state: ProposalState, changes: dict[str, Any], words: str, left: dict[str, str]
) -> None:
    blocks = card(a_proposal(state=state, **changes))
    assert words in [
        block["text"]["text"] for block in blocks if "text" in block and block["type"] == "section"
    ]
    assert buttons(blocks) == left


def test_what_was_carried_out_shrinks_to_headline_outcome_and_a_way_to_the_text() -> None:
    made = {"settled_by": "Ines Varga", "settled_at": AT, "result": {"can_undo": True}}
    blocks = card(a_proposal(state=ProposalState.DONE, **made))

    assert [block["type"] for block in blocks] == ["section", "section", "context", "actions"]
    assert buttons(blocks) == {"Undo": action_ids.UNDO, "Show the full text": action_ids.SHOW_TEXT}


@pytest.mark.parametrize("state", [ProposalState.CONFIRMED, ProposalState.FAILED])
def test_what_more_may_come_of_stays_in_sight(state: ProposalState) -> None:
    proposal = a_proposal(state=state, settled_by="Ines Varga", settled_at=AT)

    assert proposal.effect.preview().where in strings(card(proposal))


LONG = "\n".join(f"{at}. step & <detail> number {at}" for at in range(230))
PASTED = FieldSource(
    field="Description", origin=Origin.PASTED, whose="Ines Varga", needs_press=True
)


def test_a_long_body_is_one_press_away_and_the_card_takes_a_press_only() -> None:
    effect = an_effect(body=LONG)
    [message] = build_cards([a_proposal(effect=effect)])
    assert "The full text is one press away." in strings(message.blocks)
    assert buttons(message.blocks)["Show the full text"] == action_ids.SHOW_TEXT
    assert not effect.takes_words


def test_a_long_text_of_others_is_shown_to_its_last_character() -> None:
    [message] = build_cards([a_proposal(effect=an_effect(body=LONG, field_sources=(PASTED,)))])
    shown = "".join(block["text"] for block in message.blocks if block["type"] == "markdown")
    assert shown.replace(WORD_JOINER, "") == LONG
    assert "text that you pasted" in strings(message.blocks)


def test_words_of_a_message_that_holds_a_pasted_text_are_not_called_pasted() -> None:
    line = PASTED.model_copy(update={"quote": "-> a task for Miguel", "is_mixed": True})
    [message] = build_cards([a_proposal(effect=an_effect(field_sources=(line,)))])
    whole = strings(message.blocks)

    assert "your message, which contains pasted text: “-&gt; a task for Miguel”" in whole
    assert "Ines Varga pasted" not in whole


def test_what_an_earlier_question_offered_is_said_to_be_from_there() -> None:
    lines = [
        FieldSource(field="Assignee", origin=Origin.OFFERED, whose=whose, quote="Sara Kim")
        for whose in ("", "the second")
    ]
    [message] = build_cards([a_proposal(effect=an_effect(field_sources=tuple(lines)))])
    whole = strings(message.blocks)

    assert whole.count("offered in an earlier question of mine") == 1
    assert whole.count("the second") == 1


def test_a_card_that_ends_on_another_day_says_which() -> None:
    late = datetime(2026, 11, 22, 9, 5, tzinfo=UTC)

    assert "until Sun 22 Nov, 09:05 (Lisbon)" in strings(card(a_proposal(expires_at=late)))
    assert "until 14:32 (Lisbon)" in strings(card(a_proposal()))


def test_what_the_shown_text_says_is_no_field_as_well() -> None:
    effect = an_effect(objective="A lower price over the holidays", marketplaces=("US",))
    [message] = build_cards([a_proposal(effect=effect)])
    names = [one["text"].partition("\n")[0] for one in fields_of(message.blocks)]

    assert "*Assignee*" in names
    assert not {"*Objective*", "*Marketplace*"} & set(names)


def test_a_card_that_folds_its_text_shows_every_fact_and_assumption() -> None:
    effect = an_effect(
        body=LONG,
        objective="A lower price over the holidays",
        details="Both colours.",
        marketplaces=("US",),
        is_default_marketplace=True,
        promotion=Promotion(
            type="price_discount",
            price="19.90 USD",
            starts=date(2026, 12, 5),
            ends=date(2026, 12, 8),
        ),
        facts=(TaskFact(about="other", value="Current price 24.90 USD"),),
    )
    [message] = build_cards([a_proposal(effect=effect)])

    assert [one["text"] for one in fields_of(message.blocks)][5:] == [
        "*Objective*\nA lower price over the holidays",
        "*Marketplace*\nUS (the brand's own; not stated)",
        "*Promotion type*\nPrice discount",
        "*Price*\n19.90 USD",
        "*Starts*\nSat 5 Dec 2026",
        "*Ends*\nTue 8 Dec 2026",
        "*Note*\nCurrent price 24.90 USD",
    ]
    assert check_blocks(message.blocks, "message") == []


def fields_of(blocks: list[Block]) -> list[Block]:
    return [one for block in blocks for one in block.get("fields", [])]


class Wide(CreateTask):
    """An effect of many fields."""

    def preview(self) -> Preview:
        rows = tuple((f"Field {at}", f"value {at}") for at in range(12))
        return super().preview().model_copy(update={"fields": rows})


@pytest.mark.parametrize("body", ["", LONG])
def test_no_field_is_folded_away(body: str) -> None:
    effect = Wide.model_validate(an_effect(body=body).model_dump())
    [message] = build_cards([a_proposal().model_copy(update={"effect": effect})])

    assert strings(message.blocks).count("*Field ") == 12
    assert ("Show the full text" in buttons(message.blocks)) == bool(body)
    assert effect.takes_words == (not body)


def test_repairs_are_facts_and_all_of_them_are_on_the_card() -> None:
    brands = [f"Brand number {at} of the agency" for at in range(60)]
    client = Named(id=an_id("Copperleaf"), name="Copperleaf")
    repairs = tuple(
        Repair(client=client, brand=Named(id=an_id(one), name=one), field="list", after="1")
        for one in brands
    )
    effect = ApplyRemediation(repairs=repairs)
    shown = strings([one.blocks for one in build_cards([a_proposal(effect=effect)])])

    assert len(effect.preview().body) > FOLD_LIMIT
    assert all(one in shown for one in brands)


def test_an_import_has_the_words_of_others_and_shows_all_of_them() -> None:
    names = [f"Larkspur {at}" for at in range(100)]
    changes = tuple(
        CreateClient(
            after=ClientFacts(name=name, summary=f"the lamps of {name} & " + "more " * 60),
            new_id=an_id(name),
        )
        for name in names
    )
    effect = ImportRecords(files=("clients.csv",), changes=changes)
    assert FOLD_LIMIT < len(effect.preview().body) < CHARACTERS_AT_MOST
    messages = build_cards([a_proposal(effect=effect)])

    shown = strings([one.blocks for one in messages])
    assert all(f"the lamps of {name} " in shown for name in names)
    assert "one press away" not in shown
    assert "Show the full text" not in buttons(messages[-1].blocks)
    for one in messages:
        assert fits(one.blocks)
        assert check_blocks(one.blocks, "message") == []


def test_what_does_not_fit_into_one_message_goes_into_several_and_the_last_has_the_buttons() -> (
    None
):
    effects = [
        an_effect(f"Task {at}", body=f"{at} " + "word " * 900, field_sources=(PASTED,))
        for at in range(5)
    ]
    proposals = [a_proposal(f"p{at}", effect=one) for at, one in enumerate(effects)]
    messages = build_cards(proposals)
    assert len(messages) == 6
    shown = strings([message.blocks for message in messages])
    assert all(one.body.strip() in shown for one in effects)
    assert not any(buttons(message.blocks) for message in messages[:-1])
    assert set(buttons(messages[-1].blocks)) == {
        *("Edit", "Create selected", "Create all 5", "Cancel selected")
    }
    for message in messages:
        assert fits(message.blocks)
        assert check_blocks(message.blocks, "message") == []


def test_the_largest_effect_is_shown_whole() -> None:
    effect = an_effect(
        "&" * 200,
        body="<&> see https://a.example/x?y=z. " * 242,
        identifiers=tuple(f"B0{at:08d}" for at in range(50)),
        unresolved=tuple("&" * 300 for _ in range(10)),
        client=Named(id=an_id("x"), name="*Ev&l* <!channel>\n*✅ Created*"),
    )
    proposal = a_proposal(effect=effect)
    messages = build_cards([proposal])
    shown = strings([message.blocks for message in messages])
    assert all(one in shown for one in effect.identifiers)
    assert shown.count("&amp;" * 300) == 10
    assert "<!channel>" not in json.dumps([m.blocks for m in messages], ensure_ascii=False)
    for message in messages:
        assert fits(message.blocks)
        assert check_blocks(message.blocks, "message") == []


def test_more_than_ten_are_still_all_to_be_chosen() -> None:
    proposals = [
        a_proposal(f"p{at}", effect=an_effect(f"Task {at}", body="x", sources=()))
        for at in range(14)
    ]
    messages = build_cards(proposals)
    last = messages[-1].blocks
    boxes = [one for block in last for one in block.get("elements", []) if "options" in one]
    assert [len(box["options"]) for box in boxes] == [10, 4]
    assert check_blocks(last, "message") == []


def test_a_card_in_a_channel_says_whose_it_is() -> None:
    blocks = card(a_proposal(place=a_place("C01OPS")))
    assert "Only Ines Varga can confirm this until 14:32 (Lisbon)" in strings(blocks)


def test_a_card_that_colleagues_read_says_for_whom_its_button_prepares() -> None:
    words = "gives a colleague who presses it the same on a card of their own"
    channel = a_place("C01OPS")
    ines = Named(id=an_id("Ines"), name="Ines")
    own = RememberPreference(person=ines, key="other", value="Short answers.")
    for several in (
        [a_proposal(place=channel)],
        [a_proposal("own", effect=own, place=channel), a_proposal("task", place=channel)],
    ):
        blocks = card(*several)
        assert "Prepare it for me" in buttons(blocks)
        assert words in strings(blocks)
        assert strings(blocks).count(words) == 1

    for alone in (
        card(a_proposal(place=a_place("D01INES"))),
        card(a_proposal(effect=own, place=channel)),
        build_home([a_proposal(place=channel)])["blocks"],
    ):
        assert "Prepare it for me" not in strings(alone)
        assert words not in strings(alone)


def of(client: str, brand: str = "Glintly", title: str = "Check the listing") -> CreateTask:
    return an_effect(
        title=title,
        client=Named(id=an_id(client), name=client),
        brand=Named(id=an_id(f"{client} {brand}"), name=brand),
    )


def test_equal_titles_differ_wherever_several_are_listed() -> None:
    one = a_proposal("one", effect=of("Glintly Inc"))
    two = a_proposal("two", effect=of("Casa Mundo"))
    [message] = build_cards([one, two])
    blocks = message.blocks
    titles = [block["text"]["text"] for block in blocks if "Create the task" in strings(block)]
    [boxes] = [e for b in blocks for e in b.get("elements", []) if e.get("type") == "checkboxes"]
    options = [each["text"]["text"] for each in boxes["options"]]
    [whole] = [e for e in blocks[-1]["elements"] if "confirm" in e]
    dialog = whole["confirm"]["text"]["text"].splitlines()

    for listed in (titles, options, dialog, message.text.splitlines()):
        assert len(listed) == 2
        assert "Glintly Inc" in listed[0]
        assert "Casa Mundo" in listed[1]


def test_a_wording_rests_on_what_the_requester_brought_and_on_others_by_name() -> None:
    read = "a file of Ines Varga; a file of Miguel Duarte"
    source = FieldSource(field="Title", origin=Origin.ASSISTANT, whose=read, needs_press=True)
    shown = strings(card(a_proposal(effect=an_effect(field_sources=(source,)))))

    assert "after it read a file that you sent; a file of Miguel Duarte" in shown


def test_different_changes_of_one_task_differ_in_the_boxes_and_in_the_dialog() -> None:
    title, client = "Upload the gallery images", Named(id=an_id("Copperleaf"), name="Copperleaf")
    task = {"task_id": "86a", "url": "https://app.clickup.com/t/86a", "title": title}
    comment = CommentOnTask(client=client, author="Ines Varga", text="Done.", **task)
    waiting = [
        a_proposal("one", effect=comment),
        a_proposal("two", effect=an_effect(title=title, brand=None)),
    ]
    blocks = build_cards(waiting)[-1].blocks
    [boxes] = [e for b in blocks for e in b.get("elements", []) if e.get("type") == "checkboxes"]
    [whole] = [e for e in blocks[-1]["elements"] if "confirm" in e]
    options = [one["text"]["text"] for one in boxes["options"]]

    for listed in (options, whole["confirm"]["text"]["text"].splitlines()):
        assert listed[0].startswith("1. Comment on")
        assert listed[1].startswith("2. Create the task")


def test_a_long_title_is_cut_and_not_whom_it_is_for() -> None:
    waiting = [a_proposal(str(n), effect=of("Casa Mundo", title="Long " * 30)) for n in range(5)]
    blocks = build_cards(waiting)[-1].blocks
    [boxes] = [e for b in blocks for e in b.get("elements", []) if e.get("type") == "checkboxes"]
    [whole] = [e for e in blocks[-1]["elements"] if "confirm" in e]

    assert all("Casa Mundo" in one["text"]["text"] for one in boxes["options"])
    assert all("Casa" in line for line in whole["confirm"]["text"]["text"].splitlines())
    assert len(whole["confirm"]["text"]["text"]) <= 300


@pytest.mark.parametrize("needs_press", [True, False])
def test_what_is_open_stands_once_on_a_card_whosever_words_it_holds(needs_press: bool) -> None:
    point = "Due date: not stated."
    body = "A long line.\n" * 200 + f"## Unresolved\n- {point}"
    basis = FieldSource(
        field="Details", origin=Origin.PASTED, quote="A long line.", needs_press=needs_press
    )
    long = an_effect(body=body, unresolved=(point,), field_sources=(basis,))
    short = an_effect(title="Another one", body=f"- {point}", unresolved=(point,))

    for proposal in (a_proposal(effect=long), a_proposal(effect=short)):
        assert strings(card(proposal)).count(point) == 1


@pytest.mark.parametrize("tier", get_args(SourceTier))
def test_a_source_of_any_kind_is_named_on_card_and_home_and_without_blocks(
    tier: SourceTier,
) -> None:
    source = Source(tier=tier, id="d1", title="Returns of the carrier", confidence="high")
    proposal = a_proposal(effect=an_effect(sources=(source,)))
    [message] = build_cards([proposal])
    home = build_home([proposal])

    for shown in (strings(message.blocks), strings(home), message.plain):
        assert "“Returns of the carrier”" in shown
