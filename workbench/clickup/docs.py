"""Docs of the stand-in ClickUp (API v3): the Docs of a place, and their pages as a tree."""

from collections.abc import Sequence

from workbench.clickup.board import Board
from workbench.clickup.call import ApiRequest, find_team
from workbench.clickup.records import Json
from workbench.clickup.refusals import DOC_NOT_FOUND, RequestRefused

DOC = "clickup_doc"
PAGE = "clickup_doc_page"
_LEAST, _MOST = 10, 100
_DEEPEST = 20


def list_docs(call: ApiRequest) -> Json:
    """The Docs of the Workspace, or of one parent; `next_cursor` is where the next page begins."""
    find_team(call)
    parent = call.query.get("parent_id")
    docs = [
        doc_shape(call.board, doc)
        for doc in call.board.storage.all(DOC)
        if parent in (None, "", doc["parent_id"])
    ]
    size = min(max(call.whole("limit") or 50, _LEAST), _MOST)
    start = call.whole("next_cursor") or 0
    page, rest = docs[start : start + size], docs[start + size :]
    answer: Json = {"docs": page}
    return answer | {"next_cursor": str(start + size)} if rest else answer


def get_doc(call: ApiRequest) -> Json:
    return doc_shape(call.board, _find_doc(call))


def list_pages(call: ApiRequest) -> list[Json]:
    """All pages with their texts, children within their parents."""
    doc = _find_doc(call)
    pages = [page for page in call.board.storage.all(PAGE) if page["doc_id"] == doc["id"]]
    depth = call.whole("max_page_depth")
    return _tree(call.board, pages, None, _DEEPEST if depth is None or depth < 0 else depth)


def save_page(board: Board, doc_id: str, page_id: str, name: str, content: str) -> None:
    """Write a page, as a person would in ClickUp; the Doc must exist."""
    page = board.storage.get(PAGE, page_id) or {"date_created": board.now_ms(), "parent": None}
    changed = {"id": page_id, "doc_id": doc_id, "name": name, "content": content}
    board.storage.put(PAGE, page_id, {**page, **changed, "date_updated": board.now_ms()})


def doc_shape(board: Board, doc: Json) -> Json:
    return {
        "id": doc["id"],
        "name": doc["name"],
        "type": 1,
        "parent": {"id": doc["parent_id"], "type": doc["parent_type"]},
        "public": False,
        "workspace_id": int(board.team["id"]),
        "creator": board.bot,
        "date_created": doc["date_created"],
        "date_updated": doc["date_created"],
        "deleted": False,
        "archived": False,
    }


def _find_doc(call: ApiRequest) -> Json:
    find_team(call)
    doc = call.board.storage.get(DOC, call.path["doc"])
    if doc is None:
        raise RequestRefused(DOC_NOT_FOUND)
    return doc


def _tree(board: Board, pages: Sequence[Json], parent: str | None, depth: int) -> list[Json]:
    return [
        {
            "id": page["id"],
            "doc_id": page["doc_id"],
            "workspace_id": int(board.team["id"]),
            "parent_page_id": page["parent"],
            "name": page["name"],
            "content": page["content"],
            "date_created": page["date_created"],
            "date_updated": page["date_updated"],
            "deleted": False,
            "archived": page.get("archived", False),
            "pages": _tree(board, pages, page["id"], depth - 1) if depth else [],
        }
        for page in pages
        if page["parent"] == parent
    ]
