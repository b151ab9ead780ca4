"""What a stored effect must have: a card from before an upgrade has no more than this."""

from __future__ import annotations

from inline_snapshot import snapshot

from agencyclaw.domain.effects import EFFECT
from agencyclaw.domain.proposals import read_effect, stored_of
from agencyclaw.domain.record_kinds.targets import SetTarget


def test_no_effect_asks_for_more_than_what_was_stored_before() -> None:
    """A field that comes later needs a default, or its effect a new kind: docs/add-a-tool.md."""
    shapes = EFFECT.json_schema()["$defs"]

    assert {name: sorted(shape.get("required", ())) for name, shape in shapes.items()} == snapshot(
        {
            "AddPerson": ["email"],
            "AdjustForAnother": ["after", "person", "reminder", "schedule_id"],
            "AdjustSchedule": ["after", "person", "reminder", "schedule_id"],
            "AlertChannel": ["channel_id"],
            "ApplyRemediation": ["repairs"],
            "ArchiveAdmin": ["person"],
            "ArchivePerson": ["person"],
            "BringBackPerson": ["person"],
            "ArchiveTask": ["client", "created", "look", "task_id", "title", "where"],
            "AssignPerson": ["client", "person", "role"],
            "Assignee": ["name", "profile_id"],
            "BringBackAdmin": ["person"],
            "FieldSource": ["field", "origin"],
            "ChangeAdmin": ["email"],
            "ChangePerson": ["email"],
            "ChannelOwner": [],
            "Check": [],
            "ChecklistLine": ["checklist", "key"],
            "ClassifySpaces": ["moves"],
            "BrandFacts": ["name"],
            "CommentOnTask": ["author", "client", "task_id", "text", "title", "url"],
            "ClientFacts": ["name"],
            "CreateBrand": ["client", "facts"],
            "CreateClient": [],
            "CreateTask": ["body", "client", "destination", "title"],
            "DecideDocument": ["decision", "moves", "what"],
            "DeleteBrand": ["before", "brand", "client"],
            "Destination": ["list_id", "list_name"],
            "DocPage": ["body", "doc_id", "page_id", "title"],
            "EndSchedule": ["person", "reminder", "reminder_id"],
            "ForgetNote": ["author", "client", "note", "note_id"],
            "FaultyLine": ["file", "line", "why"],
            "ForgetPreference": ["key", "person", "value"],
            "FieldValue": ["id", "kind", "name"],
            "Goals": [],
            "TaskAssignee": ["id", "name"],
            "Move": ["after", "before", "version"],
            "HeldSlot": ["client", "role"],
            "ImportRecords": ["changes", "files"],
            "KeepSeparate": ["account"],
            "LinkChannel": ["channel_id", "team_id"],
            "MessageLink": ["author", "url"],
            "Named": ["id", "name"],
            "NameProcedure": ["after", "before", "name", "procedure"],
            "Naming": ["category"],
            "Origin": [],
            "PageChange": ["kind", "page"],
            "Outdated": ["label", "value"],
            "ClickUpPlace": ["id", "name"],
            "PersonFacts": ["name"],
            "PreferenceValue": ["value"],
            "Promotion": ["type"],
            "RememberNote": ["client", "note"],
            "RememberPreference": ["key", "person", "value"],
            "RemoveAssignment": ["client", "person", "role"],
            "Repair": ["brand", "client", "field"],
            "RestoreClient": ["client"],
            "RestoreProcedures": ["pages"],
            "RestoredPage": ["left"],
            "Results": [],
            "RetryRun": ["failed_at", "number", "person", "run"],
            "Schedule": ["timing", "words"],
            "SetChannelQuestion": ["person", "reminder"],
            "Separation": ["name"],
            "SetAdminWatch": ["person", "reminder"],
            "SetAlertChannel": ["team_id"],
            "SetQuestion": ["person", "reminder"],
            "Role": ["name", "slug"],
            "SetReminder": ["person", "reminder"],
            "SetResult": ["brand", "client", "marketplace", "period", "start"],
            "SetTarget": ["brand", "client", "marketplace", "period", "start"],
            "SetWatch": ["person", "reminder"],
            "DocumentVersion": ["added_at", "key", "origin", "shelf", "state", "title", "version"],
            "SopSection": ["size"],
            "SpaceClassification": [],
            "SpaceMove": [],
            "SpaceRecord": ["classification", "id", "name"],
            "Source": ["confidence", "id", "tier", "title"],
            "StoredPage": ["body", "doc_id", "page_id", "state", "title"],
            "SyncSpaces": ["moves"],
            "SyncProcedures": ["changes"],
            "TaskFact": ["about", "value"],
            "TaskFacts": ["title"],
            "TaskSnapshot": ["facts", "updated_ms"],
            "Timing": ["at", "day", "zone"],
            "UnsupportedFact": ["field", "value"],
            "UpdateBrand": ["after", "before", "brand", "client"],
            "UpdateClient": ["client"],
            "UpdateTask": ["after", "before", "client", "task_id", "url"],
            "UpdateTasks": ["tasks"],
            "Watch": ["check"],
            "WatchedTask": ["id", "title", "url"],
            "Work": [],
        }
    )


def test_a_renamed_field_keeps_the_name_it_is_stored_under() -> None:
    stored = {
        "kind": "set_target",
        "client": {"id": "00000000-0000-0000-0000-000000000001", "name": "Fernwood"},
        "brand": {"id": "00000000-0000-0000-0000-000000000002", "name": "Fernwood Home"},
        "marketplace": "US",
        "period": "monthly",
        "start": "2026-11-01",
        "after": {"acos": "20"},
        "is_period_stated": False,
        "bases": [{"field": "ACOS", "origin": "typed", "quote": "acos 20"}],
        "not_stated": [{"field": "Sales", "value": "lots", "is_said": True}],
    }

    effect = read_effect(stored, "kpi_target_upsert", "")

    assert isinstance(effect, SetTarget)
    assert not effect.is_period_explicit
    assert effect.unsupported_facts[0].was_written
    assert stored_of(effect) == stored
