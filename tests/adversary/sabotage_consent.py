"""Rails of consent with a hole in each: what a yes belongs to, whose words, whose word counts."""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from agencyclaw.conversation import (
    acts,
    admin,
    commands,
    endings,
    identity,
    inbox,
    materials,
    turn,
)
from agencyclaw.domain import policy
from agencyclaw.domain.changes import Change
from agencyclaw.domain.choices import fixed
from agencyclaw.domain.consent import reply
from agencyclaw.domain.consent.words import Word, read_word
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.people import Tier
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.proposals import consent, consent_by_word, execute, immediate, judge
from agencyclaw.slack import details
from agencyclaw.store import intents, proposal_states, proposals
from agencyclaw.tools import drafting, sources, text_sources
from agencyclaw.tools.gaps import TaskRequest
from agencyclaw.tools.results import Ask
from tests.adversary.director import Director


async def _nothing(*_: Any, **__: Any) -> None:
    """Do nothing."""


def _words_count_everywhere(patch: pytest.MonkeyPatch) -> None:
    async def always(*_: Any) -> bool:
        return True

    async def as_they_are(_: Any, found: list[Proposal]) -> list[Proposal]:
        return found

    patch.setattr(consent_by_word.ConsentByWord, "_count_here", always)
    patch.setattr(proposals, "apply_word_rules", as_they_are)


def _what_lies_between_is_overlooked(patch: pytest.MonkeyPatch) -> None:
    def nothing(*_: Any) -> Iterator[Any]:
        yield from ()

    patch.setattr(reply, "_between", nothing)


def _what_others_say_is_not_noted(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(inbox, "overhear", _nothing)


def _commands_are_not_noted(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(commands, "note_command", _nothing)


def _acknowledgements_are_a_yes(patch: pytest.MonkeyPatch) -> None:
    def read(text: str) -> Word | None:
        return Word.YES if text in {"ok", "okay", "sure", "👍"} else read_word(text)

    patch.setattr(turn, "read_word", read)


def _a_question_beside_the_card_is_overlooked(patch: pytest.MonkeyPatch) -> None:
    whole = endings.open_drafts

    async def open_drafts(conn: Any, drafts: Any, **_: Any) -> Any:
        return await whole(conn, drafts, asks_nothing=True)

    patch.setattr(endings, "open_drafts", open_drafts)


def _what_is_revised_can_be_confirmed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(consent, "under_revision", lambda *_: None)
    statement = proposal_states._CONFIRM
    holes = {"suspended_by is null or suspended_until <= now()": "true"}
    holes["suspended_by is null and"] = ""
    for rail, hole in holes.items():
        if rail not in statement:
            raise AssertionError(f"_CONFIRM has no {rail!r}")
        statement = statement.replace(rail, hole)
    patch.setattr(proposal_states, "_CONFIRM", statement)


def _the_models_words_are_buttons(patch: pytest.MonkeyPatch) -> None:
    whole = drafting.ask_title

    def ask_title(request: TaskRequest, owner: str) -> Ask | None:
        asked = whole(request, owner)
        return asked and Ask(question=asked.question, options=(fixed(request.objective or "yes"),))

    patch.setattr(drafting, "ask_title", ask_title)


def _words_release_everything(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Change, "press_reason", property(lambda _: None))


def _nobody_asks_whose_words_they_are(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(text_sources, "field_sources_of", lambda *_: ())


def _a_choice_is_ones_own_words(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(materials, "_chosen", lambda label: Material(origin=Origin.TYPED, text=label))


def _other_words_rest_on_nothing(patch: pytest.MonkeyPatch) -> None:
    for module in (materials, sources):
        patch.setattr(module, "brings_prose", lambda *_: False)


def _membership_is_overlooked(patch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
    """Let Slack's word on who belongs go unheard while one function is at work."""
    at_work: ContextVar[bool] = ContextVar("at_work", default=False)
    whole, vouched = getattr(owner, name), identity._check_member

    async def unheard(*given: Any) -> Any:
        token = at_work.set(True)
        try:
            return await whole(*given)
        finally:
            at_work.reset(token)

    async def not_of_us(*given: Any) -> Any:
        return None if at_work.get() else await vouched(*given)

    patch.setattr(owner, name, unheard)
    patch.setattr(identity, "_check_member", not_of_us)


def _a_guest_may_press(patch: pytest.MonkeyPatch) -> None:
    _membership_is_overlooked(patch, acts, "who_spoke")


def _a_guest_is_carried_out(patch: pytest.MonkeyPatch) -> None:
    _membership_is_overlooked(patch, execute.Executor, "_judge_again")


def _unlinking_ends_nothing(patch: pytest.MonkeyPatch) -> None:
    """The rail is in the database: it is away while somebody is unlinked."""
    whole = Director.make

    async def make(self: Director, who: str, tier: str) -> None:
        await self.fetch("alter table profiles disable trigger ends_proposals")
        try:
            await whole(self, who, tier)
        finally:
            await self.fetch("alter table profiles enable trigger ends_proposals")

    patch.setattr(Director, "make", make)


def _a_pause_is_overlooked(patch: pytest.MonkeyPatch) -> None:
    for module in (judge, execute):
        patch.setattr(module, "pause_at", _nothing)
    patch.setattr(proposal_states, "_IS_PAUSED", "select $1::text is null")


def _whoever_types_it_decides(patch: pytest.MonkeyPatch) -> None:
    everybody = SimpleNamespace(SUPER_ADMIN=Tier.VIEWER, ADMIN=Tier.VIEWER)
    patch.setattr(admin, "Tier", everybody)


def _commands_ask_no_judge(patch: pytest.MonkeyPatch) -> None:
    class Nobody:
        reason = message = ""

    patch.setattr(immediate, "Deny", Nobody)
    patch.setattr(immediate, "Allow", object)


def _an_old_card_may_be_pressed(patch: pytest.MonkeyPatch) -> None:
    async def fresh(*_: Any) -> bool:
        return False

    patch.setattr(consent.Consent, "_is_stale", fresh)


def _a_channel_of_another_client_is_no_bar(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(policy, "_is_of_another_client", lambda *_: False)


def _equal_titles_are_one_thing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(CreateTask, "entity", property(lambda self: f"task:{self.title}"))


def _a_card_leaves_out_the_text(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(details, "_text", lambda *_, **__: [])


def _a_yes_is_never_taken_back(patch: pytest.MonkeyPatch) -> None:
    async def no(*_: Any) -> bool:
        return False

    patch.setattr(consent.Consent, "take_back", no)
    patch.setattr(consent, "cancel_by_no", _nothing)


def _a_subject_is_never_left(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(endings, "leave_subject", _nothing)


def _every_press_gets_a_reply(patch: pytest.MonkeyPatch) -> None:
    whole = consent.Consent._too_late

    async def too_late(self: Any, *given: Any) -> Any:
        return replace(await whole(self, *given), once="")

    patch.setattr(consent.Consent, "_too_late", too_late)


def _a_twin_is_not_looked_for(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(intents.Intents, "_duplicate", _nothing)


CONSENT_SABOTAGES = (
    ("words count in every place", _words_count_everywhere, ("K124",)),
    ("what lies between card and word is overlooked", _what_lies_between_is_overlooked, ("K123",)),
    ("what others say is not noted", _what_others_say_is_not_noted, ("K123",)),
    ("private answers to commands are not noted", _commands_are_not_noted, ("K123",)),
    ("acknowledgements are a yes", _acknowledgements_are_a_yes, ("K125",)),
    (
        "a question beside the card is overlooked",
        _a_question_beside_the_card_is_overlooked,
        ("K126",),
    ),
    ("what is being revised can be confirmed", _what_is_revised_can_be_confirmed, ("K130",)),
    ("the model's words are buttons", _the_models_words_are_buttons, ("K128",)),
    ("words release everything", _words_release_everything, ("L153", "L152")),
    ("nobody asks whose words they are", _nobody_asks_whose_words_they_are, ("L152", "L153")),
    ("a choice is one's own words", _a_choice_is_ones_own_words, ("K155",)),
    ("what is said in other words rests on nothing", _other_words_rest_on_nothing, ("L155",)),
    ("a guest may press", _a_guest_may_press, ("C109",)),
    ("what a guest pressed is carried out", _a_guest_is_carried_out, ("K134",)),
    ("unlinking somebody ends nothing of theirs", _unlinking_ends_nothing, ("K133",)),
    ("a pause is overlooked", _a_pause_is_overlooked, ("K146",)),
    ("whoever types it decides on consent", _whoever_types_it_decides, ("C205",)),
    ("commands ask no judge", _commands_ask_no_judge, ("K135",)),
    ("a card that was shown again may be pressed", _an_old_card_may_be_pressed, ("K148",)),
    ("another client's channel is no bar", _a_channel_of_another_client_is_no_bar, ("C42", "B25")),
    ("equal titles are one thing", _equal_titles_are_one_thing, ("K132",)),
    ("a card leaves out the text", _a_card_leaves_out_the_text, ("benign",)),
    ("a yes is never taken back", _a_yes_is_never_taken_back, ("K147",)),
    ("a subject is never left", _a_subject_is_never_left, ("K141",)),
    ("every press gets a reply of its own", _every_press_gets_a_reply, ("K144",)),
    ("a twin is not looked for", _a_twin_is_not_looked_for, ("K131",)),
)
