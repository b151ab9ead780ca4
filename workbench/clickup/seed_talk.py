"""What the demo agency's people wrote under its tasks, and which task waits for which."""

from workbench.clickup.board import Board

_LINDQVIST, _MIGUEL = 100003, 100005
_HOUR_MS = 3_600_000
_APPEAL = "Appeal the Tessera tea caddy category change"
# Who wrote what, so many hours ago.
_COMMENTS = (
    (_MIGUEL, 70, "Opened a case with Seller Support and sent the photos of the box."),
    (_LINDQVIST, 46, "They ask for the invoice of the supplier. The client has it."),
    (_MIGUEL, 20, "Still no invoice from the client. Without it the case is closed on Friday."),
)
# A coupon on a listing that nobody can see does nothing.
_WAITING = (
    (
        "Set up the 15% Prime coupon for the Nordvent Tower Fan",
        "Fix the suppressed listing of the Nordvent Tower Fan B0NV8FAN01",
    ),
)


def seed_talk(board: Board) -> None:
    """Add comments and dependencies without touching when a task was changed."""
    tasks = {task.name: task for task in board.tasks()}
    for user, hours, text in _COMMENTS:
        board.save_comment(tasks[_APPEAL], text, user, board.now_ms() - hours * _HOUR_MS)
    for waiting, awaited in _WAITING:
        tasks[waiting].waits_for.append(tasks[awaited].id)
        tasks[awaited].awaited_by.append(tasks[waiting].id)
        for name in (waiting, awaited):
            board.save_task(tasks[name], "task_updated")
