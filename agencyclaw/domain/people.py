"""Actors, tiers, surfaces, scopes and places: who speaks, and where."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Annotated, Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from agencyclaw.domain.clock import zone_named


def _not_a_bool(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("a number is needed, not true or false")
    return value


# Refuses true and false for a number, which pydantic takes for 1 and 0.
NOT_A_BOOL = BeforeValidator(_not_a_bool)
# How sure something is: a finite number from 0 to 1.
Certainty = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False), NOT_A_BOOL]


class Value(BaseModel):
    """A frozen value that refuses unknown fields."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_by_name=True, serialize_by_alias=True
    )


def stored_as(name: str) -> Any:
    """Return the declaration of a field that was renamed and keeps its name in stored rows."""
    return Field(validation_alias=name, serialization_alias=name)


def _known_zone(name: str) -> str:
    """Return the zone; an unknown one must not stop an answer."""
    return zone_named(name).key


class Tier(IntEnum):
    """The most a person may do; ordered."""

    VIEWER = 1
    MEMBER = 2
    ADMIN = 3
    SUPER_ADMIN = 4

    @property
    def label(self) -> str:
        """The name as tables have it."""
        return self.name.lower()

    @property
    def spoken(self) -> str:
        """The name as people write it."""
        return self.label.replace("_", " ")


class Actor(Value):
    """A resolved person."""

    profile_id: UUID
    name: str
    tier: Tier
    slack_user_id: str
    clickup_user_id: str | None = None
    timezone: Annotated[str, AfterValidator(_known_zone)] = "UTC"

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of this person's days and clocks."""
        return ZoneInfo(self.timezone)


class Membership(StrEnum):
    """How far somebody belongs to the Slack workspace."""

    MEMBER = "member"
    GUEST = "guest"
    OUTSIDER = "outsider"
    GONE = "gone"


class Freshness(StrEnum):
    """How old Slack's information about people and channels may be.

    RECENT, the last ten minutes, is enough for reading; carrying out a person's act needs NOW.
    """

    NOW = "now"
    RECENT = "recent"


class ChannelKind(StrEnum):
    """Slack's kinds of conversations; the values are Slack's own."""

    DIRECT = "im"
    GROUP = "mpim"
    PUBLIC = "channel"
    PRIVATE = "group"


class Access(StrEnum):
    """Who can see a conversation: this person and we, or only one of both."""

    SHARED = "shared"
    # We are not in it.
    OUTSIDE = "outside"
    # We are in it, and the person is not.
    HIDDEN = "hidden"


class SurfaceKind(StrEnum):
    """The kind of place a message came from."""

    DM = "dm"
    GROUP_DM = "group_dm"
    CHANNEL = "channel"
    THREAD = "thread"
    TERMINAL = "terminal"


class ScopeKind(StrEnum):
    """How far a place may be trusted with data and changes."""

    INTERNAL = "internal"
    CLIENT_SCOPED = "client_scoped"
    UNKNOWN = "unknown"


class ChannelScope(NamedTuple):
    """Whose a channel is; `client_id` is None unless it is a client's.

    `brand_id`: it is for this one of the client's brands.
    """

    kind: ScopeKind
    client_id: UUID | None = None
    brand_id: UUID | None = None


class ChannelFacts(Value):
    """A conversation as Slack describes it; `is_shared` with another company, now or soon."""

    kind: ChannelKind
    name: str = ""
    is_shared: bool = False
    is_archived: bool = False


class Surface(Value):
    """Where a conversation happens, and what is known about it.

    If it `is_shared`, people of another company read along. `brand_id`: it is for this one of the
    client's brands; rights depend on the client alone.
    """

    kind: SurfaceKind
    scope: ScopeKind
    client_id: UUID | None = None
    brand_id: UUID | None = None
    team_id: str = ""
    channel_id: str = ""
    is_shared: bool = False

    @property
    def is_channel(self) -> bool:
        """Whether it is a channel, or a thread in one."""
        return self.kind in (SurfaceKind.CHANNEL, SurfaceKind.THREAD)

    @property
    def is_private(self) -> bool:
        """Whether one person alone talks to us here; a terminal is as private as a DM."""
        return self.kind in (SurfaceKind.DM, SurfaceKind.TERMINAL)

    @property
    def is_open(self) -> bool:
        """Whether people read along who are not known to be allowed a client's data."""
        is_unknown = self.scope is ScopeKind.UNKNOWN and self.kind is not SurfaceKind.TERMINAL
        return is_unknown or self.is_shared


class Place(Value):
    """The conversation a consent belongs to: in a DM all of it, in a channel one thread.

    `thread_ts` is where an answer goes; `key` is what consent and the lane compare.
    """

    team_id: str
    channel_id: str
    thread_ts: str
    is_direct: bool

    @classmethod
    def home_tab(cls, team_id: str) -> Place:
        """Return the place of a Home tab, which has no channel; like a DM it is somebody's own."""
        return cls(team_id=team_id, channel_id="", thread_ts="", is_direct=True)

    @property
    def key(self) -> str:
        """The lane: (team, DM channel) in a DM, (team, channel, root thread) elsewhere."""
        root = "" if self.is_direct else f":{self.thread_ts}"
        return f"{self.team_id}:{self.channel_id}{root}"


class Session(Value):
    """One stretch of conversation between a person and the assistant.

    `active_client_id` is what its last messages were about, in any thread; `thread_client_id` what
    is settled in this one: named by the person, answered by them, or of their card.
    """

    id: UUID
    active_client_id: UUID | None = None
    active_client: str | None = None
    thread_client_id: UUID | None = None
    thread_client: str | None = None


class Scope(Value):
    """What the conversation is about, as far as code knows."""

    client_id: UUID | None = None
    client_name: str | None = None
    brand_id: UUID | None = None
    brand_name: str | None = None


class ProfileFacts(Value):
    """A team profile's data on a person, before it is known whether they may act."""

    id: UUID
    name: str
    email: str
    role: str
    is_admin: bool
    employment_status: str
    slack_user_id: str | None = None
    clickup_user_id: str | None = None
    timezone: str = "UTC"
