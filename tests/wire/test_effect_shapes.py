"""What a stored effect must have: a card from before an upgrade has no more than this."""

from __future__ import annotations

from inline_snapshot import snapshot

from agencyclaw.domain.effects import EFFECT


def test_no_effect_asks_for_more_than_what_was_stored_before() -> None:
    """A field that comes later needs a default, or its effect a new kind: docs/add-a-tool.md."""
    shapes = EFFECT.json_schema()["$defs"]

    assert {name: sorted(shape.get("required", ())) for name, shape in shapes.items()} == snapshot(
        {
            "ApplyRemediation": ["repairs"],
            "ArchiveTask": ["client", "created", "look", "task_id", "title", "where"],
            "AssignPerson": ["client", "person", "role"],
            "Assignee": ["name", "profile_id"],
            "FieldSource": ["field", "origin"],
            "BrandFacts": ["name"],
            "CreateBrand": ["client", "facts"],
            "CreateTask": ["body", "client", "destination", "title"],
            "DecideDocument": ["decision", "moves", "what"],
            "Destination": ["list_id", "list_name"],
            "DocPage": ["body", "doc_id", "page_id", "title"],
            "EndReminder": ["person", "reminder", "reminder_id"],
            "ForgetNote": ["author", "client", "note", "note_id"],
            "ForgetPreference": ["key", "person", "value"],
            "Goals": [],
            "Holder": ["id", "name"],
            "Move": ["after", "before", "version"],
            "MessageLink": ["author", "url"],
            "Named": ["id", "name"],
            "NameProcedure": ["after", "before", "name", "procedure"],
            "Naming": ["category"],
            "Origin": [],
            "PageChange": ["kind", "page"],
            "Outdated": ["label", "value"],
            "ClickUpPlace": ["id", "name"],
            "Preferred": ["value"],
            "Promotion": ["type"],
            "RememberNote": ["client", "note"],
            "RememberPreference": ["key", "person", "value"],
            "Reminder": ["timing", "words"],
            "RemoveAssignment": ["client", "person", "role"],
            "Repair": ["brand", "client", "field"],
            "RestoreProcedures": ["pages"],
            "Restored": ["left"],
            "Role": ["name", "slug"],
            "SetReminder": ["person", "reminder"],
            "SetTarget": ["brand", "client", "marketplace", "period", "start"],
            "Shelved": ["added_at", "key", "origin", "shelf", "state", "title", "version"],
            "SopSection": ["size"],
            "Source": ["confidence", "id", "tier", "title"],
            "StoredPage": ["body", "doc_id", "page_id", "state", "title"],
            "SyncProcedures": ["changes"],
            "TaskFact": ["about", "value"],
            "TaskFacts": ["title"],
            "TaskLook": ["facts", "updated_ms"],
            "Timing": ["at", "day", "zone"],
            "Unstated": ["field", "value"],
            "UpdateBrand": ["after", "before", "brand", "client"],
            "UpdateTask": ["after", "before", "client", "task_id", "url"],
        }
    )
