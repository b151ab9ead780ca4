"""What code says to people, in English: sentences, labels, and the parts they are made of.

A translation is a file like this one, with the same keys and placeholders.
"""

from __future__ import annotations

SENTENCES = {
    "card.cancelled": "✖️ *Cancelled*{by}{at}{why}. Nothing was changed.",
    "card.channel_archived": ": its channel was archived",
    "card.create_anyway": "Create anyway",
    "card.crowded_out": (
        "↪️ *Dropped*{at}: at most {open_at_most} proposals wait in one conversation, and newer "
        "ones came. Nothing was changed. Ask me again if you still want it."
    ),
    "card.duplicate": (
        "⚠️ *Not created*{at}: a task like this was created within the last 24 hours.{what}"
    ),
    "card.expired": "⌛ *Expired*{at}. Nothing was changed.",
    "card.expired_renewed": "⌛ *Expired*{at}, and prepared again below.",
    "card.failed": "⚠️ *Not {done}*{at}{why}. Nothing was changed.",
    "card.not_done": "✖️ *Not {done}*{at}. Nothing was changed.",
    "card.open_in_clickup": "Open it in ClickUp",
    "card.open_that_one": "Open that one",
    "card.outgrown": (
        "⌛ *Out of date.* I was updated after I prepared this, so I can't carry it out as it was "
        "shown. Nothing was changed. Ask me again if you still want it."
    ),
    "card.outgrown_unknown": "❔ *Not known.* Confirmed{by}. {under_way}",
    "card.person_left": ": who asked for it is no full member of this Slack any more",
    "card.prepare_again": "Prepare it again",
    "card.replaced": "↪️ *Replaced*{by}{at} by a newer proposal. Nothing was changed.",
    "card.tampered": "✖️ *Ended*{at}: what was stored is not what was shown.",
    "card.try_again": "Try again",
    "card.unclear": (
        "❔ *Not known yet.* Confirmed{by}. ClickUp did not say whether it was {done}. I am "
        "looking for it, and I won't send it twice."
    ),
    "card.undecided": (
        "❔ *Not known.* Confirmed{by}. I could not find out whether it was {done}. Please look "
        "in ClickUp; if it is not there, try again."
    ),
    "card.under_way": "{said} Being {done} now…",
    "card.undo": "Undo",
    "card.undone": "{said} ↩️ *Undone since.*",
    "card.unnoted": (
        "I can't reach my own records just now, so how it went is not noted down yet. I keep "
        "trying, and nothing is done twice."
    ),
    "card.updated_under_way": (
        "I was updated while it was under way and could not find out whether it was carried out. "
        "Please look in ClickUp; if it is not there, ask me again."
    ),
    "card.waiting": "Waiting.",
    "card.waiting_for": "{said} Waiting for {what_for}; nothing was changed yet.",
    "failure.ask_less": "Asking for one part of it, with client and dates, often helps.",
    "failure.away": "The language model can't be reached right now.",
    "failure.bad_request": "The language model's service refused what I sent it.",
    "failure.bad_request_advice": (
        "An admin finds the reason in the record of this run, and can choose another model."
    ),
    "failure.checks": "I couldn't put together an answer that passes my own checks.",
    "failure.clickup": "ClickUp is what failed: it can't be reached, or takes no more requests.",
    "failure.content_filter": "The language model refused to answer this.",
    "failure.other_words": "Asking in other words may help.",
    "failure.refused": "The language model's service refuses me; whoever runs me has to mend that.",
    "failure.refused_advice": "Trying again won't help until then.",
    "failure.steps": "I had used up the steps that I may take for one message.",
    "failure.stuck": "The language model did not get past that.",
    "failure.time_out": "The answer took too long, so I stopped.",
    "failure.unverified": (
        "I couldn't put together an answer that passes my own checks. I wrote {attempts}{why}."
    ),
    "home.lacking": (
        "Slack doesn't allow me all that I need. Please paste the manifest anew into the app's "
        "page, and install the app again. Until then these don't work:"
    ),
    "proposal.admins_only": "Only an admin of your agency can cancel what waits for somebody else.",
    "proposal.archived": (
        "The channel in which {listed} waited for you was archived, so nobody can confirm it there "
        "any more. Nothing was changed. Ask me here if you still want it."
    ),
    "proposal.at_work": (
        "{whose} “{label}” is being carried out right now, so I didn't start this one beside it. "
        "Nothing was changed by this; your proposal still waits for you."
    ),
    "proposal.can_retry": "You can press “Try again” on the card above.",
    "proposal.cancelled": "Cancelled: {not_done} Nothing was changed.",
    "proposal.ended.cancelled": (
        "{title} was cancelled, so nothing is waiting. Ask me again if you want it."
    ),
    "proposal.ended.crowded_out": (
        "{title} was dropped when too many were waiting. Ask me again if you want it."
    ),
    "proposal.ended.done": "Nothing is waiting any more: {title} was already {done}.",
    "proposal.ended.executing": "{title} is confirmed already and being {done} right now.",
    "proposal.ended.failed": "{title} was not {done}. Use its card to try again, or ask me anew.",
    "proposal.ended.open": "{title} still waits for a press on its card.",
    "proposal.ended.superseded": (
        "{title} was replaced by a newer proposal; please use the newer one."
    ),
    "proposal.ended.unclear": (
        "I'm still finding out whether {title} reached ClickUp. I'll tell you here."
    ),
    "proposal.expired": "That card expired{at}, so nothing was changed. Prepare it again?",
    "proposal.forged": (
        "That button doesn't match anything I proposed here, so nothing was changed."
    ),
    "proposal.left": (
        "You are no full member of this Slack any more, so {listed} does not wait for you any "
        "longer. Nothing was changed. Please ask somebody of the agency."
    ),
    "proposal.not_done": "“{label}” was not {done}.",
    "proposal.not_for_others": (
        "That concerns only the person who asked, so I can't prepare it for you."
    ),
    "proposal.not_undone": "That was not undone: {why}.",
    "proposal.only": "Only {name}, who asked for this, can confirm or cancel it.",
    "proposal.open_task": "Open the task in ClickUp",
    "proposal.outgrown": (
        "I was updated after I prepared that, so I can't carry out just what its card says. "
        "Nothing was changed. Ask me again and I'll prepare it afresh."
    ),
    "proposal.outgrown_unknown": (
        "I was updated since, so I can't try that again as it was. Please look in ClickUp; if it "
        "is not there, ask me again and I'll prepare it afresh."
    ),
    "proposal.outgrown_why": (
        "I was updated after I prepared it; ask me again and I'll prepare it afresh"
    ),
    "proposal.paused": "the pause of everything to end",
    "proposal.paused_before": (
        "{by} paused me before “{label}” was {done}. Nothing was changed; its card waits for "
        "your press."
    ),
    "proposal.prepared_already": "That was prepared again already; please use the newer card.",
    "proposal.reference": "If it stays like this, give an admin this reference: `{run_id}`.",
    "proposal.renewed": "Here is the new proposal, for you to look at.",
    "proposal.stale": (
        "That card has changed since, so nothing was changed. Please use the newest one."
    ),
    "proposal.still_open": "Still open: ",
    "proposal.taken_back": (
        "You took your yes back, so “{label}” was not {done}. Its card still waits for your press."
    ),
    "proposal.too_late_to_undo": (
        "“{label}” was {done} more than ten minutes ago, so I don't undo it by a button any "
        "more. Nothing was changed. Ask me to change it instead."
    ),
    "proposal.uncertain": (
        "I couldn't find out whether my card was there before you said that, so nothing was "
        "changed. Please press the card's button."
    ),
    "proposal.unchecked": "I couldn't check just now whether there is a task like it already",
    "proposal.under_revision": (
        "You asked to change this: “{label}”. Nothing was {done} yet. Shall I take it as shown, "
        "or drop it?"
    ),
    "proposal.undone_before": "That was undone already, or is being undone right now.",
    "proposal.unreadable": (
        "I'm not allowed to read what else was said here, so I can't be sure that you meant my "
        "card, and nothing was changed. Please press the card's button, and ask an admin to "
        "install me in Slack again: I lack a permission."
    ),
    "proposal.unverified": (
        "I couldn't check with Slack just now {about}, so I did nothing. Nothing was changed. "
        "Please try again in a minute."
    ),
    "proposal.unwritten": "our own records couldn't be written just now",
    "proposal.what_stands_between": "Slack to say what else was said here",
    "proposal.withdrawn": (
        "{by}, an admin, cancelled “{label}”, which was waiting for you. Nothing was changed. "
        "Ask me again if you still want it, or talk to them."
    ),
    "proposal.words_over": "This card is from {at}. Press if it is still right.",
    "proposal.your_own": "Your own",
    "proposal.yours_already": "That one is yours already: it waits for your own press.",
    "slack.no_direct_messages": (
        "I'm not allowed to begin direct messages with you, so I can't answer that there. Nothing "
        "was changed. Write to me in a direct message, and please ask an admin to install me in "
        "Slack again: I lack a permission."
    ),
    "talk.asked_where": "asked in a channel",
    "talk.doing": " I was at this: {doing}.",
    "talk.dropped": "Dropped, as you asked: {labels}. Nothing was changed.",
    "talk.elsewhere": (
        "That is not for everybody who reads along here, so I answer you in our direct messages."
    ),
    "talk.forwarded": "I'll answer you in our direct messages.",
    "talk.given_up": (
        "I'm sorry: I failed on this message several times and have set it aside. Nothing was "
        "changed. Please send it again in other words, or tell an admin."
    ),
    "talk.help": (
        "I look things up and prepare work; you decide. You can ask me about clients, brands, "
        "procedures and tasks (“what's due this week for Glintly?”), or ask me to prepare a "
        "ClickUp task (“create a coupon task for Copperleaf …”). I show a card first, and "
        "nothing is created until you press its button or say yes.\n• `new` starts a fresh "
        "conversation\n• `stop` drops what I'm doing, and what is waiting for your word"
    ),
    "talk.kept": (
        "Slack does not tell me {about} just now, so I keep this and do it as soon as it does, "
        "for ten minutes at most. I'll tell you then; there is no need to send it again."
    ),
    "talk.lane_full": (
        "I still have {waiting} messages of this conversation to answer, so I haven't taken this "
        "one, nor what you write in the next minute. Nothing is lost of what came before; please "
        "send this again once I've caught up."
    ),
    "talk.new": (
        "Fresh start: I've put our earlier conversation aside. Open proposals stay as they are."
    ),
    "talk.no_answer": "I'm sorry, I couldn't answer that.{was} {why}",
    "talk.nothing_to_stop": (
        "I'm not working on anything here, and nothing waits. Nothing was changed."
    ),
    "talk.nowhere": (
        "People of another company read along in this channel, and no client is linked to it, so "
        "I look nothing up here. Nothing was changed. Please write to me in a direct message."
    ),
    "talk.prepared_without_words": (
        "What I prepared is on the card. I have no words of my own to go with it: {why}"
    ),
    "talk.queued": (
        "I'm still working on what you asked before; this comes next. Write “stop” if I should "
        "drop what I'm doing."
    ),
    "talk.reference": "The reference for an admin is `{run_id}`.",
    "talk.stopped": "Stopped, as you asked. Nothing was changed.",
    "talk.thinking": "is thinking…",
    "talk.too_many": (
        "That was more than {at_most} messages within a minute, so I left this one unanswered. "
        "Nothing was changed. Please send it again in a minute."
    ),
    "talk.try_again": "Please try again in a moment.",
    "talk.unchanged": "Nothing was changed.",
    "talk.unchanged_since": "Nothing was changed by this message.",
    "talk.on_record": "On record: “{what}”, {state}.",
    "talk.until_confirmed": "Nothing is {participle} until you confirm.",
    "talk.waited_in_vain": (
        "Slack has not told me {about} for ten minutes, so I did nothing with this. Nothing was "
        "changed. Please send it again later; if it stays like this, tell an admin."
    ),
    "talk.waiting_for": "is waiting for {what}…",
    "talk.way_on": (
        "Nothing was changed. {advice} If it stays like this, give an admin this reference: "
        "`{run_id}`."
    ),
    "talk.what_failed": "• Did not work: {steps}. {fault}",
    "talk.what_was_found": "• Had worked: {steps}.",
    "waiting.clickup": "ClickUp to be reachable again",
    "waiting.model": "the language model to answer",
}
