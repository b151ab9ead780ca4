"""Records that are declared in full: they say themselves which table they write and who may."""

from __future__ import annotations

from agencyclaw.domain.record_kinds import RECORD_KINDS

RECORDS = {one.model_fields["kind"].default: one for one in RECORD_KINDS}
