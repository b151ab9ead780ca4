"""English sentences about alerts to admins; in a channel they name no client, task or person."""

from __future__ import annotations

ALERTS = {
    "alerts.changed_since": "An admin has meanwhile decided otherwise where alerts go.",
    "alerts.costs": (
        "The answers of this month are near or at the most that they may cost. Ask me in a direct"
        " message what they cost."
    ),
    "alerts.doubled": (
        "Two people in my records have the same Slack account, so I answer neither of them."
        " Ask me in a direct message to list the team, and correct the one that is wrong."
    ),
    "alerts.failing": (
        "A message could not be answered in several attempts, and I gave it up."
        " Ask me in a direct message what failed today."
    ),
    "alerts.gone": (
        "I can't post to the channel that was chosen for alerts any more. Until an admin chooses"
        " one again, I tell each admin directly."
    ),
    "alerts.home_channel": "Admins' alerts go to <#{channel}>.",
    "alerts.home_each": "Admins' alerts go to each admin directly.",
    "alerts.label": "where admins' alerts go",
    "alerts.model": (
        "The language model refuses to answer: its key, its name or its credit is no longer good."
        " `agencyclaw doctor` says which."
    ),
    "alerts.not_here": (
        "Alerts go to a channel only: ask me in the channel that they are to go to. I changed"
        " nothing."
    ),
    "alerts.orphan": (
        "A ClickUp task was created without my hearing of it. I found it by its mark and recorded"
        " it; nothing is there twice."
    ),
    "alerts.orphan_named": (
        "ClickUp created “{title}” without my hearing of it. I found it by its mark and recorded"
        " it; nothing is there twice."
    ),
    "alerts.readers": "everybody in it; alerts name no client, task or person there",
    "alerts.read_by": "Read by",
    "alerts.schedule": (
        "A schedule can't go on and is paused. Ask me in a direct message which schedules are"
        " paused."
    ),
    "alerts.send_each": "Send admins' alerts to each admin directly",
    "alerts.send_here": "Send admins' alerts to this channel",
    "alerts.to_channel": "Admins' alerts go to this channel",
    "alerts.to_each": "Admins' alerts go to each admin directly",
    "alerts.token": (
        "ClickUp refuses my token, so I can't read or change tasks. `agencyclaw doctor` says what"
        " is wrong."
    ),
}
