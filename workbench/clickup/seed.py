"""The demo agency in ClickUp: people, places, and its tasks as of now."""

from itertools import product

from workbench.clickup.board import (
    FIELD,
    FOLDER,
    LIST,
    MEMBER,
    SPACE,
    TAG,
    TEAM,
    Board,
)
from workbench.clickup.records import Json
from workbench.clickup.seed_docs import seed_docs
from workbench.clickup.seed_talk import seed_talk
from workbench.clickup.seed_tasks import demo_tasks
from workbench.clock import MachineClock
from workbench.events import Broadcaster
from workbench.storage import Storage

TEAM_ID = "90100400001"
BOT = 100099
_OWNER, _ADMIN, _MEMBER, _GUEST = 1, 2, 3, 4
_DOMAIN = "lanternfish.example"
# Yuki Tan and Leo Ferri have no ClickUp account; the one without a name has not joined yet.
_MEMBERS = (
    (100001, "Ines Varga", f"ines.varga@{_DOMAIN}", _OWNER, "#7b68ee"),
    (100002, "Tomas Reed", f"tomas.reed@{_DOMAIN}", _ADMIN, "#0f9d9f"),
    (100003, "Sara Lindqvist", f"sara.lindqvist@{_DOMAIN}", _MEMBER, "#ee5e99"),
    (100004, "Sara Okafor", f"sara.okafor@{_DOMAIN}", _MEMBER, "#e16b16"),
    (100005, "Miguel Duarte", f"miguel.duarte@{_DOMAIN}", _MEMBER, "#3db88b"),
    (100007, "Paul Brandt", f"paul.brandt@{_DOMAIN}", _MEMBER, "#5f7c8a"),
    (100008, "Hana Idris", f"hana.idris@{_DOMAIN}", _MEMBER, "#b660e0"),
    (100009, None, f"marta.ruiz@{_DOMAIN}", _MEMBER, None),
    (100010, "Dana Whitlock", "dana@brightkettle.example", _GUEST, "#aa8d80"),
    (BOT, "AgencyClaw", f"agencyclaw@{_DOMAIN}", _MEMBER, "#4466ff"),
)
_STATUSES = (
    ("to do", "open", "#667085"),
    ("in progress", "custom", "#3b5bdb"),
    ("review", "custom", "#b45309"),
    ("complete", "closed", "#15803d"),
)
_SPACES = (
    ("90100500001", "Brightkettle Group", "#e16b16"),
    ("90100500002", "Glintly", "#0f9d9f"),
    ("90100500003", "Casa Mundo [Glintly]", "#ee5e99"),
    ("90100500004", "Hearthlane", "#b660e0"),
    ("90100500005", "Hearthlane Kids", "#7b68ee"),
    ("90100500006", "Pawtrail", "#3db88b"),
    ("90100500007", "Roderick", "#5f7c8a"),
    ("90100500008", "Reporting Requests", "#4466ff"),
    ("90100500009", "New Space 7", "#aa8d80"),
    ("90100500010", "Oldfern Archive", "#667085"),
)
_FOLDERS = (("90100600061", "Sub-brands", "90100500006"),)
# list, name, space, folder, people who were given the list by name
_LISTS = (
    ("901005000011", "Brightkettle Backlog", "90100500001", None, (100003, 100005, 100010)),
    ("901005000021", "Glintly Backlog", "90100500002", None, (100003, 100004)),
    ("901005000031", "Inbox", "90100500003", None, (100004,)),
    ("901005000041", "Ideas", "90100500004", None, ()),
    ("901005000042", "Inbox", "90100500004", None, (100003,)),
    ("901005000051", "Hearthlane Kids", "90100500005", None, ()),
    ("901005000061", "Pawtrail", "90100500006", None, (100005,)),
    ("901005000062", "Pawtrail Pro", "90100500006", "90100600061", (100005,)),
    ("901005000063", "Pawtrail Lite", "90100500006", "90100600061", ()),
    ("901005000071", "Rodric", "90100500007", None, ()),
    ("901005000081", "Reporting Requests", "90100500008", None, (100002,)),
    ("901005000091", "New Space 7", "90100500009", None, ()),
)
_MARKETPLACES = ("US", "CA", "UK", "MX")
_TAGS = ("agencyclaw", "catalog", "listing", "ppc", "promo", "reporting")
_MARKETPLACE_FIELD = "5f1c7c1e-3a52-4d7e-9a0b-2f6f3d1e0001"
_ASIN_FIELD = "5f1c7c1e-3a52-4d7e-9a0b-2f6f3d1e0002"
_CHANNELS = ("Sponsored Products", "Sponsored Brands", "Organic")
_FURTHER_FIELDS: tuple[tuple[str, str, Json], ...] = (
    ("Budget", "currency", {"currency_type": "USD", "precision": 2}),
    ("Go-live", "date", {}),
    ("Approved by client", "checkbox", {}),
    (
        "Channels",
        "labels",
        {
            "options": [
                {"id": f"{_ASIN_FIELD[:-4]}{200 + order:04d}", "label": name, "orderindex": order}
                for order, name in enumerate(_CHANNELS)
            ]
        },
    ),
    ("Reviewer", "users", {"single_user": False}),
    ("Progress", "automatic_progress", {"tracking": {"subtasks": True}}),
)
_FIELD_LISTS = ("901005000011", "901005000021")


def seed_clickup(storage: Storage, clock: MachineClock) -> None:
    """Fill an empty workspace; one that already has its team is left alone."""
    if storage.all(TEAM):
        return
    with storage.transaction():
        board = Board(storage, clock, Broadcaster())
        _put_people(storage, str(board.now_ms()))
        _put_places(storage)
        _put_labels(storage, str(board.now_ms()))
        seed_docs(board)
        for task in demo_tasks(board):
            board.save_task(task, "task_created")
        seed_talk(board)


def _put_people(storage: Storage, since: str) -> None:
    team = {"id": TEAM_ID, "name": "Lanternfish", "bot": BOT, "timezone": "Europe/Lisbon"}
    storage.put(TEAM, TEAM_ID, team)
    for member_id, name, email, role, color in _MEMBERS:
        member = {"id": member_id, "username": name, "email": email, "role": role}
        storage.put(MEMBER, str(member_id), {**member, "color": color, "since": since})


def _put_places(storage: Storage) -> None:
    for order, (space_id, name, color) in enumerate(_SPACES):
        space = {"id": space_id, "name": name, "color": color, "archived": False}
        storage.put(SPACE, space_id, {**space, "order": order, "statuses": _statuses(space_id)})
    for order, (folder_id, name, space_id) in enumerate(_FOLDERS):
        folder = {"id": folder_id, "name": name, "space_id": space_id, "archived": False}
        storage.put(FOLDER, folder_id, {**folder, "orderindex": order})
    for order, (list_id, name, space_id, folder_id, people) in enumerate(_LISTS):
        place = {"id": list_id, "name": name, "space_id": space_id, "folder_id": folder_id}
        settings = {"archived": False, "member_ids": people, "statuses": _statuses(list_id)}
        storage.put(LIST, list_id, {**place, **settings, "orderindex": order})


def _statuses(place_id: str) -> list[Json]:
    return [
        {"id": f"p{place_id}_{order}", "status": name, "type": kind}
        | {"color": color, "orderindex": order}
        for order, (name, kind, color) in enumerate(_STATUSES)
    ]


def _put_labels(storage: Storage, since: str) -> None:
    for (space_id, _, _), name in product(_SPACES, _TAGS):
        tag = {"space_id": space_id, "name": name, "creator": BOT}
        storage.put(TAG, f"{space_id}/{name}", tag)
    options = [
        {"id": f"{_MARKETPLACE_FIELD[:-4]}{100 + order:04d}", "name": name, "orderindex": order}
        for order, name in enumerate(_MARKETPLACES)
    ]
    config: Json = {"options": options}
    _put_field(storage, since, _MARKETPLACE_FIELD, "Marketplace", "drop_down", config)
    _put_field(storage, since, _ASIN_FIELD, "ASIN", "short_text", {})
    for order, (name, kind, config) in enumerate(_FURTHER_FIELDS, start=3):
        _put_field(storage, since, f"{_ASIN_FIELD[:-4]}{order:04d}", name, kind, config)


def _put_field(
    storage: Storage, since: str, field_id: str, name: str, kind: str, config: Json
) -> None:
    field = {"id": field_id, "name": name, "type": kind, "type_config": config}
    storage.put(FIELD, field_id, {**field, "date_created": since, "lists": _FIELD_LISTS})
