"""Records that are declared in full: they say themselves which table they write and who may.

Their tools' arguments say with which values one leads to a card.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from agencyclaw.domain.record_kinds import RECORD_KINDS
from agencyclaw.tools import TOOLS
from agencyclaw.tools.schemas import schema_of

RECORDS = {one.model_fields["kind"].default: one for one in RECORD_KINDS}
# What people say as well, so that no text and figure of a made-up call is anybody else's.
MADE_UP = "the words below, 7, on 2026-12-24"
_NAMED = {"client": "Glintly Inc", "brand": "Glintly", "marketplace": "US", "person": "Yuki"}


def made_up_bids(*, apart_from: Container[str]) -> dict[str, dict[str, Any]]:
    """Return a call for each tool of a declared record, which leads to a card."""
    skills = {one.skill for one in RECORD_KINDS}
    return {tool: _call(tool) for tool in sorted(skills) if tool not in apart_from}
