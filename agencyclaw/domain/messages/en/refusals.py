"""Why a tool did nothing: read by the model, and by the person where no answer comes of it."""

from __future__ import annotations

REFUSALS = {
    "refused.assignments.brand_not_found": "{client} has no brand called “{name}”.",
    "refused.assignments.held_already": "{member} is {role} of {owner} already.",
    "refused.assignments.role_not_found": (
        "There is no role called “{hint}”. The roles are: {listed}."
    ),
    "refused.brand_records.bad_marketplace": (
        "“{wrong}” is no marketplace code; they look like US or CA."
    ),
    "refused.brand_records.blank_name": "A brand needs a name.",
    "refused.brand_records.duplicate_name": "{client} has a brand called “{other}” already.",
    "refused.brand_records.no_changes": "Nothing about {chosen} would change by that.",
    "refused.brand_records.two_links": "Either take its link away or give it another one.",
    "refused.guides.not_found": "There is no guide of that name, only: {names}.",
    "refused.kpi.no_changes": "These are the targets already.",
    "refused.kpi.other_marketplace": (
        "{brand} is not recorded as selling in {unknown}, only in {listed}."
    ),
    "refused.imports.columns": (
        "I can't tell what {file} holds. Its first line has to name columns of one of these, and no"
        " others. {columns}."
    ),
    "refused.imports.no_changes": "These files change nothing. {faults}",
    "refused.imports.no_file": (
        "Attach CSV files of people, clients or brands to your message, a file for each kind."
    ),
    "refused.imports.too_faulty": "{count} lines are faulty; nothing is prepared. First: {first}",
    "refused.imports.not_text": "{file} can't be read; save it as “CSV UTF-8”.",
    "refused.imports.too_big": "{file} is too big: at most {most} bytes are read.",
    "refused.imports.too_many": "At most {most} lines are imported at once.",
    "refused.imports.unread": "Slack does not give me the file now.",
    "refused.library.name_taken": "{whose} is found by that name already.",
    "refused.library.no_changes": "The procedures are as they are in ClickUp.{unread}",
    "refused.library.no_name": "A name needs letters or digits.",
    "refused.library.no_room": "It has {most} other names, which is the most.",
    "refused.library.no_such_name": "It has no such other name.",
    "refused.memory.no_changes": "That is remembered already.",
    "refused.memory.not_certain": (
        "That is not certain enough to be kept: only what somebody stated as a fact is "
        "remembered. Ask whether it is so, or leave it."
    ),
    "refused.memory.not_remembered": "Nothing like that is remembered.",
    "refused.messages.bad_window": "That time ends before it begins.",
    "refused.messages.conversation_not_found": (
        "No conversation of that name is among those this person and I are both in and that "
        "may be shown here."
    ),
    "refused.messages.nothing_asked": "Say what to look for, or in which channel.",
    "refused.people.person_not_found": "I don't know an active team member called “{hint}”.",
    "refused.places.list_not_found": "I found no ClickUp list called “{hint}” there.",
    "refused.places.space_not_found": "I know no ClickUp space called “{hint}”.",
    "refused.reminders.has_passed": "{timing} has passed: ask when they mean.",
    "refused.reminders.not_by_itself": "A schedule can't set another one.",
    "refused.reminders.only_in_slack": "Reminders come in Slack, so they can't be set here.",
    "refused.research.no_question": "There is no question to look up.",
    "refused.role_reports.no_role": "There is no role of that name. There are: {known}.",
    "refused.sops.procedure_not_found": (
        "No procedure is called “{title}”. Search for it, and choose a title."
    ),
    "refused.task_changes.bad_dates": "It would be due before it starts.",
    "refused.task_changes.no_changes": (
        "That would change nothing. Say what should change: title, status, dates, assignee, "
        "priority or description."
    ),
    "refused.task_changes.no_clickup_id": (
        "{person} has no ClickUp id, so a task can't be given to them."
    ),
    "refused.task_changes.too_long": (
        "Its description is too long to be changed from here; change it in ClickUp."
    ),
    "refused.task_comments.no_text": "A comment needs words. What should it say?",
    "refused.task_lookup.no_task_address": (
        "That address opens no task in ClickUp. Give me the task's own link, which begins "
        "with https://app.clickup.com/t/, or its title."
    ),
    "refused.task_lookup.not_allowed": (
        "That task's own list in ClickUp is none of those you can reach from here."
    ),
    "refused.task_procedures.closest": "No procedure is called “{title}”. Closest are {known}.",
    "refused.task_procedures.procedure_not_found": (
        "No procedure is called “{title}”. Search for it first."
    ),
    "refused.client_records.blank_name": "A client needs a name.",
    "refused.client_records.name_taken": (
        "There is a client called “{name}” already; it is {status}."
    ),
    "refused.client_records.no_changes": "Nothing about {name} would change by that.",
    "refused.spaces.classified_already": "They are classified so already.",
    "refused.spaces.in_line": "The registry has every space that ClickUp shows.",
    "refused.spaces.none": "ClickUp shows our account no space at all.",
    "refused.spaces.not_found": "ClickUp shows no space called “{hint}”.",
    "refused.team.account_taken": "The account {account} is linked to {name} already.",
    "refused.team.bad_email": "“{text}” is no e-mail address.",
    "refused.team.bad_slack_account": (
        "To link a Slack account, the message has to mention that person, or to have "
        "the member id from their Slack profile."
    ),
    "refused.team.bad_zone": "“{wrong}” is no time zone; Europe/Lisbon is one.",
    "refused.team.blank_name": "A person needs a name.",
    "refused.team.no_changes": "Nothing about {name} would change by that.",
    "refused.team.no_clickup_member": "ClickUp has no member called “{hint}”.",
    "refused.team.own_successor": "They can't take over from themselves.",
    "refused.team.there_already": "{name} has that e-mail and is in the team.",
    "refused.team.yourself": "Nobody archives themselves; another admin has to.",
}
