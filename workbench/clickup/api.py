"""Routes of the stand-in ClickUp: version 2 of its API, and Docs of version 3."""

from aiohttp import web

from workbench.clickup import checklists, docs, labels, listing, places, tasks
from workbench.clickup.call import Handler
from workbench.clickup.control import ClickUpView
from workbench.clickup.gateway import API, API_V3, ApiGateway
from workbench.clickup.rate import TokenRate
from workbench.clock import MachineClock
from workbench.events import EVENTS
from workbench.faults import Faults
from workbench.storage import Storage

RATE: web.AppKey[TokenRate] = web.AppKey("clickup_rate", TokenRate)

_ROUTES: tuple[tuple[str, str, str, Handler], ...] = (
    ("GET", "/user", "get_user", places.get_user),
    ("GET", "/team", "list_teams", places.list_teams),
    ("GET", "/team/{team}/space", "list_spaces", places.list_spaces),
    ("GET", "/space/{space}", "get_space", places.get_space),
    ("GET", "/space/{space}/folder", "list_folders", places.list_folders),
    ("GET", "/space/{space}/list", "list_folderless_lists", places.list_folderless_lists),
    ("GET", "/space/{space}/tag", "list_space_tags", places.list_space_tags),
    ("GET", "/folder/{folder}/list", "list_folder_lists", places.list_folder_lists),
    ("GET", "/list/{list}", "get_list", places.get_list),
    ("GET", "/list/{list}/member", "list_list_members", places.list_list_members),
    ("GET", "/list/{list}/field", "list_fields", places.list_fields),
    ("GET", "/list/{list}/task", "list_tasks", listing.list_tasks),
    ("GET", "/team/{team}/task", "list_team_tasks", listing.list_team_tasks),
    ("POST", "/list/{list}/task", "create_task", tasks.create_task),
    ("GET", "/task/{task}", "get_task", tasks.get_task),
    ("PUT", "/task/{task}", "update_task", tasks.update_task),
    ("DELETE", "/task/{task}", "delete_task", tasks.delete_task),
    ("GET", "/task/{task}/comment", "list_comments", labels.list_comments),
    ("POST", "/task/{task}/comment", "create_comment", labels.create_comment),
    ("POST", "/task/{task}/tag/{tag}", "add_tag", labels.add_tag),
    ("DELETE", "/task/{task}/tag/{tag}", "remove_tag", labels.remove_tag),
    ("POST", "/task/{task}/field/{field}", "set_field", labels.set_field),
    ("DELETE", "/task/{task}/field/{field}", "clear_field", labels.clear_field),
    ("POST", "/task/{task}/checklist", "create_checklist", checklists.create_checklist),
    ("DELETE", "/checklist/{checklist}", "delete_checklist", checklists.delete_checklist),
    ("POST", "/checklist/{checklist}/checklist_item", "create_item", checklists.create_item),
    ("PUT", "/checklist/{checklist}/checklist_item/{item}", "edit_item", checklists.edit_item),
    (
        "DELETE",
        "/checklist/{checklist}/checklist_item/{item}",
        "delete_item",
        checklists.delete_item,
    ),
)
_ROUTES_V3: tuple[tuple[str, str, str, Handler], ...] = (
    ("GET", "/workspaces/{team}/docs", "list_docs", docs.list_docs),
    ("GET", "/workspaces/{team}/docs/{doc}", "get_doc", docs.get_doc),
    ("GET", "/workspaces/{team}/docs/{doc}/pages", "list_doc_pages", docs.list_pages),
)


def add_clickup_routes(
    app: web.Application, storage: Storage, faults: Faults, clock: MachineClock
) -> None:
    """Mount ClickUp, its task pages and its part of the control API; `app[RATE].limit` is 100."""
    rate = app[RATE] = TokenRate(storage, clock)
    gateway = ApiGateway(storage, faults, clock, app[EVENTS], rate)
    app.on_shutdown.append(gateway.close)
    for method, path, operation, handler in _ROUTES:
        app.router.add_route(method, API + path, gateway.route(operation, handler))
    for method, path, operation, handler in _ROUTES_V3:
        app.router.add_route(method, API_V3 + path, gateway.route(operation, handler))
    for root in (API, API_V3):
        app.router.add_route("*", root + "/{rest:.*}", gateway.unknown_route)
    _add_views(app, ClickUpView(gateway, rate))


def _add_views(app: web.Application, view: ClickUpView) -> None:
    app.router.add_get("/t/{task}", view.page)
    app.router.add_get("/_control/clickup/tasks", view.tasks)
    app.router.add_get("/_control/clickup/lists", view.lists)
    app.router.add_post("/_control/clickup/rate", view.set_rate)
