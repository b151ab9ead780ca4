"""What must have come of changes of tasks: each that is called done stands in ClickUp once."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from crowd import Ledger
from ground import Ground, Message

if TYPE_CHECKING:
    from reckoning import Verdict

_CHANGES = """
select state, confirmed_by is not null as is_confirmed, arguments::text as words
from proposals where team_id = $1 and undo_of is null
  and arguments ->> 'kind' in ('update_task', 'comment_on_task')
"""


async def judge_changes(verdict: Verdict, ledger: Ledger, ground: Ground) -> None:
    """Judge the words that were to be brought into tasks."""
    async with ground.database() as database:
        rows = await database.fetch(_CHANGES, ground.team_id)
    tasks = await ground.bench.clickup_tasks()
    talk = [
        str(one["text"])
        for task in tasks
        for one in ground.bench.storage.all(f"clickup_comment:{task['id']}")
    ]
    lists = [one for task in tasks for one in task["checklists"]]
    items = [item["name"] for one in lists for item in one["items"]]
    texts = [*talk, *(str(task.get("markdown_description")) for task in tasks), *items]
    names = Counter(one["name"] for one in lists if one["name"].startswith("Launch "))
    verdict.doubled += [
        f"{count} checklists “{name}”" for name, count in names.items() if count > 1
    ]
    judge_notes(verdict, ledger.notes, rows, texts)
    judge_values(verdict, ledger.values, rows, tasks)


def judge_notes(verdict: Verdict, notes: list[str], rows: list[Any], texts: list[str]) -> None:
    """What is called done stands there once, and what nobody confirmed does not."""
    for words in notes:
        states = _ends(rows, words)
        times = sum(text.count(words) for text in texts)
        if "done" in states and not times:
            verdict.lost.append(f"the note “{words}”")
        if times > 1:
            verdict.doubled.append(f"the note “{words}” stands {times} times")
        if times and not states:
            verdict.doubled.append(f"the note “{words}” stands there, and nobody confirmed it")


def judge_values(
    verdict: Verdict, values: list[str], rows: list[Any], tasks: list[Message]
) -> None:
    """A custom field holds one of the values that were confirmed, if any is called set."""
    held = {str(field.get("value")) for task in tasks for field in task["custom_fields"]}
    held &= set(values)
    verdict.doubled += [
        f"“{one}” is set, and nobody confirmed it" for one in held if not _ends(rows, one)
    ]
    if not held and any("done" in _ends(rows, one) for one in values):
        verdict.lost.append("the values of custom fields that are called set")


def _ends(rows: list[Any], words: str) -> set[str]:
    """How what was confirmed about these words ended."""
    return {row["state"] for row in rows if row["is_confirmed"] and words in row["words"]}
