"""What is said of work in the background."""

from __future__ import annotations

BACKGROUND = {
    "background.began": "In the background since {at}, {took} so far.",
    "background.begun": "I go on with it in the background, and post the result in that thread.",
    "background.begun_already": "I have gone on with it already.",
    "background.card": "“{title}”: {how}",
    "background.deleted": "(a deleted message)",
    "background.doing": " Now: {doing}.",
    "background.failed": "Ended without a result after {took}.",
    "background.finished": "Finished after {took}.",
    "background.go_on": "Go on in the background",
    "background.kept": "Under way",
    "background.listed": (
        "“{title}”. {since} Stop, below its card in that thread or in `/claw schedules`, ends it."
    ),
    "background.not_yours": "Only the person who asked for it can do that.",
    "background.offer": (
        "I can also go on with it in the background, from where I was, and post the result here."
    ),
    "background.over": "It has ended already.",
    "background.overtaken": "There is nothing to go on with any more. Please ask again.",
    "background.steps": " {steps} so far.",
    "background.stop": "Stop",
    "background.stopped": "Stopped after {took}.",
    "background.stops": "Stopped.",
    "background.too_many": (
        "I am at {most} things in the background already, which is as many as I can do at once. "
        "Please press again when one of them has ended."
    ),
    "background.unknown": "I don't have that any more. Please ask again.",
    "background.went_on": "Went on in the background",
}
