"""What is said of a decision on a document, and of its undo."""

from __future__ import annotations

from datetime import UTC, datetime

from agencyclaw.domain.library import DecideDocument, DocumentVersion, moves_for

NOW = datetime(2026, 11, 2, tzinfo=UTC)


def version(number: str, state: str) -> DocumentVersion:
    return DocumentVersion.model_validate(
        {
            "kind": "document",
            "key": "returns.md",
            "origin": "returns.md",
            "version": number,
            "title": "Returns",
            "state": state,
            "characters": 900,
            "begins": f"Text {number}",
            "added_at": NOW,
        }
    )


def used(document: DocumentVersion, *others: DocumentVersion) -> DecideDocument:
    moves = moves_for(document, "use", [*others, document])
    return DecideDocument(document=document, decision="use", moves=moves)


def test_the_undo_of_a_newer_version_says_that_the_one_before_is_in_use_again() -> None:
    newer = used(version("2", "waiting"), version("1", "approved"))
    undo = newer.reverse()

    assert undo.receipt() == (
        "Version 1 of the document “Returns” is in use from now on, instead of version 2."
    )
    card = undo.preview()
    assert card.headline == "Put to use: the document “Returns”"
    assert card.fields == (
        ("From", "returns.md"),
        ("Version", "1"),
        ("Instead of", "version 2"),
    )
    assert undo.reverse().receipt() == newer.receipt()


def test_the_undo_of_a_first_version_leaves_none_in_use() -> None:
    undo = used(version("1", "waiting")).reverse()

    assert undo.receipt() == "The document “Returns” is out of use from now on."
    assert undo.reverse().receipt() == "The document “Returns” is in use from now on."
