"""Where code must say that nothing was changed, and where it would only be noise."""

from __future__ import annotations

import pytest

from agencyclaw.knowledge.claims import sounds_like_a_report


@pytest.mark.parametrize(
    "text",
    [
        "The banner task now lives in your backlog, as agreed.",
        "All done! The task is in ClickUp.",
        "I created the task for you ✅",
        "Glintly Backlog has your banner task.",
        "- I assigned Miguel",
        "Anything else? It was moved to Friday.",
        "Thanks for asking; I can confirm that it was deleted.",
    ],
)
def test_what_a_person_could_take_for_a_report_is_one(text: str) -> None:
    assert sounds_like_a_report(text)


@pytest.mark.parametrize(
    "text",
    [
        "Hello Miguel! I can look up tasks and prepare ClickUp work for you.",
        "Hi! What would you like me to look up, or which task shall I prepare?",
        "You're welcome. Tell me which task is next.",
        "Glintly sells screen wipes.",
        "Glintly has two open tasks:\n- Update the A+ page (due Friday)\n- Create a coupon",
        "Which brand is the task for?",
    ],
)
def test_offers_questions_and_lists_are_none(text: str) -> None:
    assert not sounds_like_a_report(text)


def test_after_mere_manners_only_plain_words_of_doing_count() -> None:
    manners = "Always here for clients, brands and tasks."
    assert not sounds_like_a_report(manners, is_small_talk=True)
    assert sounds_like_a_report(manners)
    assert sounds_like_a_report("Hello! The coupon task is created.", is_small_talk=True)
