"""A ClickUp that nobody prepared for us: 15 spaces, folders, many lists, names that collide."""

from __future__ import annotations

from workbench.clickup.board import FOLDER, LIST, SPACE
from workbench.storage import Storage

# Spaces with their lists by folder; "" is outside of folders.
_SPACES: tuple[tuple[str, dict[str, tuple[str, ...]]], ...] = (
    ("Aldermoor Tools", {"": ("Inbox",)}),
    ("Bellweather", {"": ("Ideas", "Backlog"), "Archive 2024": ("Old tasks",)}),
    ("Cobbleside", {"Amazon": ("US", "EU"), "Walmart": ("US",)}),
    ("Dunmere Pets", {"": ("Dunmere Pets Backlog",)}),
    ("Everly & Co", {"": ("Everly Home", "Everly Kids", "Everly Garden")}),
    ("Fennick", {"": ()}),
    ("Marketing", {"": ("Inbox",)}),
    ("Marketing", {"": ("Inbox",)}),
    ("Gorsewood", {f"Quarter {n}": tuple(f"Sprint {n}.{m}" for m in range(4)) for n in range(3)}),
    ("Hollybrook", {"": ("Hollybrook Inbox",)}),
    ("Ivelet <b>Foods</b>", {"": ("Inbox", "Inbox")}),
    ("Internal", {"": ("HR", "Finance")}),
    ("Reporting", {"": ("Requests",)}),
    ("Sandbox", {"": ("Try things",)}),
    ("Templates", {"": ("Template list",)}),
)


def replace_places(storage: Storage) -> None:
    """Put these spaces in place of the demo agency's."""
    template = next(iter(storage.all(LIST)))
    with storage.transaction():
        for kind in (SPACE, FOLDER, LIST):
            for one in list(storage.all(kind)):
                storage.delete(kind, str(one["id"]))
        for order, (name, folders) in enumerate(_SPACES):
            space_id = f"9010070{order:04}"
            space = {"id": space_id, "name": name, "color": "#667085", "archived": False}
            statuses = template["statuses"]
            storage.put(SPACE, space_id, {**space, "order": order, "statuses": statuses})
            _put_lists(storage, space_id, folders, statuses)


def _put_lists(
    storage: Storage, space_id: str, folders: dict[str, tuple[str, ...]], statuses: object
) -> None:
    number = 0
    for at, (folder, lists) in enumerate(folders.items()):
        folder_id = f"{space_id}8{at}" if folder else None
        if folder_id:
            about = {"id": folder_id, "name": folder, "space_id": space_id, "archived": False}
            storage.put(FOLDER, folder_id, {**about, "orderindex": at})
        for name in lists:
            number += 1
            list_id = f"{space_id}9{number:02}"
            place = {"id": list_id, "name": name, "space_id": space_id, "folder_id": folder_id}
            more = {"archived": False, "member_ids": (), "statuses": statuses}
            storage.put(LIST, list_id, {**place, **more, "orderindex": number})
