"""Which document of the knowledge base is decided on: the one of that name, or none."""

from __future__ import annotations

import pytest

from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.library import DecideDocument, Decision, DocumentVersion
from agencyclaw.domain.people import Tier
from agencyclaw.tools.library import decide_document
from tests.fakes.ports import NOW, context, demo_agency


def a_version(title: str, state: str) -> DocumentVersion:
    return DocumentVersion.model_validate(
        {
            "kind": "document",
            "key": title,
            "origin": f"{title}.md",
            "version": "1",
            "title": title,
            "state": state,
            "added_at": NOW,
        }
    )


async def decided(name: str, decision: Decision, *documents: DocumentVersion) -> str:
    agency = demo_agency()
    agency.knowledge.shelves = list(documents)
    effect = await decide_document(context(agency.run(tier=Tier.ADMIN)), name, decision)
    assert isinstance(effect, DecideDocument)
    return effect.document.title


@pytest.mark.parametrize(
    ("decision", "named", "other", "why"),
    [
        ("use", "approved", "waiting", "in use already"),
        ("reject", "approved", "waiting", "in use already"),
        ("retire", "waiting", "approved", "not in use"),
    ],
)
async def test_the_name_of_one_document_never_means_another_whose_name_begins_so(
    decision: Decision, named: str, other: str, why: str
) -> None:
    documents = a_version("Returns", named), a_version("Returns in Canada", other)

    with pytest.raises(NotFound, match=why):
        await decided("returns", decision, *documents)
    assert await decided("returns in", decision, *documents) == "Returns in Canada"


async def test_the_version_that_waits_is_meant_beside_the_one_in_use() -> None:
    documents = a_version("Returns", "approved"), a_version("Returns", "waiting")

    assert await decided("returns", "use", *documents) == "Returns"
