"""Which ClickUp spaces and lists a brand is linked to from its client's channel."""

from __future__ import annotations

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import SpaceClassification
from agencyclaw.domain.people import ScopeKind
from agencyclaw.domain.tasks import ListRef
from agencyclaw.tools.places import LinkTarget, find_link
from agencyclaw.tools.results import Ask
from tests.fakes.ports import Agency, a_brand, demo_agency


def shared_space() -> Agency:
    """Glintly's space, in which Casa Mundo has a list as well, and one that nobody has yet."""
    agency = demo_agency()
    agency.directory.standings = dict.fromkeys(("g", "new"), SpaceClassification.BRAND_SCOPED)
    agency.directory.all_brands.append(a_brand("Casa Mundo", "Perro", list_id="g2"))
    for list_id, name in (("g1", "Glintly Backlog"), ("g2", "Perro Backlog")):
        listed = ListRef(id=list_id, name=name, space_id="g", space_name="Space g")
        agency.board.inboxes[list_id] = listed
    return agency


def in_channel(agency: Agency) -> Deps:
    return agency.run(scope=ScopeKind.CLIENT_SCOPED, client="Glintly Inc")


async def test_neither_a_space_nor_a_list_is_offered_that_is_not_this_clients() -> None:
    agency = shared_space()
    in_general = await find_link(agency.run(), "Space", None)
    spaces = await find_link(in_channel(agency), "Other", None)
    lists = await find_link(in_channel(agency), None, "Other")

    assert isinstance(in_general, Ask)
    assert len(in_general.options) == 2
    assert isinstance(spaces, Ask)
    assert spaces.labels == ("Space g",)
    assert "in a direct message" in spaces.question
    assert isinstance(lists, Ask)
    assert "Perro" not in str(lists)


async def test_a_list_of_another_client_is_not_linked_by_its_name_there() -> None:
    agency = shared_space()

    own = await find_link(in_channel(agency), "Space g", "Glintly Backlog")
    theirs = await find_link(in_channel(agency), "Space g", "perro backlog")
    new = await find_link(in_channel(agency), "Space new", None)

    assert isinstance(own, LinkTarget)
    assert isinstance(theirs, Ask)
    assert theirs.labels == ("Glintly Backlog in Space g",)
    assert isinstance(new, Ask)
    assert new.labels == ("Space g",)
