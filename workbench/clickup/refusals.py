"""ClickUp's refusals: status, text and error code."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WireRefusal:
    """A refusal as it is sent."""

    status: int
    err: str
    ecode: str


class RequestRefused(Exception):
    """Raised by a handler to answer with a refusal."""

    def __init__(self, refusal: WireRefusal) -> None:
        super().__init__(refusal.err)
        self.refusal = refusal


TOKEN_MISSING = WireRefusal(401, "Authorization header required", "OAUTH_017")
TOKEN_INVALID = WireRefusal(401, "Token invalid", "OAUTH_025")
TEAM_NOT_AUTHORIZED = WireRefusal(401, "Team not authorized", "OAUTH_027")
RATE_LIMITED = WireRefusal(429, "Rate limit reached", "APP_002")
BROKEN = WireRefusal(500, "Internal Server Error", "APP_001")

BODY_INVALID = WireRefusal(400, "Request body invalid", "INPUT_003")
LIST_ID_INVALID = WireRefusal(400, "validateListIDEx List ID invalid", "INPUT_003")
TASK_ID_INVALID = WireRefusal(400, "Task ID invalid", "INPUT_004")
TASK_NAME_INVALID = WireRefusal(400, "Task name invalid", "INPUT_005")
STATUS_UNKNOWN = WireRefusal(400, "Status does not exist", "ITEM_114")
PARENT_ELSEWHERE = WireRefusal(400, "Parent not child of list", "ITEM_137")
OPTION_UNKNOWN = WireRefusal(400, "Value must be an option index or uuid", "FIELD_011")

TASK_NOT_FOUND = WireRefusal(404, "Task not found, deleted", "ITEM_013")
DOC_NOT_FOUND = WireRefusal(404, "Doc not found", "DOC_001")
CHECKLIST_NOT_FOUND = WireRefusal(404, "Checklist not found", "CHECKLIST_001")
ITEM_NOT_FOUND = WireRefusal(404, "Checklist item not found", "CHECKLIST_002")
FIELD_NOT_FOUND = WireRefusal(404, "Field not found", "FIELD_013")


def invalid(what: str) -> WireRefusal:
    return WireRefusal(400, f"{what} invalid", "INPUT_003")
