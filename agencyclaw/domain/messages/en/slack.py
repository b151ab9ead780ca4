"""English labels and sentences of cards, forms and the Home tab."""

from __future__ import annotations

SLACK = {
    "answers.cut": "\n\n(Cut here: with {text:,} characters this answer is too long for Slack.)",
    "answers.empty": "I have no words for this one. Please ask me again.",
    "card.being_undone": "{text} ↩️ *Being undone…*",
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
    "card.expired_renewed": "⌛ *Expired*{at}, and prepared again on a newer card.",
    "card.failed": "⚠️ *Not {done}*{at}{why}. Nothing was changed.",
    "card.not_done": "✖️ *Not {done}*{at}. Nothing was changed.",
    "card.open_in_clickup": "Open it in ClickUp",
    "card.open_that_one": "Open that one",
    "card.person_left": ": who asked for it is no full member of this Slack any more",
    "card.prepare_again": "Prepare it again",
    "card.replaced": "↪️ *Replaced*{at} by a newer proposal. Nothing was changed.",
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
    "card.under_way": "{text} Being {done} now…",
    "card.undo": "Undo",
    "card.undone": "{text} ↩️ *Undone since.*",
    "card.unrecorded": (
        "I can't reach my own records just now, so how it went is not noted down yet. I keep "
        "trying, and nothing is done twice."
    ),
    "card.unsupported": (
        "⌛ *Out of date.* I was updated after I prepared this, so I can't carry it out as it was "
        "shown. Nothing was changed. Ask me again if you still want it."
    ),
    "card.unsupported_unknown": "❔ *Not known.* Confirmed{by}. {under_way}",
    "card.updated_under_way": (
        "I was updated while it was under way and could not find out whether it was carried out. "
        "Please look in ClickUp; if it is not there, ask me again."
    ),
    "card.waiting": "Waiting.",
    "card.waiting_for": "{text} Waiting for {what_for}; nothing was changed yet.",
    "cards.details_above": "The details are in the messages above.",
    "cards.for_others": (
        " “{button}” gives a colleague who presses it the same on a card of their own."
    ),
    "cards.full_text": "Show the full text",
    "cards.moved": "{one_of_several} – moved to {where}.",
    "cards.only_can_confirm": "Only {name} can confirm this{until}: {how}.{why}",
    "cards.or_by_words": ", or within {minutes} by answering “{yes}” right below this card",
    "cards.prepare": "Prepare it for me",
    "cards.press_reason": " A yes in words doesn't count here: {because}.",
    "cards.replaced_by_newer": "{one_of_several} – replaced by a newer card.",
    "cards.shown_again_below": "{one_of_several} – shown again below.",
    "cards.stands_elsewhere": "The card “{label}” is in another thread: open it",
    "cards.undo_there": "Undo of “{label}” is on its card: open it",
    "cards.waits_here": "“{label}” waits on its card: open it",
    "cards.where_you_wrote": "the thread where you wrote last",
    "cards.with_button": "with the button",
    "cards.with_buttons": "with the buttons",
    "delivery.channel_closed": (
        "(I can't write in the channel where this belongs any more, so it comes to you.)\n\n{text}"
    ),
    "delivery.chart_not_drawn": "I could not draw “{title}”. Ask me again.",
    "delivery.file_not_granted": (
        "I could not attach “{title}”: the Slack app may not upload files yet (it lacks the scope "
        "files:write). An admin can paste the app's manifest anew and install it again."
    ),
    "delivery.file_not_taken": (
        "I could not attach “{title}”: Slack did not take the file. Ask me again, or for a "
        "shorter time."
    ),
    "details.folded": "The full text is one press away.",
    "details.similar_open_task": "Similar open tasks in the same list:",
    "details.look_first": "Please look at this first:",
    "details.open_points": "Still open or assumed:",
    "escaping.from_records": "{seal} From the records",
    "feedback.admins": "Only an admin reads what people thought of my answers.",
    "feedback.be_looked_at": "*{many} that didn't help {waits} to be looked at.* {helped}{latest}",
    "feedback.elsewhere": "I show no client's data here. Type it in our direct messages.",
    "feedback.helped_last_days": "{helpful} helped in the last 30 days.",
    "feedback.queue_empty": "No answer waits to be looked at. {helped}",
    "feedback.seen_by": (
        "Your admins read this beside your question and my answer. Nothing else comes of it."
    ),
    "feedback.these_are_latest": " These are the latest {shown}.",
    "feedback.title": "This didn't help",
    "feedback.unknown": "I don't have that answer on record any more, so I kept nothing.",
    "feedback.unverified": (
        "Slack doesn't say just now who you are, so the answer is still on the list. Please press"
        " Done again in a minute."
    ),
    "feedback.what_wrong": "*What was wrong:* {beginning}",
    "feedback.comment_label": "What was wrong, or missing?",
    "feedback.show_run": "{when} · the whole of it: `agencyclaw runs show {run_id}`",
    "forms.elements": "Saving shows a new card. Nothing is created yet.",
    "forms.choose_day": "Please choose a day of the calendar.",
    "forms.choose_person": "Please choose somebody from the list.",
    "forms.title": "Edit before creating",
    "home.about": (
        "I look things up, answer from what I find, and prepare ClickUp tasks. *I never write on "
        "my own:* everything I prepare waits for your yes. Write to me in Messages, or mention "
        "me in a channel."
    ),
    "home.at_limit": " People at their own limit of {most} USD: {people}.",
    "home.compare_accounts": "Compare accounts",
    "home.compare_question": "Compare our people with Slack and ClickUp.",
    "home.cost": "Models have cost {cost} USD this month.",
    "home.cost_of": "Models have cost {cost} USD this month, of at most {most}.",
    "home.days_ago": "{days} ago",
    "home.documents": "Procedures and documents that wait for approval: {waiting}.",
    "home.healthy": "All is well: nothing failed within the last day. {waiting}",
    "home.lacking": (
        "Slack doesn't allow me all that I need. Please paste the manifest anew into the app's "
        "page, and install the app again. Until then these don't work:"
    ),
    "home.more_remembered": "… and {left} more; ask me what I remember.",
    "home.more_waiting": "… and {left} more, in the threads where you asked.",
    "home.never_compared": (
        "Nobody has compared the team with the accounts of Slack and ClickUp lately."
    ),
    "home.nothing_waits_for_others": "Nobody else's work is waiting for a word.",
    "home.nothing_waits": "Nothing is waiting for your word.",
    "home.oldest": " The oldest has waited for {waited}.",
    "home.today": "within the last day",
    "home.undecided_accounts": (
        "Accounts of Slack and ClickUp that wait for a decision: {undecided}, as compared {age}."
    ),
    "home.unhealthy": "Within the last day: {failed}, {undelivered}. Ask me what failed. {waiting}",
    "home.unmapped": (
        "Brands without their ClickUp space or list: {unmapped} of {brands}. Ask me to audit them."
    ),
    "home.unpriced": " Not in it: {tokens} tokens of models without a known price.",
    "home.waiting_agency": "Waiting in the agency",
    "home.waiting_messages": "Messages waiting: {waiting}.",
    "home.waiting_you": "Waiting for you",
    "inbound.answered": (
        "That question is answered already. Just write to me if you meant something else."
    ),
    "inbound.elsewhere": "I work for another workspace than this one, so nothing was changed.",
    "inbound.forgotten": "That is no longer remembered.",
    "inbound.tick_one": "Please tick at least one of them first.",
    "inbound.not_posted": (
        "Slack hasn't confirmed that question yet. Its buttons stay; please press again."
    ),
    "long_texts.empty": "There is no text beside what the card says.",
    "long_texts.title": "The full text",
    "origin.assistant": "the assistant's wording",
    "origin.assistant_after": "the assistant's wording, after it read {whose}",
    "origin.document": "the document {whose}",
    "origin.file": "a file of {whose}",
    "origin.forwarded": "a message that {whose} forwarded",
    "origin.mixed": "your message, which contains pasted text",
    "origin.offered": "offered in my question, and taken from your answer “{whose}”",
    "origin.offered_before": "offered in an earlier question of mine, and taken from your answer",
    "origin.others": "words of {whose}",
    "origin.own_file": "a file that you sent",
    "origin.place": "of this channel; nobody named it",
    "origin.own_forwarded": "a message that you forwarded",
    "origin.own_pasted": "text that you pasted",
    "origin.own_quoted": "words that you quoted",
    "origin.part": "the assistant's wording, with {whose}",
    "origin.pasted": "text that {whose} pasted",
    "origin.procedure": "the procedure {whose}",
    "origin.quoted": "words that {whose} quoted",
    "origin.reading": "the assistant's reading ({reading}), to be checked, of {whose}",
    "origin.record": "text from “{whose}”",
    "origin.typed": "your own words",
    "scopes.app_mentions_read": "mentioning the assistant in channels",
    "scopes.assistant_write": "the agent view with its sentences to begin with",
    "scopes.channels_history": "threads of public channels, and a plain yes in them",
    "scopes.channels_read": "public channels: who reads along, archived and shared ones",
    "scopes.chat_write": "answers, cards and receipts",
    "scopes.commands": "the command /claw",
    "scopes.files_read": "importing people, clients and brands from attached CSV files",
    "scopes.files_write": "lists as CSV or Excel files",
    "scopes.groups_history": "threads of private channels, and a plain yes in them",
    "scopes.groups_read": "private channels: who reads along, archived and shared ones",
    "scopes.im_history": "direct messages, and a plain yes in them",
    "scopes.im_read": "telling a direct message from a channel",
    "scopes.im_write": "beginning a direct message: /claw ask, and notes of what ended",
    "scopes.links_read": "hearing of links to ClickUp tasks, to show short cards under them",
    "scopes.links_write": "showing short cards under links to ClickUp tasks",
    "scopes.mpim_history": "group messages, and a plain yes in them",
    "scopes.mpim_read": "telling a group message from a channel",
    "scopes.search_read_public": (
        "Slack's own search: messages are looked for in conversations I am a member of, and "
        "nowhere else"
    ),
    "scopes.users_read": "everything: nobody's membership can be checked",
    "scopes.users_read_email": "matching people with ClickUp when the agency is set up",
    "shortcuts.empty": "Please write a question.",
    "shortcuts.make_task": "Make a task of this message.",
    "shortcuts.question": "What do you want to know about this message?",
    "shortcuts.title": "Ask about this",
    "forwarding.you_asked": "You asked{origin}:\n{quoted}",
    "slack.no_direct_messages": (
        "I'm not allowed to begin direct messages with you, so I can't answer that there. "
        "Nothing was changed. Write to me in a direct message, and please ask an admin to "
        "install me in Slack again: I lack a permission."
    ),
    "streaming.more": "Looking up more",
    "streaming.taken_back": (
        "_I took back what I had begun to write here, and am writing it again._"
    ),
    "streaming.unsaid": "The message that I was answering was taken back, so I stopped.",
    "suggested_prompts.begin_with": "You could begin with one of these",
    "unfurls.no_date": "no date",
}
