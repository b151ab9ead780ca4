"""English sentences on whose a Slack channel is."""

from __future__ import annotations

CHANNELS = {
    "channels.before": "Before",
    "channels.belongs": "{channel} belongs to {owner}",
    "channels.brand": "Brand",
    "channels.changed_since": "{channel} now belongs to {owner}: that was changed since the card.",
    "channels.client": "Client",
    "channels.label": "whose {channel} is",
    "channels.link": "Link channel",
    "channels.lost": (
        "{brand} is archived by now, or no longer one of this client's brands, so the channel is"
        " for the client as a whole."
    ),
    "channels.means": "There",
    "channels.nobody": "nobody",
    "channels.nobodys": "{channel} belongs to nobody",
    "channels.not_here": (
        "Only a channel can be linked. Name it, or ask me in it. Nothing was changed."
    ),
    "channels.of_brand": (
        "this brand is meant where nobody names one; the client's other brands can be named"
    ),
    "channels.shared": (
        "#{channel} is shared with another company, so it can't be linked. Nothing was changed."
    ),
    "channels.this": "This channel",
    "channels.unfound": (
        "I found no single client or brand of exactly that name. Write the whole name; I name none"
        " here, where nobody has said who reads along."
    ),
    "channels.unlistable": (
        "In this channel I look up no other channels. Ask me in a direct message, or in the channel"
        " itself."
    ),
    "channels.unseen": (
        "I find no channel of that name that you and I are both in. Invite me there first."
    ),
    "channels.was": "Before, it belonged to {owner}.",
}
