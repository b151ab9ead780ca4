"""English sentences of the welcome of a newcomer."""

from __future__ import annotations

WELCOME = {
    "welcome.admin": (
        "You may ask me about all of it, have me prepare tasks, notes and reminders, and have me "
        "change the agency's records: people, clients, brands, roles and targets."
    ),
    "welcome.an_admin": "an admin",
    "welcome.begin": "You could begin with one of these:",
    "welcome.clients": "I show you the work for your clients: {names}.",
    "welcome.every_client": "I show you the work for every client.",
    "welcome.hello": "Hello {name}. I look things up and prepare work; you decide.",
    "welcome.member": (
        "You may ask me questions, and have me prepare tasks, notes and reminders. The agency's "
        "records are changed by admins."
    ),
    "welcome.no": (
        "Nothing is done until you press the button of a card; a yes right below it does as well "
        "where the card says so. To say no, press Cancel or answer no; a card that you leave alone "
        "ends by itself. `help` says this again, and `/claw where` says exactly what I may do for "
        "you."
    ),
    "welcome.no_client": (
        "You are assigned to no client yet, so I can show you the work for none. These can change "
        "that: {admins}."
    ),
    "welcome.viewer": "You may ask me questions, but not have changes prepared.",
}
