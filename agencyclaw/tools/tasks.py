"""Tasks: what is on the boards, and a new one prepared for a person to confirm."""

from __future__ import annotations

from datetime import UTC, date
from typing import Literal

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Brand
from agencyclaw.domain.effects import CreateTask
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.people import Tier
from agencyclaw.domain.tasks import SHOWN_AT_MOST, Basis, TaskRow, Window, WindowKind, build_window
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.arguments import Day, Days, Identifiers, Name, Query, Range, Text, Top
from agencyclaw.tools.boards import BoardRead, read_boards
from agencyclaw.tools.brands import not_mapped, settle_brand
from agencyclaw.tools.catalogue import proposes, reads
from agencyclaw.tools.clients import FoundClient, find_client
from agencyclaw.tools.drafting import draft_task
from agencyclaw.tools.gaps import Wish
from agencyclaw.tools.people import match_people
from agencyclaw.tools.results import Ask, Result, ask_which
