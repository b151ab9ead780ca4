"""The web address of a task."""

from __future__ import annotations

from urllib.parse import quote

from agencyclaw.clickup.answers import TaskAnswer
from agencyclaw.domain.addresses import is_at


def task_url(task: TaskAnswer, hosts: frozenset[str]) -> str:
    """Return the address in the answer if it is ClickUp's, else one built from the id."""
    url = task.url or ""
    if is_at(url, hosts):
        return url
    return f"https://app.clickup.com/t/{quote(task.id, safe='')}"
