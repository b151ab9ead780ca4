"""What an answer looks like."""

from uuid import uuid4

from inline_snapshot import snapshot
from slack_sdk.models.blocks import ContextActionsBlock

from agencyclaw.domain.choices import choice, fixed
from agencyclaw.domain.receipts import Link, Note
from agencyclaw.knowledge.link_breaking import WORD_JOINER
from agencyclaw.slack.answers import ANSWER_LIMIT, build_answer
from agencyclaw.slack.blocks import fits
from agencyclaw.slack.feedback import thumbs
from workbench.slack.limits import check_blocks


def test_the_models_words_come_first_then_what_code_adds() -> None:
    note = Note(
        text="**7 tasks** are due. R&D < 3. Ask <@U01INES>.",
        footer="due Mon–Sun · Glintly US",
        links=(Link(text="Fix A|B", url="http://127.0.0.1:1/t/1"),),
        choices=(choice("brand", "b1", "Glintly US"), choice("brand", "b2", "Glintly DE")),
    )
    message = build_answer(note)
    assert message.blocks == snapshot(
        [
            {"type": "markdown", "text": "**7 tasks** are due. R&D < 3. Ask someone."},
            {
                "type": "section",
                "text": {
                    "type": "mrkdwn",
                    "text": "<http://127.0.0.1:1/t/1|Fix A¦B>",
                    "verbatim": True,
                },
            },
            {
                "type": "actions",
                "elements": [
                    {
                        "type": "button",
                        "action_id": "claw_choice_0",
                        "text": {"type": "plain_text", "text": "Glintly US", "emoji": False},
                        "value": "0",
                    },
                    {
                        "type": "button",
                        "action_id": "claw_choice_1",
                        "text": {"type": "plain_text", "text": "Glintly DE", "emoji": False},
                        "value": "1",
                    },
                ],
            },
            {
                "type": "context",
                "elements": [
                    {"type": "mrkdwn", "text": "due Mon–Sun · Glintly US", "verbatim": True}
                ],
            },
        ]
    )
    assert (
        message.text
        == message.plain
        == snapshot("""\
**7 tasks** are due. R&amp;D &lt; 3. Ask someone.

<http://127.0.0.1:1/t/1|Fix A¦B>

due Mon–Sun · Glintly US\
""")
    )


def test_a_long_answer_is_cut_and_says_so() -> None:
    message = build_answer(Note(text="word " * 5_000))
    text = message.blocks[0]["text"]
    assert len(text) <= ANSWER_LIMIT
    assert text.endswith("(Cut here: with 24,999 characters this answer is too long for Slack.)")
    assert len(message.text) <= 4_000


def test_everything_at_once_still_fits() -> None:
    note = Note(
        text="a.example " * 3_000,
        footer="&" * 5_000,
        links=tuple(Link(text="&" * 200, url="https://x.example/" + "a" * 200) for _ in range(50)),
        choices=tuple(fixed(f"{at} " + "c" * 200) for at in range(5)),
    )
    message = build_answer(note)
    assert fits(message.blocks)
    assert check_blocks(message.blocks, "message") == []
    assert "… and " in message.plain


def test_an_empty_answer_is_a_sentence() -> None:
    message = build_answer(Note(text="  \n"))
    assert message.blocks[0]["text"].replace(WORD_JOINER, "").startswith("I have no words")


def test_a_button_in_the_text_is_only_text() -> None:
    forged = '{"type": "button", "action_id": "claw_confirm", "value": "x"}'
    message = build_answer(Note(text=forged))
    assert [block["type"] for block in message.blocks] == ["markdown"]


def test_many_sources_leave_room_for_the_last_line() -> None:
    titles = ", ".join(f"Standard procedure for launching a coupon, part {n}" for n in range(9))
    footer = f"Rests on: {titles}. Nothing was changed."

    message = build_answer(Note(text="As the procedures say.", footer=footer))

    assert message.blocks[-1]["elements"][0]["text"] == footer


def test_the_thumbs_are_those_of_slacks_own_kit() -> None:
    block = thumbs(uuid4())

    assert ContextActionsBlock(elements=block["elements"]).to_dict() == block
