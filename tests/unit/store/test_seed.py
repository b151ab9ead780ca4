"""The fictional agency and the catalogue of skills, loaded as often as one likes."""

import asyncio
import re
from pathlib import Path

import pytest

from agencyclaw.store.catalogue import install_catalogue, role_rows, skill_rows
from agencyclaw.store.demo_agency import person_id, person_rows, sop_id, sop_rows
from agencyclaw.store.engine import Database
from agencyclaw.store.seed import remove_seeded, seed
from agencyclaw.tools import built_skills


def words(text: str) -> list[str]:
    return text.split()


# Every skill of the product requirements, chapter 13.
SKILLS = words("""
ngram_process ngram_collect npat_process npat_collect adscope_audit root_process scribe_generate
debrief_extract debrief_send_to_clickup cc_org_chart_ascii kpi_target_upsert kpi_target_lookup
clickup_task_list_weekly clickup_task_create clickup_task_update meeting_parser
debrief_meeting_ingest debrief_task_review client_context_builder client_brief sop_lookup
sop_sync_run clickup_task_quality_gate clickup_task_duplicate_check run_status_lookup run_retry
event_dedupe_audit error_digest usage_cost_report cc_assignment_matrix cc_role_capacity_snapshot
cc_policy_explain cc_clickup_space_sync cc_clickup_space_list cc_clickup_space_classify
cc_clickup_space_brand_map
cc_client_lookup cc_role_lookup cc_resolve_scope cc_assignment_upsert cc_assignment_remove
cc_assignment_audit_log
cc_team_member_lookup cc_team_member_create cc_team_member_update cc_team_member_update_slack_id
cc_team_member_update_clickup_id cc_team_member_archive
cc_client_update cc_brand_list_all cc_brand_create cc_brand_update cc_brand_clickup_mapping_audit
cc_brand_clickup_space_set cc_brand_clickup_list_set cc_brand_delete
catalog_lookup
""")

# Names the agent's tools have beside them, and the skills only the agent loop has.
TOOLS = words("""
lookup_client lookup_brand get_client_context search_kb resolve_brand list_tasks create_task
load_prior_skill_result audit_brand_mappings assign_person remove_assignment create_brand
update_brand apply_remediation delegate_planner
""")


def test_the_catalogue_has_every_skill_of_the_product() -> None:
    known = {row["id"] for row in skill_rows(built_skills())}

    assert sorted(set(SKILLS) - known) == []


def test_every_tool_of_the_agent_belongs_to_one_skill() -> None:
    tools = [row["tool_name"] for row in skill_rows(built_skills()) if row["tool_name"]]

    assert sorted(set(TOOLS) - set(tools)) == []
    assert len(tools) == len(set(tools))


def test_what_changes_something_needs_at_least_a_member() -> None:
    assert not [
        row["id"]
        for row in skill_rows(built_skills())
        if row["changes"] and row["min_tier"] == "viewer"
    ]


def test_what_is_not_built_starts_switched_off() -> None:
    assert all(row["enabled"] == row["implemented_in_code"] for row in skill_rows(built_skills()))


def test_there_are_seven_roles() -> None:
    assert [row["slug"] for row in role_rows()] == [
        "strategy_director",
        "customer_success_lead",
        "catalog_strategist",
        "catalog_specialist",
        "ppc_strategist",
        "ppc_specialist",
        "report_specialist",
    ]


@pytest.mark.parametrize("sop", sop_rows(), ids=lambda sop: sop["category"])
def test_a_procedure_has_a_purpose_steps_and_an_end(sop: dict[str, str]) -> None:
    body = sop["content_md"]
    steps = re.findall(r"^(\d+)\. (.+)$", body, re.M)

    assert body.startswith("**Purpose.**")
    assert [int(number) for number, _ in steps] == list(range(1, len(steps) + 1))
    assert 6 <= len(steps) <= 10
    assert all(len(step) <= 200 for _, step in steps)
    assert len(re.findall(r"^- ", body.partition("## Done when")[2], re.M)) >= 3
    assert 1_500 < len(body) < 4_000


def test_the_files_are_named_after_their_categories() -> None:
    folder = Path(__file__).parents[3] / "agencyclaw" / "store" / "demo" / "sops"

    assert sorted(row["category"] for row in sop_rows()) == sorted(p.stem for p in folder.iterdir())
    assert len(sop_rows()) == 15


def test_ids_are_the_same_everywhere() -> None:
    assert str(person_id("Ines Varga")) == "eba9b492-c907-57f8-80a3-3c6bf3b3f6d1"
    assert person_rows()[0]["id"] == person_id("Ines Varga")


async def test_the_whole_agency_is_loaded(database: Database) -> None:
    report = await seed(database)

    assert report == {
        "agency_roles": 7,
        "profiles": 9,
        "agency_clients": 8,
        "brands": 14,
        "client_assignments": 30,
        "playbook_sops": 15,
        "clickup_space_registry": 10,
        "surface_bindings": 3,
        "catalog_products": 12,
        "client_memory_notes": 2,
        "agencyclaw_user_preferences": 1,
    }


async def test_loading_again_writes_nothing(agency: Database) -> None:
    assert sum((await seed(agency)).values()) == 0


async def test_two_that_load_at_once_load_it_once(database: Database) -> None:
    first, second = await asyncio.gather(seed(database), seed(database))

    assert sum(first.values()) + sum(second.values()) == 111


async def test_what_people_changed_stays_changed(agency: Database) -> None:
    await agency.pool.execute("update profiles set timezone = 'America/Toronto'")
    await agency.pool.execute("update skill_catalog set enabled = false where id = 'sop_lookup'")
    await agency.pool.execute(
        "update playbook_sops set aliases = '{mine}' where id = $1", sop_id("npat")
    )

    assert sum((await seed(agency)).values()) == 0
    assert (
        await agency.pool.fetchval("select enabled from skill_catalog where id = 'sop_lookup'")
        is False
    )


async def test_a_newer_text_of_a_procedure_replaces_the_older_but_not_its_aliases(
    agency: Database,
) -> None:
    await agency.pool.execute(
        "update playbook_sops set version = '0', content_md = 'old', aliases = '{mine}'"
        " where id = $1",
        sop_id("npat"),
    )

    assert (await seed(agency))["playbook_sops"] == 1
    row = await agency.pool.fetchrow("select * from playbook_sops where id = $1", sop_id("npat"))
    assert row["content_md"].startswith("**Purpose.**")
    assert row["aliases"] == ["mine"]


async def test_a_skill_that_was_just_built_is_switched_on(agency: Database) -> None:
    await agency.pool.execute(
        "update skill_catalog set implemented_in_code = false, enabled = false"
        " where id = 'clickup_task_create'"
    )

    assert (await install_catalogue(agency, built_skills())) == 1
    assert await agency.pool.fetchval(
        "select enabled and implemented_in_code from skill_catalog where id = 'clickup_task_create'"
    )


async def test_the_agency_is_removed_and_what_is_real_stays(database: Database) -> None:
    await seed(database)
    pool = database.pool
    await pool.execute("insert into agency_clients (name) values ('Larkspur')")
    await pool.execute(
        "insert into profiles (email, full_name) values ('noor@larkspur.example', 'Noor Haddad')"
    )
    await pool.execute(
        "insert into agent_events (event_type, actor_profile_id) values ('x', $1)",
        person_id("Ines Varga"),
    )
    await pool.execute("update playbook_sops set last_synced_at = now() where category = 'coupons'")

    removed = await remove_seeded(database)

    assert sum(removed.values()) > 100
    assert [row["name"] for row in await pool.fetch("select name from agency_clients")] == [
        "Larkspur"
    ]
    assert await pool.fetchval("select count(*) from brands") == 0
    procedures = await pool.fetch("select category from playbook_sops")
    assert [row["category"] for row in procedures] == ["coupons"]
    at_work = "select full_name from profiles where employment_status <> 'inactive'"
    assert [row["full_name"] for row in await pool.fetch(at_work)] == ["Noor Haddad"]
    assert await pool.fetchval("select count(*) from profiles where is_admin") == 0
    assert sum((await remove_seeded(database)).values()) == 0
