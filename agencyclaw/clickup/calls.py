"""One request to ClickUp as a value, including whether it may be repeated."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote

from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.messages import message

Method = Literal["GET", "PUT", "POST", "DELETE"]
Version = Literal["v2", "v3"]
# A list is sent as the same parameter several times.
Query = Mapping[str, str | int | Sequence[str]]

_NUMBER = re.compile(r"[0-9]{1,20}")
_WORD = re.compile(r"[A-Za-z0-9_-]{1,64}")
_WORDS = frozenset({"task_id", "doc_id", "field_id", "checklist_id", "item_id"})
_NOUNS = {"team": "Workspace", "user": "account", "workspaces": "Doc"}


@dataclass(frozen=True)
class ApiCall:
    """A method, a path template with its ids, a query and a body."""

    method: Method
    template: str
    ids: Mapping[str, str] = field(default_factory=dict[str, str])
    query: Query = field(default_factory=dict[str, str | int | Sequence[str]])
    body: Mapping[str, Any] | None = None
    version: Version = "v2"

    @property
    def is_write(self) -> bool:
        """True if the request can change something."""
        return self.method != "GET"

    @property
    def may_repeat(self) -> bool:
        """True if sending it twice has the effect of once; ClickUp has no idempotency keys."""
        return self.method != "POST"

    @property
    def noun(self) -> str:
        """What the request is about, in a person's words."""
        first = self.template.split("/")[1]
        return _NOUNS.get(first, first)

    def path(self) -> str:
        """Return the path with its ids; raises NotFound for a malformed id."""
        for name, value in self.ids.items():
            if not (_WORD if name in _WORDS else _NUMBER).fullmatch(value):
                raise NotFound(
                    message("refused.clickup.bad_id", noun=self.noun),
                    reason="clickup_id_malformed",
                )
        return self.template.format(**{k: quote(v, safe="") for k, v in self.ids.items()})
