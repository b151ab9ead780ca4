"""Whose words a card rests on: the stricter of what code and model say, and names are nobody's."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

import pytest
from pydantic import Field

from agencyclaw.conversation.materials import of_card
from agencyclaw.deps import Deps
from agencyclaw.domain.brands import BrandFacts, CreateBrand
from agencyclaw.domain.changes import ClientChange
from agencyclaw.domain.clients import Named
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.people import Tier
from agencyclaw.domain.proposals import ProposalState
from agencyclaw.domain.records import Fields, Record, SetRecord
from agencyclaw.domain.task_fields import FieldValue, TaskCustomField
from agencyclaw.knowledge.field_sources import field_sources_of
from agencyclaw.tools import Proposed
from agencyclaw.tools.text_sources import sources_of_texts
from tests.fakes.ports import Agency, a_row, context, demo_agency
from tests.unit.tools.test_unsupported_figures import results

MAIL = (
    "Dana writes: please refresh the storefront banner with the new photos, due Friday. Make it a"
    " task for Glintly Inc."
)
TASK: dict[str, Any] = {
    "client": "Glintly Inc",
    "title": "Refresh the storefront banner",
    "objective": "Refresh the storefront banner with the new photos",
}


def typed(agency: Agency, text: str, *beside: Material) -> Deps:
    message = Material(origin=Origin.TYPED, whose="Ines Varga", text=text)
    return replace(agency.run(request=text), materials=(message, *beside))


def due(source: str) -> dict[str, Any]:
    friday = {"kind": "weekday", "weekday": "friday"}
    return {"day": friday, "quote": "due Friday", "source": source}


async def prepared(agency: Agency, deps: Deps, **arguments: Any) -> Any:
    [part] = await results(deps, ("create_task", TASK | arguments))
    assert isinstance(part.content, Proposed), part.content
    return agency.proposals.drafted[0]


async def test_a_short_message_is_pasted_where_the_model_says_so() -> None:
    agency = demo_agency()
    effect = await prepared(agency, typed(agency, MAIL), due=due("pasted"))

    assert {one.field: one.origin for one in effect.field_sources}["Due"] is Origin.PASTED
    assert {one.field: one.origin for one in effect.field_sources}["Objective"] is Origin.PASTED
    assert not effect.takes_words


async def test_what_a_person_typed_is_theirs_where_the_model_says_nothing_else() -> None:
    agency = demo_agency()
    effect = await prepared(agency, typed(agency, MAIL), due=due("message"))

    assert {one.origin for one in effect.field_sources} == {Origin.TYPED}
    assert effect.takes_words


@pytest.mark.parametrize("source", ["message", "earlier"])
async def test_a_model_that_calls_a_pasted_text_the_persons_own_is_not_believed(
    source: str,
) -> None:
    agency = demo_agency()
    pasted = Material(origin=Origin.PASTED, whose="Ines Varga", text=MAIL, taints=True)
    deps = replace(agency.run(request=MAIL), materials=(pasted,))
    effect = await prepared(agency, deps, due=due(source))

    assert {one.origin for one in effect.field_sources} == {Origin.PASTED}
    assert not effect.takes_words


async def test_names_of_records_in_a_row_are_not_borrowed_from_a_list_of_them() -> None:
    agency = demo_agency()
    listed = Material(
        origin=Origin.RECORD,
        whose="Reading the client list",
        text="Pawtrail Lite, Hearthlane Kids, Casa Mundo\nfollow up on what is still open",
    )
    said = "compare the others with Glintly Inc"
    names = "Compare Glintly with Pawtrail Lite, Hearthlane Kids, Casa Mundo"
    own = await prepared(agency, typed(agency, said, listed), objective=names)
    words = await prepared(
        demo := demo_agency(),
        typed(demo, said, listed),
        objective="Compare, then follow up on what is still open",
    )

    assert own.takes_words
    assert not words.takes_words


DIEGO = "Dana writes: the old photos must be out of all banners from 1 December on."


async def test_the_assistants_own_title_is_not_shown_as_what_somebody_pasted() -> None:
    agency = demo_agency()
    title = "Take the old photos of the shop out of all banners from 1 December"
    quote = {"quote": "out of all banners from 1 December on", "source": "pasted"}
    fact = {"about": "other", "value": "Out from 1 December on"} | quote
    effect = await prepared(agency, typed(agency, DIEGO), title=title, facts=[fact])
    [basis] = [one for one in effect.field_sources if one.field == "Title"]
    card = await agency.proposals.draft(effect)
    kept = list(of_card(card.model_copy(update={"state": ProposalState.OPEN})))

    assert (basis.origin, basis.is_part, basis.needs_press) == (Origin.PASTED, True, True)
    assert basis.quote == DIEGO.removesuffix(".")
    assert title not in {one.text for one in kept}
    assert all(one.text in DIEGO for one in kept if one.origin is Origin.PASTED)


@pytest.mark.parametrize(
    ("title", "origin"),
    [
        ("Sort out the cover of the brochure", Origin.ASSISTANT),
        ("Clean up the Stranded Inventory before Christmas", Origin.ASSISTANT),
        ("Stranded Inventory", Origin.PROCEDURE),
        ("refresh the photos", Origin.TYPED),
    ],
)
async def test_a_scrap_of_somebodys_words_is_no_source_of_a_text(
    title: str, origin: Origin
) -> None:
    agency = demo_agency()
    sop = Material(origin=Origin.PROCEDURE, whose="An SOP", text="Stranded Inventory SOP")
    said = "check stock cover of the mug and refresh the photos"
    effect = await prepared(agency, typed(agency, said, sop), title=title)
    [basis] = [one for one in effect.field_sources if one.field == "Title"]

    assert basis.origin is origin
    assert bool(basis.quote) is (origin is not Origin.ASSISTANT)


async def test_a_task_in_the_persons_words_takes_a_yes_although_a_colleagues_were_read() -> None:
    agency = demo_agency()
    read = Material(origin=Origin.OTHERS, whose="Dana", text="The photos are old.", taints=True)
    order = "Check whether the lens spray photos are approved"
    none = {"none_because": "It needs none."}
    run = typed(agency, order, read)
    effect = await prepared(agency, run, title=order, objective=order, procedure=none)

    assert {one.origin for one in effect.field_sources} == {Origin.TYPED}
    assert effect.takes_words


ORDER = "make a task to look into the reviews of the lens spray"
PASTED_MAIL = "Hana writes: returns went up in the second week, please hurry."


@pytest.mark.parametrize(
    ("objective", "is_mixed"),
    [
        ("Look into the reviews of the lens spray", True),
        ("Returns went up in the second week, look into that", False),
    ],
)
async def test_an_own_line_beside_a_pasted_mail_is_not_called_what_was_pasted(
    objective: str, is_mixed: bool
) -> None:
    agency = demo_agency()
    fact = {"about": "evidence", "value": "returns went up", "source": "pasted"}
    facts = [fact | {"quote": "returns went up in the second week"}]
    deps = typed(agency, f"{PASTED_MAIL}\n-> {ORDER}")
    effect = await prepared(agency, deps, title="Task", objective=objective, facts=facts)
    bases = {one.field: one for one in effect.field_sources}

    assert bases["Objective"].origin is Origin.PASTED
    assert bases["Objective"].is_mixed is is_mixed
    assert not bases["Also known" if "Also known" in bases else "Evidence"].is_mixed
    # It takes a press all the same: that the line is theirs is nothing that code can tell.
    assert not effect.takes_words


async def test_a_fact_of_an_earlier_message_with_a_pasted_text_is_from_that_message() -> None:
    agency = demo_agency()
    before = Material(origin=Origin.PASTED, whose="Ines Varga", text=MAIL, taints=True)
    deps = typed(agency, "yes, for Glintly", before)
    effect = await prepared(agency, deps, due=due("earlier"))
    [basis] = [one for one in effect.field_sources if one.field == "Due"]

    assert (basis.origin, basis.is_mixed, basis.needs_press) == (Origin.PASTED, True, True)


async def test_a_quote_is_the_sentence_and_no_piece_of_it() -> None:
    agency = demo_agency()
    order = "pause all campaigns with ACOS over 40 %, but not in the US please"
    objective = "Pause all campaigns with ACOS over 40 % outside of the US"
    effect = await prepared(agency, typed(agency, f"Hi! {order}. Thanks"), objective=objective)
    [basis] = [one for one in effect.field_sources if one.field == "Objective"]

    assert basis.quote == order


@pytest.mark.parametrize(
    ("read", "named"),
    [
        (Material(origin=Origin.OTHERS, whose="Sara L.", text="the photos?", taints=True), True),
        (
            Material(
                origin=Origin.OTHERS,
                whose="Sara L.",
                text="the photos?",
                taints=True,
                is_elsewhere=True,
            ),
            False,
        ),
    ],
    ids=["in this thread", "in another thread"],
)
async def test_only_who_wrote_in_this_thread_is_named_beside_the_assistants_wording(
    read: Material, named: bool
) -> None:
    agency = demo_agency()
    effect = await prepared(agency, typed(agency, "make the banner task", read))

    own = [one for one in effect.field_sources if one.origin is Origin.ASSISTANT]
    assert own
    assert all(one.needs_press for one in own)
    assert {bool(one.whose) for one in own} == {named}


async def test_a_pasted_text_is_named_as_such_beside_the_assistants_wording() -> None:
    agency = demo_agency()
    pasted = Material(origin=Origin.PASTED, whose="Ines Varga", text="Dear all, …", taints=True)
    effect = await prepared(agency, typed(agency, "make the banner task", pasted))

    own = [one.whose for one in effect.field_sources if one.origin is Origin.ASSISTANT]
    assert set(own) == {"text that Ines Varga pasted"}


class Packaging(Fields):
    """How a client's products are packed."""

    supplier: Annotated[str, Field(max_length=80, title="Packed by")]
    boxes: int = 1


class SetPackaging(SetRecord[Packaging], ClientChange):
    """A record as somebody might add it, by its declaration alone."""

    kind: Literal["set_packaging"] = "set_packaging"
    skill: ClassVar[str] = "set_packaging"
    tier: ClassVar[Tier] = Tier.ADMIN
    noun: ClassVar[str] = "packaging"
    record: ClassVar[Record] = Record(Packaging, table="packaging", key=("client",))


async def test_the_free_text_of_a_record_takes_a_press_where_others_wrote_it() -> None:
    agency = demo_agency()
    text = "the printers in Rotterdam, who pack by hand"
    after = Packaging(supplier=text, boxes=3)
    effect = SetPackaging(client=Named(id=UUID(int=1), name="Glintly Inc"), after=after)
    mail = Material(origin=Origin.OTHERS, whose="Mallory", text=f"Use {text}.", taints=True)

    [found] = await sources_of_texts(context(typed(agency, "set it", mail)), {}, effect)
    [own] = await sources_of_texts(context(typed(agency, f"packed by {text}")), {}, effect)

    assert (found.field, found.origin, found.whose) == ("Packed by", Origin.OTHERS, "Mallory")
    assert found.needs_press
    assert (own.origin, own.needs_press) == (Origin.TYPED, False)


async def test_a_new_brands_name_is_the_persons_only_where_they_wrote_it() -> None:
    agency = demo_agency()
    glintly = Named(id=UUID(int=1), name="Glintly Inc")
    effect = CreateBrand(client=glintly, facts=BrandFacts(name="Tessera"))
    mail = Material(origin=Origin.OTHERS, whose="Mallory", text="Call it Tessera.", taints=True)

    [found] = await sources_of_texts(context(typed(agency, "create it", mail)), {}, effect)
    [own] = await sources_of_texts(context(typed(agency, "create tessera", mail)), {}, effect)
    [within] = await sources_of_texts(context(typed(agency, "on Tesseract", mail)), {}, effect)

    assert found.needs_press
    assert within.needs_press
    assert (own.origin, own.needs_press) == (Origin.TYPED, False)


def test_an_empty_text_has_no_source() -> None:
    message = Material(origin=Origin.TYPED, text="create it")
    mail = Material(origin=Origin.OTHERS, whose="Mallory", text="Call it Tessera.", taints=True)

    [found] = field_sources_of({"Name": ""}, [message, mail])

    assert (found.origin, found.quote) == (Origin.ASSISTANT, "")


async def test_a_text_that_many_tasks_get_has_its_source_on_the_card_as_that_of_one_has() -> None:
    agency, words = demo_agency(), "Ask Dana before you order the new photos"
    field = TaskCustomField(value=FieldValue(id="note", name="Note", kind="short_text"))
    for title in ("Fix the banner", "Fix the store"):
        agency.board.lists.setdefault("g1", []).append(a_row(title, id=title, list_id="g1"))
        agency.board.fields[title] = (field,)
    mail = Material(origin=Origin.FORWARDED, whose="Dana", text=words, taints=True)
    deps = replace(agency.run(request="put that into the note"), materials=(mail,))
    note = {"client": "Glintly Inc", "fields": [{"field": "Note", "value": words}]}
    calls = (("change_tasks", note), ("clickup_task_update", note | {"task": "Fix the banner"}))
    for part in await results(deps, *calls):
        assert isinstance(part.content, Proposed), part.content
    many, one = agency.proposals.drafted

    assert [(made.origin, made.whose) for made in one.field_sources] == [(mail.origin, "Dana")]
    assert many.field_sources == one.field_sources
