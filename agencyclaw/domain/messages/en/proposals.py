"""English sentences about proposals: receipts, refusals, and how they end."""

from __future__ import annotations

PROPOSALS = {
    "assignments.agencys_roles": "The agency's roles",
    "assignments.holds_now": "Holds it now",
    "assignments.no_longer_role_open": (
        "{held} is no longer {role} of {where}. The role is open now."
    ),
    "assignments.nobody_holds": "nobody holds it",
    "assignments.nobody_role_open": "nobody, the role is open",
    "assignments.none_client_level": "none (client level)",
    "assignments.not_active_team_any": (
        "{person} is not active in the team any more, or somebody else took the role this moment"
    ),
    "assignments.now": "{person} is now {role} of {where}.{before}",
    "assignments.role_changed_since_now": "the role {role} of {where} was changed since: {now} now",
    "assignments.role_open": "the role is open",
    "assignments.role_open_assignments": " The role was open.",
    "assignments.take_off": "Take {person} off {role} of {where}",
    "execute.other_person": (
        "the Slack account that asked for it belongs to another person by now"
    ),
    "execute.tampered": "what is stored is not what was on the card",
    "handlers.cannot_undo": "That can't be undone from here; please change it back by asking me.",
    "handlers.clickup_refuses_our_access": "ClickUp refuses our access",
    "identity.slack_say": "Slack to say {about}",
    "identity.who_you_are": "who you are",
    "immediate.done_before": "That was done already.",
    "immediate.not_done": "{why}. Nothing was changed.",
    "judge.not_among_your_active": "{lost} is not among your active clients any more.",
    "judge.paused_at_nothing_carried": (
        "{by} paused me at {at}, so nothing is carried out; proposals wait."
    ),
    "library.add_name": "Add name",
    "library.be_approved_before_use": "\nTo be approved before use: {new}.",
    "library.not_this_name": "Not this name",
    "library.drop_name": "Take name away",
    "library.is_found_as": "“{title}” is found as “{name}”, too, from now on.",
    "library.is_not_found_as": "“{title}” is no longer found as “{name}”.",
    "library.knowledge_base": "The knowledge base",
    "library.named": "{verb}: “{name}” for “{title}”",
    "library.names_changed": "the names of “{title}” were changed since",
    "library.names_clients": "It names {names}; everybody who searches the procedures reads it.",
    "library.procedure_changed_since": "the procedure “{other}” was changed since",
    "library.procedures_are_as_they": "The procedures are as they were before.",
    "library.in_use": "The {noun} “{title}” is in use from now on.",
    "library.out_of_use": "The {noun} “{title}” is out of use from now on.",
    "library.put_use": "Put to use",
    "library.replaces": (
        "Version {version} of the {noun} “{title}” is in use from now on,"
        " instead of version {replaced}."
    ),
    "library.somebody_decided_about_since": "somebody decided about “{what}” since",
    "library.take_out_use": "Take out of use",
    "library.taken_over_from_clickup": "Taken over from ClickUp: {counts}; {unchanged} unchanged.",
    "library.turn_down": "Turn down",
    "library.turned_down": "Version {version} of the {noun} “{title}” is turned down.",
    "library.waits_again": "Version {version} of the {noun} “{title}” waits for approval again.",
    "library.whoever_searches": "whoever searches the procedures",
    "missed.between": "something else was said or shown between the card and it",
    "missed.early": "it was written before the card was there",
    "missed.elsewhere": "the card waits in another thread",
    "missed.revised": "another version of the card had been asked for",
    "missed.several": "several cards wait, and it could be meant for any of them",
    "missed.taken_back": "a no followed it",
    "missed.told": "Their plain yes or no decided about no card: {why}.",
    "outcomes.ask_again_new_proposal": "{why}; ask me again for a new proposal",
    "outcomes.clickup_busy": "ClickUp to take requests again",
    "outcomes.looking": (
        "ClickUp didn't say whether this was {done}: “{label}”. I'm checking and will tell you "
        "here; please don't do it by hand yet."
    ),
    "outcomes.try_again": "; if it is not, press “Try again” on the card",
    "outcomes.unknown": (
        "I could not find out whether this was {done}: “{label}”. Please look in ClickUp{advice}. "
        "{reference}"
    ),
    "press.admin": "an admin wants a press",
    "press.beside": "it could be meant for another of your cards",
    "press.beside_of": "it could be meant for another of their cards",
    "press.channel": "in a channel it could be meant for somebody else",
    "press.folded": "part of its text is folded away",
    "press.kept": "something else has come up since it was shown",
    "press.kind": "this kind of change always takes a press",
    "press.others": "it holds words that you didn't type yourself",
    "press.others_of": "it holds words that they didn't type themselves",
    "press.talk": "it could be meant for something else that was said",
    "press.parts": "{why}: {parts}",
    "press.wording": "I wrote part of it after reading what others wrote, so read it first",
    "press.wording_of": "you worded part of it after reading what others wrote",
    "proposal.admins_only": "Only an admin of your agency can cancel what waits for somebody else.",
    "proposal.archived": (
        "The channel in which {listed} waited for you was archived, so nobody can confirm it "
        "there any more. Nothing was changed. Ask me here if you still want it."
    ),
    "proposal.ask_to_change": "Ask me to change it instead.",
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
    "proposal.ended.undecided": (
        "I could not find out whether {title} was {done}. Please look in ClickUp; if it is not "
        "there, press “Try again” on its card."
    ),
    "proposal.ended.unclear": (
        "I'm still finding out whether {title} reached ClickUp. I'll tell you here."
    ),
    "proposal.expired": "That card expired{at}, so nothing was changed. Prepare it again?",
    "proposal.forged": "That doesn't match anything I proposed here, so nothing was changed.",
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
    "proposal.still_open": "Still open: {listed}.",
    "proposal.taken_back": (
        "You took your yes back, so “{label}” was not {done}. Its card still waits for your press."
    ),
    "proposal.too_late_to_undo": (
        "“{label}” was {done} more than ten minutes ago, so I don't undo it by a button any "
        "more. Nothing was changed."
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
    "proposal.unsupported": (
        "I was updated after I prepared that, so I can't carry out just what its card says. "
        "Nothing was changed. Ask me again and I'll prepare it afresh."
    ),
    "proposal.unsupported_unknown": (
        "I was updated since, so I can't try that again as it was. Please look in ClickUp; if it "
        "is not there, ask me again and I'll prepare it afresh."
    ),
    "proposal.unsupported_why": (
        "I was updated after I prepared it; ask me again and I'll prepare it afresh"
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
    "proposal.waits_for_press": "Nothing was changed: that still waits for a press on its card.",
    "proposal.words_over": "This card is from {at}. Press if it is still right.",
    "proposal.your_own": "Your own",
    "proposal.yours_already": "That one is yours already: it waits for your own press.",
    "propose.cant_be_edited_cancel": (
        "This can't be edited; cancel it and tell me what you want instead."
    ),
    "propose.cant_find_proposal_any": "I can't find that proposal any more.",
    "propose.due": "The due date lies before the start.",
    "propose.ends": "The promotion would end before it starts.",
    "propose.known": "“{long}” is too long: each line has at most {most} characters.",
    "propose.lost_terms": "Choose which promotion it is, or leave out: {terms}.",
    "propose.message_ended": "That message was stopped or deleted, so nothing is prepared for it.",
    "propose.nobody_active_team_meant": (
        "Nobody active in the team is meant by that choice; please choose somebody."
    ),
    "propose.only_can_edit": "Only {actor_name} can edit this.",
    "propose.prepare_at_most_changes": "I prepare at most {drafts_per_run} changes at a time.",
    "propose.past": "{day} is already past.",
    "propose.products": "“{wrong}” doesn't look like an ASIN or SKU.",
    "propose.proposal_cant_be_edited": "This proposal is {state} and can't be edited any more.",
    "propose.settled_meantime": "It was settled in the meantime.",
    "propose.too_many": "These are too many: at most {most} fit.",
    "remediation.brand_gone": "the brand is gone",
    "remediation.changed_since": "it was changed since",
    "remediation.its_clients_other_brands": (
        "its client's other brands don't agree on one value any more"
    ),
    "remediation.not_removed": "• Not removed: {reason}.",
    "remediation.not_repaired": "• Not repaired: {reason}.",
    "remediation.our_own_records_couldnt": "our own records couldn't be written",
    "remediation.removed_clickup_links": "Removed {applied} of {whole} ClickUp links.",
    "remediation.repaired_clickup_links": "Repaired {applied} of {whole} ClickUp links.",
    "remembering.dont_remember_any_more": "I don't remember that any more",
    "remembering.forget_you": "Forget for you: “{label}”",
    "remembering.forgotten_you": "Forgotten for you: “{label}”.",
    "remembering.ill_remember_about_on": (
        "I'll remember about {client}: “{note}”. It is on my Home tab, where you can delete it."
    ),
    "remembering.ill_remember_you_on": "I'll remember for you: “{label}”. It is on my Home tab.",
    "remembering.memory": "What I remember",
    "remembering.note_not_there_any": "that note is not there any more",
    "remembering.preference_kept_only_who": "a preference is kept only for who asks for it",
    "remembering.remember_already": "I remember that already",
    "remembering.remember_as_much_as": "I remember as much as I can for you",
    "remembering.remember_you": "Remember for you: “{label}”",
    "remembering.whoever_works": "whoever works for {client}",
    "reminders.assumed_time": "No time of day was given: {at} is assumed.",
    "reminders.ended_already": "that has ended already",
    "reminders.every_day": "every day at {at}",
    "reminders.every_month": "every month on day {number} at {at}",
    "reminders.every_week": "every {weekdays} at {at}",
    "reminders.has_passed": "its time has passed",
    "reminders.how_to_end": "It comes {timing}. You can end it on my Home tab, or tell me.",
    "reminders.ill_remind_you": (
        "I'll remind you {timing}: “{label}”. It is on my Home tab, where you can end it."
    ),
    "reminders.missed": "It came due {times} more since.",
    "reminders.once": "{day} at {at}",
    "reminders.planned_for": "It was planned for {planned}.",
    "reminders.read_as": "“{quote}” is read as {at}.",
    "reminders.remind_you": "Remind you: “{words}”",
    "reminders.reminder": "⏰ You asked to be reminded: “{words}”",
    "reminders.where": "Your direct messages",
    "reminders.working_day": "weekday",
    "bulk_changes.changed": "Changed {count}.",
    "bulk_changes.not_accepted": "“{label}”: ClickUp did not accept all of it.",
    "bulk_changes.not_changed": "“{label}” was not changed: {why}.",
    "bulk_changes.part": "{changed} of {total} tasks",
    "bulk_changes.was_so": "“{label}” was so already.",
    "bulk_changes.waits": "it has to wait for {what_for}",
    "task_archiving.archived_out_sight_not": (
        "“{title}” is archived in {where}: out of sight, not deleted. It can be restored in "
        "ClickUp."
    ),
    "task_archiving.not_clickup_any_more": "“{title}” is not in ClickUp any more",
    "task_archiving.open_archived_task_clickup": "Open the archived task in ClickUp",
    "task_archiving.somebody_has_changed_clickup": (
        "somebody has changed “{title}” in ClickUp since I created it, so it stays as it is; you "
        "can archive it there"
    ),
    "task_change.accepted_in_part": "{label}: ClickUp did not accept all of it. Now it is: {now}.",
    "task_change.assignee_left": "{name} is archived by now",
    "task_change.changed_task": "Changed the task “{label}”.",
    "task_change.clickup_did_not_accept": "{label}: ClickUp did not accept it.",
    "task_change.clickup_did_not_take": (
        "ClickUp did not take all of it, so it can't be taken back as a whole."
    ),
    "task_change.field_failed": "{label}: not changed. {why}.",
    "task_change.gone": "the task is not in ClickUp any more, or our account may not see it",
    "task_change.left_as_it_was": "ClickUp left it as it was",
    "task_change.moved": "the task is in another list now",
    "task_change.not_theirs": "its list is not that of {client} alone any more",
    "task_change.not_ours": "Somebody else had changed it before, so there is nothing to undo.",
    "task_change.task_changed_since": "the task was changed since: {text}",
    "task_change.was_so": "The task “{label}” was so already; nothing had to be changed.",
    "task_comments.commented": "Commented on the task “{label}”.",
    "task_creation.already_created_list_within": (
        "was already created in this list within the last 24 hours, so I didn't create it a "
        "second time"
    ),
    "task_creation.ask_again": "ask me again",
    "task_creation.assignee_left": "{name} is archived by now; the new card has no assignee",
    "task_creation.clickup_list_work_changed": (
        "the ClickUp list for this work was changed since; {now}"
    ),
    "task_creation.created_after_card_drawn": (
        "was created after this card was drawn, for the same procedure and products, so I didn't "
        "create this one"
    ),
    "task_creation.goes_now": "it goes to {destination} now",
    "task_creation.no_access": (
        "ClickUp refuses our access or is not set up; an admin has to see to it"
    ),
    "task_creation.nothing_sent": "nothing was sent",
    "task_creation.open_existing_task": "Open the existing task",
    "task_creation.may_exist": (
        "may have been created within the last 24 hours; that is not known yet, so I didn't create "
        "this one"
    ),
    "task_creation.press_create_anyway_or": (
        "“{title}” {same}. Press “Create anyway”, or ask me to create it anyway, if you want both."
    ),
    "task_creation.unassigned": "It is unassigned.",
    "task_creation.unassigned_clickup_did_not": (
        "It is unassigned: ClickUp did not accept {name} on this list."
    ),
    "task_creation.unassigned_has_no_clickup": (
        "It is unassigned: {name} has no ClickUp account linked."
    ),
    "unsupported.carried_out_there": "“{effect}” was carried out: it is there.",
    "unsupported.earlier_request": "an earlier request",
    "unsupported.im_still_finding_out": (
        "I'm still finding out whether “{label}” was carried out, and will tell you here; please "
        "don't do it by hand yet."
    ),
    "unsupported.updated_while_under_way": (
        "I was updated while “{label}” was under way and could not find out whether it was "
        "carried out. Please look in ClickUp; if it is not there, ask me again. {reference}"
    ),
    "waiting.buttons_on_its_card": (
        "The buttons on its card are back: press again if it is still right."
    ),
    "waiting.cant_reach_own_records": (
        "I can't reach my own records just now, so I can't say yet whether “{label}” was {done}. "
        "I keep trying and will tell you here; nothing is done twice, so please don't do it by "
        "hand yet."
    ),
    "waiting.clickup": "ClickUp to be reachable again",
    "waiting.its_card_has_expired": (
        "Its card has expired meanwhile; ask me again if you still want it."
    ),
    "waiting.model": "the language model to answer",
    "waiting.so_not_done": "{in_vain}, so “{effect}” was not {done}.",
    "waiting.waited_ten_minutes_vain": "I waited ten minutes for {what_for}, in vain",
    "waiting.waiting_nothing_changed_yet": (
        "“{effect}” is waiting for {what_for}. Nothing was changed yet; I keep trying and will "
        "tell you here."
    ),
    "waiting.waits": "It waits for {what_for}.",
}
