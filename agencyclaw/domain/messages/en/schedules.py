"""What is said of recurring questions and watches."""

from __future__ import annotations

SCHEDULES = {
    "schedules.another_owner": "its channel belongs to somebody else now",
    "schedules.after_another": (
        "{timing} at the latest, as soon as another question has been answered"
    ),
    "schedules.answer_regularly": "Answer regularly: “{words}”",
    "schedules.changed_meanwhile": "that question is no longer as it was",
    "schedules.comes": "“{label}” comes {timing}.",
    "schedules.comes_resumed": "“{label}” is paused. Once resumed, it comes {timing}.",
    "schedules.cost": "about ${cost:.2f} each time, at most ${most:.0f} a month",
    "schedules.end": "End the {noun} “{words}”",
    "schedules.ended": "The {noun} “{label}” has ended.",
    "schedules.failed_now": (
        "I could not answer “{words}” just now. It comes at its times all the same."
    ),
    "schedules.failed_thrice": "it could not be answered three times in a row",
    "schedules.failed_twice": (
        "I could not answer “{words}” ({timing}) twice in a row. I'll try again next time; if that "
        "fails too, I pause it."
    ),
    "schedules.follows": (
        "“{words}”, as soon as that has been answered; if it has not been by the time above, I say "
        "so and skip it"
    ),
    "schedules.ill_answer": (
        "I'll answer “{label}” {timing}. It is on my Home tab, where you can end it."
    ),
    "schedules.tried_first": (
        "The question is answered once right after this, by itself, and its card comes below that."
    ),
    "schedules.kept": "{kind}, {timing}",
    "schedules.kept_paused": "{kind}, paused ({timing})",
    "schedules.not_tried": (
        "I tried it, and it could not be answered: {why}. So it has not begun. Please ask for it "
        "again later."
    ),
    "schedules.nothing_today": (
        "I tried it: there is nothing to say now, and on such days I post nothing."
    ),
    "schedules.no_owner": "its channel belongs to nobody now",
    "schedules.not_now": "It is paused, so it is not answered now. Resume it first.",
    "schedules.not_rarer": "It can't come less often than that. Nothing was changed.",
    "schedules.not_yours": (
        "That is {owner}'s, so only they or an admin can change it. Nothing was changed."
    ),
    "schedules.only_owner_ends": (
        "That is {owner}'s, so only they can end it. You can pause it. Nothing was changed."
    ),
    "schedules.origin": "From “{words}”, {timing}.",
    "schedules.over": "That has ended already. Nothing was changed.",
    "schedules.paused": "“{label}” is paused.",
    "schedules.paused_because": "I paused “{words}” ({timing}): {why}",
    "schedules.paused_for_admins": "I paused a recurring question, “{words}”: {why}",
    "schedules.set_already": "that {noun} is set already",
    "schedules.list": "These come or go on by themselves:",
    "schedules.none": (
        "You have no reminders, recurring questions or watches, and nothing of yours goes on in "
        "the background."
    ),
    "schedules.run_now": "Run now",
    "schedules.runs_already": "It is being answered already.",
    "schedules.ran_lately": (
        "“{words}” was answered less than an hour ago. To have it again now, ask me in a message."
    ),
    "schedules.runs_now": "I'm answering “{words}” now.",
    "schedules.skipped": "Skipped: “{words}”, because “{followed}” has not been answered today.",
    "schedules.still_wanted": (
        "Nobody has reacted to the last four. Is it still wanted? If not, pause or end it below."
    ),
    "schedules.too_costly": (
        "its answers have reached ${most:.0f} this month, the most that one may cost"
    ),
    "schedules.too_near": (
        "that question comes {timing} already, and an hour is the least between two answers"
    ),
    "schedules.trial": "This is the trial. Once begun, it comes {timing}.",
    "schedules.trial_failed": "a service did not answer",
    "schedules.unanswered": (
        "I could not answer “{words}” ({timing}), and it does not come again. You can ask me now."
    ),
    "schedules.unanswered_because": (
        "I did not answer “{words}” ({timing}), and it does not come again: {why}"
    ),
    "schedules.unsaid": "It came due {times} more and was not answered.",
    "schedules.untried": "it has to be tried first: please ask for it again",
    "schedules.waits": "the answer of a schedule waits",
    "schedules.which_first": "Which question has to be answered first?",
    "watches.and_prepares": ", then prepares: “{then}”",
    "watches.changed_procedure": "procedures that are new or have changed",
    "watches.cost": "a month in which models cost more than ${dollars}",
    "watches.done": "the completion of “{title}” ({client})",
    "watches.due": "due {due}",
    "watches.due_soon": "open tasks of {client} that are due within {days}",
    "watches.error_rate": "more than {percent} percent of a day's answers failing",
    "watches.errors": "{failed} of {ended} answers failed within a day",
    "watches.found": "Watching for {words}: {count} new.",
    "watches.ill_tell": (
        "I'll tell you of {label}. I look every 15 minutes. It is on my Home tab, where you can "
        "end it."
    ),
    "watches.is_done": "“{title}” is done.",
    "watches.is_gone": (
        "“{title}” is no longer among the client's tasks: it was deleted, archived or moved. I "
        "stop watching it."
    ),
    "watches.late": "open tasks of {client} that are late",
    "watches.lost_client": "its owner may not see {client} any more",
    "watches.miss": "{where}, {when}: {metric} {result} missed its target of {target} ({origin})",
    "watches.missed_target": "targets of {client} that were missed",
    "watches.missing_target": "brands of {client} without a target for this month",
    "watches.more_than": "more than {above} {what}",
    "watches.owner_left": "its owner has left",
    "watches.not_of_a_brand": (
        "Unanswered questions are known of a client, not of one brand: ask whether they want those "
        "of the whole client."
    ),
    "watches.of_agency_alone": (
        "That is known of the whole agency only, not of one client or brand: ask whether they want "
        "that."
    ),
    "watches.not_in_a_channel": (
        "What is prepared of a finding waits on a card for them alone, so that is asked for in a "
        "direct message to me."
    ),
    "watches.ended_unprepared": (
        "Of what you waited for ({words}), I could not prepare what you asked for (“{then}”): {why}"
    ),
    "watches.not_prepared": (
        "Of what I found ({words}), I could not prepare what you asked for (“{then}”): {why}. I go "
        "on watching, and you can ask me in a message."
    ),
    "watches.prepares": "I'm preparing what you asked for then: “{then}”. It waits for your press.",
    "watches.prepares_nothing": (
        "I prepare nothing of it (“{then}”): the last is still under way, or there were {most} "
        "answers for you today. You can ask me in a message."
    ),
    "watches.prepares_then": "“{then}” is prepared, and waits for your press",
    "watches.question": "{question} (asked {times})",
    "watches.spent": "${dollars} so far this month",
    "watches.task": "{title} ({due}, assigned to {assignees})",
    "watches.tell_you": "Tell you of {wanted}",
    "watches.unanswered": "questions that nothing answers",
    "watches.unanswered_of": "questions about {client} that nothing answers",
    "watches.unassigned": "open tasks of {client} that nobody is assigned to",
    "watches.unmapped": "brands of {client} that are not linked to ClickUp",
    "watches.which_cost": "From how many dollars a month shall I tell you?",
    "watches.which_task": "Which task shall I watch until it is done?",
    "watches.when_done": "when that task is done",
    "watches.whenever": "whenever there is something new",
}
