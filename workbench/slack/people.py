"""The users.*, bots.*, team.*, auth.* and reactions.* methods."""

from workbench.slack.arguments import Arguments
from workbench.slack.paging import next_cursor, page_of
from workbench.slack.records import APP, BOT, BOT_USER
from workbench.slack.refusals import SlackRefusal
from workbench.slack.workspace import Workspace
from workbench.storage import Document


def describe_app(workspace: Workspace, arguments: Arguments) -> Document:
    team = workspace.records.team()
    return {
        # Slack's is https://<domain>.slack.com/; here, too, permalinks begin with it.
        "url": f"{arguments.origin}/",
        "team": team["name"],
        "user": workspace.find_user(BOT_USER)["name"],
        "team_id": team["id"],
        "user_id": BOT_USER,
        "bot_id": BOT,
        "is_enterprise_install": False,
    }


def user_info(workspace: Workspace, arguments: Arguments) -> Document:
    return {"user": workspace.find_user(arguments.required("user"))}


def list_users(workspace: Workspace, arguments: Arguments) -> Document:
    shown, cursor = page_of(workspace.records.users(), arguments, 1000)
    return {"members": shown, "cache_ts": int(workspace.clock.now()), **next_cursor(cursor)}


def lookup_by_email(workspace: Workspace, arguments: Arguments) -> Document:
    email = arguments.required("email").lower()
    for user in workspace.records.users():
        if user["profile"].get("email", "").lower() == email and not user["deleted"]:
            return {"user": user}
    raise SlackRefusal("users_not_found")


def team_info(workspace: Workspace, _arguments: Arguments) -> Document:
    return {"team": workspace.records.team()}


def bot_info(workspace: Workspace, arguments: Arguments) -> Document:
    if arguments.text("bot", BOT) != BOT:
        raise SlackRefusal("bot_not_found")
    bot = workspace.find_user(BOT_USER)
    named = {"id": BOT, "app_id": APP, "user_id": BOT_USER, "name": bot["real_name"]}
    return {"bot": {**named, "deleted": False, "updated": bot["updated"], "icons": {}}}


def add_reaction(workspace: Workspace, arguments: Arguments) -> Document:
    channel = workspace.joined_channel(arguments)
    name = arguments.required("name").strip(":")
    message = workspace.find_message(channel, arguments.required("timestamp"))
    reactions = {reaction["name"]: reaction for reaction in message.get("reactions", [])}
    users = reactions.get(name, {"users": []})["users"]
    if BOT_USER in users:
        raise SlackRefusal("already_reacted")
    users = [*users, BOT_USER]
    reactions[name] = {"name": name, "users": users, "count": len(users)}
    workspace.posts.touch(channel, {**message, "reactions": list(reactions.values())})
    return {}
