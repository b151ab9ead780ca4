"""ClickUp's answers on users, teams, spaces, folders, lists, fields and tags."""

from collections.abc import Iterable

from workbench.clickup.call import ApiRequest, find_folder, find_list, find_space, find_team
from workbench.clickup.records import Json
from workbench.clickup.shapes import (
    field_shape,
    folder_shape,
    list_shape,
    person_shape,
    space_shape,
    tag_shape,
    team_shape,
)


def get_user(call: ApiRequest) -> Json:
    bot = call.board.members[call.board.bot]
    return {"user": {**person_shape(bot), "week_start_day": 1, "timezone": str(call.board.zone)}}


def list_teams(call: ApiRequest) -> Json:
    return {"teams": [team_shape(call.board, call.board.members.values())]}


def list_spaces(call: ApiRequest) -> Json:
    find_team(call)
    return {"spaces": [space_shape(space) for space in _selected(call, call.board.spaces.values())]}


def get_space(call: ApiRequest) -> Json:
    return space_shape(find_space(call))


def list_folders(call: ApiRequest) -> Json:
    space_id = find_space(call)["id"]
    inside = (place for place in call.board.folders.values() if place["space_id"] == space_id)
    return {"folders": [folder_shape(call.board, folder) for folder in _selected(call, inside)]}


def list_folderless_lists(call: ApiRequest) -> Json:
    space_id = find_space(call)["id"]
    inside = (place for place in call.board.lists.values() if place["space_id"] == space_id)
    folderless = (place for place in inside if place["folder_id"] is None)
    return {"lists": [list_shape(call.board, place) for place in _selected(call, folderless)]}


def list_folder_lists(call: ApiRequest) -> Json:
    folder_id = find_folder(call)["id"]
    inside = (place for place in call.board.lists.values() if place["folder_id"] == folder_id)
    return {"lists": [list_shape(call.board, place) for place in _selected(call, inside)]}


def get_list(call: ApiRequest) -> Json:
    place = find_list(call)
    return {**list_shape(call.board, place), "statuses": place["statuses"]}


def list_list_members(call: ApiRequest) -> Json:
    """Only people added to the list by name, who are fewer than those who see it."""
    members = [call.board.members[member_id] for member_id in find_list(call)["member_ids"]]
    return {"members": [person_shape(member) for member in members]}


def list_fields(call: ApiRequest) -> Json:
    fields = call.board.fields_of(find_list(call)["id"])
    return {"fields": [field_shape(field) for field in fields]}


def list_space_tags(call: ApiRequest) -> Json:
    return {"tags": [tag_shape(tag) for tag in call.board.tags_of(find_space(call)["id"])]}


def _selected(call: ApiRequest, places: Iterable[Json]) -> list[Json]:
    """Return the places that are archived if the call asks for these, else all others."""
    is_archived = call.flag("archived")
    return [place for place in places if place["archived"] == is_archived]
