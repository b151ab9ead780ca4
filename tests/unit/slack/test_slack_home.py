"""The Home tab."""

# ruff: noqa: E501 - what is shown stands here as it is shown

import json
from datetime import UTC, datetime

from fakes.slack_store import a_proposal, an_effect, an_id
from inline_snapshot import snapshot

from agencyclaw.domain.clients import Named
from agencyclaw.domain.clock import clock_time, day_and_time
from agencyclaw.domain.operations import AgencyOverview
from agencyclaw.domain.proposals import ProposalState
from agencyclaw.domain.spending import CostCaps, WorkspaceSpent
from agencyclaw.knowledge.link_breaking import WORD_JOINER
from agencyclaw.slack.home import build_home
from workbench.slack.limits import check_view

AT = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)


def test_an_empty_home_says_so() -> None:
    assert build_home([]) == snapshot(
        {
            "type": "home",
            "blocks": [
                {
                    "type": "header",
                    "text": {"type": "plain_text", "text": "Waiting for you", "emoji": False},
                },
                {
                    "type": "section",
                    "text": {
                        "type": "mrkdwn",
                        "text": "Nothing is waiting for your word.",
                        "verbatim": True,
                    },
                },
                {"type": "header", "text": {"type": "plain_text", "text": "About", "emoji": False}},
                {
                    "type": "section",
                    "text": {
                        "type": "mrkdwn",
                        "text": "I look things up, answer from what I find, and prepare ClickUp tasks. *I never write on my own:* everything I prepare waits for your yes. Write to me in Messages, or mention me in a channel.",
                        "verbatim": True,
                    },
                },
            ],
        }
    )


def test_what_waits_is_shown_whole_with_its_buttons() -> None:
    view = build_home([a_proposal()])
    shown = json.dumps(view, ensure_ascii=False)
    assert check_view(view) == []
    assert "☐ Set the dates" in shown
    assert '"Create task"' in shown
    assert "until 14:32 (Lisbon)" in shown


def test_what_was_done_lately_has_its_link() -> None:
    done = a_proposal(
        state=ProposalState.DONE, settled_by="Ines Varga", result={"url": "https://x.example/t/1"}
    )
    view = build_home([], [done])
    assert "<https://x.example/t/1|Open it in ClickUp>" in json.dumps(view)


def test_more_than_fits_is_counted() -> None:
    waiting = [a_proposal(f"p{at}", effect=an_effect(f"Task {at}")) for at in range(30)]
    view = build_home(waiting, waiting)
    assert check_view(view) == []
    assert "more, in the threads where you asked." in json.dumps(view)


def test_times_are_on_the_persons_clock() -> None:
    assert clock_time(AT, "Europe/Lisbon") == "13:00 (Lisbon)"
    assert clock_time(AT, "America/New_York") == "08:00 (New York)"
    assert clock_time(AT, "Mars/Olympus") == "12:00 (UTC)"
    assert clock_time(AT, "../etc/passwd") == "12:00 (UTC)"
    assert day_and_time(AT, "UTC") == "Wed 1 Jul, 12:00 (UTC)"


def test_a_brief_is_readable_where_slack_knows_no_markdown() -> None:
    body = (
        "## Task Brief\n- **Brand:** R&D <@U01INES>\n\n## Done\n- [ ] Set *the* **dates**\n- None"
    )
    blocks = build_home([a_proposal(effect=an_effect(body=body))])["blocks"]
    texts = [block["text"]["text"].replace(WORD_JOINER, "") for block in blocks if "text" in block]
    assert (
        "*Task Brief*\n• *Brand:* R&amp;D &lt;@U01INES&gt;\n\n*Done*\n☐ Set *the* **dates**\n• None"
        in texts
    )


def test_what_waits_for_others_under_one_name_says_for_which_client() -> None:
    brand, clients = Named(id=an_id("c"), name="Glintly"), ("Pawtrail", "Casa Mundo")
    waiting = [
        a_proposal(
            name, effect=an_effect("Check it", client=Named(id=an_id(name), name=name), brand=brand)
        )
        for name in clients
    ]

    shown = json.dumps(build_home([], of_others=waiting))

    for name in clients:
        assert f"for Glintly ({name})" in shown


def test_admins_read_in_words_how_long_the_oldest_message_has_waited() -> None:
    overview = AgencyOverview(
        failed_answers=0,
        undelivered=0,
        waiting_messages=2,
        oldest_s=7_500,
        waiting_documents=0,
        brands=3,
        unmapped_brands=1,
        caps=CostCaps(),
        spent=WorkspaceSpent(),
    )

    shown = json.dumps(build_home([], overview=overview))

    assert "The oldest has waited for 2 h 5 min." in shown
