"""Builds answers and notices: their text, and below it links, choices and sources."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.choices import Choice
from agencyclaw.domain.messages import message
from agencyclaw.domain.receipts import Link, Note, ShownTask, rests_on
from agencyclaw.domain.text import cut
from agencyclaw.slack import action_ids
from agencyclaw.slack.blocks import (
    TEXT_LIMIT,
    Block,
    Message,
    actions,
    button,
    context,
    paragraphs,
)
from agencyclaw.slack.escaping import (
    LIVE_HOSTS,
    RECEIPT,
    escape,
    escaped,
    is_live,
    link,
    markdown,
    one_line,
)
from agencyclaw.slack.memory_lines import schedule_buttons

# Together with links, footer and choices this stays below what Slack takes in one message.
ANSWER_LIMIT = 8_800
_LINKS_LIMIT = 2_000
_FOOTER_LIMIT = 1_000
_EMPTY = message("answers.empty")


def build_answer(note: Note, live_hosts: frozenset[str] = LIVE_HOSTS) -> Message:
    """Return a note as a message: text, links, choices, footer."""
    text = _shortened(markdown(note.text, live_hosts).strip() or _EMPTY)
    footer = " ".join(filter(None, (_sources(note, live_hosts), _footer(note.footer))))
    blocks: list[Block] = [{"type": "markdown", "text": text}]
    if note.task:
        blocks = [_task(note.task), context(escaped(one_line(note.task.details)))]
    blocks += _links(note)
    if note.choices and note.answered is None:
        blocks.append(actions([_choice(at, choice) for at, choice in enumerate(note.choices)]))
    if note.answered:
        blocks.append(context(f"✓ {escaped(one_line(note.answered))}"))
    closing = [line for line in (footer, RECEIPT if note.about else "") if line]
    blocks += [context(line) for line in closing]
    plain = "\n\n".join(part for part in (escape(text), *_link_lines(note), *closing) if part)
    if note.task and note.task.is_under_way:
        stop = message("background.stop")
        blocks.append(actions([_background("stop", stop, note.task.run)]))
    if note.goes_on and note.answered is None:
        blocks.append(actions([_background("go_on", message("background.go_on"), note.goes_on)]))
    if note.schedule:
        blocks.append(schedule_buttons(note.schedule))
    return Message(text=cut(plain, TEXT_LIMIT), blocks=blocks, plain=plain)


def _task(task: ShownTask) -> Block:
    title = one_line(task.title)
    return {"type": "task_card", "task_id": str(task.run), "title": title, "status": task.status}


def _background(act: str, label: str, run_id: UUID) -> Block:
    return button(f"{action_ids.BACKGROUND}_{act}", label, f"{act}:{run_id}")


def _shortened(text: str) -> str:
    """Cut a text that Slack would refuse, and say so."""
    if len(text) <= ANSWER_LIMIT:
        return text
    notice = message("answers.cut", text=len(text))
    return cut(text, ANSWER_LIMIT - len(notice)) + notice


def _footer(text: str) -> str:
    """Return the footer, as much of it as fits after escaping."""
    left = _FOOTER_LIMIT
    while len(shown := escaped(cut(text, left))) > _FOOTER_LIMIT:
        left -= 1 + (len(shown) - _FOOTER_LIMIT) // 8
    return shown


def _sources(note: Note, live_hosts: frozenset[str]) -> str:
    """Return the sources of an answer, each with a link if its address may be live."""

    def shown(title: str, source: Link) -> str:
        return link(title, source.url) if is_live(source.url, live_hosts) else escaped(title)

    return rests_on(note.sources, shown)


def _choice(at: int, choice: Choice) -> Block:
    """Return a button with a choice's number; the choice itself is stored in our rows."""
    return button(f"{action_ids.CHOICE}_{at}", choice.label, str(at))


def _links(note: Note) -> list[Block]:
    return paragraphs("\n".join(_link_lines(note)))


def _link_lines(note: Note) -> list[str]:
    """Return one line per link, as many as fit, and the number of the others."""
    lines: list[str] = []
    left = _LINKS_LIMIT
    bullet = "• " if len(note.links) > 1 else ""
    for at, target in enumerate(note.links):
        line = f"{bullet}{link(target.text, target.url)}"
        left -= len(line) + 1
        if left < 0:
            return [*lines, message("built.more_links", count=len(note.links) - at)]
        lines.append(line)
    return lines
