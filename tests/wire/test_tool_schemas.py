"""What the model is told of each tool, byte for byte: a change here is a change of behaviour."""

# ruff: noqa: E501

from __future__ import annotations

import json
from typing import Any

from inline_snapshot import snapshot
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
            "lookup_client": 92,
            "assign_person": 183,
            "remove_assignment": 171,
            "create_brand": 263,
            "update_brand": 360,
            "lookup_brand": 135,
            "resolve_brand": 157,
            "calculate": 197,
            "get_client_context": 81,
            "read_guide": 58,
            "kpi_target_lookup": 193,
            "kpi_target_upsert": 400,
            "sop_sync_run": 46,
            "list_waiting_documents": 47,
            "list_unanswered_questions": 46,
            "decide_document": 119,
            "audit_brand_mappings": 86,
            "cc_brand_mapping_remediation_preview": 87,
            "apply_remediation": 85,
            "remember": 226,
            "recall": 81,
            "forget": 110,
            "load_prior_skill_result": 78,
            "catalog_lookup": 167,
            "delegate_planner": 112,
            "clickup_task_quality_gate": 1585,
            "clickup_task_duplicate_check": 105,
            "cc_policy_explain": 136,
            "research": 151,
            "cc_org_chart_ascii": 125,
            "search_kb": 187,
            "read_procedure": 93,
            "clickup_task_update": 1182,
            "list_tasks": 430,
            "create_task": 2165,
        }
    )


def test_no_tool_takes_what_it_does_not_name() -> None:
    assert all(one["parameters"]["additionalProperties"] is False for one in definitions().values())


def test_lookup_client() -> None:
    assert definitions()["lookup_client"] == snapshot(
        {
            "description": "Find clients of the agency by name or by a brand's name, or list all this person may see.",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "query": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "What the person called the client or brand; leave out to list all.",
                    }
                },
                "type": "object",
            },
        }
    )


def test_lookup_brand() -> None:
    assert definitions()["lookup_brand"] == snapshot(
        {
            "description": """\
List brands with their client and whether they are linked to a ClickUp list or space.

Only "unmapped" ones are not linked at all.\
""",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "brand": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "What the person called the brand; leave out for all.",
                    },
                    "client": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Only brands of this client.",
                    },
                },
                "type": "object",
            },
        }
    )


def test_resolve_brand() -> None:
    assert definitions()["resolve_brand"] == snapshot(
        {
            "description": "Work out which brand of a client a piece of work is for and whether it has a ClickUp list.",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "client": {
                        "description": "What the person called the client.",
                        "maxLength": 120,
                        "type": "string",
                    },
                    "brand": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "What the person called the brand, if they named one.",
                    },
                    "about_products": {
                        "default": False,
                        "description": "Whether the work is about single products: a coupon, a price, a listing.",
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
                "additionalProperties": False,
                "properties": {
                    "client": {
                        "description": "What the person called the client or brand.",
                        "maxLength": 120,
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
            "description": "Bring back the full result of an earlier look-up of this conversation.",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "key": {
                        "description": 'The key that stands beside the summary, such as "ev:..." .',
                        "maxLength": 140,
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

The order is by words only. Choose by reading: the right one may be among the other titles.\
""",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "query": {
                        "description": "What the work is about, in the person's words; a pasted mail as it is.",
                        "maxLength": 2000,
                        "type": "string",
                    },
                    "client": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "What the person called the client, if one is meant.",
                    },
                    "page": {
                        "default": 1,
                        "description": "Which page of the other titles, where there are several.",
                        "maximum": 99,
                        "minimum": 1,
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
            "description": "List a client's open ClickUp tasks in a stretch of time, across all of its brands.",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "client": {
                        "description": "What the person called the client or brand.",
                        "maxLength": 120,
                        "type": "string",
                    },
                    "brand": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Only this brand.",
                    },
                    "window": {
                        "default": "this_week",
                        "description": """\
The stretch of time; "dates" needs first and last. "any_time" is all open tasks,
overdue ones first.\
""",
                        "enum": [
                            "this_week",
                            "this_month",
                            "last_n_days",
                            "next_n_days",
                            "dates",
                            "any_time",
                        ],
                        "type": "string",
                    },
                    "days": {
                        "default": 14,
                        "description": "How many days, for last_n_days and next_n_days.",
                        "maximum": 365,
                        "minimum": 1,
                        "type": "integer",
                    },
                    "first": {
                        "anyOf": [{"format": "date", "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": 'First day, for "dates".',
                    },
                    "last": {
                        "anyOf": [{"format": "date", "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": 'Last day, included, for "dates".',
                    },
                    "basis": {
                        "default": "due",
                        "description": '"due" for tasks due in that time, "updated" for what was worked on or changed.',
                        "enum": ["due", "updated"],
                        "type": "string",
                    },
                    "assignee": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": 'Only tasks of this person; "me" for the person asking, "nobody" for unassigned.',
                    },
                    "top": {
                        "anyOf": [
                            {"maximum": 200, "minimum": 1, "type": "integer"},
                            {"type": "null"},
                        ],
                        "default": None,
                        "description": "At most this many: soonest due, then most urgent, first; or latest changed first.",
                    },
                },
                "required": ["client"],
                "type": "object",
            },
        }
    )


def test_create_task() -> None:
    assert definitions()["create_task"] == snapshot(
        {
            "description": """\
Prepare a ClickUp task, resting on the procedure you chose, for the person to confirm.

It finds brand and list itself and asks what it needs. Pass only what was said; every fact
with its quote, copied to the letter (at most 200 characters), and where that stands. A fact
that its quote does not carry comes back as missing: ask for it. To change a waiting proposal,
pass all of it again, changed, and name it in replaces.\
""",
            "parameters": {
                "$defs": {
                    "ChosenProcedure": {
                        "additionalProperties": False,
                        "description": "The procedure that was chosen by reading, or why there is none.",
                        "properties": {
                            "title": {
                                "anyOf": [{"maxLength": 200, "type": "string"}, {"type": "null"}],
                                "default": None,
                            },
                            "none_because": {
                                "anyOf": [{"maxLength": 200, "type": "string"}, {"type": "null"}],
                                "default": None,
                            },
                        },
                        "title": "ChosenProcedure",
                        "type": "object",
                    },
                    "EndOf": {
                        "additionalProperties": False,
                        "description": "The last day of a week (its Sunday), month, quarter or year.",
                        "properties": {
                            "kind": {"const": "end_of", "type": "string"},
                            "period": {
                                "enum": ["week", "month", "quarter", "year"],
                                "type": "string",
                            },
                            "which": {
                                "default": "this",
                                "enum": ["this", "next", "after"],
                                "type": "string",
                            },
                        },
                        "required": ["kind", "period"],
                        "title": "EndOf",
                        "type": "object",
                    },
                    "InTime": {
                        "additionalProperties": False,
                        "description": "So many days, weeks or months from today: 0 days is today, 1 day tomorrow.",
                        "properties": {
                            "kind": {"const": "in", "type": "string"},
                            "count": {"maximum": 366, "minimum": 0, "type": "integer"},
                            "unit": {
                                "default": "days",
                                "enum": ["days", "weeks", "months"],
                                "type": "string",
                            },
                        },
                        "required": ["kind", "count"],
                        "title": "InTime",
                        "type": "object",
                    },
                    "Lasting": {
                        "additionalProperties": False,
                        "description": "So long from the start that was given, its first day included.",
                        "properties": {
                            "kind": {"const": "lasting", "type": "string"},
                            "count": {"maximum": 366, "minimum": 1, "type": "integer"},
                            "unit": {
                                "default": "days",
                                "enum": ["days", "weeks", "months"],
                                "type": "string",
                            },
                        },
                        "required": ["kind", "count"],
                        "title": "Lasting",
                        "type": "object",
                    },
                    "OnDate": {
                        "additionalProperties": False,
                        "description": "A day that was given in full.",
                        "properties": {
                            "kind": {"const": "date", "type": "string"},
                            "date": {"format": "date", "type": "string"},
                        },
                        "required": ["kind", "date"],
                        "title": "OnDate",
                        "type": "object",
                    },
                    "OnMonthDay": {
                        "additionalProperties": False,
                        "description": "A day of a month without a year; without a day it is the month's last.",
                        "properties": {
                            "kind": {"const": "month_day", "type": "string"},
                            "month": {"maximum": 12, "minimum": 1, "type": "integer"},
                            "day": {
                                "anyOf": [
                                    {"maximum": 31, "minimum": 1, "type": "integer"},
                                    {"type": "null"},
                                ],
                                "default": None,
                            },
                        },
                        "required": ["kind", "month"],
                        "title": "OnMonthDay",
                        "type": "object",
                    },
                    "OnWeekday": {
                        "additionalProperties": False,
                        "description": "A weekday: this coming one (today included), next week's, or the one after that.",
                        "properties": {
                            "kind": {"const": "weekday", "type": "string"},
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
                        },
                        "required": ["kind", "weekday"],
                        "title": "OnWeekday",
                        "type": "object",
                    },
                    "Stated": {
                        "additionalProperties": False,
                        "description": "A fact as a short value.",
                        "properties": {
                            "quote": {"maxLength": 200, "minLength": 1, "type": "string"},
                            "source": {
                                "default": "message",
                                "enum": ["message", "earlier", "pasted", "tool", "procedure"],
                                "type": "string",
                            },
                            "value": {"maxLength": 120, "minLength": 1, "type": "string"},
                        },
                        "required": ["quote", "value"],
                        "title": "Stated",
                        "type": "object",
                    },
                    "StatedDay": {
                        "additionalProperties": False,
                        "description": 'A day; without one the quote says when, as "until stock runs out" does.',
                        "properties": {
                            "quote": {"maxLength": 200, "minLength": 1, "type": "string"},
                            "source": {
                                "default": "message",
                                "enum": ["message", "earlier", "pasted", "tool", "procedure"],
                                "type": "string",
                            },
                            "day": {
                                "anyOf": [
                                    {
                                        "discriminator": {
                                            "mapping": {
                                                "date": "#/$defs/OnDate",
                                                "end_of": "#/$defs/EndOf",
                                                "in": "#/$defs/InTime",
                                                "lasting": "#/$defs/Lasting",
                                                "month_day": "#/$defs/OnMonthDay",
                                                "weekday": "#/$defs/OnWeekday",
                                            },
                                            "propertyName": "kind",
                                        },
                                        "oneOf": [
                                            {"$ref": "#/$defs/OnDate"},
                                            {"$ref": "#/$defs/OnWeekday"},
                                            {"$ref": "#/$defs/InTime"},
                                            {"$ref": "#/$defs/OnMonthDay"},
                                            {"$ref": "#/$defs/EndOf"},
                                            {"$ref": "#/$defs/Lasting"},
                                        ],
                                    },
                                    {"type": "null"},
                                ],
                                "default": None,
                            },
                        },
                        "required": ["quote"],
                        "title": "StatedDay",
                        "type": "object",
                    },
                    "StatedFact": {
                        "additionalProperties": False,
                        "description": "Another fact that was given.",
                        "properties": {
                            "quote": {"maxLength": 200, "minLength": 1, "type": "string"},
                            "source": {
                                "default": "message",
                                "enum": ["message", "earlier", "pasted", "tool", "procedure"],
                                "type": "string",
                            },
                            "value": {"maxLength": 120, "minLength": 1, "type": "string"},
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
                        "title": "StatedFact",
                        "type": "object",
                    },
                    "StatedPromotion": {
                        "additionalProperties": False,
                        "description": "A promotion that is wanted, as far as its terms were given.",
                        "properties": {
                            "type": {
                                "enum": ["coupon", "price_discount", "deal", "other"],
                                "type": "string",
                            },
                            "discount": {
                                "anyOf": [{"$ref": "#/$defs/Stated"}, {"type": "null"}],
                                "default": None,
                            },
                            "starts": {
                                "anyOf": [{"$ref": "#/$defs/StatedDay"}, {"type": "null"}],
                                "default": None,
                            },
                            "ends": {
                                "anyOf": [{"$ref": "#/$defs/StatedDay"}, {"type": "null"}],
                                "default": None,
                            },
                            "budget": {
                                "anyOf": [{"$ref": "#/$defs/Stated"}, {"type": "null"}],
                                "default": None,
                            },
                        },
                        "required": ["type"],
                        "title": "StatedPromotion",
                        "type": "object",
                    },
                },
                "additionalProperties": False,
                "properties": {
                    "client": {
                        "description": 'What the person called the client or brand; "" if they named none: it asks.',
                        "maxLength": 120,
                        "type": "string",
                    },
                    "title": {
                        "description": "Short title that says what is to be done.",
                        "maxLength": 200,
                        "type": "string",
                    },
                    "objective": {
                        "description": 'What is to be achieved, in one sentence; "" if nobody said.',
                        "maxLength": 300,
                        "type": "string",
                    },
                    "procedure": {
                        "anyOf": [{"$ref": "#/$defs/ChosenProcedure"}, {"type": "null"}],
                        "default": None,
                        "description": "Title of the procedure you chose by reading, or why none fits.",
                    },
                    "brand": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "What the person called the brand.",
                    },
                    "promotion": {
                        "anyOf": [{"$ref": "#/$defs/StatedPromotion"}, {"type": "null"}],
                        "default": None,
                        "description": """\
The promotion that is wanted. Its start and end are not the task's. Days that
were not said as dates are given by kind: weekday, in, month_day, end_of, lasting.\
""",
                    },
                    "facts": {
                        "anyOf": [
                            {
                                "items": {"$ref": "#/$defs/StatedFact"},
                                "maxItems": 12,
                                "type": "array",
                            },
                            {"type": "null"},
                        ],
                        "default": None,
                        "description": "Other figures and terms, such as a look-back, a target, a budget.",
                    },
                    "details": {
                        "anyOf": [{"maxLength": 3000, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "What else they gave: scope, terms, how it is checked.",
                    },
                    "about_products": {
                        "default": False,
                        "description": "Whether it is about single products: coupon, price, listing, stock.",
                        "type": "boolean",
                    },
                    "assignee": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": 'Who should do it: a name, a role such as PPC Specialist, or "me".',
                    },
                    "marketplace": {
                        "anyOf": [{"$ref": "#/$defs/Stated"}, {"type": "null"}],
                        "default": None,
                        "description": "The marketplace they named, by its code.",
                    },
                    "start": {
                        "anyOf": [{"$ref": "#/$defs/StatedDay"}, {"type": "null"}],
                        "default": None,
                        "description": "When the task itself starts.",
                    },
                    "due": {
                        "anyOf": [{"$ref": "#/$defs/StatedDay"}, {"type": "null"}],
                        "default": None,
                        "description": "When the task is due.",
                    },
                    "product_identifiers": {
                        "anyOf": [
                            {
                                "items": {"maxLength": 200, "type": "string"},
                                "maxItems": 50,
                                "type": "array",
                            },
                            {"type": "null"},
                        ],
                        "default": None,
                        "description": "ASINs or SKUs they gave, or what they called the product.",
                    },
                    "identifiers_pending": {
                        "default": False,
                        "description": "They want it created before ASINs or SKUs are known.",
                        "type": "boolean",
                    },
                    "create_anyway": {
                        "default": False,
                        "description": "They were told what is missing, or of a duplicate, and insist.",
                        "type": "boolean",
                    },
                    "replaces": {
                        "anyOf": [{"maxLength": 200, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Title of the waiting proposal this one takes the place of.",
                    },
                },
                "required": ["client", "title", "objective"],
                "type": "object",
            },
        }
    )


def test_assign_person() -> None:
    assert definitions()["assign_person"] == snapshot(
        {
            "description": "Prepare giving a person a role of a client or brand (team); who holds it now is replaced.",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "person": {
                        "description": 'Who, by name or e-mail; "me" for the person asking.',
                        "maxLength": 120,
                        "type": "string",
                    },
                    "role": {
                        "description": "The role, such as PPC Strategist or CSL.",
                        "maxLength": 120,
                        "type": "string",
                    },
                    "client": {
                        "description": "What the person called the client.",
                        "maxLength": 120,
                        "type": "string",
                    },
                    "brand": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Only if the role is for one brand and not for the whole client.",
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
            "description": "Prepare taking a person off a role of a client or brand; the role is open afterwards.",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "person": {
                        "description": 'Who, by name or e-mail; "me" for the person asking.',
                        "maxLength": 120,
                        "type": "string",
                    },
                    "role": {
                        "description": "The role they hold.",
                        "maxLength": 120,
                        "type": "string",
                    },
                    "client": {
                        "description": "What the person called the client.",
                        "maxLength": 120,
                        "type": "string",
                    },
                    "brand": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Only if they hold the role for one brand.",
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
            "description": "Prepare a new brand of a client.",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "client": {
                        "description": "What the person called the client.",
                        "maxLength": 120,
                        "type": "string",
                    },
                    "name": {
                        "description": "The brand's name.",
                        "maxLength": 120,
                        "type": "string",
                    },
                    "marketplaces": {
                        "anyOf": [
                            {
                                "items": {"maxLength": 16, "type": "string"},
                                "maxItems": 20,
                                "type": "array",
                            },
                            {"type": "null"},
                        ],
                        "default": None,
                        "description": "Amazon marketplaces, such as US or CA.",
                    },
                    "keywords": {
                        "anyOf": [
                            {
                                "items": {"maxLength": 80, "type": "string"},
                                "maxItems": 40,
                                "type": "array",
                            },
                            {"type": "null"},
                        ],
                        "default": None,
                        "description": "Product words of the brand.",
                    },
                    "home": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Name of the ClickUp space its work lives in.",
                    },
                    "list_name": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Name of the ClickUp list its tasks go to.",
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
            "description": """\
Prepare a change of a brand: rename, marketplaces, keywords, its ClickUp link (mapping).

Pass only what changes.\
""",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "client": {
                        "description": "What the person called the client.",
                        "maxLength": 120,
                        "type": "string",
                    },
                    "brand": {
                        "description": "The brand as it is called now.",
                        "maxLength": 120,
                        "type": "string",
                    },
                    "new_name": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Its new name.",
                    },
                    "marketplaces": {
                        "anyOf": [
                            {
                                "items": {"maxLength": 16, "type": "string"},
                                "maxItems": 20,
                                "type": "array",
                            },
                            {"type": "null"},
                        ],
                        "default": None,
                        "description": "All Amazon marketplaces it has afterwards, such as US or CA.",
                    },
                    "keywords": {
                        "anyOf": [
                            {
                                "items": {"maxLength": 80, "type": "string"},
                                "maxItems": 40,
                                "type": "array",
                            },
                            {"type": "null"},
                        ],
                        "default": None,
                        "description": "All product words it has afterwards.",
                    },
                    "home": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Name of the ClickUp space its work lives in from now on.",
                    },
                    "list_name": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Name of the ClickUp list its tasks go to from now on.",
                    },
                    "unlink": {
                        "default": False,
                        "description": "Take its ClickUp space and list away.",
                        "type": "boolean",
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
            "description": "Look up KPI targets (ACOS, TACOS, sales) of a brand in a marketplace on a day.",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "client": {
                        "description": "What the person called the client.",
                        "maxLength": 120,
                        "type": "string",
                    },
                    "brand": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "What they called the brand.",
                    },
                    "marketplace": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Marketplace code they named, such as US; leave out if they named none.",
                    },
                    "day": {
                        "anyOf": [{"format": "date", "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "The day; today by default.",
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
                "additionalProperties": False,
                "properties": {
                    "client": {
                        "description": "What the person called the client.",
                        "maxLength": 120,
                        "type": "string",
                    },
                    "brand": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "What they called the brand.",
                    },
                    "marketplace": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Marketplace code they named, such as US.",
                    },
                    "period": {
                        "anyOf": [
                            {"enum": ["monthly", "annual"], "type": "string"},
                            {"type": "null"},
                        ],
                        "default": None,
                        "description": "For a month or for a year, if they said so.",
                    },
                    "day": {
                        "anyOf": [{"format": "date", "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Any day of that month or year, if they named one; else the present one.",
                    },
                    "acos": {
                        "anyOf": [
                            {"maximum": 100, "minimum": 0, "type": "number"},
                            {"type": "null"},
                        ],
                        "default": None,
                        "description": "ACOS in percent.",
                    },
                    "tacos": {
                        "anyOf": [
                            {"maximum": 100, "minimum": 0, "type": "number"},
                            {"type": "null"},
                        ],
                        "default": None,
                        "description": "TACOS in percent.",
                    },
                    "sales": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Sales as they said it, such as 200k.",
                    },
                    "currency": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Currency code they named, such as USD.",
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
                "additionalProperties": False,
                "properties": {
                    "client": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Only this client's brands; leave out for all.",
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
                "additionalProperties": False,
                "properties": {
                    "client": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Only this client's brands; leave out for all.",
                    }
                },
                "type": "object",
            },
        }
    )


def test_apply_remediation() -> None:
    assert definitions()["apply_remediation"] == snapshot(
        {
            "description": "Prepare the safe repairs of missing ClickUp links (mappings); the card lists each.",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "client": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Only this client's brands; leave out for all.",
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
                "additionalProperties": False,
                "properties": {
                    "fact": {
                        "description": "Their own words, copied; for default_client the client's name.",
                        "maxLength": 300,
                        "type": "string",
                    },
                    "client": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "What it is about; leave out for the person's own preference.",
                    },
                    "preference": {
                        "anyOf": [
                            {
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
                            {"type": "null"},
                        ],
                        "default": None,
                        "description": "Which kind of own preference.",
                    },
                    "certainty": {
                        "default": 0.9,
                        "description": "0.9 for what somebody stated, below 0.7 for what may be so.",
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
            "description": "Bring up what is remembered about clients, and what the person asked to be remembered.",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "client": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Only about this client.",
                    }
                },
                "type": "object",
            },
        }
    )


def test_forget() -> None:
    assert definitions()["forget"] == snapshot(
        {
            "description": "Prepare forgetting a remembered note or one of the person's own preferences.",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "fact": {
                        "description": "What it says, about.",
                        "maxLength": 300,
                        "type": "string",
                    },
                    "client": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "The client it is about, if it is about one.",
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
Prepare a change (update) of an existing ClickUp task: status, due date, assignee, title.

Pass only what changes.\
""",
            "parameters": {
                "$defs": {
                    "EndOf": {
                        "additionalProperties": False,
                        "description": "The last day of a week (its Sunday), month, quarter or year.",
                        "properties": {
                            "kind": {"const": "end_of", "type": "string"},
                            "period": {
                                "enum": ["week", "month", "quarter", "year"],
                                "type": "string",
                            },
                            "which": {
                                "default": "this",
                                "enum": ["this", "next", "after"],
                                "type": "string",
                            },
                        },
                        "required": ["kind", "period"],
                        "title": "EndOf",
                        "type": "object",
                    },
                    "InTime": {
                        "additionalProperties": False,
                        "description": "So many days, weeks or months from today: 0 days is today, 1 day tomorrow.",
                        "properties": {
                            "kind": {"const": "in", "type": "string"},
                            "count": {"maximum": 366, "minimum": 0, "type": "integer"},
                            "unit": {
                                "default": "days",
                                "enum": ["days", "weeks", "months"],
                                "type": "string",
                            },
                        },
                        "required": ["kind", "count"],
                        "title": "InTime",
                        "type": "object",
                    },
                    "Lasting": {
                        "additionalProperties": False,
                        "description": "So long from the start that was given, its first day included.",
                        "properties": {
                            "kind": {"const": "lasting", "type": "string"},
                            "count": {"maximum": 366, "minimum": 1, "type": "integer"},
                            "unit": {
                                "default": "days",
                                "enum": ["days", "weeks", "months"],
                                "type": "string",
                            },
                        },
                        "required": ["kind", "count"],
                        "title": "Lasting",
                        "type": "object",
                    },
                    "OnDate": {
                        "additionalProperties": False,
                        "description": "A day that was given in full.",
                        "properties": {
                            "kind": {"const": "date", "type": "string"},
                            "date": {"format": "date", "type": "string"},
                        },
                        "required": ["kind", "date"],
                        "title": "OnDate",
                        "type": "object",
                    },
                    "OnMonthDay": {
                        "additionalProperties": False,
                        "description": "A day of a month without a year; without a day it is the month's last.",
                        "properties": {
                            "kind": {"const": "month_day", "type": "string"},
                            "month": {"maximum": 12, "minimum": 1, "type": "integer"},
                            "day": {
                                "anyOf": [
                                    {"maximum": 31, "minimum": 1, "type": "integer"},
                                    {"type": "null"},
                                ],
                                "default": None,
                            },
                        },
                        "required": ["kind", "month"],
                        "title": "OnMonthDay",
                        "type": "object",
                    },
                    "OnWeekday": {
                        "additionalProperties": False,
                        "description": "A weekday: this coming one (today included), next week's, or the one after that.",
                        "properties": {
                            "kind": {"const": "weekday", "type": "string"},
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
                        },
                        "required": ["kind", "weekday"],
                        "title": "OnWeekday",
                        "type": "object",
                    },
                    "StatedDay": {
                        "additionalProperties": False,
                        "description": 'A day; without one the quote says when, as "until stock runs out" does.',
                        "properties": {
                            "quote": {"maxLength": 200, "minLength": 1, "type": "string"},
                            "source": {
                                "default": "message",
                                "enum": ["message", "earlier", "pasted", "tool", "procedure"],
                                "type": "string",
                            },
                            "day": {
                                "anyOf": [
                                    {
                                        "discriminator": {
                                            "mapping": {
                                                "date": "#/$defs/OnDate",
                                                "end_of": "#/$defs/EndOf",
                                                "in": "#/$defs/InTime",
                                                "lasting": "#/$defs/Lasting",
                                                "month_day": "#/$defs/OnMonthDay",
                                                "weekday": "#/$defs/OnWeekday",
                                            },
                                            "propertyName": "kind",
                                        },
                                        "oneOf": [
                                            {"$ref": "#/$defs/OnDate"},
                                            {"$ref": "#/$defs/OnWeekday"},
                                            {"$ref": "#/$defs/InTime"},
                                            {"$ref": "#/$defs/OnMonthDay"},
                                            {"$ref": "#/$defs/EndOf"},
                                            {"$ref": "#/$defs/Lasting"},
                                        ],
                                    },
                                    {"type": "null"},
                                ],
                                "default": None,
                            },
                        },
                        "required": ["quote"],
                        "title": "StatedDay",
                        "type": "object",
                    },
                },
                "additionalProperties": False,
                "properties": {
                    "task": {
                        "description": "Its title, or its link.",
                        "maxLength": 1000,
                        "type": "string",
                    },
                    "client": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "What the person called the client; not needed with a link.",
                    },
                    "new_title": {
                        "anyOf": [{"maxLength": 200, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Its new title.",
                    },
                    "status": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Its new status, as the list calls it.",
                    },
                    "start": {
                        "anyOf": [{"$ref": "#/$defs/StatedDay"}, {"type": "null"}],
                        "default": None,
                        "description": "New day it starts.",
                    },
                    "due": {
                        "anyOf": [{"$ref": "#/$defs/StatedDay"}, {"type": "null"}],
                        "default": None,
                        "description": "New day it is due.",
                    },
                    "assignee": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": 'Who has it from now on, instead of who has it; "me" for the person asking.',
                    },
                    "clear_assignees": {
                        "default": False,
                        "description": "They want nobody to have it.",
                        "type": "boolean",
                    },
                    "clear_dates": {
                        "default": False,
                        "description": "They want start and due date taken away.",
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
                "additionalProperties": False,
                "properties": {
                    "client": {
                        "description": "What the person called the client.",
                        "maxLength": 120,
                        "type": "string",
                    },
                    "brand": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Only for this brand; who is set for the whole client is shown as inherited.",
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
            "description": "Find a client's products by ASIN, SKU, a beginning of one, or words of the title.",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "client": {
                        "description": "What the person called the client or brand.",
                        "maxLength": 120,
                        "type": "string",
                    },
                    "query": {
                        "description": "What they called the product.",
                        "maxLength": 400,
                        "type": "string",
                    },
                    "brand": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Only this brand's products.",
                    },
                    "limit": {
                        "default": 10,
                        "description": "At most so many.",
                        "maximum": 25,
                        "minimum": 1,
                        "type": "integer",
                    },
                },
                "required": ["client", "query"],
                "type": "object",
            },
        }
    )


def test_clickup_task_quality_gate() -> None:
    assert definitions()["clickup_task_quality_gate"] == snapshot(
        {
            "description": "Judge a task draft before it is prepared: ready, thin or blocked, and what to ask.",
            "parameters": {
                "$defs": {
                    "ChosenProcedure": {
                        "additionalProperties": False,
                        "description": "The procedure that was chosen by reading, or why there is none.",
                        "properties": {
                            "title": {
                                "anyOf": [{"maxLength": 200, "type": "string"}, {"type": "null"}],
                                "default": None,
                            },
                            "none_because": {
                                "anyOf": [{"maxLength": 200, "type": "string"}, {"type": "null"}],
                                "default": None,
                            },
                        },
                        "title": "ChosenProcedure",
                        "type": "object",
                    },
                    "EndOf": {
                        "additionalProperties": False,
                        "description": "The last day of a week (its Sunday), month, quarter or year.",
                        "properties": {
                            "kind": {"const": "end_of", "type": "string"},
                            "period": {
                                "enum": ["week", "month", "quarter", "year"],
                                "type": "string",
                            },
                            "which": {
                                "default": "this",
                                "enum": ["this", "next", "after"],
                                "type": "string",
                            },
                        },
                        "required": ["kind", "period"],
                        "title": "EndOf",
                        "type": "object",
                    },
                    "InTime": {
                        "additionalProperties": False,
                        "description": "So many days, weeks or months from today: 0 days is today, 1 day tomorrow.",
                        "properties": {
                            "kind": {"const": "in", "type": "string"},
                            "count": {"maximum": 366, "minimum": 0, "type": "integer"},
                            "unit": {
                                "default": "days",
                                "enum": ["days", "weeks", "months"],
                                "type": "string",
                            },
                        },
                        "required": ["kind", "count"],
                        "title": "InTime",
                        "type": "object",
                    },
                    "Lasting": {
                        "additionalProperties": False,
                        "description": "So long from the start that was given, its first day included.",
                        "properties": {
                            "kind": {"const": "lasting", "type": "string"},
                            "count": {"maximum": 366, "minimum": 1, "type": "integer"},
                            "unit": {
                                "default": "days",
                                "enum": ["days", "weeks", "months"],
                                "type": "string",
                            },
                        },
                        "required": ["kind", "count"],
                        "title": "Lasting",
                        "type": "object",
                    },
                    "OnDate": {
                        "additionalProperties": False,
                        "description": "A day that was given in full.",
                        "properties": {
                            "kind": {"const": "date", "type": "string"},
                            "date": {"format": "date", "type": "string"},
                        },
                        "required": ["kind", "date"],
                        "title": "OnDate",
                        "type": "object",
                    },
                    "OnMonthDay": {
                        "additionalProperties": False,
                        "description": "A day of a month without a year; without a day it is the month's last.",
                        "properties": {
                            "kind": {"const": "month_day", "type": "string"},
                            "month": {"maximum": 12, "minimum": 1, "type": "integer"},
                            "day": {
                                "anyOf": [
                                    {"maximum": 31, "minimum": 1, "type": "integer"},
                                    {"type": "null"},
                                ],
                                "default": None,
                            },
                        },
                        "required": ["kind", "month"],
                        "title": "OnMonthDay",
                        "type": "object",
                    },
                    "OnWeekday": {
                        "additionalProperties": False,
                        "description": "A weekday: this coming one (today included), next week's, or the one after that.",
                        "properties": {
                            "kind": {"const": "weekday", "type": "string"},
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
                        },
                        "required": ["kind", "weekday"],
                        "title": "OnWeekday",
                        "type": "object",
                    },
                    "Stated": {
                        "additionalProperties": False,
                        "description": "A fact as a short value.",
                        "properties": {
                            "quote": {"maxLength": 200, "minLength": 1, "type": "string"},
                            "source": {
                                "default": "message",
                                "enum": ["message", "earlier", "pasted", "tool", "procedure"],
                                "type": "string",
                            },
                            "value": {"maxLength": 120, "minLength": 1, "type": "string"},
                        },
                        "required": ["quote", "value"],
                        "title": "Stated",
                        "type": "object",
                    },
                    "StatedDay": {
                        "additionalProperties": False,
                        "description": 'A day; without one the quote says when, as "until stock runs out" does.',
                        "properties": {
                            "quote": {"maxLength": 200, "minLength": 1, "type": "string"},
                            "source": {
                                "default": "message",
                                "enum": ["message", "earlier", "pasted", "tool", "procedure"],
                                "type": "string",
                            },
                            "day": {
                                "anyOf": [
                                    {
                                        "discriminator": {
                                            "mapping": {
                                                "date": "#/$defs/OnDate",
                                                "end_of": "#/$defs/EndOf",
                                                "in": "#/$defs/InTime",
                                                "lasting": "#/$defs/Lasting",
                                                "month_day": "#/$defs/OnMonthDay",
                                                "weekday": "#/$defs/OnWeekday",
                                            },
                                            "propertyName": "kind",
                                        },
                                        "oneOf": [
                                            {"$ref": "#/$defs/OnDate"},
                                            {"$ref": "#/$defs/OnWeekday"},
                                            {"$ref": "#/$defs/InTime"},
                                            {"$ref": "#/$defs/OnMonthDay"},
                                            {"$ref": "#/$defs/EndOf"},
                                            {"$ref": "#/$defs/Lasting"},
                                        ],
                                    },
                                    {"type": "null"},
                                ],
                                "default": None,
                            },
                        },
                        "required": ["quote"],
                        "title": "StatedDay",
                        "type": "object",
                    },
                    "StatedPromotion": {
                        "additionalProperties": False,
                        "description": "A promotion that is wanted, as far as its terms were given.",
                        "properties": {
                            "type": {
                                "enum": ["coupon", "price_discount", "deal", "other"],
                                "type": "string",
                            },
                            "discount": {
                                "anyOf": [{"$ref": "#/$defs/Stated"}, {"type": "null"}],
                                "default": None,
                            },
                            "starts": {
                                "anyOf": [{"$ref": "#/$defs/StatedDay"}, {"type": "null"}],
                                "default": None,
                            },
                            "ends": {
                                "anyOf": [{"$ref": "#/$defs/StatedDay"}, {"type": "null"}],
                                "default": None,
                            },
                            "budget": {
                                "anyOf": [{"$ref": "#/$defs/Stated"}, {"type": "null"}],
                                "default": None,
                            },
                        },
                        "required": ["type"],
                        "title": "StatedPromotion",
                        "type": "object",
                    },
                },
                "additionalProperties": False,
                "properties": {
                    "title": {"description": "The title.", "maxLength": 200, "type": "string"},
                    "objective": {
                        "description": 'What is to be achieved, in one sentence; "" if nobody said.',
                        "maxLength": 300,
                        "type": "string",
                    },
                    "procedure": {
                        "anyOf": [{"$ref": "#/$defs/ChosenProcedure"}, {"type": "null"}],
                        "default": None,
                        "description": "The procedure you chose by reading, or why none fits.",
                    },
                    "promotion": {
                        "anyOf": [{"$ref": "#/$defs/StatedPromotion"}, {"type": "null"}],
                        "default": None,
                        "description": "The promotion that is wanted.",
                    },
                    "details": {
                        "anyOf": [{"maxLength": 3000, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Scope, success criteria and whatever else was given.",
                    },
                    "owner": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "Who should do it.",
                    },
                    "due": {
                        "anyOf": [{"$ref": "#/$defs/StatedDay"}, {"type": "null"}],
                        "default": None,
                        "description": "When it is due.",
                    },
                    "about_products": {
                        "default": False,
                        "description": "Whether it is about single products.",
                        "type": "boolean",
                    },
                    "product_identifiers": {
                        "anyOf": [
                            {
                                "items": {"maxLength": 200, "type": "string"},
                                "maxItems": 50,
                                "type": "array",
                            },
                            {"type": "null"},
                        ],
                        "default": None,
                        "description": "ASINs or SKUs that were given.",
                    },
                    "identifiers_pending": {
                        "default": False,
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
            "description": "Find out whether a client has a task of this title: prepared here lately, or on the board.",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "client": {
                        "description": "What the person called the client or brand.",
                        "maxLength": 120,
                        "type": "string",
                    },
                    "title": {
                        "description": "The title to look for.",
                        "maxLength": 200,
                        "type": "string",
                    },
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
                "additionalProperties": False,
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
                "additionalProperties": False,
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
                "additionalProperties": False,
                "properties": {
                    "title": {
                        "description": "Its title, or another name of it.",
                        "maxLength": 120,
                        "type": "string",
                    },
                    "part": {
                        "default": 1,
                        "description": "Which part of a long one.",
                        "maximum": 99,
                        "minimum": 1,
                        "type": "integer",
                    },
                },
                "required": ["title"],
                "type": "object",
            },
        }
    )


def test_every_tool_has_its_snapshot() -> None:
    tested = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}

    assert set(definitions()) <= tested


def test_cc_policy_explain() -> None:
    assert definitions()["cc_policy_explain"] == snapshot(
        {
            "description": "Explain what this person is allowed to do here (permissions, rights), why not, who may.",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "about": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": 'Only what has this word in it, such as "task" or "brand"; leave out for all.',
                    },
                    "client": {
                        "anyOf": [{"maxLength": 120, "type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "For this client; leave out for the place as it is.",
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
            "parameters": {"additionalProperties": False, "properties": {}, "type": "object"},
        }
    )


def test_list_waiting_documents() -> None:
    assert definitions()["list_waiting_documents"] == snapshot(
        {
            "description": "List procedures and documents of the knowledge base that wait for an admin's approval.",
            "parameters": {"additionalProperties": False, "properties": {}, "type": "object"},
        }
    )


def test_list_unanswered_questions() -> None:
    assert definitions()["list_unanswered_questions"] == snapshot(
        {
            "description": "List questions that no procedure or document answered: gaps of the knowledge base.",
            "parameters": {"additionalProperties": False, "properties": {}, "type": "object"},
        }
    )


def test_decide_document() -> None:
    assert definitions()["decide_document"] == snapshot(
        {
            "description": "Prepare approving a waiting procedure or document for use, or taking one out of use.",
            "parameters": {
                "additionalProperties": False,
                "properties": {
                    "document": {
                        "description": "Its title or file name, as the person said it.",
                        "maxLength": 400,
                        "type": "string",
                    },
                    "decision": {
                        "description": "use to approve it, retire to take it out of use or turn it down.",
                        "enum": ["use", "retire"],
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
                "additionalProperties": False,
                "properties": {
                    "name": {"description": "As it is listed.", "maxLength": 120, "type": "string"}
                },
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
                "additionalProperties": False,
                "properties": {
                    "code": {"description": "The program.", "maxLength": 4000, "type": "string"},
                    "earlier": {
                        "anyOf": [
                            {
                                "items": {"maxLength": 140, "type": "string"},
                                "maxItems": 3,
                                "type": "array",
                            },
                            {"type": "null"},
                        ],
                        "default": None,
                        "description": 'Keys of earlier results, such as "ev:...".',
                    },
                },
                "required": ["code"],
                "type": "object",
            },
        }
    )
