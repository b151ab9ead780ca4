"""Procedures as ClickUp Docs have them, and what taking them over would change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from agencyclaw.domain.changes import Change, Preview
from agencyclaw.domain.errors import TooMuch
from agencyclaw.domain.people import Tier, Value
from agencyclaw.domain.text import digest

MOST_CHANGES = 500
MOST_CHARACTERS = 1_000_000

PageState = Literal["waiting", "approved", "retired", "gone"]
PageChangeKind = Literal["new", "changed", "gone"]


class DocPage(Value):
    """A page of a ClickUp Doc, as Markdown."""

    doc_id: str
    page_id: str
    title: str
    body: str

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from every other page."""
        return self.doc_id, self.page_id

    @property
    def look(self) -> str:
        """Equal for the same title and text."""
        return digest({"title": self.title, "body": self.body})


class DocRead(Value):
    """A Doc with its pages; or why it can't be read, and then nothing is known of its pages."""

    doc_id: str
    pages: tuple[DocPage, ...] = ()
    trouble: str = ""


class StoredPage(DocPage):
    """A page as it was taken over."""

    state: PageState


class PageChange(Value):
    """One page that is not here as it is there; `seen` is the look of what is here."""

    kind: PageChangeKind
    page: DocPage
    seen: str = ""
    added: int = 0
    removed: int = 0

    @property
    def sentence(self) -> str:
        """What a person reads of it."""
        if self.kind == "changed":
            return f"{self.page.title} (lines: {self.added} added, {self.removed} removed)"
        return self.page.title


class SyncProcedures(Change):
    """What taking the procedures over from ClickUp would change, page by page."""

    kind: Literal["sync_procedures"] = "sync_procedures"
    skill: ClassVar[str] = "sop_sync_run"
    tier: ClassVar[Tier] = Tier.ADMIN
    done: ClassVar[str] = "taken over"

    changes: Annotated[tuple[PageChange, ...], Field(min_length=1, max_length=MOST_CHANGES)]
    unchanged: int = 0
    unread: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """What it is about."""
        return "Procedures from ClickUp"

    @property
    def entity(self) -> str:
        """The shelf of procedures: one change of it at a time."""
        return "procedures"

    @property
    def clients(self) -> tuple[()]:
        """None: it is the agency's own."""
        return ()

    @property
    def counts(self) -> str:
        """How much changes, in one line: "3 new, 2 changed, 1 gone"."""
        kinds = Counter(change.kind for change in self.changes)
        names: tuple[PageChangeKind, ...] = ("new", "changed", "gone")
        return ", ".join(f"{kinds[name]} {name}" for name in names if kinds[name])

    def of(self, kind: PageChangeKind) -> list[PageChange]:
        """Return the changes of one kind."""
        return [change for change in self.changes if change.kind == kind]

    def preview(self) -> Preview:
        """Name every page."""
        rows: tuple[tuple[str, PageChangeKind], ...] = (
            ("New, to be approved before use", "new"),
            ("Changed", "changed"),
            ("Gone from ClickUp, not used any more", "gone"),
        )
        named = [(title, "; ".join(one.sentence for one in self.of(kind))) for title, kind in rows]
        return Preview(
            headline=f"Take the procedures over from ClickUp: {self.counts}",
            verb="Take over",
            where="The agency's procedures",
            fields=(*(row for row in named if row[1]), ("Unchanged", str(self.unchanged))),
            missing=self.unread,
        )


def compare(docs: Sequence[DocRead], stored: Sequence[StoredPage]) -> SyncProcedures | None:
    """Return what taking over these Docs would change, or None when all is as it is there.

    Pages of a Doc that could not be read stay as they are. What an admin took out of use stays out.
    Raises TooMuch past what one proposal can hold.
    """
    here = {page.key: page for page in stored}
    read = {doc.doc_id for doc in docs if not doc.trouble}
    pages = {page.key: page for doc in docs for page in doc.pages}
    found = [change for page in pages.values() if (change := _changed(page, here.get(page.key)))]
    changes = [
        *found,
        *(
            PageChange(kind="gone", page=_bare(page), seen=page.look)
            for page in stored
            if page.doc_id in read and page.key not in pages and page.state != "gone"
        ),
    ]
    unread = tuple(f"Not read: {doc.trouble}" for doc in docs if doc.trouble)
    if not changes:
        return None
    size = sum(len(change.page.body) for change in changes)
    if len(changes) > MOST_CHANGES or size > MOST_CHARACTERS:
        raise TooMuch(
            f"{len(changes)} pages with {size:,} characters are too much at once; name fewer Docs"
            " in CLICKUP_DOCS at first.",
            reason="too_many_pages",
        )
    return SyncProcedures(changes=tuple(changes), unchanged=len(pages) - len(found), unread=unread)


def _changed(page: DocPage, known: StoredPage | None) -> PageChange | None:
    if known is None:
        return PageChange(kind="new", page=page)
    if known.state == "gone":
        return PageChange(kind="new", page=page, seen=known.look)
    if known.state == "retired" or known.look == page.look:
        return None
    before, after = _lines(known.body), _lines(page.body)
    added, removed = (after - before).total(), (before - after).total()
    return PageChange(kind="changed", page=page, seen=known.look, added=added, removed=removed)


def _lines(body: str) -> Counter[str]:
    return Counter(line.strip() for line in body.splitlines() if line.strip())


def _bare(page: DocPage) -> DocPage:
    return DocPage(doc_id=page.doc_id, page_id=page.page_id, title=page.title, body="")
