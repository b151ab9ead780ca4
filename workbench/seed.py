"""The demo workspace: the people and channels of Lanternfish Commerce, and its ClickUp."""

from collections.abc import Iterable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from workbench.clickup.seed import seed_clickup
from workbench.clock import MachineClock
from workbench.slack.conversations import new_channel
from workbench.slack.posts import user_message
from workbench.slack.records import APP, BOT, BOT_USER, TEAM, SlackRecords
from workbench.storage import Document, Storage

_ZONE = "Europe/Lisbon"
_DOMAIN = "lanternfish.example"
_PEOPLE = (
    ("U01INES", "Ines Varga", "Founder", True),
    ("U01TOMAS", "Tomas Reed", "Operations", True),
    ("U01SARAL", "Sara Lindqvist", "Customer success lead", False),
    ("U01SARAO", "Sara Okafor", "PPC strategist", False),
    ("U01MIG", "Miguel Duarte", "PPC specialist", False),
    ("U01YUKI", "Yuki Tan", "Catalog strategist", False),
    ("U01PAUL", "Paul Brandt", "Finance", False),
    ("U01LEO", "Leo Ferri", "Designer", False),
    ("U01NOOR", "Noor Haddad", "", False),
)
_CHANNELS = (
    ("C01OPS", "ops"),
    ("C01BRIGHT", "client-brightkettle"),
    ("C01GLINTLY", "client-glintly"),
    ("C01RANDOM", "random"),
)
# What colleagues wrote before the demo began: who, and how many minutes ago.
_TALK = (
    ("U01SARAL", 1_510, "The storefront banner for Glintly needs three new photos. Who pays?"),
    ("U01MIG", 1_490, "The storefront banner can cost 1,200 dollars, out of the spring campaign."),
    ("U01YUKI", 1_475, "Then I do the storefront banner by the 4th of December."),
    ("U01LEO", 1_460, "Lunch at one?"),
)
_COLORS = ("9f69e7", "4bbe2e", "e7392d", "3c989f", "674b1b", "e96699", "684b6c", "db3150", "2b6836")


def seed(storage: Storage, clock: MachineClock, team_id: str = TEAM) -> None:
    """Fill an empty workbench."""
    with storage.transaction():
        _seed_slack(SlackRecords(storage, clock), int(clock.now()), team_id)
        seed_clickup(storage, clock)


def seed_talk(storage: Storage, clock: MachineClock) -> None:
    """Let colleagues have talked in #ops, so that a search finds something."""
    records, now = SlackRecords(storage, clock), int(clock.now())
    with storage.transaction():
        for user_id, minutes, text in _TALK:
            message = user_message(user_id, text, None)
            stamp = {"type": "message", "ts": f"{now - minutes * 60}.000100"}
            records.save_message("C01OPS", {**message, **stamp, "team": records.team()["id"]})


def is_empty(storage: Storage) -> bool:
    return storage.get("slack/meta", "team") is None


def _seed_slack(records: SlackRecords, now: int, team_id: str) -> None:
    team = {"id": team_id, "name": "Lanternfish Commerce", "domain": "lanternfish"}
    records.storage.put("slack/meta", "team", {**team, "email_domain": _DOMAIN, "icon": {}})
    for (user_id, name, title, is_admin), color in zip(_PEOPLE, _COLORS, strict=True):
        user = _user(user_id, name, now, team_id)
        user["profile"] |= {"title": title, "email": f"{user['name']}@{_DOMAIN}"}
        user |= {"is_admin": is_admin, "color": color}
        user["is_owner"] = user["is_primary_owner"] = user_id == "U01INES"
        records.save_user(user)
    bot = _user(BOT_USER, "AgencyClaw", now, team_id)
    bot["profile"] |= {"bot_id": BOT, "api_app_id": APP, "always_active": True}
    records.save_user(bot | {"is_bot": True, "color": "0f9d9f"})
    everybody = [person[0] for person in _PEOPLE] + [BOT_USER]
    for channel_id, name in _CHANNELS:
        records.save_channel(new_channel(channel_id, name, everybody, now))
    for user_id, *_ in _PEOPLE:
        records.save_channel(_direct_channel(user_id, now))


def add_people(storage: Storage, clock: MachineClock, people: Iterable[tuple[str, str]]) -> None:
    """Add people (id and name) to the workspace and all of its channels."""
    records, now = SlackRecords(storage, clock), int(clock.now())
    known = list(people)
    with storage.transaction():
        for user_id, name in known:
            records.save_user(_user(user_id, name, now, records.team()["id"]))
            records.save_channel(_direct_channel(user_id, now))
        for channel in records.channels():
            if not channel["is_im"]:
                channel["members"] += [user_id for user_id, _ in known]
                records.save_channel(channel)


def _user(user_id: str, real_name: str, now: int, team_id: str) -> Document:
    offset = datetime.fromtimestamp(now, UTC).astimezone(ZoneInfo(_ZONE)).utcoffset()
    return {
        "id": user_id,
        "team_id": team_id,
        "name": real_name.lower().replace(" ", "."),
        "deleted": False,
        "real_name": real_name,
        "tz": _ZONE,
        "tz_label": "Western European Time",
        "tz_offset": int(offset.total_seconds()) if offset else 0,
        "profile": {
            "real_name": real_name,
            "real_name_normalized": real_name,
            "display_name": real_name,
            "display_name_normalized": real_name,
            "first_name": real_name.partition(" ")[0],
            "last_name": real_name.partition(" ")[2],
            "team": team_id,
        },
        "is_admin": False,
        "is_owner": False,
        "is_primary_owner": False,
        "is_restricted": False,
        "is_ultra_restricted": False,
        "is_bot": False,
        "is_app_user": False,
        "is_email_confirmed": True,
        "updated": now,
    }


def _direct_channel(user_id: str, now: int) -> Document:
    return {
        "id": f"D{user_id[1:]}",
        "created": now,
        "is_im": True,
        "is_mpim": False,
        "is_private": True,
        "is_archived": False,
        "is_org_shared": False,
        "is_user_deleted": False,
        "user": user_id,
        "members": [user_id, BOT_USER],
    }
