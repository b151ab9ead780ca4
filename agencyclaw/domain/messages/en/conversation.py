"""English sentences of a conversation: answers to commands, apologies, notices."""

from __future__ import annotations

CONVERSATION = {
    "admin.admins": "Only an admin can decide how things are confirmed. Nothing was changed.",
    "admin.ambiguous_client": "I can't tell which client that is; please write its whole name.",
    "admin.channel": "in this channel",
    "admin.default_set": "Done: {called}, the default applies again.",
    "admin.press_set": "Done: {called}, only a press confirms from now on.",
    "admin.words_set": "Done: {called}, a plain yes right below a card confirms it, too.",
    "admin.resumed": "I go on. What waits still needs its own press.",
    "admin.not_paused": "I'm not paused, so nothing was changed.",
    "admin.already_paused": "I'm paused already. `/claw resume` lets me go on.",
    "admin.paused_since": "{by} paused me at {clock_time}: nothing is carried out.",
    "admin.paused": "Paused: nothing is carried out from now on; proposals wait.",
    "admin.words_internal_only": "A plain yes can count only in a channel of the agency's own.",
    "admin.scope_missing": (
        "Say for which client, or `everywhere`; or type it in the channel it is about."
    ),
    "admin.super_admins": "Only a super admin can pause and resume me. Nothing was changed.",
    "admin.super_admins_are": "Super admins: {names}.",
    "admin.usage": (
        "How shall things be confirmed? `/claw consent press` wants a press for everything in "
        "this channel, `/claw consent press CLIENT` for a client, `/claw consent press "
        "everywhere` everywhere; `/claw consent words` lets a plain yes right below a card count "
        "in this internal channel, too; `/claw consent default` takes a decision back (the same "
        "places)."
    ),
    "admin.back_to_card": " {waiting} went back to the card.",
    "admin.words_per_channel": "Words can be allowed channel by channel only.",
    "answer.not_found_out": "I couldn't find out about “{question}”: {why}.",
    "answer.chart": "The chart below is “{title}”.",
    "answer.chart_is_full": "{left_out} more have no bar.",
    "answer.file": "The file below is “{name}”, with {rows} {noun}.",
    "answer.file_is_full": (
        "It holds the first {rows}; {left_out} more are left out. Ask for a shorter time or one "
        "brand to get them."
    ),
    "answer.file_lacks": "It lacks what could not be read: {brands}.",
    "answer.kept_request": (
        "Kept in this thread as you asked for it, because it has no place in ClickUp yet."
        " {who} can link one; write “prepare it” here then.\n{listed}"
    ),
    "answer.kept_request_admin": "An admin",
    "answer.kept_request_you": "You, as an admin,",
    "answer.too_many_lookups": (
        "I looked up {calls} things, which is as many as I may for one message; {left_out} more "
        "were left out."
    ),
    "answer.only_files": "Apart from that, this answer prepared, changed and sent nothing.",
    "answer.open": "Could you tell me this, so that I can go on?",
    "answer.partial": "I ran out of steps while I planned this, so it may be incomplete.",
    "answer.assumed_client": "Taken to be about {implied}, as before.",
    "checks.claims_change": "they reported changes that were not made",
    "checks.claims_draft": "they spoke of a proposal that does not exist",
    "checks.empty": "they had no words in them",
    "checks.machinery": "they were full of my own machinery",
    "checks.secret": "they held something that looks like a password",
    "checks.shows_id": "they showed internal ids",
    "checks.too_long": "they were too long",
    "checks.unknown_figure": "they gave figures that I have no evidence for",
    "child.broken": "that failed on our side",
    "child.checks": "no answer to it passed my own checks",
    "child.model_away": "the language model can't be reached right now",
    "child.steps": "it took all the steps that I may spend on one question",
    "child.stopped": "that was stopped",
    "child.time_out": "it took too long",
    "child.too_many": "I had looked up as much as I may for one message",
    "clock.hours": "{hours} h {minutes} min",
    "clock.minutes": "{minutes} min",
    "clock.under_a_minute": "less than a minute",
    "commands.again": (
        "Slack has told me who you are. Please type it again: what it shows is for this moment."
    ),
    "commands.help_ask": "answers a question in our direct messages",
    "commands.consent": "says where a plain yes counts, and where only a press does (admins)",
    "commands.unknown": "I don't know that command, but these I know.\n\n",
    "commands.failed": (
        "I couldn't do that just now. Nothing was changed; please try again in a moment."
    ),
    "commands.feedback": "shows which of my answers didn't help, to be looked at (admins)",
    "commands.forget": "forgets the one thing that has these words",
    "commands.introduction": (
        "I look things up and prepare work; you decide. Write to me in a direct message, or "
        "mention me in a channel; in a thread where I take part you need not mention me again. "
        "What I prepare comes as a card, and nothing happens until you press its button, or "
        "say yes where the card says so."
    ),
    "commands.help": "shows this",
    "commands.link": (
        "makes this channel that client's or brand's, or `link internal` the agency's own (admins)"
    ),
    "commands.pause": "stops everything I carry out, at once (super admins)",
    "commands.remember": "keeps a fact about a client, or what you prefer",
    "commands.schedules": "lists your reminders, recurring questions, watches and background work",
    "commands.resume": "lets me go on (super admins)",
    "commands.help_where": "says what this channel belongs to and what you may do here",
    "commands.unlink": "takes that back (admins)",
    "commands.unreadable": (
        "I couldn't read that command. Nothing was changed; please type it again."
    ),
    "commands.nothing_asked": (
        "What would you like to ask? Write it after the word: `/claw ask …`"
    ),
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
    "gate.broken": "That failed on our side; nothing was changed (run {run_id}).",
    "gate.clickup_limits": (
        "ClickUp limits how often I may ask it, and that is used up for about {seconds} s; nothing"
        " was changed."
    ),
    "gate.clickup_unreachable": "ClickUp can't be reached right now; nothing was changed.",
    "gate.clickup_unusable": (
        "ClickUp refuses our access or is not set up: an admin has to see to it."
    ),
    "identity.doubled": (
        "Your Slack account is on more than one team profile, so I can't be sure who you are. "
        "Please ask an admin to leave it on one profile only."
    ),
    "identity.gone": (
        "Slack tells me that this account is no longer active, so I did nothing with it."
    ),
    "identity.guest": "In this Slack you are a guest",
    "identity.inactive": (
        "Your team profile is marked as inactive, so I can't help you here. An admin can set it "
        "to active again."
    ),
    "identity.not_granted": (
        "I'm not allowed to ask Slack who people are, so I did nothing. Nothing was changed. "
        "Please ask an admin to install me in Slack again: I lack a permission."
    ),
    "identity.not_granted_channels": (
        "I'm not allowed to ask Slack who reads along in this channel, so I did nothing here. "
        "Nothing was changed. Write to me in a direct message, and please ask an admin to "
        "install me in Slack again: I lack a permission."
    ),
    "identity.outside": (
        "{who}, and I only work with full members of the team, so I can't look anything up or "
        "prepare work for you. Nothing was changed. Please ask somebody of the agency."
    ),
    "identity.outsider": "You are from another company's Slack",
    "identity.unlinked": (
        "I don't know you yet: no team profile carries your Slack account, so I can't look "
        "anything up or prepare work for you. Please ask an admin to link your Slack account to "
        "your profile; where they begin to write to me, I offer to add you."
    ),
    "identity.unseen": (
        "Slack shows me no such channel any more, so I did nothing. Nothing was changed."
    ),
    "identity.what_it_is": "what this channel is",
    "materials.found": "what a watch found",
    "materials.on_record": "what is on record about the client",
    "materials.pressed": "a choice that was pressed",
    "memory.answer_style": "how to answer",
    "memory.cadence": "how often to be told",
    "memory.elsewhere": (
        "This channel belongs to another client, so nothing about that one is kept here. Say it "
        "in our direct messages instead. Nothing was kept."
    ),
    "memory.more_type_words": "… and {left} more; type more of its words.",
    "memory.too_long": (
        "That is {length} characters long, and {most} fit. Nothing was kept: say it in fewer "
        "words, or as two facts."
    ),
    "memory.unseen_place": (
        "What is said in this channel is about its client, which is not among your active clients. "
        "What you prefer yourself you can tell me in our direct messages. Nothing was kept."
    ),
    "memory.usage": (
        "What should I remember? `/claw remember CLIENT: prefers short titles` for a "
        "client, `/claw remember answer me briefly` for yourself."
    ),
    "memory.which": "Several fit. Which one should I forget? Nothing was changed yet.",
    "memory.what_to_forget": (
        "What should I forget? Write a few of its words after `/claw forget`."
    ),
    "memory.which_client": "Which client do you mean: {names}? Nothing was kept.",
    "questions.beside_refusal": "Besides, to prepare it I need to know:\n{listed}",
    "questions.buttons_answer": "The buttons answer {number}; the rest is asked for next.",
    "questions.together": "To prepare it I need to know:",
    "state.by": "{state}, by {by}",
    "state.cancelled": "cancelled, not {done}",
    "state.confirmed": "confirmed, being {done}",
    "state.expired": "expired, not {done}",
    "state.failed": "not {done}",
    "state.drafted": (
        "waiting for a press on its card, or a yes or no right below it if nothing else waits there"
        " and the answer asks nothing"
    ),
    "state.drafted_in_channel": (
        "waiting for a press on its card; a yes in words counts in a channel only where the card "
        "says so"
    ),
    "state.open": (
        "waiting for a yes or no right below it within {minutes}, or for a press on its card"
    ),
    "state.open_above": (
        "waiting for a press on its card; their message stands below it now, so a yes or no in "
        "words counts only once it is shown again, right below it, within {minutes}"
    ),
    "state.press_only": "waiting on its card, where only a press confirms it{why}",
    "state.unclear": "sent, but not known whether it was {done}",
    "state.being_undone": "{state}, and being undone now",
    "state.undone_since": "{state}, and undone since",
    "state.waits": "waiting on its card",
    "state.words_over": (
        "waiting on its card, where only a press confirms it: it is too late for a yes in words "
        "unless it is shown again"
    ),
    "talk.asked_where": "asked in a channel",
    "talk.doing": " I was at this: {doing}.",
    "talk.dropped": "Dropped, as you asked: {labels}.",
    "talk.elsewhere": (
        "That is not for everybody who reads along here, so I answer you in our direct messages."
    ),
    "talk.edited_while_answered": (
        "I was answering your message already when you edited it, and go on with it as it read "
        "before. Write “stop” and send it anew if I should not."
    ),
    "talk.forwarded": "I'll answer you in our direct messages.",
    "talk.given_up": (
        "I'm sorry: I failed on this message several times and have set it aside. Nothing was "
        "changed. Please send it again in other words, or tell an admin."
    ),
    "talk.help": (
        "I look things up and prepare work; you decide. You can ask me about clients, brands, "
        "procedures and tasks (“how do we set up a coupon?”) and what was said in Slack "
        "(“what was agreed about the banner?”), or ask me to prepare a "
        "ClickUp task. I show a card first, and "
        "nothing is created until you press its button, or say yes where the card says so. To say "
        "no, press Cancel or answer no; a card that you leave alone ends by itself.\n"
        "• `new` starts a fresh conversation\n"
        "• `stop` drops what I'm doing, and what is waiting for your word"
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
    "talk.not_taken": (
        "Too many messages of this conversation wait for an answer, so this one was not taken. "
        "Please send it again later."
    ),
    "talk.nothing_to_stop": (
        "I'm not working on anything here, and nothing waits. Nothing was changed."
    ),
    "talk.no_answer_in_time": "There was no answer in time; it may still come.",
    "talk.nowhere": (
        "People of another company read along in this channel, and no client is linked to it, so "
        "I look nothing up here. Nothing was changed. Please write to me in a direct message."
    ),
    "talk.meanwhile": "While I wrote this, “{what}” stopped waiting: {how}.",
    "talk.on_record": "On record: “{what}”, {state}.",
    "talk.prepared_without_words": (
        "What I prepared is on the card. I have no words of my own to go with it: {why}"
    ),
    "talk.queued": (
        "I'm still working on what you asked before; this comes next. Write “stop” if I should "
        "drop what I'm doing."
    ),
    "talk.queued_behind_others": (
        "I'm still working on what somebody else asked me here; yours comes next."
    ),
    "talk.reference": "The reference for an admin is `{run_id}`.",
    "talk.stopped": "Stopped, as you asked. Nothing was changed.",
    "talk.stopped_some": "Stopped, as you asked.",
    "talk.thinking": "is thinking…",
    "talk.too_many": (
        "That was more than {at_most} messages within a minute, so I left this one unanswered. "
        "Nothing was changed. Please send it again in a minute."
    ),
    "talk.try_again": "Please try again in a moment.",
    "talk.unchanged": "Nothing was changed.",
    "talk.unchanged_since": "Nothing was changed by this message.",
    "talk.until_confirmed": "Nothing on this card is carried out until you confirm.",
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
    "messages.group": "group messages",
    "messages.here": "this conversation",
    "messages.left_out": "{count} more conversations",
    "messages.looked_at": "Looked at: {places}.",
    "messages.not_looked_at": "not looked at: {places}",
    "messages.not_granted": (
        "I lack Slack's permission to read those messages. Please ask an admin to install me in "
        "Slack again."
    ),
    "messages.not_searched": "public channels that I'm not in",
    "messages.other": "another conversation",
    "messages.public": "public channels that may be shown here",
    "messages.unlisted": "conversations that Slack did not list",
    "messages.unread": "Slack did not let me read those messages.",
    "reach.as_of": "As of {minutes} min ago; ask for it afresh if that is too old.",
    "reach.channels_client": "Only {client} was looked at: this channel is theirs.",
    "reach.just_now": "As of less than a minute ago.",
    "reach.own_clients": "Only the clients you are assigned to were looked at.",
    "reach.restricted": "Clients for which admins restrict this were not looked at.",
    "shortcuts.about": "about a message of {name}",
    "shortcuts.about_without_files": (
        "about a message of {name}, without {files} attached to it: I'm not in that conversation"
    ),
    "shortcuts.not_seen": (
        "I can't see that you are in the conversation of that message, so I did nothing with it."
    ),
    "shortcuts.the_message": "Open the message",
    "shortcuts.where_it_is": "where that message stands",
    "thread.app": "the app {name}",
    "thread.gone": "{name}, who has left",
    "thread.guest": "{name}, a guest",
    "thread.left_out": (
        "Besides mine, this thread has {total} messages: I read {read}, there was no room for "
        "{left_out} older ones."
    ),
    "thread.not_granted": (
        "I lack Slack's permission to read what was written here before. Please ask an admin to "
        "install me in Slack again."
    ),
    "thread.outsider": "{name}, of another company",
    "thread.forwarded": "(forwarded message of {author})",
    "thread.too_long": (
        "This thread has more messages than I read at once, so I read none of those before."
    ),
    "thread.unknown": "{name}, of whom Slack does not say who that is",
    "thread.unlinked": "{name}, who has no profile here",
    "thread.unread": "Slack did not let me read what was written here before.",
    "thread.what_was_said": "Slack to say what was written here",
    "trail.broke": "it failed or took too long",
    "trail.done": "done",
    "trail.earlier_tasks": "earlier tasks",
    "trail.found": "{total} found",
    "trail.miscalled": "I did not get the call right",
    "trail.question": "a question for you",
    "trail.sent_back": "it named what nobody had stated",
    "turn.records": "my own records to be reachable again",
}
