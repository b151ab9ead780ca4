"""English sentences about what answers may cost."""

from __future__ import annotations

COSTS = {
    "costs.advice": (
        "Whoever runs me can raise that limit. Write “again” here then, or an admin asks me to try"
        " it again. Otherwise I answer from next month on."
    ),
    "costs.person": (
        "the answers for you have reached ${most:.2f} this month, the most they may cost"
    ),
    "costs.person_near": (
        "My answers for you have cost ${spent:.2f} this month, and at ${most:.2f} I stop until the"
        " next one. Whoever runs me can raise that limit."
    ),
    "costs.unanswered": "I left this unanswered: {why}.",
    "costs.workspace": (
        "all answers together have reached ${most:.2f} this month, the most they may cost"
    ),
    "costs.workspace_near": (
        "My answers in this workspace have cost ${spent:.2f} this month. At ${most:.2f} I stop"
        " answering until the next one, unless whoever runs me raises AGENCYCLAW_COST_A_MONTH."
    ),
    "costs.workspace_reached": (
        "My answers in this workspace have reached ${most:.2f} this month, the most they may cost."
        " I answer nobody until the next one, unless whoever runs me raises"
        " AGENCYCLAW_COST_A_MONTH."
    ),
}
