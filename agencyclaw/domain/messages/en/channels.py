"""English sentences on whose a Slack channel is."""

from __future__ import annotations

CHANNELS = {
    "channels.already": "{channel} belongs to {owner} already. Nothing was changed.",
    "channels.before": "Before",
    "channels.belongs": "{channel} belongs to {owner}",
    "channels.changed_since": "{channel} now belongs to {owner}: that was changed since the card.",
    "channels.label": "whose #{channel} is",
    "channels.label_here": "whose this channel is",
    "channels.link": "Link channel",
    "channels.link_here": "Link this channel to {owner}",
    "channels.link_named": "Link #{channel} to {owner}",
    "channels.lost": (
        "{brand} is archived by now, or no longer one of this client's brands, so the channel is"
        " for the client as a whole."
    ),
    "channels.means": "There",
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
    "channels.unlink_here": "Unlink this channel",
    "channels.unlink_named": "Unlink #{channel}",
    "channels.was": "Before, it belonged to {owner}.",
    "surfaces.agency_itself": "the agency itself",
    "surfaces.asked_channel": "asked in the channel of {owner}",
    "surfaces.brand_lost": (
        "The brand that it was for is archived, or no longer one of {client}'s, so it is for "
        "{client} as a whole."
    ),
    "surfaces.brand_meant": "Where you name no brand, {brand} is meant.",
    "surfaces.brand_of": "{brand}, a brand of {client}",
    "surfaces.can_prepare": "I can prepare, for your yes: {prepared}.",
    "surfaces.unlinked_already": "This channel belongs to nobody, so nothing was changed.",
    "surfaces.linked_since": "This channel belongs to {owner}{text} on {since:%-d %B %Y}.",
    "surfaces.several_clients": (
        "“{name}” could be any of these: {names}. Which one? Nothing was changed."
    ),
    "surfaces.no_such_client": (
        "I couldn't find an active client called “{name}”. Nothing was changed."
    ),
    "surfaces.direct_message": "A direct message belongs to the people in it, and to no client.",
    "surfaces.similar_client": (
        "Do you mean {whole}? Then type `/claw link {whole}`. Nothing was changed."
    ),
    "surfaces.unlinked": (
        "Done: this channel no longer belongs to {owner}. What you ask me here I answer in our "
        "direct messages, and I prepare no changes here."
    ),
    "surfaces.linked": "Done: this channel now belongs to {owner}.",
    "surfaces.linking": "Linking a channel",
    "surfaces.looks_up": "Ask me anything: I look up what you may see here.",
    "surfaces.member": "a member of the team",
    "surfaces.nobodys": (
        "Nobody has said what this channel belongs to, so what you ask me here I answer in our "
        "direct messages, and I prepare no changes here. An admin can say it: `/claw link CLIENT`"
    ),
    "surfaces.no_other_clients": "Nobody is shown another client's data here.",
    "surfaces.not_here": (
        "A direct message belongs to the people in it, so only a channel can be linked. Nothing "
        "was changed."
    ),
    "surfaces.shared": (
        "People of another company read along here, so I show only what this client may see."
    ),
    "surfaces.sees_no_client": "{who} I show no client's data here.",
    "surfaces.sees_own_clients": "{who} I show you the clients you are assigned to: {names}.",
    "surfaces.sees_every_client": "{who} I show you every active client.",
    "surfaces.sees_this_client": "{who} I show you {client} here, and no other client.",
    "surfaces.super_admin": "a super admin",
    "surfaces.undo": "Undo: `/claw unlink`",
    "surfaces.viewer": "with read access",
    "surfaces.client_missing": "Which client? Write its name after the word: `/claw link CLIENT`",
    "surfaces.not_active": (
        "{who} {client} is archived, so I show nothing of it until it is brought back."
    ),
    "surfaces.not_assigned": (
        "{who} You are not assigned to {client}, so I show you nothing of it."
    ),
}
