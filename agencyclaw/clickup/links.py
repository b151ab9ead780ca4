"""Where a person opens a task."""

from __future__ import annotations

from urllib.parse import quote

from agencyclaw.clickup.answers import TaskAnswer


def task_url(task: TaskAnswer) -> str:
    """Return the task's address: ClickUp's own where it is a web address, else the usual form."""
    url = task.url or ""
    if url.startswith(("https://", "http://")) and not any(c.isspace() for c in url):
        return url
    return f"https://app.clickup.com/t/{quote(task.id, safe='')}"
