"""The schema of case files, which editors read."""

from __future__ import annotations

from evals.subjects import SCHEMA, schema


def test_the_schema_of_case_files_is_up_to_date() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == schema()
