"""ClickUp's answers on users, teams, spaces, folders, lists, fields and tags."""

from collections.abc import Iterable

from workbench.clickup.call import ApiRequest, the_folder, the_list, the_space, the_team
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
    the_team(call)
    return {"spaces": [space_shape(space) for space in _kept(call, call.board.spaces.values())]}


def get_space(call: ApiRequest) -> Json:
    return space_shape(the_space(call))


def list_folders(call: ApiRequest) -> Json:
    space_id = the_space(call)["id"]
    inside = (one for one in call.board.folders.values() if one["space_id"] == space_id)
    return {"folders": [folder_shape(call.board, folder) for folder in _kept(call, inside)]}


def list_folderless_lists(call: ApiRequest) -> Json:
    space_id = the_space(call)["id"]
    lists = call.board.lists.values()
    loose = (one for one in lists if one["space_id"] == space_id and one["folder_id"] is None)
    return {"lists": [list_shape(call.board, place) for place in _kept(call, loose)]}


def list_folder_lists(call: ApiRequest) -> Json:
    folder_id = the_folder(call)["id"]
    inside = (one for one in call.board.lists.values() if one["folder_id"] == folder_id)
    return {"lists": [list_shape(call.board, place) for place in _kept(call, inside)]}


def get_list(call: ApiRequest) -> Json:
    place = the_list(call)
    return {**list_shape(call.board, place), "statuses": place["statuses"]}


def list_list_members(call: ApiRequest) -> Json:
    """Only people added to the list by name, who are fewer than those who see it."""
    members = call.board.members
    return {"members": [person_shape(members[who]) for who in the_list(call)["member_ids"]]}


def list_fields(call: ApiRequest) -> Json:
    return {"fields": [field_shape(one) for one in call.board.fields_of(the_list(call)["id"])]}


def list_space_tags(call: ApiRequest) -> Json:
    return {"tags": [tag_shape(tag) for tag in call.board.tags_of(the_space(call)["id"])]}


def _kept(call: ApiRequest, places: Iterable[Json]) -> list[Json]:
    wanted = call.flag("archived")
    return [place for place in places if place["archived"] == wanted]
