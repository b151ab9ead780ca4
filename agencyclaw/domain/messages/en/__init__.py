"""What code says to people, in English: sentences, labels, and the parts they are made of.

A translation is a folder like this one, with the same keys and placeholders.
"""

from __future__ import annotations

from agencyclaw.domain.messages.en.alerts import ALERTS
from agencyclaw.domain.messages.en.background import BACKGROUND
from agencyclaw.domain.messages.en.built import BUILT
from agencyclaw.domain.messages.en.channels import CHANNELS
from agencyclaw.domain.messages.en.conversation import CONVERSATION
from agencyclaw.domain.messages.en.costs import COSTS
from agencyclaw.domain.messages.en.effects import EFFECTS
from agencyclaw.domain.messages.en.labels import LABELS
from agencyclaw.domain.messages.en.proposals import PROPOSALS
from agencyclaw.domain.messages.en.refusals import REFUSALS
from agencyclaw.domain.messages.en.remarks import REMARKS
from agencyclaw.domain.messages.en.schedules import SCHEDULES
from agencyclaw.domain.messages.en.slack import SLACK
from agencyclaw.domain.messages.en.steps import STEPS
from agencyclaw.domain.messages.en.welcome import WELCOME

SENTENCES = (
    ALERTS
    | BACKGROUND
    | BUILT
    | CHANNELS
    | CONVERSATION
    | COSTS
    | EFFECTS
    | LABELS
    | PROPOSALS
    | REFUSALS
    | REMARKS
    | SCHEDULES
    | SLACK
    | STEPS
    | WELCOME
)
