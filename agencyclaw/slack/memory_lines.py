"""Remembered items as lines with their buttons, and the buttons below a schedule's post."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import UUID

from agencyclaw.domain.memory import MemoryLine
from agencyclaw.domain.messages import localized, message
from agencyclaw.domain.schedules import Adjustment, StoredSchedule, Work
from agencyclaw.slack import action_ids
from agencyclaw.slack.blocks import Block, actions, button, context, paragraphs
from agencyclaw.slack.escaping import escaped, one_line

SHOWN_AT_MOST = 15


def memory_lines(lines: Sequence[MemoryLine], more: Callable[[int], str]) -> list[Block]:
    """Return the first items, with author and date; `more` returns the line about the others."""
    blocks = [block for line in lines[:SHOWN_AT_MOST] for block in _memory_line(line)]
    left = len(lines) - SHOWN_AT_MOST
    return [*blocks, context(more(left))] if left > 0 else blocks


def _memory_line(line: MemoryLine) -> list[Block]:
    by = escaped(one_line(line.by))
    when = f", {line.day}" if line.day else ""
    about, text = escaped(one_line(line.about)), escaped(one_line(line.text))
    blocks = paragraphs(f"*{about}*: {text}\n_{by}{when}_")
    if line.is_under_way:
        stop = message("background.stop")
        blocks[0]["accessory"] = button(f"{action_ids.BACKGROUND}_stop", stop, line.mark)
    elif line.mark:
        blocks[0]["accessory"] = button(action_ids.FORGET, localized("Forget"), line.mark)
    if line.schedule and line.schedule.work is not Work.REMIND:
        blocks.append(_adjustments(line.schedule, is_own=bool(line.mark)))
    return blocks


def schedule_buttons(schedule_id: UUID) -> Block:
    """Return the buttons below what a schedule posts: pause it, less often, end it."""
    return actions(
        [
            _adjustment(Adjustment.PAUSE, localized("Pause"), schedule_id),
            _adjustment(Adjustment.RARER, localized("Less often"), schedule_id),
            button(action_ids.FORGET, localized("End"), f"reminder:{schedule_id}"),
        ]
    )


def _adjustments(schedule: StoredSchedule, *, is_own: bool) -> Block:
    if schedule.is_paused:
        return actions([_adjustment(Adjustment.RESUME, localized("Resume"), schedule.id)])
    buttons = [_adjustment(Adjustment.PAUSE, localized("Pause"), schedule.id)]
    if schedule.timing.rarer:
        buttons.append(_adjustment(Adjustment.RARER, localized("Less often"), schedule.id))
    if schedule.work is Work.ASK and is_own:
        run = button(
            f"{action_ids.SCHEDULE}_run", message("schedules.run_now"), f"run:{schedule.id}"
        )
        buttons.append(run)
    return actions(buttons)


def _adjustment(adjustment: Adjustment, label: str, schedule_id: UUID) -> Block:
    return button(f"{action_ids.SCHEDULE}_{adjustment}", label, f"{adjustment}:{schedule_id}")
