"""What the model is told of each tool, byte for byte: a change here is a change of behaviour."""

# ruff: noqa: E501

from __future__ import annotations

import json
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic import ValidationError
from pydantic_ai import FunctionToolset

from agencyclaw.tools import TOOLS, build_toolset

MOST_TOKENS = 5_000
MOST_TOKENS_OF_ONE = 2_200


def on_an_ordinary_turn() -> set[str]:
    return {name for name, spec in TOOLS.items() if not spec.is_on_demand}


def definitions() -> dict[str, dict[str, Any]]:
    toolset = build_toolset().wrapped
    assert isinstance(toolset, FunctionToolset)
    tools: dict[str, Any] = toolset.tools
    return {
        name: {"description": tool.description, "parameters": tool.function_schema.json_schema}
        for name, tool in tools.items()
    }


def test_the_definitions_fit_their_budget() -> None:
    sizes = {name: len(json.dumps(one)) // 4 for name, one in definitions().items()}

    assert sum(sizes[name] for name in on_an_ordinary_turn()) < MOST_TOKENS
    assert max(sizes.values()) <= MOST_TOKENS_OF_ONE
    assert sizes == snapshot(
        {
            "lookup_client": 68,
            "assign_person": 157,
            "read_attached_file": 87,
            "remove_assignment": 147,
            "create_brand": 174,
            "update_brand": 363,
            "lookup_brand": 82,
            "resolve_brand": 106,
            "calculate": 172,
            "get_client_context": 68,
            "read_guide": 46,
            "compare_accounts": 39,
            "sync_accounts": 183,
            "set_alert_channel": 78,
            "kpi_target_lookup": 157,
            "kpi_target_upsert": 404,
            "cc_brand_delete": 95,
            "sop_sync_run": 39,
            "change_tasks": 988,
            "create_client": 124,
            "cc_client_update": 255,
            "read_task": 93,
            "link_channel": 112,
            "client_risks": 37,
            "list_waiting_documents": 39,
            "list_unanswered_questions": 39,
            "finished_tasks": 278,
            "decide_document": 118,
            "client_brief": 144,
            "audit_brand_mappings": 62,
            "import_records": 62,
            "export_records": 76,
            "cc_brand_mapping_remediation_preview": 63,
            "apply_remediation": 61,
            "remember": 181,
            "recall": 85,
            "name_procedure": 104,
            "kpi_result_upsert": 470,
            "forget": 89,
            "read_conversation": 180,
            "search_messages": 232,
            "load_prior_skill_result": 71,
            "catalog_lookup": 143,
            "delegate_planner": 104,
            "list_records": 93,
            "clickup_task_quality_gate": 858,
            "run_status_lookup": 73,
            "error_digest": 158,
            "event_dedupe_audit": 97,
            "usage_cost_report": 121,
            "clickup_task_duplicate_check": 103,
            "run_retry": 67,
            "cc_policy_explain": 95,
            "list_own_changes": 102,
            "research": 143,
            "cc_org_chart_ascii": 97,
            "search_kb": 148,
            "read_procedure": 74,
            "remind": 596,
            "clickup_task_update": 924,
            "list_tasks": 339,
            "cc_role_lookup": 56,
            "cc_assignment_matrix": 111,
            "cc_role_capacity_snapshot": 94,
            "watch_client": 407,
            "cc_clickup_space_list": 85,
            "cc_clickup_space_sync": 39,
            "keep_account_separate": 155,
            "cc_clickup_space_classify": 150,
            "ask_regularly": 684,
            "create_task": 1310,
            "clickup_task_checklist": 341,
            "comment_on_task": 126,
            "search_tasks": 184,
            "export_tasks": 291,
            "cc_team_member_lookup": 77,
            "cc_team_member_create": 193,
            "cc_team_member_update": 272,
            "cc_team_member_archive": 134,
        }
    )


def test_no_tool_takes_what_it_does_not_name() -> None:
    toolset = build_toolset().wrapped
    assert isinstance(toolset, FunctionToolset)

    for name, tool in toolset.tools.items():
        with pytest.raises(ValidationError) as wrong:
            tool.function_schema.validator.validate_python({"invented": "x"})
        forbidden = [one["loc"] for one in wrong.value.errors() if one["type"] == "extra_forbidden"]
        assert forbidden == [("invented",)], name


def test_lookup_client() -> None:
    assert definitions()["lookup_client"] == snapshot(
        {
            "description": "Find clients of the agency by name or by a brand's name, or list all this person may see.",
            "parameters": {
                "properties": {
                    "query": {
                        "description": "What the person called the client or brand; leave out to list all.",
                        "type": "string",
                    }
                },
                "type": "object",
            },
        }
    )


def test_lookup_brand() -> None:
    assert definitions()["lookup_brand"] == snapshot(
        {
            "description": "List brands with their client and whether they are linked to a ClickUp list or space.",
            "parameters": {
                "properties": {
                    "brand": {
                        "description": "What the person called the brand; leave out for all.",
                        "type": "string",
                    },
                    "client": {"description": "Only brands of this client.", "type": "string"},
                },
                "type": "object",
            },
        }
    )


def test_resolve_brand() -> None:
    assert definitions()["resolve_brand"] == snapshot(
        {
            "description": "Find which brand of a client work is for, and the ClickUp list where its tasks go.",
            "parameters": {
                "properties": {
                    "client": {
                        "description": "What the person called the client.",
                        "type": "string",
                    },
                    "brand": {
                        "description": "What they called the brand.",
                        "type": "string",
                    },
                    "about_products": {
                        "description": "Whether it is about single products.",
                        "type": "boolean",
                    },
                },
                "required": ["client"],
                "type": "object",
            },
        }
    )


def test_get_client_context() -> None:
    assert definitions()["get_client_context"] == snapshot(
        {
            "description": "Gather what is known of a client: team, targets, brands, notes, tasks, fitting procedures.",
            "parameters": {
                "properties": {
                    "client": {
                        "description": "What the person called the client or brand.",
                        "type": "string",
                    }
                },
                "required": ["client"],
                "type": "object",
            },
        }
    )


def test_load_prior_skill_result() -> None:
    assert definitions()["load_prior_skill_result"] == snapshot(
        {
            "description": "Bring back the full result of an earlier look-up, or a pasted text, of this conversation.",
            "parameters": {
                "properties": {
                    "key": {
                        "description": 'The key that stands beside the summary, such as "ev:...".',
                        "type": "string",
                    }
                },
                "required": ["key"],
                "type": "object",
            },
        }
    )


def test_search_kb() -> None:
    assert definitions()["search_kb"] == snapshot(
        {
            "description": """\
Search the agency's procedures (SOPs) and documents, and a client's earlier tasks.

Choose by reading: the right one may stand low, or among the other titles.\
""",
            "parameters": {
                "properties": {
                    "query": {
                        "description": "What the work is about, in the person's words; a pasted mail as it is.",
                        "maxLength": 2000,
                        "type": "string",
                    },
                    "client": {
                        "description": "What the person called the client, if one is meant.",
                        "type": "string",
                    },
                    "page": {
                        "description": "Of the other titles, which are told once unless asked for.",
                        "type": "integer",
                    },
                },
                "required": ["query"],
                "type": "object",
            },
        }
    )


def test_list_tasks() -> None:
    assert definitions()["list_tasks"] == snapshot(
        {
            "description": "List open ClickUp tasks in a stretch of time, counted by person (workload).",
            "parameters": {
                "properties": {
                    "client": {
                        "description": "What they called the client or brand; none: all.",
                        "type": "string",
                    },
                    "brand": {"description": "Only this brand.", "type": "string"},
                    "window": {
                        "default": "this_week",
                        "description": '"dates" needs first and last; "any_time" is all open ones.',
                        "enum": [
                            "this_week",
                            "next_week",
                            "this_month",
                            "last_n_days",
                            "next_n_days",
                            "overdue",
                            "dates",
                            "any_time",
                        ],
                        "type": "string",
                    },
                    "days": {
                        "default": 14,
                        "description": "For last_n_days and next_n_days.",
                        "type": "integer",
                    },
                    "first": {"description": "First day.", "format": "date", "type": "string"},
                    "last": {
                        "description": "Last day.",
                        "format": "date",
                        "type": "string",
                    },
                    "date_kind": {
                        "default": "due",
                        "description": '"updated": worked on or changed.',
                        "enum": ["due", "updated"],
                        "type": "string",
                    },
                    "assignee": {
                        "anyOf": [{"enum": ["me", "nobody"], "type": "string"}, {"type": "string"}],
                        "description": 'Who, or a role; "me": who asks, "nobody": unassigned.',
                    },
                    "top": {
                        "description": "At most so many, soonest due or latest changed first.",
                        "type": "integer",
                    },
                    "page": {
                        "default": 1,
                        "description": "Of a list that goes on.",
                        "type": "integer",
                    },
                    "fresh": {"description": "Not as of some minutes ago.", "type": "boolean"},
                },
                "type": "object",
            },
        }
    )


def test_create_task() -> None:
    assert definitions()["create_task"] == snapshot(
        {
            "description": """\
Prepare a ClickUp task, resting on the procedure you chose, for the person to confirm.

It finds brand and list, and asks what it needs. Pass only what was said; each fact with its
quote, to the letter, and where that stands. A fact that its quote does not carry comes back as
missing: ask for it. To change a waiting proposal, name it in replaces: what is left out stays.\
""",
            "parameters": {
                "$defs": {
                    "QuoteSource": {
                        "enum": ["message", "earlier", "pasted", "tool", "procedure"],
                        "type": "string",
                    },
                    "Fact": {
                        "description": "A short value.",
                        "properties": {
                            "quote": {"type": "string"},
                            "source": {"$ref": "#/$defs/QuoteSource", "default": "message"},
                            "value": {"type": "string"},
                        },
                        "required": ["quote", "value"],
                        "type": "object",
                    },
                    "QuotedDay": {
                        "description": 'A day, or the one `before` it; a promotion\'s may be a quote alone: "from Black Friday".',
                        "properties": {
                            "quote": {"type": "string"},
                            "source": {"$ref": "#/$defs/QuoteSource", "default": "message"},
                            "day": {
                                "description": "date (date): Given in full. weekday (weekday, which?): this: the coming one, today included; next: next week's; after: a week later. in (count, unit?): So long from today: 0 days is today, 1 tomorrow. month_day (month?, day?): A day without a year: the next; without a day, the month's last. end_of (period, which?): Its last day; a week's is Friday. from (date, count, unit?): After a day said or on the card; below 0 before. lasting (count, unit?): From the start, its first day included.",
                                "properties": {
                                    "kind": {
                                        "enum": [
                                            "date",
                                            "weekday",
                                            "in",
                                            "month_day",
                                            "end_of",
                                            "from",
                                            "lasting",
                                        ],
                                        "type": "string",
                                    },
                                    "date": {"format": "date", "type": "string"},
                                    "weekday": {
                                        "enum": [
                                            "monday",
                                            "tuesday",
                                            "wednesday",
                                            "thursday",
                                            "friday",
                                            "saturday",
                                            "sunday",
                                        ],
                                        "type": "string",
                                    },
                                    "which": {
                                        "default": "this",
                                        "enum": ["this", "next", "after"],
                                        "type": "string",
                                    },
                                    "count": {"type": "integer"},
                                    "unit": {
                                        "default": "days",
                                        "enum": ["days", "weeks", "months"],
                                        "type": "string",
                                    },
                                    "month": {"type": "integer"},
                                    "day": {"type": "integer"},
                                    "period": {
                                        "enum": ["week", "month", "quarter", "year"],
                                        "type": "string",
                                    },
                                },
                                "required": ["kind"],
                                "type": "object",
                            },
                            "before": {"type": "boolean"},
                        },
                        "required": ["quote"],
                        "type": "object",
                    },
                },
                "properties": {
                    "client": {
                        "description": 'What the person called the client or brand; "" if they named none.',
                        "type": "string",
                    },
                    "title": {
                        "description": "In a few words.",
                        "type": "string",
                    },
                    "objective": {
                        "description": "What is to be achieved, in a sentence.",
                        "maxLength": 300,
                        "type": "string",
                    },
                    "procedure": {
                        "description": "The one you chose by reading. Its title, or why none, in the person's language.",
                        "properties": {
                            "title": {"type": "string"},
                            "none_because": {"type": "string"},
                        },
                        "type": "object",
                    },
                    "brand": {"description": "What they called the brand.", "type": "string"},
                    "promotion": {
                        "description": "The one wanted. Its days are not the task's. Its terms as far as given; `price` is the new one.",
                        "properties": {
                            "type": {
                                "enum": ["coupon", "price_discount", "deal", "other"],
                                "type": "string",
                            },
                            "discount": {"$ref": "#/$defs/Fact"},
                            "price": {"$ref": "#/$defs/Fact"},
                            "starts": {"$ref": "#/$defs/QuotedDay"},
                            "ends": {"$ref": "#/$defs/QuotedDay"},
                            "budget": {"$ref": "#/$defs/Fact"},
                        },
                        "required": ["type"],
                        "type": "object",
                    },
                    "facts": {
                        "description": "Other figures and terms.",
                        "items": {
                            "description": "Another fact.",
                            "properties": {
                                "quote": {"type": "string"},
                                "source": {"$ref": "#/$defs/QuoteSource", "default": "message"},
                                "value": {"type": "string"},
                                "about": {
                                    "enum": [
                                        "look_back",
                                        "target",
                                        "budget",
                                        "severity",
                                        "priority",
                                        "evidence",
                                        "deliverable",
                                        "other",
                                    ],
                                    "type": "string",
                                },
                            },
                            "required": ["quote", "value", "about"],
                            "type": "object",
                        },
                        "type": "array",
                    },
                    "details": {
                        "description": "What else they gave: scope, terms, how it is checked.",
                        "maxLength": 3000,
                        "type": "string",
                    },
                    "about_products": {
                        "description": "About single products, not all of a kind: coupon, price, listing, stock.",
                        "type": "boolean",
                    },
                    "assignee": {
                        "anyOf": [{"enum": ["me", "nobody"], "type": "string"}, {"type": "string"}],
                        "description": "A name or a role.",
                    },
                    "marketplace": {
                        "$ref": "#/$defs/Fact",
                        "description": "The one named, by its code.",
                    },
                    "start": {
                        "$ref": "#/$defs/QuotedDay",
                        "description": "When work starts.",
                    },
                    "due": {
                        "$ref": "#/$defs/QuotedDay",
                        "description": "When it is due.",
                    },
                    "product_identifiers": {
                        "description": "ASINs or SKUs they gave, or what they called the product.",
                        "items": {"type": "string"},
                        "type": "array",
                    },
                    "identifiers_pending": {
                        "description": "They want it before those are known.",
                        "type": "boolean",
                    },
                    "create_anyway": {
                        "description": "Told what is missing, or of a duplicate, they insist.",
                        "type": "boolean",
                    },
                    "replaces": {
                        "description": "That proposal's title.",
                        "type": "string",
                    },
                    "replaces_of": {"description": "Its client, if another.", "type": "string"},
                    "clears": {
                        "description": "What they want off it, or none of: due if they said no date.",
                        "items": {
                            "enum": [
                                "look_back",
                                "target",
                                "budget",
                                "severity",
                                "priority",
                                "evidence",
                                "deliverable",
                                "other",
                                "details",
                                "products",
                                "marketplace",
                                "start",
                                "due",
                                "promotion",
                                "discount",
                                "price",
                                "starts",
                                "ends",
                            ],
                            "type": "string",
                        },
                        "type": "array",
                    },
                },
                "required": ["client", "title"],
                "type": "object",
            },
        }
    )


def test_assign_person() -> None:
    assert definitions()["assign_person"] == snapshot(
        {
            "description": "Prepare giving a person a role of a client or brand (team); who holds it now is replaced.",
            "parameters": {
                "properties": {
                    "person": {
                        "anyOf": [{"const": "me", "type": "string"}, {"type": "string"}],
                        "description": 'Who, by name or e-mail; "me" for the person asking.',
                    },
                    "role": {
                        "description": "The role, such as PPC Strategist or CSL.",
                        "type": "string",
                    },
                    "client": {
                        "description": "What the person called the client.",
                        "type": "string",
                    },
                    "brand": {
                        "description": "Only if the role is for one brand and not for the whole client.",
                        "type": "string",
                    },
                },
                "required": ["person", "role", "client"],
                "type": "object",
            },
        }
    )


def test_remove_assignment() -> None:
    assert definitions()["remove_assignment"] == snapshot(
        {
            "description": "Prepare taking a person off a role of a client or brand (unassign); the role is open then.",
            "parameters": {
                "properties": {
                    "person": {
                        "anyOf": [{"const": "me", "type": "string"}, {"type": "string"}],
                        "description": 'Who, by name or e-mail; "me" for the person asking.',
                    },
                    "role": {
                        "description": "The role they hold.",
                        "type": "string",
                    },
                    "client": {
                        "description": "What the person called the client.",
                        "type": "string",
                    },
                    "brand": {
                        "description": "Only if they hold the role for one brand.",
                        "type": "string",
                    },
                },
                "required": ["person", "role", "client"],
                "type": "object",
            },
        }
    )


def test_create_brand() -> None:
    assert definitions()["create_brand"] == snapshot(
        {
            "description": "Prepare to add a new brand to a client.",
            "parameters": {
                "properties": {
                    "client": {
                        "description": "What the person called the client.",
                        "type": "string",
                    },
                    "name": {
                        "description": "The brand's name.",
                        "type": "string",
                    },
                    "marketplaces": {
                        "description": "Amazon marketplaces, such as US or CA.",
                        "items": {"type": "string"},
                        "type": "array",
                    },
                    "keywords": {
                        "description": "Product words of the brand.",
                        "items": {"type": "string"},
                        "type": "array",
                    },
                    "home": {
                        "description": "Name of the ClickUp space its work lives in.",
                        "type": "string",
                    },
                    "list_name": {
                        "description": "Name of the ClickUp list its tasks go to.",
                        "type": "string",
                    },
                },
                "required": ["client", "name"],
                "type": "object",
            },
        }
    )


def test_update_brand() -> None:
    assert definitions()["update_brand"] == snapshot(
        {
            "description": "Prepare a change of a brand: rename, archive, marketplaces, keywords, ClickUp link (mapping).",
            "parameters": {
                "properties": {
                    "client": {
                        "description": "What the person called the client; below, pass only what changes.",
                        "type": "string",
                    },
                    "brand": {
                        "description": "The brand as it is called now.",
                        "type": "string",
                    },
                    "new_name": {"description": "Its new name.", "type": "string"},
                    "marketplaces": {
                        "description": "All Amazon marketplaces it has afterwards, such as US or CA.",
                        "items": {"type": "string"},
                        "type": "array",
                    },
                    "keywords": {
                        "description": "All product words it has afterwards.",
                        "items": {"type": "string"},
                        "type": "array",
                    },
                    "home": {
                        "description": "Name of the ClickUp space its work lives in from now on.",
                        "type": "string",
                    },
                    "list_name": {
                        "description": "Name of the ClickUp list its tasks go to from now on.",
                        "type": "string",
                    },
                    "unlink": {
                        "description": "Take its ClickUp space and list away.",
                        "type": "boolean",
                    },
                    "status": {
                        "description": "archived for one that is not worked for any more, active to bring it back.",
                        "enum": ["active", "archived"],
                        "type": "string",
                    },
                    "summary": {
                        "description": "What the brand is and sells.",
                        "maxLength": 400,
                        "type": "string",
                    },
                    "audience": {
                        "description": "Whom it sells to (target audience).",
                        "maxLength": 400,
                        "type": "string",
                    },
                    "positioning": {
                        "description": "How it wants to be seen.",
                        "maxLength": 400,
                        "type": "string",
                    },
                },
                "required": ["client", "brand"],
                "type": "object",
            },
        }
    )


def test_kpi_target_lookup() -> None:
    assert definitions()["kpi_target_lookup"] == snapshot(
        {
            "description": """\
Look up KPI targets (ACOS, TACOS, sales) of a brand in a marketplace on a day, and results.

Each result says whether it met or missed its target, and its source.\
""",
            "parameters": {
                "properties": {
                    "client": {
                        "description": "What the person called the client.",
                        "type": "string",
                    },
                    "brand": {"description": "What they called the brand.", "type": "string"},
                    "marketplace": {
                        "description": "Marketplace codes they named, such as US; leave out if they named none.",
                        "type": "string",
                    },
                    "day": {
                        "description": "The day; today by default.",
                        "format": "date",
                        "type": "string",
                    },
                },
                "required": ["client"],
                "type": "object",
            },
        }
    )


def test_kpi_target_upsert() -> None:
    assert definitions()["kpi_target_upsert"] == snapshot(
        {
            "description": """\
Prepare setting KPI targets (goals for ACOS, TACOS, sales) of a brand in a marketplace.

Pass only what was said; it asks the rest.\
""",
            "parameters": {
                "properties": {
                    "client": {
                        "description": "What the person called the client.",
                        "type": "string",
                    },
                    "brand": {"description": "What they called the brand.", "type": "string"},
                    "marketplace": {
                        "description": "Marketplace code they named, such as US.",
                        "type": "string",
                    },
                    "period": {
                        "description": "For a month or for a year, if they said so.",
                        "enum": ["monthly", "annual"],
                        "type": "string",
                    },
                    "which": {
                        "description": 'That month or year, if they named it. A month or year they named. `ahead`, from the present one: 0 "this", 1 "next".',
                        "properties": {
                            "quote": {"type": "string"},
                            "source": {
                                "enum": ["message", "earlier", "pasted", "tool", "procedure"],
                                "type": "string",
                                "default": "message",
                            },
                            "month": {"type": "integer"},
                            "year": {"type": "integer"},
                            "ahead": {"type": "integer"},
                        },
                        "required": ["quote"],
                        "type": "object",
                    },
                    "acos": {
                        "description": "ACOS in percent.",
                        "maximum": 100,
                        "minimum": 0,
                        "type": "number",
                    },
                    "tacos": {
                        "description": "TACOS in percent.",
                        "maximum": 100,
                        "minimum": 0,
                        "type": "number",
                    },
                    "sales": {
                        "description": "Sales. An amount as a person wrote it: 200k is 200 and thousand.",
                        "properties": {
                            "number": {"pattern": "^\\d[\\d,. ]*$", "type": "string"},
                            "scale": {
                                "default": "one",
                                "enum": ["one", "thousand", "million"],
                                "type": "string",
                            },
                        },
                        "required": ["number"],
                        "type": "object",
                    },
                    "currency": {
                        "description": "Currency code they named, such as USD.",
                        "type": "string",
                    },
                },
                "required": ["client"],
                "type": "object",
            },
        }
    )


def test_audit_brand_mappings() -> None:
    assert definitions()["audit_brand_mappings"] == snapshot(
        {
            "description": "Audit which brands lack their ClickUp space or list (mapping), by client, with totals.",
            "parameters": {
                "properties": {
                    "client": {
                        "description": "Only this client's brands; leave out for all.",
                        "type": "string",
                    }
                },
                "type": "object",
            },
        }
    )


def test_cc_brand_mapping_remediation_preview() -> None:
    assert definitions()["cc_brand_mapping_remediation_preview"] == snapshot(
        {
            "description": "Preview which missing ClickUp links (mappings) of brands can be repaired; changes nothing.",
            "parameters": {
                "properties": {
                    "client": {
                        "description": "Only this client's brands; leave out for all.",
                        "type": "string",
                    }
                },
                "type": "object",
            },
        }
    )


def test_apply_remediation() -> None:
    assert definitions()["apply_remediation"] == snapshot(
        {
            "description": "Prepare the repair of missing ClickUp mappings (links) of brands where it is safe.",
            "parameters": {
                "properties": {
                    "client": {
                        "description": "Only this client's brands; leave out for all.",
                        "type": "string",
                    }
                },
                "type": "object",
            },
        }
    )


def test_remember() -> None:
    assert definitions()["remember"] == snapshot(
        {
            "description": "Prepare keeping a stated fact about a client, or what the person prefers, beyond this talk.",
            "parameters": {
                "properties": {
                    "fact": {
                        "description": "Their own words, copied; for default_client the client's name.",
                        "maxLength": 300,
                        "type": "string",
                    },
                    "client": {
                        "description": "Leave out for the person's own preference.",
                        "type": "string",
                    },
                    "preference": {
                        "description": "Which kind of own preference.",
                        "enum": [
                            "default_client",
                            "default_assignee",
                            "default_marketplace",
                            "answer_style",
                            "cadence",
                            "other",
                        ],
                        "type": "string",
                    },
                    "certainty": {
                        "default": 0.9,
                        "description": "0.9 if stated, below 0.7 if only likely.",
                        "maximum": 1,
                        "minimum": 0,
                        "type": "number",
                    },
                },
                "required": ["fact"],
                "type": "object",
            },
        }
    )


def test_recall() -> None:
    assert definitions()["recall"] == snapshot(
        {
            "description": """\
List what is remembered about clients, the person's own wishes, and what runs by itself.

These are all their schedules (reminders, recurring questions, watches), and what goes on in the
background.\
""",
            "parameters": {
                "properties": {
                    "client": {"description": "Only about this client.", "type": "string"}
                },
                "type": "object",
            },
        }
    )


def test_forget() -> None:
    assert definitions()["forget"] == snapshot(
        {
            "description": "Prepare to forget (remove, end, cancel) a note, preference, reminder or recurring question.",
            "parameters": {
                "properties": {
                    "fact": {
                        "description": "What it says, about.",
                        "maxLength": 300,
                        "type": "string",
                    },
                    "client": {
                        "description": "The client it is about, if it is about one.",
                        "type": "string",
                    },
                },
                "required": ["fact"],
                "type": "object",
            },
        }
    )


def test_clickup_task_update() -> None:
    assert definitions()["clickup_task_update"] == snapshot(
        {
            "description": """\
Prepare a change of one ClickUp task: update, reassign, close, mark done, due, custom field.

Pass only what changes; a waiting card of this task keeps the rest.\
""",
            "parameters": {
                "$defs": {
                    "QuotedDay": {
                        "description": 'A day, or the one `before` it; a promotion\'s may be a quote alone: "from Black Friday".',
                        "properties": {
                            "quote": {"type": "string"},
                            "source": {
                                "enum": ["message", "earlier", "pasted", "tool", "procedure"],
                                "type": "string",
                                "default": "message",
                            },
                            "day": {
                                "description": "date (date): Given in full. weekday (weekday, which?): this: the coming one, today included; next: next week's; after: a week later. in (count, unit?): So long from today: 0 days is today, 1 tomorrow. month_day (month?, day?): A day without a year: the next; without a day, the month's last. end_of (period, which?): Its last day; a week's is Friday. from (date, count, unit?): After a day said or on the card; below 0 before. lasting (count, unit?): From the start, its first day included.",
                                "properties": {
                                    "kind": {
                                        "enum": [
                                            "date",
                                            "weekday",
                                            "in",
                                            "month_day",
                                            "end_of",
                                            "from",
                                            "lasting",
                                        ],
                                        "type": "string",
                                    },
                                    "date": {"format": "date", "type": "string"},
                                    "weekday": {
                                        "enum": [
                                            "monday",
                                            "tuesday",
                                            "wednesday",
                                            "thursday",
                                            "friday",
                                            "saturday",
                                            "sunday",
                                        ],
                                        "type": "string",
                                    },
                                    "which": {
                                        "default": "this",
                                        "enum": ["this", "next", "after"],
                                        "type": "string",
                                    },
                                    "count": {"type": "integer"},
                                    "unit": {
                                        "default": "days",
                                        "enum": ["days", "weeks", "months"],
                                        "type": "string",
                                    },
                                    "month": {"type": "integer"},
                                    "day": {"type": "integer"},
                                    "period": {
                                        "enum": ["week", "month", "quarter", "year"],
                                        "type": "string",
                                    },
                                },
                                "required": ["kind"],
                                "type": "object",
                            },
                            "before": {"type": "boolean"},
                        },
                        "required": ["quote"],
                        "type": "object",
                    }
                },
                "properties": {
                    "task": {
                        "description": "Its title, or its link.",
                        "maxLength": 1000,
                        "type": "string",
                    },
                    "client": {
                        "description": "What the person called the client; not needed with a link.",
                        "type": "string",
                    },
                    "new_title": {"description": "Its new title.", "type": "string"},
                    "status": {
                        "anyOf": [{"const": "done", "type": "string"}, {"type": "string"}],
                        "description": 'Its new status, as the list calls it; "done" if it is finished.',
                    },
                    "start": {
                        "$ref": "#/$defs/QuotedDay",
                        "description": "New day it starts.",
                    },
                    "due": {
                        "$ref": "#/$defs/QuotedDay",
                        "description": "New day it is due.",
                    },
                    "assignee": {
                        "anyOf": [{"const": "me", "type": "string"}, {"type": "string"}],
                        "description": 'Who or which role has it from now on; "me": who asks.',
                    },
                    "priority": {
                        "description": 'Its new priority; "none" takes it away.',
                        "enum": ["urgent", "high", "normal", "low", "none"],
                        "type": "string",
                    },
                    "add_text": {
                        "description": "What is added below its description, in their words.",
                        "maxLength": 3000,
                        "type": "string",
                    },
                    "new_description": {
                        "description": "A description instead of the present one.",
                        "maxLength": 3000,
                        "type": "string",
                    },
                    "clear_assignees": {
                        "description": "They want nobody to have it.",
                        "type": "boolean",
                    },
                    "clear_dates": {
                        "description": "They want start and due date taken away.",
                        "type": "boolean",
                    },
                    "fields": {
                        "description": "Its list's own custom fields, by name.",
                        "items": {
                            "description": "A custom field and its value, of labels or people all; without a value it is emptied.",
                            "properties": {
                                "field": {"type": "string"},
                                "value": {
                                    "anyOf": [
                                        {"type": "boolean"},
                                        {
                                            "maximum": 1000000000000.0,
                                            "minimum": -1000000000000.0,
                                            "type": "number",
                                        },
                                        {"maxLength": 1000, "type": "string"},
                                        {"items": {"type": "string"}, "type": "array"},
                                        {"$ref": "#/$defs/QuotedDay"},
                                    ]
                                },
                            },
                            "required": ["field"],
                            "type": "object",
                        },
                        "type": "array",
                    },
                    "instead": {
                        "description": "Drop the rest of that card.",
                        "type": "boolean",
                    },
                },
                "required": ["task"],
                "type": "object",
            },
        }
    )


def test_cc_org_chart_ascii() -> None:
    assert definitions()["cc_org_chart_ascii"] == snapshot(
        {
            "description": "Draw the org chart (team, who holds which role) of a client or one of its brands as text.",
            "parameters": {
                "properties": {
                    "client": {
                        "description": "What the person called the client.",
                        "type": "string",
                    },
                    "brand": {
                        "description": "Only for this brand; who is set for the whole client is shown as inherited.",
                        "type": "string",
                    },
                },
                "required": ["client"],
                "type": "object",
            },
        }
    )


def test_catalog_lookup() -> None:
    assert definitions()["catalog_lookup"] == snapshot(
        {
            "description": "List all products (catalog) of a client, or look up by ASIN, SKU, part of one, title words.",
            "parameters": {
                "properties": {
                    "client": {
                        "description": 'What the person called the client or brand; "" if they named none.',
                        "type": "string",
                    },
                    "query": {
                        "description": "What they called the product; leave out to list all.",
                        "maxLength": 400,
                        "type": "string",
                    },
                    "brand": {"description": "Only this brand's products.", "type": "string"},
                    "limit": {
                        "default": 25,
                        "description": "At most so many.",
                        "type": "integer",
                    },
                },
                "required": ["client"],
                "type": "object",
            },
        }
    )


def test_clickup_task_quality_gate() -> None:
    assert definitions()["clickup_task_quality_gate"] == snapshot(
        {
            "description": "Check a task draft before it is prepared: ready, thin or blocked, and what to ask.",
            "parameters": {
                "$defs": {
                    "QuoteSource": {
                        "enum": ["message", "earlier", "pasted", "tool", "procedure"],
                        "type": "string",
                    },
                    "Fact": {
                        "description": "A short value.",
                        "properties": {
                            "quote": {"type": "string"},
                            "source": {"$ref": "#/$defs/QuoteSource", "default": "message"},
                            "value": {"type": "string"},
                        },
                        "required": ["quote", "value"],
                        "type": "object",
                    },
                    "QuotedDay": {
                        "description": 'A day, or the one `before` it; a promotion\'s may be a quote alone: "from Black Friday".',
                        "properties": {
                            "quote": {"type": "string"},
                            "source": {"$ref": "#/$defs/QuoteSource", "default": "message"},
                            "day": {
                                "description": "date (date): Given in full. weekday (weekday, which?): this: the coming one, today included; next: next week's; after: a week later. in (count, unit?): So long from today: 0 days is today, 1 tomorrow. month_day (month?, day?): A day without a year: the next; without a day, the month's last. end_of (period, which?): Its last day; a week's is Friday. from (date, count, unit?): After a day said or on the card; below 0 before. lasting (count, unit?): From the start, its first day included.",
                                "properties": {
                                    "kind": {
                                        "enum": [
                                            "date",
                                            "weekday",
                                            "in",
                                            "month_day",
                                            "end_of",
                                            "from",
                                            "lasting",
                                        ],
                                        "type": "string",
                                    },
                                    "date": {"format": "date", "type": "string"},
                                    "weekday": {
                                        "enum": [
                                            "monday",
                                            "tuesday",
                                            "wednesday",
                                            "thursday",
                                            "friday",
                                            "saturday",
                                            "sunday",
                                        ],
                                        "type": "string",
                                    },
                                    "which": {
                                        "default": "this",
                                        "enum": ["this", "next", "after"],
                                        "type": "string",
                                    },
                                    "count": {"type": "integer"},
                                    "unit": {
                                        "default": "days",
                                        "enum": ["days", "weeks", "months"],
                                        "type": "string",
                                    },
                                    "month": {"type": "integer"},
                                    "day": {"type": "integer"},
                                    "period": {
                                        "enum": ["week", "month", "quarter", "year"],
                                        "type": "string",
                                    },
                                },
                                "required": ["kind"],
                                "type": "object",
                            },
                            "before": {"type": "boolean"},
                        },
                        "required": ["quote"],
                        "type": "object",
                    },
                },
                "properties": {
                    "title": {"description": "The title.", "type": "string"},
                    "objective": {
                        "description": 'What is to be achieved, in one sentence; "" if nobody said.',
                        "maxLength": 300,
                        "type": "string",
                    },
                    "procedure": {
                        "description": "The one you chose by reading. Its title, or why none, in the person's language.",
                        "properties": {
                            "title": {"type": "string"},
                            "none_because": {"type": "string"},
                        },
                        "type": "object",
                    },
                    "promotion": {
                        "description": "The promotion that is wanted. Its terms as far as given; `price` is the new one.",
                        "properties": {
                            "type": {
                                "enum": ["coupon", "price_discount", "deal", "other"],
                                "type": "string",
                            },
                            "discount": {"$ref": "#/$defs/Fact"},
                            "price": {"$ref": "#/$defs/Fact"},
                            "starts": {"$ref": "#/$defs/QuotedDay"},
                            "ends": {"$ref": "#/$defs/QuotedDay"},
                            "budget": {"$ref": "#/$defs/Fact"},
                        },
                        "required": ["type"],
                        "type": "object",
                    },
                    "details": {
                        "description": "Scope, success criteria and whatever else was given.",
                        "maxLength": 3000,
                        "type": "string",
                    },
                    "owner": {"description": "Who should do it.", "type": "string"},
                    "due": {
                        "$ref": "#/$defs/QuotedDay",
                        "description": "When it is due.",
                    },
                    "about_products": {
                        "description": "Whether it is about single products.",
                        "type": "boolean",
                    },
                    "product_identifiers": {
                        "description": "ASINs or SKUs that were given.",
                        "items": {"type": "string"},
                        "type": "array",
                    },
                    "identifiers_pending": {
                        "description": "They want it before the identifiers are known.",
                        "type": "boolean",
                    },
                },
                "required": ["title", "objective"],
                "type": "object",
            },
        }
    )


def test_clickup_task_duplicate_check() -> None:
    assert definitions()["clickup_task_duplicate_check"] == snapshot(
        {
            "description": "Find out whether a task of this title exists already: prepared here lately, or on the board.",
            "parameters": {
                "properties": {
                    "client": {
                        "description": "What the person called the client or brand.",
                        "type": "string",
                    },
                    "title": {
                        "description": "The title to look for.",
                        "type": "string",
                    },
                    "brand": {"description": "The brand.", "type": "string"},
                },
                "required": ["client", "title"],
                "type": "object",
            },
        }
    )


def test_research() -> None:
    assert definitions()["research"] == snapshot(
        {
            "description": """\
Research up to three separate questions in depth at the same time, and get a finding on each.

For a broad request whose parts need several look-ups each: an overview, a comparison of
clients or brands, a report. One plain look-up needs no research.\
""",
            "parameters": {
                "properties": {
                    "questions": {
                        "description": """\
Whole questions, understandable without this conversation: name client, brand
and dates in each.\
""",
                        "items": {"maxLength": 400, "type": "string"},
                        "maxItems": 3,
                        "minItems": 1,
                        "type": "array",
                    }
                },
                "required": ["questions"],
                "type": "object",
            },
        }
    )


def test_delegate_planner() -> None:
    assert definitions()["delegate_planner"] == snapshot(
        {
            "description": """\
Plan a larger piece of work that takes several steps: a launch, a clean-up, an onboarding.

A planner looks around and reports the next steps. It changes nothing; you take the steps.\
""",
            "parameters": {
                "properties": {
                    "goal": {
                        "description": "What the person wants, whole, with client, brand and dates as they were named.",
                        "maxLength": 1000,
                        "type": "string",
                    }
                },
                "required": ["goal"],
                "type": "object",
            },
        }
    )


def test_read_procedure() -> None:
    assert definitions()["read_procedure"] == snapshot(
        {
            "description": "Open a procedure (SOP) by its title.",
            "parameters": {
                "properties": {
                    "title": {
                        "description": "Its title, or another name of it.",
                        "type": "string",
                    },
                    "part": {
                        "default": 1,
                        "description": "Which part of a long one.",
                        "type": "integer",
                    },
                },
                "required": ["title"],
                "type": "object",
            },
        }
    )


def test_the_tools_that_have_no_test_of_their_own() -> None:
    """Filled in by `--inline-snapshot=fix`, like all the others."""
    tested = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}

    assert {name: one for name, one in definitions().items() if name not in tested} == snapshot(
        {
            "read_attached_file": {
                "description": "Read a file attached to a message of this conversation, such as meeting notes or a brief.",
                "parameters": {
                    "properties": {
                        "file": {
                            "description": "Its name, as the message has it.",
                            "type": "string",
                        },
                        "part": {
                            "default": 1,
                            "description": "A long file has several parts.",
                            "type": "integer",
                        },
                    },
                    "required": ["file"],
                    "type": "object",
                },
            },
            "read_conversation": {
                "description": "Read what people wrote in this Slack channel or conversation, to summarise it.",
                "parameters": {
                    "properties": {
                        "since": {
                            "anyOf": [
                                {
                                    "enum": [
                                        "today",
                                        "yesterday",
                                        "this_week",
                                        "last_week",
                                        "this_month",
                                        "last_n_days",
                                        "any_time",
                                    ],
                                    "type": "string",
                                },
                                {
                                    "enum": [
                                        "monday",
                                        "tuesday",
                                        "wednesday",
                                        "thursday",
                                        "friday",
                                        "saturday",
                                        "sunday",
                                    ],
                                    "type": "string",
                                },
                            ],
                            "default": "last_n_days",
                            "description": "From when on; a weekday is the latest one.",
                        },
                        "days": {
                            "default": 7,
                            "description": "For last_n_days.",
                            "type": "integer",
                        },
                        "first": {"description": "First day.", "format": "date", "type": "string"},
                        "last": {
                            "description": "Last day, included.",
                            "format": "date",
                            "type": "string",
                        },
                    },
                    "type": "object",
                },
            },
            "search_messages": {
                "description": "Find messages in Slack: what people wrote, said or agreed, in other channels too.",
                "parameters": {
                    "properties": {
                        "words": {
                            "description": "What to look for; leave out to read all of one conversation.",
                            "maxLength": 400,
                            "type": "string",
                        },
                        "where": {
                            "description": "Only this channel, by its name.",
                            "type": "string",
                        },
                        "since": {
                            "anyOf": [
                                {
                                    "enum": [
                                        "today",
                                        "yesterday",
                                        "this_week",
                                        "last_week",
                                        "this_month",
                                        "last_n_days",
                                        "any_time",
                                    ],
                                    "type": "string",
                                },
                                {
                                    "enum": [
                                        "monday",
                                        "tuesday",
                                        "wednesday",
                                        "thursday",
                                        "friday",
                                        "saturday",
                                        "sunday",
                                    ],
                                    "type": "string",
                                },
                            ],
                            "default": "last_n_days",
                            "description": "From when on; a weekday is the latest one.",
                        },
                        "days": {
                            "default": 30,
                            "description": "For last_n_days.",
                            "type": "integer",
                        },
                        "first": {"description": "First day.", "format": "date", "type": "string"},
                        "last": {
                            "description": "Last day, included.",
                            "format": "date",
                            "type": "string",
                        },
                    },
                    "type": "object",
                },
            },
            "read_task": {
                "description": "Read one ClickUp task: description, checklist, custom fields, comments, why it is stuck.",
                "parameters": {
                    "properties": {
                        "task": {
                            "description": "Its title, or its link.",
                            "maxLength": 1000,
                            "type": "string",
                        },
                        "client": {
                            "description": "What the person called the client; not needed with a link.",
                            "type": "string",
                        },
                    },
                    "required": ["task"],
                    "type": "object",
                },
            },
            "compare_accounts": {
                "description": "Compare the people of Slack and ClickUp with the team (identity sync); changes nothing.",
                "parameters": {"properties": {}, "type": "object"},
            },
            "sync_accounts": {
                "description": """\
Prepare linking the Slack and ClickUp accounts that the rules match (sync identities).

compare_accounts shows them first. People are added, and undecided accounts linked, only as the
admin said; keep_account_separate is for one that is not to be offered again.\
""",
                "parameters": {
                    "properties": {
                        "add": {
                            "description": "The new people to add, by e-mail or name.",
                            "items": {"type": "string"},
                            "type": "array",
                        },
                        "decided": {
                            "description": "Whose each undecided account is.",
                            "items": {
                                "description": "An admin's decision on one undecided account.",
                                "properties": {
                                    "account": {"type": "string"},
                                    "person": {"type": "string"},
                                },
                                "required": ["account", "person"],
                                "type": "object",
                            },
                            "type": "array",
                        },
                    },
                    "type": "object",
                },
            },
            "set_alert_channel": {
                "description": "Prepare that admins' alerts (notices, warnings, faults) go to this channel, or stop that.",
                "parameters": {
                    "properties": {
                        "here": {
                            "description": "True for the channel this is asked in; False for each admin's direct messages again.",
                            "type": "boolean",
                        }
                    },
                    "required": ["here"],
                    "type": "object",
                },
            },
            "cc_brand_delete": {
                "description": "Prepare deleting (removing) a brand for good; nothing may hang on it any more.",
                "parameters": {
                    "properties": {
                        "client": {
                            "description": "What the person called the client.",
                            "type": "string",
                        },
                        "brand": {
                            "description": "The brand as it is called now; the person has to write its whole name.",
                            "type": "string",
                        },
                    },
                    "required": ["client", "brand"],
                    "type": "object",
                },
            },
            "change_tasks": {
                "description": """\
Prepare a bulk change of several or many open ClickUp tasks at once.

Reassign, hand over or transfer all of X's tasks; move, postpone or reschedule what is due
today; mark as done, close.

The first arguments say which tasks, as in list_tasks; from `due` on, what changes of each.\
""",
                "parameters": {
                    "$defs": {
                        "QuotedDay": {
                            "description": 'A day, or the one `before` it; a promotion\'s may be a quote alone: "from Black Friday".',
                            "properties": {
                                "quote": {"type": "string"},
                                "source": {
                                    "enum": ["message", "earlier", "pasted", "tool", "procedure"],
                                    "type": "string",
                                    "default": "message",
                                },
                                "day": {
                                    "description": "date (date): Given in full. weekday (weekday, which?): this: the coming one, today included; next: next week's; after: a week later. in (count, unit?): So long from today: 0 days is today, 1 tomorrow. month_day (month?, day?): A day without a year: the next; without a day, the month's last. end_of (period, which?): Its last day; a week's is Friday. from (date, count, unit?): After a day said or on the card; below 0 before. lasting (count, unit?): From the start, its first day included.",
                                    "properties": {
                                        "kind": {
                                            "enum": [
                                                "date",
                                                "weekday",
                                                "in",
                                                "month_day",
                                                "end_of",
                                                "from",
                                                "lasting",
                                            ],
                                            "type": "string",
                                        },
                                        "date": {"format": "date", "type": "string"},
                                        "weekday": {
                                            "enum": [
                                                "monday",
                                                "tuesday",
                                                "wednesday",
                                                "thursday",
                                                "friday",
                                                "saturday",
                                                "sunday",
                                            ],
                                            "type": "string",
                                        },
                                        "which": {
                                            "default": "this",
                                            "enum": ["this", "next", "after"],
                                            "type": "string",
                                        },
                                        "count": {"type": "integer"},
                                        "unit": {
                                            "default": "days",
                                            "enum": ["days", "weeks", "months"],
                                            "type": "string",
                                        },
                                        "month": {"type": "integer"},
                                        "day": {"type": "integer"},
                                        "period": {
                                            "enum": ["week", "month", "quarter", "year"],
                                            "type": "string",
                                        },
                                    },
                                    "required": ["kind"],
                                    "type": "object",
                                },
                                "before": {"type": "boolean"},
                            },
                            "required": ["quote"],
                            "type": "object",
                        }
                    },
                    "properties": {
                        "client": {
                            "description": "What they called the client or brand; none: all.",
                            "type": "string",
                        },
                        "brand": {"description": "Only this brand.", "type": "string"},
                        "window": {
                            "default": "any_time",
                            "description": 'Due when; "dates" needs first and last; "any_time" is all open ones.',
                            "enum": [
                                "this_week",
                                "next_week",
                                "this_month",
                                "last_n_days",
                                "next_n_days",
                                "overdue",
                                "dates",
                                "any_time",
                            ],
                            "type": "string",
                        },
                        "days": {
                            "default": 14,
                            "description": "For last_n_days and next_n_days.",
                            "type": "integer",
                        },
                        "first": {"description": "First day.", "format": "date", "type": "string"},
                        "last": {
                            "description": "Last day; the same as first for one day.",
                            "format": "date",
                            "type": "string",
                        },
                        "assignee": {
                            "anyOf": [
                                {"enum": ["me", "nobody"], "type": "string"},
                                {"type": "string"},
                            ],
                            "description": 'Whose, or a role; "me": who asks, "nobody": unassigned.',
                        },
                        "left_out": {
                            "description": "Titles of those that stay as they are, as list_tasks shows them.",
                            "items": {"type": "string"},
                            "type": "array",
                        },
                        "due": {
                            "$ref": "#/$defs/QuotedDay",
                            "description": "New day they are due.",
                        },
                        "new_assignee": {
                            "anyOf": [{"const": "me", "type": "string"}, {"type": "string"}],
                            "description": "Who or which role has them from now on, instead of `assignee`.",
                        },
                        "status": {
                            "anyOf": [{"const": "done", "type": "string"}, {"type": "string"}],
                            "description": 'New status; "done" if they are finished.',
                        },
                        "priority": {
                            "description": 'New priority; "none" takes it away.',
                            "enum": ["urgent", "high", "normal", "low", "none"],
                            "type": "string",
                        },
                        "fields": {
                            "description": "Their lists' own custom fields, by name.",
                            "items": {
                                "description": "A custom field and its value, of labels or people all; without a value it is emptied.",
                                "properties": {
                                    "field": {"type": "string"},
                                    "value": {
                                        "anyOf": [
                                            {"type": "boolean"},
                                            {
                                                "maximum": 1000000000000.0,
                                                "minimum": -1000000000000.0,
                                                "type": "number",
                                            },
                                            {"maxLength": 1000, "type": "string"},
                                            {"items": {"type": "string"}, "type": "array"},
                                            {"$ref": "#/$defs/QuotedDay"},
                                        ]
                                    },
                                },
                                "required": ["field"],
                                "type": "object",
                            },
                            "type": "array",
                        },
                    },
                    "type": "object",
                },
            },
            "link_channel": {
                "description": "Prepare linking (binding) a Slack channel to the client, or the one brand, it is for.",
                "parameters": {
                    "properties": {
                        "client": {
                            "description": "What the person called the client or brand.",
                            "type": "string",
                        },
                        "brand": {
                            "description": "Only if it is for one brand of the client.",
                            "type": "string",
                        },
                        "where": {
                            "description": "The channel's name; leave out for this one.",
                            "type": "string",
                        },
                    },
                    "required": ["client"],
                    "type": "object",
                },
            },
            "client_risks": {
                "description": "List all clients with the top three risks (problems, red flags, health) of each.",
                "parameters": {"properties": {}, "type": "object"},
            },
            "client_brief": {
                "description": """\
Brief on a client before a call or a status meeting: all that is known, in one look.

Priorities, late, due and finished tasks, targets, results, risks, open questions and notes,
each with its source.\
""",
                "parameters": {
                    "properties": {
                        "client": {
                            "description": "What the person called the client or brand.",
                            "type": "string",
                        },
                        "brand": {"description": "Only this brand.", "type": "string"},
                        "days": {
                            "default": 7,
                            "description": "How far ahead for what is due, and back for what was finished.",
                            "type": "integer",
                        },
                    },
                    "required": ["client"],
                    "type": "object",
                },
            },
            "create_client": {
                "description": "Prepare to add a new client to the agency.",
                "parameters": {
                    "properties": {
                        "name": {"description": "The client's name.", "type": "string"},
                        "summary": {
                            "description": "What the client is and sells, in a sentence or two.",
                            "maxLength": 400,
                            "type": "string",
                        },
                        "audience": {
                            "description": "Whom it sells to.",
                            "maxLength": 400,
                            "type": "string",
                        },
                        "positioning": {
                            "description": "How it wants to be seen.",
                            "maxLength": 400,
                            "type": "string",
                        },
                    },
                    "required": ["name"],
                    "type": "object",
                },
            },
            "cc_client_update": {
                "description": """\
Prepare changing a client: rename, archive, or restore it (unarchive, set its status active).

Also what it is about. Pass only what changes.\
""",
                "parameters": {
                    "properties": {
                        "client": {
                            "description": "The client as it is called now.",
                            "type": "string",
                        },
                        "name": {"description": "Its new name.", "type": "string"},
                        "status": {
                            "description": "archived for one that left the agency, active to bring it back.",
                            "enum": ["active", "inactive", "archived"],
                            "type": "string",
                        },
                        "summary": {
                            "description": "What the client is and sells, in a sentence or two.",
                            "maxLength": 400,
                            "type": "string",
                        },
                        "audience": {
                            "description": "Whom it sells to (target audience).",
                            "maxLength": 400,
                            "type": "string",
                        },
                        "positioning": {
                            "description": "How it wants to be seen.",
                            "maxLength": 400,
                            "type": "string",
                        },
                        "cleared": {
                            "description": "What of these is to be empty.",
                            "items": {
                                "enum": ["summary", "audience", "positioning"],
                                "type": "string",
                            },
                            "maxItems": 3,
                            "type": "array",
                        },
                    },
                    "required": ["client"],
                    "type": "object",
                },
            },
            "finished_tasks": {
                "description": "List finished (done, closed, completed) ClickUp tasks of a past time, of a client or all.",
                "parameters": {
                    "properties": {
                        "client": {
                            "description": "What the person called the client or brand; leave out for all.",
                            "type": "string",
                        },
                        "brand": {"description": "Only this brand.", "type": "string"},
                        "window": {
                            "default": "last_week",
                            "description": '"dates" needs first and last. Weeks begin on Monday.',
                            "enum": [
                                "last_week",
                                "this_week",
                                "this_month",
                                "last_n_days",
                                "dates",
                            ],
                            "type": "string",
                        },
                        "days": {
                            "default": 14,
                            "description": "For last_n_days.",
                            "type": "integer",
                        },
                        "first": {"description": "First day.", "format": "date", "type": "string"},
                        "last": {
                            "description": "Last day, included.",
                            "format": "date",
                            "type": "string",
                        },
                        "assignee": {
                            "anyOf": [
                                {"enum": ["me", "nobody"], "type": "string"},
                                {"type": "string"},
                            ],
                            "description": 'Whose, or a role; "me" is the person asking, "nobody" unassigned.',
                        },
                        "page": {
                            "default": 1,
                            "description": "Of a list that goes on.",
                            "type": "integer",
                        },
                        "fresh": {"description": "Not as of some minutes ago.", "type": "boolean"},
                    },
                    "type": "object",
                },
            },
            "import_records": {
                "description": """\
Prepare importing people, clients, brands, KPI targets, results or others from attached CSVs.

The card names every faulty line, which is left out unless a mended file follows.\
""",
                "parameters": {"properties": {}, "type": "object"},
            },
            "export_records": {
                "description": "Give people, clients, brands, KPI targets or results as a CSV file, to be imported again.",
                "parameters": {
                    "properties": {
                        "what": {
                            "description": "Which records.",
                            "enum": ["people", "clients", "brands", "results", "targets"],
                            "type": "string",
                        }
                    },
                    "required": ["what"],
                    "type": "object",
                },
            },
            "kpi_result_upsert": {
                "description": """\
Prepare recording KPI results (actual ACOS, TACOS, sales) of a brand for a month or year.

Only what was reached in a month or year that is over; a goal is a target instead. Pass only
what was said; it asks the rest. Many come in by `import_records`, from a CSV file.\
""",
                "parameters": {
                    "properties": {
                        "client": {
                            "description": "What the person called the client.",
                            "type": "string",
                        },
                        "period": {
                            "description": "Whether it is of a month or of a year.",
                            "enum": ["monthly", "annual"],
                            "type": "string",
                        },
                        "which": {
                            "description": 'That month or year. A month or year they named. `ahead`, from the present one: 0 "this", 1 "next".',
                            "properties": {
                                "quote": {"type": "string"},
                                "source": {
                                    "enum": ["message", "earlier", "pasted", "tool", "procedure"],
                                    "type": "string",
                                    "default": "message",
                                },
                                "month": {"type": "integer"},
                                "year": {"type": "integer"},
                                "ahead": {"type": "integer"},
                            },
                            "required": ["quote"],
                            "type": "object",
                        },
                        "brand": {"description": "What they called the brand.", "type": "string"},
                        "marketplace": {
                            "description": "Marketplace code they named, such as US.",
                            "type": "string",
                        },
                        "acos": {
                            "description": "ACOS in percent.",
                            "exclusiveMaximum": 10000,
                            "minimum": 0,
                            "type": "number",
                        },
                        "tacos": {
                            "description": "TACOS in percent.",
                            "exclusiveMaximum": 10000,
                            "minimum": 0,
                            "type": "number",
                        },
                        "sales": {
                            "description": "Sales. An amount as a person wrote it: 200k is 200 and thousand.",
                            "properties": {
                                "number": {"pattern": "^\\d[\\d,. ]*$", "type": "string"},
                                "scale": {
                                    "default": "one",
                                    "enum": ["one", "thousand", "million"],
                                    "type": "string",
                                },
                            },
                            "required": ["number"],
                            "type": "object",
                        },
                        "currency": {
                            "description": "Currency code they named, such as USD.",
                            "type": "string",
                        },
                        "source": {
                            "description": "The report or tool they have it from, if they said so, in their words.",
                            "type": "string",
                        },
                    },
                    "required": ["client", "period"],
                    "type": "object",
                },
            },
            "run_status_lookup": {
                "description": "Look up a run: its status, how long it took, its steps, its error and cost.",
                "parameters": {
                    "properties": {
                        "run": {
                            "description": """\
The beginning of its id, as an apology names it, or its trace's id; leave out for the
person's last one.\
""",
                            "type": "string",
                        }
                    },
                    "type": "object",
                },
            },
            "error_digest": {
                "description": "Sum up recent failures (errors) of the assistant: failed answers, tools, changes, deliveries.",
                "parameters": {
                    "properties": {
                        "days": {
                            "default": 1,
                            "description": "Of how many days up to now.",
                            "type": "integer",
                        },
                        "tool": {
                            "description": "Only of this tool, by its name or as a digest calls it.",
                            "type": "string",
                        },
                        "severity": {
                            "description": "Only errors, or only warnings. Whether something failed, or was only not possible at that time.",
                            "enum": ["error", "warning"],
                            "title": "Severity",
                            "type": "string",
                        },
                        "by_client": {
                            "description": "Also tell them apart by client.",
                            "type": "boolean",
                        },
                    },
                    "type": "object",
                },
            },
            "event_dedupe_audit": {
                "description": "Audit stored Slack events: how many, in what state, which were handled twice or failed.",
                "parameters": {
                    "properties": {
                        "days": {
                            "default": 1,
                            "description": "Of how many days up to now.",
                            "type": "integer",
                        },
                        "source": {
                            "description": "Only from this source.",
                            "enum": ["events", "interactions", "commands", "schedules", "terminal"],
                            "type": "string",
                        },
                    },
                    "type": "object",
                },
            },
            "usage_cost_report": {
                "description": "Report the assistant's model costs (usage, cost, tokens) by tool, person, client or week.",
                "parameters": {
                    "properties": {
                        "group_by": {
                            "default": "client",
                            "description": "By what.",
                            "enum": ["tool", "person", "client", "model", "stage", "week"],
                            "type": "string",
                        },
                        "days": {
                            "default": 30,
                            "description": "Of how many days up to now.",
                            "type": "integer",
                        },
                        "chart": {
                            "description": "Also put it below the answer as a bar chart.",
                            "type": "boolean",
                        },
                    },
                    "type": "object",
                },
            },
            "list_records": {
                "description": "List all recorded entries of one kind, of a client or of all whom this person may see.",
                "parameters": {
                    "properties": {
                        "what": {
                            "description": "Which records.",
                            "enum": ["results", "targets"],
                            "type": "string",
                        },
                        "client": {
                            "description": "What the person called the client; leave out for all.",
                            "type": "string",
                        },
                    },
                    "required": ["what"],
                    "type": "object",
                },
            },
            "run_retry": {
                "description": "Prepare to try a failed or cancelled run again (retry): its message is answered anew.",
                "parameters": {
                    "properties": {
                        "run": {
                            "description": "The beginning of its id, as the apology names it.",
                            "type": "string",
                        }
                    },
                    "required": ["run"],
                    "type": "object",
                },
            },
            "list_own_changes": {
                "description": """\
List what you did or changed for who asks (done, created, confirmed today), in all threads.

With all cards and proposals waiting for their confirmation.\
""",
                "parameters": {
                    "properties": {
                        "day": {
                            "description": "The last day; today by default.",
                            "format": "date",
                            "type": "string",
                        },
                        "days": {
                            "default": 1,
                            "description": "How many days up to that one.",
                            "type": "integer",
                        },
                    },
                    "type": "object",
                },
            },
            "name_procedure": {
                "description": "Prepare another name (alias) for a procedure: searches find it under that from then on.",
                "parameters": {
                    "properties": {
                        "procedure": {"description": "Its title.", "type": "string"},
                        "name": {
                            "description": "The few words by which people ask for it.",
                            "type": "string",
                        },
                        "remove": {
                            "description": "True to take that name away.",
                            "type": "boolean",
                        },
                    },
                    "required": ["procedure", "name"],
                    "type": "object",
                },
            },
            "remind": {
                "description": """\
Prepare a reminder (set or create an alarm, a follow-up; recurring or once) for who asks.

Their own words come to them alone at a time, once or every day, week or month. It makes no
task, nor can anybody else be reminded.\
""",
                "parameters": {
                    "properties": {
                        "words": {
                            "description": "What of, in their own words, copied.",
                            "maxLength": 300,
                            "type": "string",
                        },
                        "when": {
                            "description": """\
Their words for it, and what they mean. When, on the person's clock: once in so many minutes, or at a time, once or again and again.

Without a day, the next such time; without a time, nine o'clock.\
""",
                            "properties": {
                                "quote": {"type": "string"},
                                "source": {
                                    "enum": ["message", "earlier", "pasted", "tool", "procedure"],
                                    "type": "string",
                                    "default": "message",
                                },
                                "minutes": {"type": "integer"},
                                "day": {
                                    "description": "date (date): Given in full. weekday (weekday, which?): this: the coming one, today included; next: next week's; after: a week later. in (count, unit?): So long from today: 0 days is today, 1 tomorrow. month_day (month?, day?): A day without a year: the next; without a day, the month's last. end_of (period, which?): Its last day; a week's is Friday. from (date, count, unit?): After a day said or on the card; below 0 before. lasting (count, unit?): From the start, its first day included.",
                                    "properties": {
                                        "kind": {
                                            "enum": [
                                                "date",
                                                "weekday",
                                                "in",
                                                "month_day",
                                                "end_of",
                                                "from",
                                                "lasting",
                                            ],
                                            "type": "string",
                                        },
                                        "date": {"format": "date", "type": "string"},
                                        "weekday": {
                                            "enum": [
                                                "monday",
                                                "tuesday",
                                                "wednesday",
                                                "thursday",
                                                "friday",
                                                "saturday",
                                                "sunday",
                                            ],
                                            "type": "string",
                                        },
                                        "which": {
                                            "default": "this",
                                            "enum": ["this", "next", "after"],
                                            "type": "string",
                                        },
                                        "count": {"type": "integer"},
                                        "unit": {
                                            "default": "days",
                                            "enum": ["days", "weeks", "months"],
                                            "type": "string",
                                        },
                                        "month": {"type": "integer"},
                                        "day": {"type": "integer"},
                                        "period": {
                                            "enum": ["week", "month", "quarter", "year"],
                                            "type": "string",
                                        },
                                    },
                                    "required": ["kind"],
                                    "type": "object",
                                },
                                "time": {
                                    "pattern": "^([01]\\d|2[0-3]):[0-5]\\d$",
                                    "type": "string",
                                },
                                "every": {
                                    "default": "once",
                                    "enum": ["once", "day", "week", "month"],
                                    "type": "string",
                                },
                                "weekdays": {
                                    "items": {
                                        "enum": [
                                            "monday",
                                            "tuesday",
                                            "wednesday",
                                            "thursday",
                                            "friday",
                                            "saturday",
                                            "sunday",
                                        ],
                                        "type": "string",
                                    },
                                    "maxItems": 7,
                                    "type": "array",
                                },
                            },
                            "required": ["quote"],
                            "type": "object",
                        },
                    },
                    "required": ["words", "when"],
                    "type": "object",
                },
            },
            "cc_role_lookup": {
                "description": "List the roles that people can hold, with their short names.",
                "parameters": {
                    "properties": {
                        "role": {
                            "description": "What the person called the role; leave out for all.",
                            "type": "string",
                        }
                    },
                    "type": "object",
                },
            },
            "cc_assignment_matrix": {
                "description": "Show the assignments (matrix, table) of roles to people: of a client or of all, with gaps.",
                "parameters": {
                    "properties": {
                        "client": {
                            "description": "What the person called the client; leave out for all.",
                            "type": "string",
                        },
                        "brand": {
                            "description": "Only this brand and what holds for its whole client.",
                            "type": "string",
                        },
                        "page": {
                            "default": 1,
                            "description": "Of a table that goes on.",
                            "type": "integer",
                        },
                    },
                    "type": "object",
                },
            },
            "cc_role_capacity_snapshot": {
                "description": "Count role slots (capacity) per person and role: open slots, who has none. Not their tasks.",
                "parameters": {
                    "properties": {
                        "role": {
                            "description": "Only this role, as the person called it; leave out for all.",
                            "type": "string",
                        },
                        "chart": {
                            "description": "Also put the slots by person below the answer as a bar chart.",
                            "type": "boolean",
                        },
                    },
                    "type": "object",
                },
            },
            "cc_clickup_space_list": {
                "description": "List the registered ClickUp spaces: what each is for (classification), and its brands.",
                "parameters": {
                    "properties": {
                        "used_for": {
                            "description": "Only spaces of this classification; leave out for all that are in use.",
                            "enum": ["brand_scoped", "shared_service", "unknown", "inactive"],
                            "type": "string",
                        }
                    },
                    "type": "object",
                },
            },
            "watch_client": {
                "description": """\
Prepare a watch (an alert, a threshold): notify who asks when a task is done, or the like.

Code looks every 15 minutes and reports in their direct messages what is new, and nothing else.
No model is asked, so it costs nothing, but for `then`.\
""",
                "parameters": {
                    "properties": {
                        "client": {"description": "What they called the client.", "type": "string"},
                        "check": {
                            "description": """\
Of a task: done. Of a client: late, due_soon or unassigned open tasks; brands that
are unmapped or without a target; a missed_target. Of the agency: changed_procedure. For
admins: unanswered_question of a client or of all, error_rate of answers, cost of
models. What is looked for: in a client's open tasks or brands, or in the agency's own records.\
""",
                            "enum": [
                                "late",
                                "due_soon",
                                "unassigned",
                                "unmapped",
                                "missing_target",
                                "missed_target",
                                "changed_procedure",
                                "unanswered_question",
                                "error_rate",
                                "cost",
                                "done",
                            ],
                            "title": "Check",
                            "type": "string",
                        },
                        "brand": {"description": "Only of this brand.", "type": "string"},
                        "days": {
                            "description": "For due_soon, if they said so: within so many days; else within a week.",
                            "type": "integer",
                        },
                        "above": {
                            "description": """\
Their threshold: only above so many tasks, brands, misses or questions, percent of
errors, or dollars a month.\
""",
                            "type": "integer",
                        },
                        "task": {
                            "description": "For done: the task's title, or its link.",
                            "maxLength": 1000,
                            "type": "string",
                        },
                        "then": {
                            "description": """\
What they want prepared of what is found (a task, for example), in their own words,
copied; only if they said so.\
""",
                            "maxLength": 300,
                            "type": "string",
                        },
                    },
                    "required": ["check"],
                    "type": "object",
                },
            },
            "keep_account_separate": {
                "description": """\
Prepare keeping an account of Slack or ClickUp separate, or taking that back.

For a bot, a guest, or an account that is not a person's: comparisons offer it no more.\
""",
                "parameters": {
                    "properties": {
                        "account": {
                            "description": "The account's id or name, as compare_accounts shows it.",
                            "type": "string",
                        },
                        "not_of": {
                            "description": "Whose it is not; leave out if it is nobody's on the team.",
                            "type": "string",
                        },
                        "why": {"description": "Why, in their words.", "type": "string"},
                        "offer_again": {
                            "description": "The decision is taken back.",
                            "type": "boolean",
                        },
                    },
                    "required": ["account"],
                    "type": "object",
                },
            },
            "cc_clickup_space_sync": {
                "description": "Compare the spaces we know with those in ClickUp (sync), and prepare taking them over.",
                "parameters": {"properties": {}, "type": "object"},
            },
            "cc_clickup_space_classify": {
                "description": "Prepare classifying (marking) ClickUp spaces: what they are for, so where tasks may go.",
                "parameters": {
                    "properties": {
                        "names": {
                            "description": "The spaces, as the person called them.",
                            "items": {"type": "string"},
                            "minItems": 1,
                            "type": "array",
                        },
                        "used_for": {
                            "description": """\
brand_scoped takes a brand's tasks; shared_service is shared work; unknown is
not decided yet; inactive is out of use. A brand is tied to a space by changing it.\
""",
                            "enum": ["brand_scoped", "shared_service", "unknown", "inactive"],
                            "type": "string",
                        },
                    },
                    "required": ["names", "used_for"],
                    "type": "object",
                },
            },
            "comment_on_task": {
                "description": "Prepare a comment (note, reply) below an existing ClickUp task, in the name of who asks.",
                "parameters": {
                    "properties": {
                        "task": {
                            "description": "Its title, or its link.",
                            "maxLength": 1000,
                            "type": "string",
                        },
                        "text": {
                            "description": "The comment, in their words; their name is put in front.",
                            "maxLength": 3000,
                            "type": "string",
                        },
                        "client": {
                            "description": "What the person called the client; not needed with a link.",
                            "type": "string",
                        },
                    },
                    "required": ["task", "text"],
                    "type": "object",
                },
            },
            "clickup_task_checklist": {
                "description": """\
Prepare a change of a ClickUp task's checklist: tick, untick, add, remove, rename items.

Pass only what changes; a waiting card of this task keeps the rest.\
""",
                "parameters": {
                    "properties": {
                        "task": {
                            "description": "Its title, or its link.",
                            "maxLength": 1000,
                            "type": "string",
                        },
                        "client": {
                            "description": "What the person called the client; not needed with a link.",
                            "type": "string",
                        },
                        "checklist": {
                            "description": "Which one, if they named it.",
                            "type": "string",
                        },
                        "tick": {
                            "description": "Items that are done.",
                            "items": {"type": "string"},
                            "type": "array",
                        },
                        "untick": {
                            "description": "Items that are open again.",
                            "items": {"type": "string"},
                            "type": "array",
                        },
                        "add": {
                            "description": "New items, in their words.",
                            "items": {"type": "string"},
                            "type": "array",
                        },
                        "remove": {
                            "description": "Items that go.",
                            "items": {"type": "string"},
                            "type": "array",
                        },
                        "rename": {
                            "description": "Items that say something else.",
                            "items": {
                                "description": "An item and what it says from now on.",
                                "properties": {
                                    "item": {"type": "string"},
                                    "new_text": {"type": "string"},
                                },
                                "required": ["item", "new_text"],
                                "type": "object",
                            },
                            "type": "array",
                        },
                        "new_checklist": {
                            "description": "Name of one to be made; `add` has its items.",
                            "type": "string",
                        },
                        "instead": {
                            "description": "Drop the rest of that card.",
                            "type": "boolean",
                        },
                    },
                    "required": ["task"],
                    "type": "object",
                },
            },
            "ask_regularly": {
                "description": """\
Prepare a recurring question (a report, digest, overview, briefing or check-up, scheduled).

It is answered here (for members in direct messages only) every day, week or month, from that
day's state, and begins with the person's press. It is tried at once by itself, and its card
comes below that first answer: say so, and don't answer it yourself.\
""",
                "parameters": {
                    "properties": {
                        "words": {
                            "description": "The question or request to answer each time, in their own words, copied.",
                            "maxLength": 300,
                            "type": "string",
                        },
                        "when": {
                            "description": """\
Their words for it, and what they mean. When, on the person's clock: once in so many minutes, or at a time, once or again and again.

Without a day, the next such time; without a time, nine o'clock.\
""",
                            "properties": {
                                "quote": {"type": "string"},
                                "source": {
                                    "enum": ["message", "earlier", "pasted", "tool", "procedure"],
                                    "type": "string",
                                    "default": "message",
                                },
                                "minutes": {"type": "integer"},
                                "day": {
                                    "description": "date (date): Given in full. weekday (weekday, which?): this: the coming one, today included; next: next week's; after: a week later. in (count, unit?): So long from today: 0 days is today, 1 tomorrow. month_day (month?, day?): A day without a year: the next; without a day, the month's last. end_of (period, which?): Its last day; a week's is Friday. from (date, count, unit?): After a day said or on the card; below 0 before. lasting (count, unit?): From the start, its first day included.",
                                    "properties": {
                                        "kind": {
                                            "enum": [
                                                "date",
                                                "weekday",
                                                "in",
                                                "month_day",
                                                "end_of",
                                                "from",
                                                "lasting",
                                            ],
                                            "type": "string",
                                        },
                                        "date": {"format": "date", "type": "string"},
                                        "weekday": {
                                            "enum": [
                                                "monday",
                                                "tuesday",
                                                "wednesday",
                                                "thursday",
                                                "friday",
                                                "saturday",
                                                "sunday",
                                            ],
                                            "type": "string",
                                        },
                                        "which": {
                                            "default": "this",
                                            "enum": ["this", "next", "after"],
                                            "type": "string",
                                        },
                                        "count": {"type": "integer"},
                                        "unit": {
                                            "default": "days",
                                            "enum": ["days", "weeks", "months"],
                                            "type": "string",
                                        },
                                        "month": {"type": "integer"},
                                        "day": {"type": "integer"},
                                        "period": {
                                            "enum": ["week", "month", "quarter", "year"],
                                            "type": "string",
                                        },
                                    },
                                    "required": ["kind"],
                                    "type": "object",
                                },
                                "time": {
                                    "pattern": "^([01]\\d|2[0-3]):[0-5]\\d$",
                                    "type": "string",
                                },
                                "every": {
                                    "default": "once",
                                    "enum": ["once", "day", "week", "month"],
                                    "type": "string",
                                },
                                "weekdays": {
                                    "items": {
                                        "enum": [
                                            "monday",
                                            "tuesday",
                                            "wednesday",
                                            "thursday",
                                            "friday",
                                            "saturday",
                                            "sunday",
                                        ],
                                        "type": "string",
                                    },
                                    "maxItems": 7,
                                    "type": "array",
                                },
                            },
                            "required": ["quote"],
                            "type": "object",
                        },
                        "after": {
                            "description": """\
Which other question of theirs has to be answered first on that day, if they said so;
then `time` is the latest, after which it is skipped.\
""",
                            "type": "string",
                        },
                    },
                    "required": ["words", "when"],
                    "type": "object",
                },
            },
            "export_tasks": {
                "description": "Give a list of ClickUp tasks, open or done, as a file: CSV, or XLSX for Excel.",
                "parameters": {
                    "properties": {
                        "client": {
                            "description": "As in list_tasks, and so are the others.",
                            "type": "string",
                        },
                        "file_format": {
                            "default": "xlsx",
                            "description": '"csv" or "xlsx".',
                            "enum": ["csv", "xlsx"],
                            "type": "string",
                        },
                        "brand": {"description": "Only this brand.", "type": "string"},
                        "window": {
                            "default": "this_week",
                            "description": "Of which time.",
                            "enum": [
                                "this_week",
                                "next_week",
                                "this_month",
                                "last_n_days",
                                "next_n_days",
                                "overdue",
                                "dates",
                                "any_time",
                            ],
                            "type": "string",
                        },
                        "days": {
                            "default": 14,
                            "description": "For last_n_days and next_n_days.",
                            "type": "integer",
                        },
                        "first": {"description": "First day.", "format": "date", "type": "string"},
                        "last": {
                            "description": "Last day, included.",
                            "format": "date",
                            "type": "string",
                        },
                        "date_kind": {
                            "default": "due",
                            "description": 'Due or updated in that time; by "done" those that were finished in it.',
                            "enum": ["due", "updated", "done"],
                            "type": "string",
                        },
                        "assignee": {
                            "anyOf": [
                                {"enum": ["me", "nobody"], "type": "string"},
                                {"type": "string"},
                            ],
                            "description": "Whose.",
                        },
                    },
                    "type": "object",
                },
            },
            "search_tasks": {
                "description": """\
Search (find) ClickUp tasks by words of their title or name, of a client or of all.

"The coupon task": the closest come first; whether one is meant, you judge by its title.\
""",
                "parameters": {
                    "properties": {
                        "words": {
                            "description": "What the person said of the title, in its language.",
                            "type": "string",
                        },
                        "client": {
                            "description": "What they called the client or brand; leave out for all.",
                            "type": "string",
                        },
                        "brand": {"description": "Only this brand.", "type": "string"},
                        "finished": {
                            "description": "Search those finished in the last year instead of the open ones.",
                            "type": "boolean",
                        },
                        "page": {
                            "default": 1,
                            "description": "Of a list that goes on.",
                            "type": "integer",
                        },
                    },
                    "required": ["words"],
                    "type": "object",
                },
            },
            "cc_team_member_lookup": {
                "description": "Look up a colleague (team member): rights, accounts, roles; everybody without a name.",
                "parameters": {
                    "properties": {
                        "person": {"description": "A name or e-mail.", "type": "string"},
                        "archived": {
                            "description": "Whether archived people are meant, too.",
                            "type": "boolean",
                        },
                    },
                    "type": "object",
                },
            },
            "cc_team_member_create": {
                "description": "Prepare adding somebody to the team (a new colleague), or bringing an archived one back.",
                "parameters": {
                    "properties": {
                        "email": {
                            "description": "Their e-mail.",
                            "maxLength": 254,
                            "type": "string",
                        },
                        "name": {"description": "Their full name.", "type": "string"},
                        "access": {
                            "default": "member",
                            "description": "What they may do; a viewer only reads.",
                            "enum": ["member", "viewer"],
                            "type": "string",
                        },
                        "slack": {
                            "description": "Their Slack mention or member id, as it was written.",
                            "type": "string",
                        },
                        "clickup": {
                            "description": "Their ClickUp name, e-mail or number, unless the e-mail is the same there.",
                            "type": "string",
                        },
                        "freelance": {
                            "description": "Whether they are a contractor.",
                            "type": "boolean",
                        },
                    },
                    "required": ["email", "name"],
                    "type": "object",
                },
            },
            "cc_team_member_update": {
                "description": """\
Prepare a change of a colleague: name, rights (make an admin), Slack or ClickUp account.

Pass only what changes.\
""",
                "parameters": {
                    "properties": {
                        "person": {
                            "anyOf": [{"const": "me", "type": "string"}, {"type": "string"}],
                            "description": "Who, by name or e-mail.",
                        },
                        "name": {"description": "Their new full name.", "type": "string"},
                        "access": {
                            "description": "What they may do from now on; only a super admin makes or unmakes an admin.",
                            "enum": ["admin", "member", "viewer"],
                            "type": "string",
                        },
                        "employment": {
                            "description": "How they work for the agency.",
                            "enum": ["active", "contractor"],
                            "type": "string",
                        },
                        "slack": {
                            "description": "Their Slack mention or member id, as it was written.",
                            "type": "string",
                        },
                        "clickup": {
                            "description": "Their ClickUp name, e-mail or number.",
                            "type": "string",
                        },
                        "timezone": {"description": "Such as Europe/Lisbon.", "type": "string"},
                        "unlink": {
                            "description": "Accounts to take off their profile.",
                            "items": {"enum": ["slack", "clickup"], "type": "string"},
                            "maxItems": 2,
                            "type": "array",
                        },
                    },
                    "required": ["person"],
                    "type": "object",
                },
            },
            "cc_team_member_archive": {
                "description": "Prepare archiving (offboarding) a colleague who leaves; their roles go to somebody else.",
                "parameters": {
                    "properties": {
                        "person": {
                            "anyOf": [{"const": "me", "type": "string"}, {"type": "string"}],
                            "description": "Who leaves, by name or e-mail.",
                        },
                        "successor": {
                            "anyOf": [{"const": "me", "type": "string"}, {"type": "string"}],
                            "description": "Who takes all their roles over.",
                        },
                        "leave_open": {
                            "description": "Whether their roles are to stay open instead.",
                            "type": "boolean",
                        },
                    },
                    "required": ["person"],
                    "type": "object",
                },
            },
        }
    )


def test_cc_policy_explain() -> None:
    assert definitions()["cc_policy_explain"] == snapshot(
        {
            "description": "Explain what this person is allowed to do here (permissions, rights), why not, who may.",
            "parameters": {
                "properties": {
                    "about": {
                        "description": 'Only what has this word in it, such as "task" or "brand"; leave out for all.',
                        "type": "string",
                    },
                    "client": {
                        "description": "For this client; leave out for the place as it is.",
                        "type": "string",
                    },
                },
                "type": "object",
            },
        }
    )


def test_sop_sync_run() -> None:
    assert definitions()["sop_sync_run"] == snapshot(
        {
            "description": "Compare the procedures (SOPs) with ClickUp Docs and prepare taking over what changed.",
            "parameters": {"properties": {}, "type": "object"},
        }
    )


def test_list_waiting_documents() -> None:
    assert definitions()["list_waiting_documents"] == snapshot(
        {
            "description": "List procedures and documents of the knowledge base that wait for an admin's approval.",
            "parameters": {"properties": {}, "type": "object"},
        }
    )


def test_list_unanswered_questions() -> None:
    assert definitions()["list_unanswered_questions"] == snapshot(
        {
            "description": "List questions that no procedure or document answered, and names that questions suggest.",
            "parameters": {"properties": {}, "type": "object"},
        }
    )


def test_decide_document() -> None:
    assert definitions()["decide_document"] == snapshot(
        {
            "description": "Prepare to approve a waiting procedure or document for use, or to take one out of use.",
            "parameters": {
                "properties": {
                    "document": {
                        "description": "Its title or file name, as the person said it.",
                        "maxLength": 400,
                        "type": "string",
                    },
                    "decision": {
                        "description": "use approves a waiting one, reject turns it down; retire takes one out of use.",
                        "enum": ["use", "reject", "retire"],
                        "type": "string",
                    },
                },
                "required": ["document", "decision"],
                "type": "object",
            },
        }
    )


def test_read_guide() -> None:
    assert definitions()["read_guide"] == snapshot(
        {
            "description": "Read one of the agency's guides.",
            "parameters": {
                "properties": {"name": {"description": "As it is listed.", "type": "string"}},
                "required": ["name"],
                "type": "object",
            },
        }
    )


def test_calculate() -> None:
    assert definitions()["calculate"] == snapshot(
        {
            "description": """\
Work out sums, shares, means, dates or groups over what tools returned, with a short program.

Python with datetime, math, json, collections, re, decimal; print the outcome. `results` holds
what tools returned in this turn, newest last: results["list_tasks"][-1]["tasks"]. `earlier` is
a list of what the given keys bring back. Every figure comes from there or from the person.\
""",
            "parameters": {
                "properties": {
                    "code": {"description": "The program.", "maxLength": 4000, "type": "string"},
                    "earlier": {
                        "description": 'Keys of earlier results, such as "ev:...".',
                        "items": {"type": "string"},
                        "maxItems": 3,
                        "type": "array",
                    },
                },
                "required": ["code"],
                "type": "object",
            },
        }
    )
