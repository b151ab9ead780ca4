"""The page of one ClickUp task, for people who follow its link."""

from html import escape

from workbench.clickup.board import Board
from workbench.clickup.dates import day_words, local_moment
from workbench.clickup.field_values import shown_value
from workbench.clickup.markdown import to_html
from workbench.clickup.records import Comment, Json, Task, TaskChecklist

_PRIORITIES = {1: "Urgent", 2: "High", 3: "Normal", 4: "Low"}
_STYLE = """
:root { color-scheme: light dark; --ink: #1d2129; --soft: #667085; --line: #e4e7ec;
  --paper: #fff; --ground: #f6f7f9; --link: #4f46e5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e9ee; --soft: #98a2b3; --line: #2c313b;
  --paper: #181b21; --ground: #101217; --link: #a5b4fc; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
article { background: var(--paper); border: 1px solid var(--line); border-radius: 14px;
  padding: 1.75rem 2rem; overflow-wrap: anywhere; }
.path, footer, nav, .when { color: var(--soft); font-size: .875rem; }
.path { margin: 0 0 .75rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1.25rem; letter-spacing: -.01em; }
.status { display: inline-block; padding: .15rem .6rem; border-radius: 6px; color: #fff;
  font-size: .75rem; font-weight: 650; letter-spacing: .04em; text-transform: uppercase; }
.tag { display: inline-block; padding: 0 .55rem; border: 1px solid var(--line);
  border-radius: 99px; font-size: .8125rem; margin-right: .25rem; }
dl { display: grid; grid-template-columns: 7.5rem 1fr; gap: .5rem 1rem; margin: 0 0 1.5rem;
  padding-bottom: 1.5rem; border-bottom: 1px solid var(--line); }
dt { color: var(--soft); } dd { margin: 0; }
.text h2 { font-size: 1.2rem; } .text h3 { font-size: 1.05rem; }
.text h4, .text h5, .text h6 { font-size: 1rem; }
.text ul, .text ol { padding-left: 1.6rem; } .text li { margin: .2rem 0; }
.text li:has(> input) { list-style: none; }
.text li > input { margin: 0 .3rem 0 -1.4rem; vertical-align: -.1em; width: 1rem; height: 1rem; }
.text code { background: var(--ground); border-radius: 4px; padding: .1em .3em; font-size: .9em; }
.text pre { background: var(--ground); border-radius: 8px; padding: .75rem 1rem;
  overflow-x: auto; }
.text pre code { padding: 0; }
.text blockquote { margin: 0; padding-left: 1rem; border-left: 3px solid var(--line); }
.plain { white-space: pre-wrap; }
.none { color: var(--soft); font-style: italic; }
a { color: var(--link); }
.comment { border-top: 1px solid var(--line); padding: .75rem 0 0; margin: .75rem 0 0; }
.comment p { margin: .25rem 0 0; white-space: pre-wrap; }
footer, nav { margin-top: 1rem; }
.talk { margin: 2rem 0 0; font-size: 1rem; }
.checks { list-style: none; padding-left: 0; margin: .5rem 0 0; }
@media (max-width: 34rem) { article { padding: 1.25rem; }
  dl { grid-template-columns: 1fr; gap: .1rem; }
  dd { margin-bottom: .5rem; } }
"""


def task_page(board: Board, task: Task) -> str:
    place = board.lists[task.list_id]
    space = board.spaces[place["space_id"]]
    comments = board.comments(task.id)
    article = "".join(
        (
            f'<p class="path">{escape(space["name"])} / {escape(place["name"])}</p>',
            _heading(task),
            f"<dl>{_facts(board, task)}</dl>",
            f'<div class="text">{_description(task)}</div>',
            "".join(map(_checklist, task.checklists)),
            _comments(board, comments) if comments else "",
        )
    )
    return _document(task.name, f"<article>{article}</article>{_footer(board, task)}")


def _heading(task: Task) -> str:
    if not task.archived:
        return f"<h1>{escape(task.name)}</h1>"
    return f'<h1><s>{escape(task.name)}</s> <span class="tag">Archived</span></h1>'


def missing_page() -> str:
    text = "<h1>This task does not exist</h1><p>It may have been deleted.</p>"
    return _document("Task not found", f"<article>{text}</article>")


def _document(title: str, content: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>"
        f'<body><main>{content}<nav><a href="/">Back to the workspace</a></nav></main>'
        "</body></html>\n"
    )


def _facts(board: Board, task: Task) -> str:
    also = ", ".join(board.lists[other]["name"] for other in task.also_in)
    tags = "".join(f'<span class="tag">{escape(tag)}</span>' for tag in task.tags)
    facts = (
        ("Status", _status(board, task)),
        ("List", escape(board.lists[task.list_id]["name"])),
        ("Also in", escape(also)),
        ("Assignees", _assignees(board, task)),
        ("Due", escape(_day(board, task.due, timed=task.due_timed) or "No due date")),
        ("Priority", _PRIORITIES.get(task.priority or 0, "")),
        ("Tags", tags),
        *_custom_fields(board, task),
    )
    return "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts if value)


def _custom_fields(board: Board, task: Task) -> list[tuple[str, str]]:
    """The list's fields with their values; one that nobody filled in says so."""
    return [
        (
            escape(field["name"]),
            escape(shown_value(board, field, task.custom_fields[field["id"]]))
            if field["id"] in task.custom_fields
            else '<span class="none">empty</span>',
        )
        for field in board.fields_of(task.list_id)
    ]


def _status(board: Board, task: Task) -> str:
    status = board.status_of(task.list_id, task.status) or {"color": "#667085"}
    color = escape(status["color"])
    return f'<span class="status" style="background:{color}">{escape(task.status)}</span>'


def _assignees(board: Board, task: Task) -> str:
    names = [_name(board.members[member_id]) for member_id in task.assignees]
    return escape(", ".join(names)) or "Nobody yet"


def _name(member: Json) -> str:
    return str(member["username"] or member["email"])


def _day(board: Board, moment: int | None, *, timed: bool) -> str:
    if moment is None:
        return ""
    local = local_moment(moment, board.zone)
    return f"{day_words(local)}, {local:%H:%M}" if timed else day_words(local)


def _description(task: Task) -> str:
    if not task.markdown:
        return '<p class="none">No description</p>'
    if task.literal:
        return f'<p class="plain">{escape(task.markdown)}</p>'
    return to_html(task.markdown)


def _checklist(checklist: TaskChecklist) -> str:
    items = "".join(
        f'<li><input type="checkbox" disabled{" checked" if item.resolved else ""}> '
        f"{escape(item.name)}</li>"
        for item in checklist.items
    )
    return f'<h2 class="talk">{escape(checklist.name)}</h2><ul class="checks">{items}</ul>'


def _comments(board: Board, comments: list[Comment]) -> str:
    return '<h2 class="talk">Comments</h2>' + "".join(
        _comment(board, comment) for comment in comments
    )


def _comment(board: Board, comment: Comment) -> str:
    author = escape(_name(board.members[comment.user]))
    when = _day(board, comment.date, timed=True)
    return (
        f'<div class="comment"><strong>{author}</strong> <span class="when">{escape(when)}</span>'
        f"<p>{escape(comment.text)}</p></div>"
    )


def _footer(board: Board, task: Task) -> str:
    creator = escape(_name(board.members[task.creator]))
    when = escape(_day(board, task.created, timed=True))
    return f"<footer>Created by {creator} on {when} &middot; {escape(task.id)}</footer>"
