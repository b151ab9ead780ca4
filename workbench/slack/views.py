"""The views.* methods: modals and the Home tab."""

from workbench.slack.arguments import Arguments
from workbench.slack.limits import check_view
from workbench.slack.refusals import SlackRefusal
from workbench.slack.texts import as_object
from workbench.slack.view_stack import public_view
from workbench.slack.workspace import Workspace
from workbench.storage import Document


def open_view(workspace: Workspace, arguments: Arguments) -> Document:
    view = read_view(arguments, "modal")
    trigger = workspace.triggers.exchange(arguments.required("trigger_id"))
    return {"view": public_view(workspace.views.open(trigger["user"], view))}


def push_view(workspace: Workspace, arguments: Arguments) -> Document:
    view = read_view(arguments, "modal")
    trigger = workspace.triggers.exchange(arguments.required("trigger_id"))
    if not workspace.views.find_open(trigger["user"], trigger["view_id"] or ""):
        # Only something done inside a modal may put another one on top of it.
        raise SlackRefusal("invalid_trigger_id")
    return {"view": public_view(workspace.views.push(trigger["user"], view))}


def update_view(workspace: Workspace, arguments: Arguments) -> Document:
    view_id, external_id = arguments.text("view_id"), arguments.text("external_id")
    if not view_id and not external_id:
        raise SlackRefusal("invalid_arguments", ["missing required field: view_id"])
    current = workspace.views.find(view_id, external_id)
    if current is None:
        raise SlackRefusal("not_found")
    view = read_view(arguments, current["type"])
    changed = workspace.views.replace(current, view, arguments.text("hash"))
    return {"view": public_view(changed)}


def publish_view(workspace: Workspace, arguments: Arguments) -> Document:
    user_id = arguments.required("user_id")
    view = read_view(arguments, "home")
    workspace.find_user(user_id, "invalid_arguments")
    home = workspace.views.publish(user_id, view, arguments.text("hash"))
    return {"view": public_view(home)}


def read_view(arguments: Arguments, kind: str) -> Document:
    return accept_view(as_object(arguments.document("view", "invalid_arguments")), kind)


def accept_view(view: Document, kind: str) -> Document:
    """Return a view that may be shown; raises Slack's refusal."""
    if not view:
        raise SlackRefusal("invalid_arguments", ["missing required field: view"])
    if view.get("type") != kind:
        raise SlackRefusal("invalid_arguments", [f"must be {kind} [json-pointer:/view/type]"])
    problems = check_view(view)
    if problems:
        raise SlackRefusal("invalid_arguments", problems)
    return view
