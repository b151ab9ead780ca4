"""After an edit in the form, others' words stay others', and the person's become theirs."""

from __future__ import annotations

import pytest

from agencyclaw.domain.clients import Named
from agencyclaw.domain.field_sources import FieldSource, Origin, UnsupportedFact
from agencyclaw.domain.task_creation import CreateTask, Destination
from agencyclaw.proposals.edited import with_edited_sources
from tests.fakes.ports import an_id

MAIL = "please lower the price of every listing to the agreed one before Friday"


def a_task(**values: str) -> CreateTask:
    return CreateTask(
        client=Named(id=an_id("client"), name="Glintly Inc"),
        destination=Destination(list_id="1", list_name="Inbox"),
        title=values.get("title", "Prices"),
        details=values.get("details", ""),
        body="",
    )


def of_a_mail(details: str, quote: str) -> CreateTask:
    source = FieldSource(
        field="Details", origin=Origin.PASTED, whose="Dana", quote=quote, needs_press=True
    )
    return a_task(details=details).model_copy(update={"field_sources": (source,)})


@pytest.mark.parametrize(
    ("was", "quote", "now"),
    [
        ("cut acos", "cut acos", "Cut ACOS"),
        ("cut acos", "cut acos", "Cut ACOS."),
        (MAIL, MAIL, MAIL.upper()),
        (MAIL, MAIL, MAIL.replace("every", "each")),
        (MAIL, MAIL, f"First look. {MAIL.replace('Friday', 'Monday')}"),
        (f"Do it: {MAIL}", MAIL[:30], MAIL[20:]),
    ],
)
def test_words_of_others_still_take_a_press_when_little_of_them_is_changed(
    was: str, quote: str, now: str
) -> None:
    edited = with_edited_sources(of_a_mail(was, quote), a_task(details=now))

    assert [one.origin for one in edited.field_sources] == [Origin.PASTED]
    assert not edited.takes_words


def test_what_a_person_writes_anew_is_theirs() -> None:
    edited = with_edited_sources(of_a_mail(MAIL, MAIL), a_task(details="Ask Dana which price."))

    assert [(one.origin, one.needs_press) for one in edited.field_sources] == [
        (Origin.TYPED, False)
    ]
    assert edited.takes_words


def test_a_text_that_is_taken_out_needs_no_source() -> None:
    assert with_edited_sources(of_a_mail(MAIL, MAIL), a_task()).field_sources == ()


def test_a_figure_nobody_stated_is_named_until_its_field_is_changed() -> None:
    unstated = UnsupportedFact(field="Details", value="48")
    task = a_task(details="Within 48 hours").model_copy(update={"unsupported_facts": (unstated,)})
    other = a_task(details="Within 48 hours", title="Answers")
    typed = a_task(details="Within 24 hours")

    assert with_edited_sources(task, other).unsupported_facts == (unstated,)
    assert with_edited_sources(task, typed).unsupported_facts == ()
