"""What is said of watches: what they look for, and what they found."""

from __future__ import annotations

WATCHES = {
    "watches.due_in_a_week": "open tasks of {client} that are due within a week",
    "watches.due_in_days": "open tasks of {client} that are due within {days} days",
    "watches.end": "Stop watching for {words}",
    "watches.ended": "I no longer watch for {label}.",
    "watches.found": "Watching for {words}: {count} new.",
    "watches.ill_tell": (
        "I'll tell you of {label}. I look every 15 minutes. It is on my Home tab, where you can "
        "end it."
    ),
    "watches.kept": "Watch, {timing}",
    "watches.kept_paused": "Watch, paused ({timing})",
    "watches.late": "open tasks of {client} that are late",
    "watches.lost_client": "its owner may not see {client} any more",
    "watches.missing_target": "brands of {client} without a target for this month",
    "watches.more": "and {count} more",
    "watches.no_date": "no due date",
    "watches.nobody": "nobody",
    "watches.owner_left": "its owner has left",
    "watches.set_already": "I watch for that already",
    "watches.task": "{title} (due {due}, assigned to {assignees})",
    "watches.tell_you": "Tell you of {wanted}",
    "watches.unassigned": "open tasks of {client} that nobody is assigned to",
    "watches.unmapped": "brands of {client} that are not linked to ClickUp",
    "watches.whenever": "whenever there is something new",
}
