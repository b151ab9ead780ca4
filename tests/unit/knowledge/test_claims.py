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
        "It's been taken care of.",
        "The due date is now Friday.",
        "Dana is now the PPC Strategist.",
        "The targets have been set to 25%.",
        "I've set the ACOS target to 25%.",
        "I reminded Dana.",
        "I've put it on the board.",
        "The procedures have been synced.",
        "The change went through.",
        "Noted, I'll keep that in mind.",
        "You're all set.",
        "Erledigt, die Aufgabe wurde erstellt.",
        "La tarea ha sido creada.",
        "La tâche a été créée.",
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
        "I checked three lists and found nothing due.",
        "I need the ASINs.",
        "The SOP says to check stock first, then upload the coupon in Seller Central.",
        "ACOS is 25% and TACOS 10% in November.",
        "Nobody has asked that before.",
    ],
)
def test_offers_questions_and_lists_are_none(text: str) -> None:
    assert not sounds_like_a_report(text)


def test_after_mere_manners_only_plain_words_of_doing_count() -> None:
    manners = "Always here for clients, brands and tasks."
    assert not sounds_like_a_report(manners, is_small_talk=True)
    assert sounds_like_a_report(manners)
    assert sounds_like_a_report("Hello! The coupon task is created.", is_small_talk=True)
