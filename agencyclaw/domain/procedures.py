"""Procedures in ClickUp Docs, and what importing them would change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal, NamedTuple

from pydantic import Field

from agencyclaw.domain.changes import AgencyChange, ConsentPolicy, Preview
from agencyclaw.domain.differences import differences
from agencyclaw.domain.errors import TooMuch
from agencyclaw.domain.messages import message
from agencyclaw.domain.naming import Naming, naming_of
from agencyclaw.domain.people import Tier, Value
from agencyclaw.domain.text import digest, one_line

MOST_CHANGES = 500
MOST_CHARACTERS = 2_000_000
MOST_LINES = 8
MOST_HEADINGS = 5
_BEGINNING = 300
_NAMED = "called before: "

PageState = Literal["waiting", "approved", "retired", "gone"]
PageChangeKind = Literal["new", "changed", "gone"]


class DocPage(Value):
    """A page of a ClickUp Doc as Markdown; `parent` is the title of the page above it."""

    doc_id: str
    page_id: str
    title: str
    body: str
    parent: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What identifies the page."""
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
    """A page as it is stored here."""

    state: PageState
    version: str = "1"

    @property
    def state_key(self) -> tuple[str, str, str]:
        """Equal if nothing of the page has changed."""
        return self.look, self.state, self.version


class PageMove(NamedTuple):
    """A page's change, from the expected state here to the new one; None is no page."""

    before: StoredPage | None
    after: StoredPage | None
    naming: Naming | None = None


class PageChange(Value):
    """A page in ClickUp that differs from the stored one, `was`.

    For a changed page, `lines` are the first changed lines, `headings` are the headings above them;
    a new page has its `naming`, unless it was here before and keeps the one it had.
    """

    kind: PageChangeKind
    page: DocPage
    was: StoredPage | None = None
    naming: Naming | None = None
    added: int = 0
    removed: int = 0
    headings: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The change as one row."""
        if self.kind != "changed":
            return self.page.title
        under = message("built.under", headings=_listed(self.headings)) if self.headings else ""
        counts = message("procedures.lines_added_removed", added=self.added, removed=self.removed)
        return f"{self.page.title} ({counts}{under})"

    def _named_as(self) -> list[str]:
        if self.naming is None:
            return []
        known = message("built.category", category=self.naming.category.replace("_", " "))
        aliases = _listed(self.naming.aliases) if self.naming.aliases else ""
        names = message("procedures.also_found_as", aliases=aliases) if aliases else ""
        return [f"- {known}{names}"]

    @property
    def text(self) -> str:
        """What is new, as Markdown: changed lines, or the beginning of a new page."""
        if self.kind == "new":
            begins = one_line(self.page.body, _BEGINNING)
            size = len(self.page.body)
            return "\n".join(
                [
                    message("procedures.new_page", title=self.page.title, size=size),
                    *self._named_as(),
                    message("procedures.it_begins", begins=begins),
                ]
            )
        if not self.lines:
            return ""
        more = self.added + self.removed - sum(not line.startswith(_NAMED) for line in self.lines)
        left = [message("procedures.more_lines_are_other", more=more)] if more else []
        rows = [f"- {line}" for line in self.lines]
        return "\n".join([f"**{self.page.title}**", *rows, *left])

    @property
    def move(self) -> PageMove:
        """The change of the stored page."""
        was, page = self.was, self.page
        if self.kind == "gone" and was:
            return PageMove(was, was.model_copy(update={"state": "gone"}))
        known = {"doc_id": page.doc_id, "page_id": page.page_id}
        fresh = StoredPage(**known, title=page.title, body=page.body, state="waiting")
        if was is None:
            return PageMove(None, fresh, self.naming or naming_of(page.title, page.body))
        state: PageState = "waiting" if was.state == "gone" else was.state
        return PageMove(
            was, fresh.model_copy(update={"state": state, "version": _next(was.version)})
        )


class ProceduresChange(AgencyChange):
    """A change of all procedures from ClickUp."""

    skill: ClassVar[str] = "sop_sync_run"
    tier: ClassVar[Tier] = Tier.ADMIN
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS

    @property
    def label(self) -> str:
        """What it is about."""
        return message("procedures.procedures_from_clickup")

    @property
    def entity(self) -> str:
        """All procedures as one entity, so that one change of them runs at a time."""
        return "procedures"


class SyncProcedures(ProceduresChange):
    """An import of procedures from ClickUp, page by page."""

    kind: Literal["sync_procedures"] = "sync_procedures"
    done: ClassVar[str] = "taken over"

    changes: Annotated[tuple[PageChange, ...], Field(min_length=1, max_length=MOST_CHANGES)]
    unchanged: int = 0
    unread: tuple[str, ...] = ()

    @property
    def counts(self) -> str:
        """The number of changes in one line: "3 new, 2 changed, 1 gone"."""
        kinds = Counter(change.kind for change in self.changes)
        names: tuple[PageChangeKind, ...] = ("new", "changed", "gone")
        return ", ".join(f"{kinds[name]} {name}" for name in names if kinds[name])

    def of(self, kind: PageChangeKind) -> list[PageChange]:
        """Return the changes of one kind."""
        return [change for change in self.changes if change.kind == kind]

    def preview(self) -> Preview:
        """Name every page."""
        rows: tuple[tuple[str, PageChangeKind], ...] = (
            (message("procedures.new_be_approved_before"), "new"),
            ("Changed", "changed"),
            (message("procedures.gone_from_clickup_not"), "gone"),
        )
        named = [
            (title, "; ".join(change.sentence for change in self.of(kind))) for title, kind in rows
        ]
        return Preview(
            headline=message("procedures.take_procedures_over_from", counts=self.counts),
            verb="Take over",
            where=message("procedures.agencys_procedures"),
            fields=(*named, ("Unchanged", str(self.unchanged))),
            body="\n\n".join(change.text for change in self.changes if change.text),
            missing=self.unread,
        )


class RestoredPage(Value):
    """A page as an import left it, and as it was before; None if it did not exist."""

    left: StoredPage
    back: StoredPage | None = None


class RestoreProcedures(ProceduresChange):
    """Undoes an import: restores every page that is still as the import left it."""

    kind: Literal["restore_procedures"] = "restore_procedures"
    done: ClassVar[str] = "taken back"

    pages: Annotated[tuple[RestoredPage, ...], Field(min_length=1, max_length=MOST_CHANGES)]

    @property
    def moves(self) -> list[PageMove]:
        """The change of every page."""
        return [PageMove(page.left, page.back) for page in self.pages]

    def preview(self) -> Preview:
        """Name every page."""
        kept = [page.left.title for page in self.pages if page.back]
        new = [page.left.title for page in self.pages if page.back is None]
        rows = (
            (message("procedures.as_they_were_before"), "; ".join(kept)),
            (message("procedures.taken_out_again"), "; ".join(new)),
        )
        return Preview(
            headline=message("procedures.bring_procedures_back_how"),
            verb="Bring back",
            where=message("procedures.agencys_procedures"),
            fields=rows,
        )


def restoring(effect: SyncProcedures) -> RestoreProcedures:
    """Return the effect that undoes an import."""
    moves = [change.move for change in effect.changes]
    pages = tuple(RestoredPage(left=move.after, back=move.before) for move in moves if move.after)
    return RestoreProcedures(pages=pages, timezone=effect.timezone)


def compare(docs: Sequence[DocRead], stored: Sequence[StoredPage]) -> SyncProcedures | None:
    """Return what importing these Docs would change; None if nothing.

    Pages of an unreadable Doc and pages that an admin retired stay as they are. Raises TooMuch if
    it is more than one proposal can hold.
    """
    here = {page.key: page for page in stored}
    read = {doc.doc_id for doc in docs if not doc.trouble}
    pages = {page.key: page for doc in docs for page in doc.pages}
    edited = [change for page in pages.values() if (change := _changed(page, here.get(page.key)))]
    changes = [
        *edited,
        *(
            PageChange(kind="gone", page=_bare(page), was=page)
            for page in stored
            if page.doc_id in read and page.key not in pages and page.state != "gone"
        ),
    ]
    if not changes:
        return None
    size = sum(
        len(change.page.body) + len(change.was.body if change.was else "") for change in changes
    )
    if len(changes) > MOST_CHANGES or size > MOST_CHARACTERS:
        raise TooMuch(
            message("procedures.pages_with_characters_are", changes=len(changes), size=size),
            reason="too_many_pages",
        )
    return SyncProcedures(
        changes=tuple(changes), unchanged=len(pages) - len(edited), unread=unread_of(docs)
    )


def unread_of(docs: Sequence[DocRead]) -> tuple[str, ...]:
    """Say which Docs could not be read, and why."""
    return tuple(message("built.not_read", trouble=doc.trouble) for doc in docs if doc.trouble)


def unchanged(docs: Sequence[DocRead]) -> str:
    """Say that these Docs change nothing, or that there was none to compare with."""
    if all(doc.trouble for doc in docs):
        return message("refused.library.no_docs")
    return message("refused.library.no_changes")


def _changed(page: DocPage, known: StoredPage | None) -> PageChange | None:
    if known is None:
        naming = naming_of(page.title, page.body, page.parent)
        return PageChange(kind="new", page=page, naming=naming)
    if known.state == "gone":
        return PageChange(kind="new", page=page, was=known)
    if known.state == "retired" or known.look == page.look:
        return None
    diff = differences(known.body, page.body)
    renamed = [f"{_NAMED}{known.title}"] if known.title != page.title else []
    shown = [line.sentence for line in diff][: MOST_LINES - len(renamed)]
    added = sum(line.is_new for line in diff)
    return PageChange(
        kind="changed",
        page=page,
        was=known,
        added=added,
        removed=len(diff) - added,
        headings=tuple(dict.fromkeys(line.heading for line in diff if line.heading))[
            :MOST_HEADINGS
        ],
        lines=(*renamed, *shown),
    )


def _bare(page: DocPage) -> DocPage:
    return DocPage(doc_id=page.doc_id, page_id=page.page_id, title=page.title, body="")


def _next(version: str) -> str:
    return str(int(version) + 1) if version.isdigit() else f"{version}.1"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)
