"""The demo agency's Docs: its procedures, slightly newer than the assistant's copies."""

from functools import cache
from itertools import groupby
from pathlib import Path

import yaml

from workbench.clickup.board import Board
from workbench.clickup.docs import DOC, PAGE
from workbench.clickup.records import Json

SPACE = "90100500008"
_SPACE_KIND = 4
# The texts are the demo agency's data, no code: what the agency wrote is the same on both sides.
_SOPS = Path(__file__).parents[2] / "agencyclaw" / "store" / "demo" / "sops"
_NAMES = {
    "18m2dn-4417": "Bi-weekly PPC",
    "18m2dn-4377": "Weekly PPC",
    "18m2dn-4397": "Monthly PPC",
    "18m2dn-4457": "Account health",
}
_ADDED = "\n\nAfterwards, note in the task how many units were recovered."
_NEW = """Used when Amazon asks for a plan of action before it lists a product again.

1. Read the notice and name the policy it quotes.
2. Collect invoices of the last 365 days and photos of all six sides of the pack.
3. Write root cause, correction and prevention, one paragraph each.
4. Have the Customer Success Lead read it before it is sent.
5. Send it within three working days and note the case number in the task.
"""


def seed_docs(board: Board) -> None:
    """Add the Docs, with pages changed or added since the agency was loaded."""
    pages = sorted(_pages(), key=lambda page: str(page["doc_id"]))
    now = board.now_ms()
    for doc_id, inside in groupby(pages, key=lambda page: str(page["doc_id"])):
        doc_pages = list(inside)
        name = _NAMES.get(doc_id, str(doc_pages[0]["name"]))
        place: Json = {"parent_id": SPACE, "parent_type": _SPACE_KIND, "date_created": now}
        board.storage.put(DOC, doc_id, {"id": doc_id, "name": name, **place})
        for page in doc_pages:
            dates = {"date_created": now, "date_updated": now}
            board.storage.put(PAGE, str(page["id"]), {**page, "parent": None, **dates})


@cache
def _pages() -> tuple[Json, ...]:
    pages = [_page(path) for path in sorted(_SOPS.glob("*.md"))]
    new = {"id": "18m2dn-4457-appeal", "doc_id": "18m2dn-4457", "name": "Listing Appeal SOP"}
    return (*pages, {**new, "content": _NEW})


def _page(path: Path) -> Json:
    _, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
    about: Json = yaml.safe_load(head)
    category = about["category"]
    text = body.strip() + (_ADDED if category == "stranded_inventory" else "")
    place = {"id": f"{about['document']}-{category}", "doc_id": about["document"]}
    return {**place, "name": about["title"], "content": text}
