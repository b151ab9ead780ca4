"""What a message event means."""

from typing import Any

import pytest
from fakes.slack_store import BOT, CLAW, INES, INES_DM, OPS, TEAM

from agencyclaw.domain.receipts import ReceiptKind
from agencyclaw.domain.text import MESSAGE_LIMIT
from agencyclaw.slack.ignored import Ignored
from agencyclaw.slack.messages import (
    Content,
    MessageInThread,
    MessageMeaning,
    MessageToUs,
    OverheardMessage,
    read_message,
)
from agencyclaw.slack.ports import BotIdentity
from agencyclaw.slack.thread_reader import text_of as thread_text
from agencyclaw.slack.threads import ThreadMessage

ME = BotIdentity(team_id=TEAM, user_id=CLAW, bot_id=BOT)
TS = "1700000000.000200"
ROOT = "1700000000.000100"


def an_event(**changes: Any) -> dict[str, Any]:
    event = {"type": "message", "channel": INES_DM, "channel_type": "im", "user": INES, "ts": TS}
    return event | {"text": "hello"} | changes


def in_channel(**changes: Any) -> dict[str, Any]:
    return an_event(channel=OPS, channel_type="channel") | changes


def read(event: dict[str, Any]) -> MessageMeaning:
    return read_message(event, me=ME, team_id=TEAM)


def text_of(event: dict[str, Any]) -> str:
    heard = read(event)
    assert isinstance(heard, MessageToUs)
    return heard.incoming.text


def test_a_direct_message_roots_its_own_thread() -> None:
    heard = read(an_event())
    assert isinstance(heard, MessageToUs)
    assert heard.incoming.place.thread_ts == TS
    assert heard.incoming.place.is_direct
    assert heard.incoming.key == f"message:{TEAM}:{INES_DM}:{TS}"
    assert heard.incoming.kind is ReceiptKind.MESSAGE


FORWARDED = {
    "is_share": True,
    "is_msg_unfurl": True,
    "author_name": "Dana Whitfield",
    "text": "Can we pause <https://glintly.example/x|the coupon>?\nIt is &lt; 5 %.",
    "fallback": "[November 21st] dana: Can we pause the coupon?",
}
AS_READ = """(forwarded message of Dana Whitfield)
> Can we pause the coupon (https://glintly.example/x)?
> It is < 5 %."""


def test_a_message_forwarded_without_a_word_is_heard_with_its_author() -> None:
    heard = read(an_event(text="", attachments=[FORWARDED]))

    assert isinstance(heard, MessageToUs)
    assert (heard.incoming.text, heard.incoming.carries) == (AS_READ, ("forward",))


def test_what_is_forwarded_stands_below_what_is_typed_and_is_no_word_of_consent() -> None:
    assert text_of(an_event(text="yes", attachments=[FORWARDED])) == f"yes\n{AS_READ}"
    heard = read(an_event(text="stop", subtype="message_share", attachments=[FORWARDED]))
    assert isinstance(heard, MessageToUs)
    assert heard.incoming.kind is ReceiptKind.MESSAGE


def test_what_another_app_forwards_is_read_once_and_as_a_quote() -> None:
    added = {"text": "Due on Friday"}
    message = {"ts": TS, "bot_id": "B0OTHER", "text": "fyi", "attachments": [FORWARDED, added]}
    read_later = thread_text(ThreadMessage.model_validate(message))
    assert read_later == f"fyi\nDue on Friday\n{AS_READ}"


def test_the_preview_of_a_link_is_no_forwarded_message() -> None:
    preview = {"text": "A page about coupons", "from_url": "https://glintly.example/x"}
    assert text_of(an_event(attachments=[preview])) == "hello"
    assert isinstance(read(an_event(text="", attachments=[preview])), Ignored)


def test_a_reply_stays_in_its_thread() -> None:
    heard = read(an_event(thread_ts=ROOT))
    assert isinstance(heard, MessageToUs)
    assert heard.incoming.place.thread_ts == ROOT


def test_a_mention_and_the_message_of_the_same_ts_are_one() -> None:
    text = f"<@{CLAW}> what is due?"
    mention = read(in_channel(type="app_mention", text=text, channel_type=None))
    message = read(in_channel(text=text))
    assert isinstance(mention, MessageToUs)
    assert isinstance(message, MessageToUs)
    assert mention.incoming == message.incoming
    assert mention.incoming.text == "what is due?"
    assert not mention.incoming.place.is_direct


def test_only_the_leading_mention_is_taken_off() -> None:
    heard = read(in_channel(type="app_mention", text=f"<@{CLAW}> ask <@U02SAM> about x"))
    assert isinstance(heard, MessageToUs)
    assert heard.incoming.text.startswith("ask ")
    assert "U02SAM" in heard.incoming.text


def test_a_reply_in_a_channel_that_calls_nobody_may_be_for_us() -> None:
    heard = read(in_channel(thread_ts=ROOT))
    assert isinstance(heard, MessageInThread)
    assert not heard.mentions_others


@pytest.mark.parametrize(
    "named",
    [f"<@{INES}>", f"<@{INES}|ines>", "<!subteam^S01OPS>", "<!here>", "<!channel>", "<!everyone>"],
)
def test_a_reply_in_a_channel_that_calls_somebody_else_by_slacks_markup_is_for_them(
    named: str,
) -> None:
    heard = read(in_channel(thread_ts=ROOT, text=f"can you check that, {named}"))
    assert isinstance(heard, MessageInThread)
    assert heard.mentions_others


@pytest.mark.parametrize("typed", ["&lt;@U01INES&gt; said so", "mail ines@a.example", "@ines ok"])
def test_what_only_looks_like_a_call_calls_nobody(typed: str) -> None:
    heard = read(in_channel(thread_ts=ROOT, text=typed))
    assert isinstance(heard, MessageInThread)
    assert not heard.mentions_others


@pytest.mark.parametrize(
    "text",
    [
        "&gt; new images, please",
        "a task, due Friday\n\n&gt; new images, please\n&gt; Carol",
        "a task\n&gt;&gt;&gt; new images",
    ],
)
def test_quoted_lines_are_a_quote_wherever_they_stand_in_a_message_without_blocks(
    text: str,
) -> None:
    assert "quote" in Content(text=text).carries


def test_a_figure_above_another_is_no_quote() -> None:
    assert Content(text="pause all with ACOS &gt; 60 %").carries == ()


def test_a_call_of_us_beside_others_is_for_us() -> None:
    assert isinstance(
        read(in_channel(thread_ts=ROOT, text=f"<@{INES}> <@{CLAW}> both")), MessageToUs
    )


@pytest.mark.parametrize(
    "event",
    [
        an_event(subtype="message_changed"),
        an_event(subtype="message_deleted"),
        an_event(user=CLAW),
        an_event(text="  \x00 "),
        an_event(text=None),
        an_event(ts="yesterday"),
        an_event(thread_ts="1; drop table"),
        an_event(channel=None),
        an_event(text=["a"]),
        in_channel(),
        in_channel(text=f"ask <@{INES}>"),
        {},
        {"type": "message"},
    ],
)
def test_what_is_not_for_us_is_ignored(event: dict[str, Any]) -> None:
    assert isinstance(read(event), Ignored)


@pytest.mark.parametrize(
    "event",
    [
        an_event(subtype="channel_join"),
        an_event(subtype="bot_message"),
        an_event(bot_id="B9"),
        an_event(user="USLACKBOT"),
        an_event(user=None),
    ],
)
def test_what_others_say_is_noted_and_answered_by_nobody(event: dict[str, Any]) -> None:
    """It may lie between a card and a word."""
    overheard = read(event)

    assert isinstance(overheard, OverheardMessage)
    assert overheard.incoming.kind is ReceiptKind.OVERHEARD
    assert (overheard.incoming.text, overheard.incoming.slack_ts) == ("", event["ts"])


@pytest.mark.parametrize("subtype", ["file_share", "thread_broadcast"])
def test_files_and_broadcast_replies_are_messages(subtype: str) -> None:
    assert text_of(an_event(subtype=subtype)) == "hello"


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ({"name": "brief.pdf"}, "(attached file: brief.pdf)"),
        ({"name": "NOTES.DOCX"}, "(attached file: NOTES.DOCX)"),
        ({"name": "targets.csv"}, "(attached CSV file: targets.csv)"),
        ({"name": "plan.xlsx"}, "(attached file, not readable here: plan.xlsx)"),
        ({"name": "docx"}, "(attached file, not readable here: docx)"),
        ({"name": "results.csv", "filetype": "text"}, "(attached CSV file: results.csv)"),
        ({"name": "a.markdown", "filetype": "markdown"}, "(attached file: a.markdown)"),
        ({"name": "a\n[Situation] b.pdf"}, "(attached file: a [Situation] b.pdf)"),
        ({"name": f"{'n' * 300}.pdf"}, f"(attached file: {'n' * 195}….pdf)"),
        # A snippet, as Slack makes it of a long text that is pasted.
        ({"name": "Untitled", "filetype": "text"}, "(attached file: Untitled.txt)"),
    ],
)
def test_a_file_alone_is_named(file: dict[str, str], text: str) -> None:
    event = an_event(subtype="file_share", text="", files=[{"id": "F1", **file}])
    assert text_of(event) == text


def test_an_image_that_comes_twice_is_named_once() -> None:
    event = an_event(subtype="file_share", text="", files=[{"name": "a.png"}, {"name": "a.png"}])
    assert text_of(event) == "(attached file, not readable here: a.png)"


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("R&amp;D &lt;3", "R&D <3"),
        ("see <https://a.example/x>", "see https://a.example/x"),
        ("see <https://a.example/x|a.example/x>", "see https://a.example/x"),
        ("see <https://a.example/x|the page>", "see the page (https://a.example/x)"),
        ("<mailto:ines@a.example|ines@a.example>", "ines@a.example"),
        ("launch on <http://Amazon.de|Amazon.de>", "launch on Amazon.de"),
        ("<http://a.example/x|a.example/x>", "a.example/x"),
        ("<http://a.example/x>", "http://a.example/x"),
        (f"ask <@{INES}> in <#C01OPS|ops>", f"ask <@{INES}> in <#C01OPS|ops>"),
        (f"<@{CLAW}>, create it", "create it"),
        (f"<@{CLAW}|claw>: create it", "create it"),
        (f"<@{CLAW}> :wave: hi", ":wave: hi"),
        (f"hey <@{CLAW}> what's due?", "hey what's due?"),
        ("a\x00b\u202ec\ud800d", "abcd"),
        ("&amp;lt;", "&lt;"),
        ("👩‍🍳 ok", "👩‍🍳 ok"),
    ],
)
def test_text_arrives_as_it_was_typed(typed: str, text: str) -> None:
    assert text_of(an_event(text=typed)) == text


EMOJI = [
    {"type": "emoji", "name": "rocket", "unicode": "1f680"},
    {"type": "text", "text": " go "},
    {"type": "emoji", "name": "+1", "unicode": "1f44d-1f3fd", "skin_tone": 4},
    {"type": "emoji", "name": "glintly"},
    {"type": "emoji", "name": "odd", "unicode": "no number"},
]


def test_emoji_arrive_as_they_were_typed_and_a_workspaces_own_by_name() -> None:
    section = {"type": "rich_text_section", "elements": EMOJI}
    text = ":rocket: go :+1::skin-tone-4: :glintly: :odd: :+1:"
    event = an_event(text=text, blocks=[{"type": "rich_text", "elements": [section]}])
    assert text_of(event) == "🚀 go 👍🏽 :glintly: :odd: :+1:"


def test_a_mention_without_words_asks_for_help() -> None:
    heard = read(in_channel(type="app_mention", text=f"<@{CLAW}>"))
    assert isinstance(heard, MessageToUs)
    assert (heard.incoming.text, heard.incoming.is_bare) == ("help", True)


def test_a_typed_help_is_no_bare_mention() -> None:
    heard = read(in_channel(type="app_mention", text=f"<@{CLAW}> help"))
    assert isinstance(heard, MessageToUs)
    assert not heard.incoming.is_bare


@pytest.mark.parametrize("text", ["no", "No thanks", "stop", "cancel that", "never mind"])
def test_a_refusal_takes_no_lane(text: str) -> None:
    heard = read(an_event(text=text))
    assert isinstance(heard, MessageToUs)
    assert heard.incoming.kind is ReceiptKind.WORD


@pytest.mark.parametrize("text", ["yes", "yes, create it", "no, make it Friday", "help", "new"])
def test_consent_and_conversation_keep_their_lane(text: str) -> None:
    heard = read(an_event(text=text))
    assert isinstance(heard, MessageToUs)
    assert heard.incoming.kind is ReceiptKind.MESSAGE


def test_a_message_of_the_limit_is_kept_whole() -> None:
    assert text_of(an_event(text="a" * MESSAGE_LIMIT)) == "a" * MESSAGE_LIMIT


def test_a_longer_message_says_that_it_was_cut() -> None:
    text = text_of(an_event(text="a" * 12_345))
    assert len(text) == MESSAGE_LIMIT
    assert text.endswith("\n[cut here: the message had 12,345 characters]")


@pytest.mark.parametrize("word", ["yes", "ye\u200bs", "\u202eyes", "yes\u00ad"])
def test_a_yes_is_taken_back_however_it_was_written(word: str) -> None:
    before = {"ts": ROOT, "user": INES, "text": word}
    gone = an_event(subtype="message_deleted", deleted_ts=ROOT, previous_message=before)

    heard = read(gone)

    assert isinstance(heard, MessageToUs)
    assert heard.incoming.kind is ReceiptKind.UNSAID
