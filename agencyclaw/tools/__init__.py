"""What the model may call: one file per subject, one function per tool."""

from agencyclaw.tools import (
    assignments,
    brand_records,
    brands,
    clients,
    context,
    guides,
    kpi,
    library,
    mappings,
    memory,
    org_chart,
    permissions,
    products,
    readiness,
    runs,
    sops,
    task_changes,
    tasks,
)
from agencyclaw.tools.catalogue import TOOLS, ToolSpec
from agencyclaw.tools.gate import Gate, build_toolset
from agencyclaw.tools.results import Ask, Proposed, Refusal, Result

__all__ = [
    "TOOLS",
    "Ask",
    "Gate",
    "Proposed",
    "Refusal",
    "Result",
    "ToolSpec",
    "assignments",
    "brand_records",
    "brands",
    "build_toolset",
    "clients",
    "context",
    "guides",
    "kpi",
    "library",
    "mappings",
    "memory",
    "org_chart",
    "permissions",
    "products",
    "readiness",
    "runs",
    "sops",
    "task_changes",
    "tasks",
]
