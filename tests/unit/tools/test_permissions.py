"""What a person may not have, and who may: told, so that nobody says there is no such thing."""

from __future__ import annotations

from dataclasses import replace

from agencyclaw.domain.people import ScopeKind, Tier
from agencyclaw.domain.policy import Override
from agencyclaw.knowledge.tokens import count_tokens
from agencyclaw.tools import TOOLS
from agencyclaw.tools.permissions import PolicyAnswer, cc_policy_explain, permitted, withheld
from tests.fakes.ports import context, demo_agency


def test_what_a_higher_tier_may_is_told_by_title_and_tier() -> None:
    to_viewer = withheld(demo_agency().run(tier=Tier.VIEWER))
    to_member = withheld(demo_agency().run(tier=Tier.MEMBER))

    assert "a member may: " in to_viewer
    assert "preparing a task" in to_viewer
    assert "an admin may: " in to_viewer
    assert "a member may" not in to_member
    assert "preparing a brand" in to_member
    assert "preparing a task" not in to_member
    assert withheld(demo_agency().run(tier=Tier.ADMIN)) == ""


def test_it_is_short_and_names_no_tool() -> None:
    told = withheld(demo_agency().run(tier=Tier.VIEWER))

    assert count_tokens(told) < 330, (
        "let tools of the same tier share a sentence in domain/messages/en/steps.py"
    )
    assert not any(name in told for name in TOOLS if "_" in name)


def test_what_is_switched_off_for_everybody_is_nobodys_to_have() -> None:
    run = demo_agency().run(tier=Tier.MEMBER, enabled=frozenset(TOOLS) - {"create_brand"})

    assert "preparing a brand" not in withheld(run)


async def test_a_limit_of_calls_is_told_with_what_it_limits() -> None:
    run = demo_agency().run()
    limits = tuple(
        Override(tool=tool, scope="global", calls_per_hour=most)
        for tool, most in (("create_brand", 1), ("create_client", 3))
    )
    deps = replace(run, switches=replace(run.switches, overrides=limits))
    answer = await cc_policy_explain(context(deps))

    assert isinstance(answer, PolicyAnswer)
    assert {one.rpartition(": ")[2] for one in answer.limits} == {
        "1 time an hour",
        "3 times an hour",
    }


async def test_what_concerns_the_agency_is_not_offered_in_a_clients_channel_and_it_says_where() -> (
    None
):
    agency = demo_agency()
    of_client = agency.run(scope=ScopeKind.CLIENT_SCOPED, client="Glintly Inc")
    wide = {"create_client", "cc_team_member_archive", "cc_clickup_space_classify"}

    assert wide <= permitted(agency.run().actor, agency.run().surface, of_client.switches)
    assert not wide & permitted(of_client.actor, of_client.surface, of_client.switches)
    assert "- in a direct message, or in a channel of the agency's own: " in withheld(of_client)
    assert "preparing a client" in withheld(of_client)
    explained = await cc_policy_explain(context(of_client), about="classification")
    assert isinstance(explained, PolicyAnswer)
    assert [(one.what, one.reason) for one in explained.may_not] == [
        ("preparing a classification", "agency_wide")
    ]


async def test_what_is_not_connected_is_nobodys_to_have_either() -> None:
    agency = demo_agency()
    agency.calculator = None
    explained = await cc_policy_explain(context(replace(agency.run(guides=()), sheets=None)))

    assert isinstance(explained, PolicyAnswer)
    told = {*explained.may_look_up, *(one.what for one in explained.may_not)}
    assert "reading ClickUp tasks" in told
    assert not told & {"working out figures", "exporting records", "reading how we do this"}
    assert "exporting records" in withheld(agency.run(tier=Tier.MEMBER))
    assert "exporting records" not in withheld(replace(agency.run(tier=Tier.MEMBER), sheets=None))


async def test_what_several_tools_are_for_is_told_once() -> None:
    agency = demo_agency()
    for tier in (Tier.VIEWER, Tier.ADMIN):
        explained = await cc_policy_explain(context(agency.run(tier=tier)))

        assert isinstance(explained, PolicyAnswer)
        for told in (explained.may_look_up, explained.may_prepare, explained.may_not):
            assert len(told) == len(set(told))
