"""Which client and brand is meant: tolerant of spelling, never widened, never guessed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.people import Scope, ScopeKind, Tier
from agencyclaw.tools.brands import BrandAnswer, BrandList, lookup_brand, resolve_brand
from agencyclaw.tools.clients import FoundClient, find_client, lookup_client
from agencyclaw.tools.permissions import PolicyAnswer, cc_policy_explain
from agencyclaw.tools.results import Ask
from tests.fakes.ports import a_brand, a_client, an_id, context, demo_agency


async def found(hint: str, **run: object) -> FoundClient | Ask:
    return await find_client(demo_agency().run(**run), hint)  # type: ignore[arg-type]


async def name_of(hint: str) -> str:
    one = await found(hint)
    assert isinstance(one, FoundClient)
    return one.client.name


@pytest.mark.parametrize(
    ("hint", "name"),
    [
        ("Brightkettle", "Brightkettle Group"),
        ("brightkettle group", "Brightkettle Group"),
        ("glintly?", "Glintly Inc"),
        ("Glintly.", "Glintly Inc"),
        ("“Casa Mundo”", "Casa Mundo"),
        ("casa-mundo", "Casa Mundo"),
        ("Pawtrail's", "Pawtrail"),
        ("Roderick’s account", "Roderick Ltd"),
        ("the client Northwater", "Northwater"),
    ],
)
async def test_one_match_is_used_whatever_the_punctuation(hint: str, name: str) -> None:
    assert await name_of(hint) == name


async def test_a_name_of_several_words_is_kept_whole() -> None:
    agency = demo_agency()
    agency.directory.all_clients += [a_client("Acme Corp International"), a_client("Acme Corp")]
    one = await find_client(agency.run(), "Acme Corp International")

    assert isinstance(one, FoundClient)
    assert one.client.name == "Acme Corp International"


async def test_nobody_matched_is_said_and_never_widened() -> None:
    with pytest.raises(NotFound) as refused:
        await found("Zephyr")
    assert "couldn't find a client called “Zephyr”" in refused.value.message

    listed = await lookup_client(context(demo_agency().run()), query="Zephyr")
    assert (listed.clients, listed.total) == ((), 0)
    assert listed.note
    assert "No client of that name" in listed.note


async def test_an_active_client_is_no_fallback_for_an_unknown_one() -> None:
    about = Scope(client_id=an_id("client Pawtrail"), client_name="Pawtrail")

    with pytest.raises(NotFound):
        await found("Zephyr", about=about)


async def test_no_hint_and_several_clients_is_a_question() -> None:
    agency = demo_agency()
    agency.directory.visible = {"Pawtrail", "Hearthlane"}
    ask = await find_client(agency.run(tier=Tier.MEMBER), "")

    assert isinstance(ask, Ask)
    assert ask.labels == ("Hearthlane", "Pawtrail")


async def test_more_clients_than_buttons_are_listed_in_the_question() -> None:
    ask = await found("  ")

    assert isinstance(ask, Ask)
    assert ask.labels == ()
    assert "Brightkettle Group, Casa Mundo, Glintly Inc" in ask.question


async def test_no_hint_means_the_clients_of_the_conversation() -> None:
    about = Scope(client_id=an_id("client Pawtrail"), client_name="Pawtrail")
    one = await found("", about=about)

    assert isinstance(one, FoundClient)
    assert one.client.name == "Pawtrail"


async def test_no_clients_at_all_means_asking_an_admin() -> None:
    agency = demo_agency()
    agency.directory.visible = set()
    deps = agency.run(tier=Tier.MEMBER)
    listed = await lookup_client(context(deps))

    assert listed.clients == ()
    assert listed.note
    assert "admin" in listed.note
    with pytest.raises(NotFound) as refused:
        await find_client(deps, "")
    assert refused.value.reason == "no_clients"
    assert refused.value.message.endswith("An admin has to assign you to one.")


async def test_who_has_no_client_is_told_by_name_who_can_assign_them() -> None:
    agency = demo_agency()
    agency.directory.visible = set()
    agency.directory.staff[0] = agency.directory.staff[0].model_copy(update={"is_admin": True})
    deps = agency.run(tier=Tier.VIEWER)
    listed = await lookup_client(context(deps))

    assert listed.note == (
        "You have no clients yet. An admin has to assign you to one: "
        f"{agency.directory.staff[0].name}."
    )


async def test_the_exact_name_beats_names_that_contain_it() -> None:
    agency = demo_agency()
    agency.directory.all_clients += [a_client("Glintly"), a_client("Casa Mundo [Glintly]")]
    one = await find_client(agency.run(), "glintly")

    assert isinstance(one, FoundClient)
    assert one.client.name == "Glintly"


async def test_several_clients_that_fit_are_a_question() -> None:
    agency = demo_agency()
    agency.directory.all_clients.append(a_client("Pawtrail Europe"))
    ask = await find_client(agency.run(), "pawtr")

    assert isinstance(ask, Ask)
    assert set(ask.labels) == {"Pawtrail", "Pawtrail Europe"}


async def test_a_brands_name_finds_its_client_and_is_remembered() -> None:
    one = await found("Copperleaf")

    assert isinstance(one, FoundClient)
    assert (one.client.name, one.brand_hint) == ("Brightkettle Group", "Copperleaf")
    assert [brand.name for brand in one.brands] == ["Copperleaf", "Nordvent", "Tessera"]


@pytest.mark.parametrize(
    ("brand", "client"), [("Rodric", "Roderick Ltd"), ("Pawtrail Pro", "Pawtrail")]
)
async def test_a_brands_name_that_looks_like_its_clients_still_names_the_brand(
    brand: str, client: str
) -> None:
    one = await found(brand)

    assert isinstance(one, FoundClient)
    assert (one.client.name, one.brand_hint) == (client, brand)


async def test_the_list_mentions_a_namesake_brand_of_another_client() -> None:
    listed = await lookup_client(context(demo_agency().run()), query="Glintly")

    assert [row.name for row in listed.clients] == ["Glintly Inc"]
    assert listed.note == "A brand of that name also belongs to Casa Mundo."


async def test_of_more_namesake_brands_than_are_named_it_says_how_many_more() -> None:
    agency = demo_agency()
    owners = [one.name for one in agency.directory.all_clients if one.name != "Glintly Inc"][:5]
    agency.directory.all_brands = [a_brand(name, "Glintly") for name in (*owners, "Glintly Inc")]
    listed = await lookup_client(context(agency.run()), query="Glintly")
    await find_client(deps := agency.run(), "Glintly")

    told = f"{', '.join(owners[:3])}, and 2 more"
    assert listed.note == f"A brand of that name also belongs to {told}."
    [other] = deps.other_matches
    assert f"also fits {told};" in other.remark


async def test_a_member_sees_the_assigned_clients_and_is_told_so() -> None:
    agency = demo_agency()
    agency.directory.visible = {"Hearthlane"}
    listed = await lookup_client(context(agency.run(who="Yuki Tan", tier=Tier.MEMBER)))

    assert [row.name for row in listed.clients] == ["Hearthlane"]
    assert listed.scope_note == "Only the clients this person is assigned to are listed."
    everything = await lookup_client(context(agency.run(tier=Tier.ADMIN)))
    assert everything.total == 7
    assert everything.scope_note == "All active clients of the agency are listed."


async def test_brands_of_an_unassigned_client_are_not_leaked() -> None:
    agency = demo_agency()
    agency.directory.visible = {"Hearthlane"}
    ctx = context(agency.run(tier=Tier.MEMBER))

    with pytest.raises(NotFound):
        await lookup_brand(ctx, client="Brightkettle Group")
    listed = await lookup_brand(ctx, brand="Copperleaf")
    assert isinstance(listed, BrandList)
    assert (listed.brands, listed.total) == ((), 0)
    assert "Copperleaf" not in (listed.note or "")


@pytest.mark.parametrize(("tier", "is_told"), [(Tier.MEMBER, True), (Tier.VIEWER, False)])
async def test_whoever_may_look_up_products_is_told_that_an_unknown_brand_may_be_one(
    tier: Tier, is_told: bool
) -> None:
    listed = await lookup_brand(context(demo_agency().run(tier=tier)), brand="tower fan")

    assert isinstance(listed, BrandList)
    assert ("looking in the product catalog" in (listed.note or "")) == is_told


async def test_in_a_clients_channel_other_clients_do_not_exist() -> None:
    deps = demo_agency().run(scope=ScopeKind.CLIENT_SCOPED, client="Pawtrail")
    listed = await lookup_client(context(deps))

    assert [row.name for row in listed.clients] == ["Pawtrail"]
    with pytest.raises(NotFound) as hidden:
        await find_client(deps, "Hearthlane")
    with pytest.raises(NotFound) as unknown:
        await find_client(deps, "Hearthstone")
    assert hidden.value.message.replace("lane", "stone") == unknown.value.message
    assert "This channel belongs to Pawtrail" in unknown.value.message
    searched = await lookup_client(context(deps), "Paw")
    assert searched.scope_note == listed.scope_note


async def test_what_was_searched_is_not_called_a_list_of_all() -> None:
    found = await lookup_client(context(demo_agency().run(tier=Tier.ADMIN)), "Pawtrail")

    assert found.total == 1
    assert found.scope_note == "All active clients of the agency were searched."


async def test_brands_show_how_far_they_are_linked() -> None:
    listed = await lookup_brand(context(demo_agency().run()))

    assert isinstance(listed, BrandList)
    states = {(row.client, row.brand): row.mapping for row in listed.brands}
    assert states["Brightkettle Group", "Copperleaf"] == "mapped"
    assert states["Hearthlane", "Hearthlane"] == "space only"
    assert states["Hearthlane", "Hearthlane Kids"] == "list only"
    assert states["Northwater", "Northwater"] == "unmapped"


async def resolved(
    client: str, brand: str | None = None, *, about_products: bool = False
) -> BrandAnswer:
    run = context(demo_agency().run())
    answer = await resolve_brand(run, client, brand, about_products=about_products)
    assert isinstance(answer, BrandAnswer)
    return answer


async def test_a_client_without_a_linked_brand_has_no_destination() -> None:
    answer = await resolved("Northwater")

    assert (answer.mode, answer.candidates) == ("no_destination", ())
    assert "admin" in answer.note


async def test_the_one_linked_brand_is_used_among_unlinked_ones() -> None:
    answer = await resolved("Roderick")

    assert (answer.mode, answer.brand) == ("client_level", "Rodric")


async def test_a_brand_that_is_named_but_not_linked_is_never_replaced() -> None:
    assert (await resolved("Roderick", brand="Rodric Home")).mode == "no_destination"
    assert (await resolved("Roderick", brand="home")).mode == "no_destination"


async def test_a_namesake_that_is_not_linked_keeps_a_prefix_from_being_a_guess() -> None:
    agency = demo_agency()
    agency.directory.all_brands += [
        a_brand("Casa Mundo", "Alpha Pro", list_id="a1"),
        a_brand("Casa Mundo", "Alpha Lite"),
    ]
    answer = await resolve_brand(context(agency.run()), "Casa Mundo", "alpha")

    assert isinstance(answer, BrandAnswer)
    assert (answer.mode, answer.candidates) == ("ambiguous_brand", ("Alpha Pro",))


@pytest.mark.parametrize("brand", ["copperleaf", "COPPERLEAF", "Copperleaf?", "*Copperleaf*"])
async def test_an_explicit_brand_in_any_case(brand: str) -> None:
    answer = await resolved("Brightkettle", brand)

    assert (answer.mode, answer.brand) == ("explicit_brand", "Copperleaf")


async def test_a_unique_part_of_a_name_is_clarified_and_named() -> None:
    answer = await resolved("Brightkettle", "nord")

    assert (answer.mode, answer.brand) == ("clarified_brand", "Nordvent")
    assert "say which one" in answer.note


async def test_a_hint_that_fits_two_offers_both() -> None:
    answer = await resolved("Pawtrail", brand="Pawtrail Lit")
    part = await resolved("Pawtrail", brand="trail p")
    letter = await resolved("Brightkettle", brand="e")

    assert answer.brand == "Pawtrail Lite"
    assert (part.mode, part.brand) == ("ambiguous_brand", None)
    assert (letter.mode, len(letter.candidates)) == ("ambiguous_brand", 3)


async def test_a_hint_that_fits_none_offers_all_linked_ones() -> None:
    answer = await resolved("Brightkettle", brand="Zephyr")

    assert answer.mode == "ambiguous_brand"
    assert answer.candidates == ("Copperleaf", "Nordvent", "Tessera")
    assert answer.brand is None


async def test_work_on_products_needs_a_brand_even_in_a_shared_list() -> None:
    assert (await resolved("Brightkettle", about_products=True)).mode == "ambiguous_brand"


async def test_other_work_in_a_shared_list_needs_no_brand() -> None:
    answer = await resolved("Brightkettle")

    assert (answer.mode, answer.brand) == ("client_level", None)


async def test_one_list_is_one_place_where_a_brand_lacks_its_space() -> None:
    agency = demo_agency()
    [first] = [one for one in agency.directory.all_brands if one.name == "Copperleaf"]
    without_space = a_brand("Brightkettle Group", "Zinc", list_id=first.list_id)
    agency.directory.all_brands.append(without_space)
    answer = await resolve_brand(context(agency.run()), "Brightkettle")

    assert isinstance(answer, BrandAnswer)
    assert (answer.mode, answer.destination_groups) == ("client_level", 1)


async def test_different_lists_are_a_question() -> None:
    answer = await resolved("Pawtrail")

    assert (answer.mode, answer.destination_groups) == ("ambiguous_destination", 3)


async def test_two_that_share_and_one_elsewhere_are_still_a_question() -> None:
    agency = demo_agency()
    agency.directory.all_brands.append(a_brand("Brightkettle Group", "Zinc", list_id="z1"))
    answer = await resolve_brand(context(agency.run()), "Brightkettle")

    assert isinstance(answer, BrandAnswer)
    assert (answer.mode, answer.destination_groups) == ("ambiguous_destination", 2)


async def test_a_brand_of_another_client_is_never_used() -> None:
    answer = await resolved("Pawtrail", brand="Copperleaf")

    assert answer.mode == "ambiguous_brand"
    assert "Copperleaf" not in answer.candidates


async def test_the_order_of_brands_does_not_matter() -> None:
    agency = demo_agency()
    one = await resolve_brand(context(agency.run()), "Brightkettle")
    agency.directory.all_brands.reverse()
    other = await resolve_brand(context(agency.run()), "Brightkettle")

    assert one == other


async def test_only_linked_brands_are_candidates_and_groups_are_counted() -> None:
    agency = demo_agency()
    agency.directory.all_brands.append(a_brand("Pawtrail", "Pawtrail Vet"))
    answer = await resolve_brand(context(agency.run()), "Pawtrail", "Report")

    assert isinstance(answer, BrandAnswer)
    assert answer.candidates == ("Pawtrail", "Pawtrail Lite", "Pawtrail Pro")
    assert answer.destination_groups == 3


async def test_a_client_channel_of_somebody_elses_client_says_who_can_help() -> None:
    agency = demo_agency()
    agency.directory.visible = {"Pawtrail"}
    deps = agency.run(tier=Tier.MEMBER, scope=ScopeKind.CLIENT_SCOPED, client="Glintly Inc")

    listed = await lookup_client(context(deps))

    assert listed.note is not None
    assert listed.note.startswith("This channel belongs to a client you are not assigned to")
    with pytest.raises(NotFound, match="An admin can assign you"):
        await find_client(deps, "Glintly Inc")


async def test_a_lists_reach_is_for_the_person_and_not_in_what_the_model_reads() -> None:
    agency = demo_agency()
    agency.directory.visible = {"Pawtrail", "Glintly Inc"}

    own = await lookup_client(context(agency.run(tier=Tier.MEMBER)))
    found = await lookup_client(context(agency.run(tier=Tier.MEMBER)), "Pawtrail")
    missed = await lookup_client(context(agency.run(tier=Tier.MEMBER)), "Hearthlane")
    every = await lookup_client(context(agency.run()))

    assert own.reach == missed.reach == "Only the clients you are assigned to were looked at."
    assert found.reach == every.reach == ""
    assert "reach" not in own.model_dump()


@pytest.mark.parametrize("hint", ["Glintly Inc", "Zephyr"])
async def test_a_client_that_is_not_seen_is_told_as_one_that_is_not_there_with_who_can_help(
    hint: str,
) -> None:
    agency = demo_agency()
    agency.directory.visible = {"Pawtrail"}
    agency.directory.staff[0] = agency.directory.staff[0].model_copy(update={"is_admin": True})
    name = agency.directory.staff[0].name
    deps = agency.run(tier=Tier.MEMBER)
    way_out = f"An admin can assign you to more: {name}."

    listed = await lookup_client(context(deps), hint)
    with pytest.raises(NotFound) as missing:
        await find_client(deps, hint)

    assert missing.value.message == (
        f"I couldn't find a client called “{hint}” among those you can see. You see the clients"
        f" you are assigned to. {way_out}"
    )
    assert listed.note is not None
    assert listed.note.endswith(way_out)


async def test_where_another_company_reads_along_no_admin_is_named() -> None:
    agency = demo_agency()
    agency.directory.visible = {"Pawtrail"}
    agency.directory.staff[0] = agency.directory.staff[0].model_copy(update={"is_admin": True})
    deps = agency.run(tier=Tier.MEMBER, scope=ScopeKind.UNKNOWN)
    deps = replace(deps, surface=deps.surface.model_copy(update={"is_shared": True}))

    listed = await lookup_client(context(deps), "Hearthlane")
    rights = await cc_policy_explain(context(deps))

    assert listed.note is not None
    assert listed.note.endswith("An admin can assign you to more.")
    assert isinstance(rights, PolicyAnswer)
    assert rights.admins == ()


async def test_an_admin_who_sees_all_clients_is_sent_to_nobody() -> None:
    with pytest.raises(NotFound) as missing:
        await find_client(demo_agency().run(), "Zephyr")

    assert missing.value.message.endswith("among those you can see.")


async def test_a_client_whose_brand_alone_begins_so_is_meant_though_a_legal_form_is_in_front() -> (
    None
):
    agency = demo_agency()
    agency.directory.all_clients.append(a_client("PT Kencana"))
    agency.directory.all_brands.append(a_brand("PT Kencana", "Kencana Home"))
    deps = replace(agency.run(), calling="create_task")
    named = await find_client(deps, "Kencana")

    assert isinstance(named, FoundClient)
    assert named.client.name == "PT Kencana"


async def test_a_clients_name_but_for_a_legal_form_at_its_front_is_asked_about() -> None:
    agency = demo_agency()
    agency.directory.all_clients.append(a_client("PT Kencana"))
    ask = await find_client(replace(agency.run(), calling="create_task"), "Kencana")

    assert isinstance(ask, Ask)
    assert ask.labels == ("PT Kencana",)


@pytest.mark.parametrize(
    ("hint", "request_text"),
    [("Glintly", "a task for Glintly"), ("Glintly Inc", "Glintly: a new task")],
)
async def test_who_is_asked_which_client_reads_by_which_brand_another_fits(
    hint: str, request_text: str
) -> None:
    deps = replace(demo_agency().run(), request=request_text, calling="create_task")
    asked = await find_client(deps, hint)

    assert isinstance(asked, Ask)
    assert asked.labels == ("Glintly Inc", "Casa Mundo")
    assert asked.question == "Which client do you mean? Casa Mundo fits by its brand Glintly."


@pytest.mark.parametrize("tier", [Tier.ADMIN, Tier.MEMBER])
@pytest.mark.parametrize("scope", [ScopeKind.INTERNAL, ScopeKind.UNKNOWN])
async def test_an_admin_learns_among_colleagues_that_a_client_has_left(
    tier: Tier, scope: ScopeKind
) -> None:
    agency = demo_agency()
    agency.directory.former_owners = [a_client("Oldfern").model_copy(update={"status": "archived"})]
    deps = agency.run(tier=tier, scope=scope)

    listed = await lookup_client(context(deps), "Oldfern")
    with pytest.raises(NotFound) as refused:
        await find_client(deps, "oldfern?")

    knows = tier is Tier.ADMIN and scope is ScopeKind.INTERNAL
    for note in (listed.note or "", str(refused.value)):
        assert ("no longer a client (archived)" in note) is knows
