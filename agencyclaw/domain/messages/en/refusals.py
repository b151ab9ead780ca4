"""Why a tool did nothing: read by the model, and by the person where no answer comes of it."""

from __future__ import annotations

REFUSALS = {
    "refused.assignments.brand_not_found": "{client} has no brand called “{name}”.",
    "refused.assignments.held_already": "{member} is {role} of {owner} already.",
    "refused.assignments.role_not_found": (
        "There is no role called “{hint}”. The roles are: {listed}."
    ),
    "refused.brand_records.archived": (
        "There was a brand called “{name}”, and it is archived. Ask me to bring it back."
    ),
    "refused.brand_records.bad_marketplace": (
        "“{wrong}” is no marketplace code; they look like US or CA."
    ),
    "refused.brand_records.blank_name": "A brand needs a name.",
    "refused.brand_records.duplicate_name": "{client} has a brand called “{other}” already.",
    "refused.brand_records.long_name": (
        "That name is {length} characters long; a brand's has at most {most}."
    ),
    "refused.brand_records.two_links": "Either take its link away or give it another one.",
    "refused.guides.not_found": "There is no guide of that name, only: {names}.",
    "refused.kpi.not_over": (
        "{when} is not over yet: a result is of a month or year that is. An earlier one is named"
        " with its year."
    ),
    "refused.kpi.other_marketplace": (
        "{brand} is not recorded as selling in {unknown}, only in {listed}."
    ),
    "refused.accounts.admin": (
        "{name} is an admin; a super admin changes an admin's accounts, by name."
    ),
    "refused.accounts.no_changes": (
        "Nothing would change: name whom to add, or whose an undecided account is."
    ),
    "refused.accounts.no_slack": "Accounts are compared in Slack alone.",
    "refused.accounts.nobody": "Slack and ClickUp show nobody “{name}” for that.",
    "refused.accounts.several": "Several are called “{name}”; the e-mail says which.",
    "refused.accounts.several_ids": (
        "Several accounts are called “{name}”: {ids}. Say which id is meant."
    ),
    "refused.accounts.twice": "{name} would be changed twice; decide on one account at a time.",
    "refused.accounts.two_owners": "One account can't belong to {owner} and to {other}.",
    "refused.accounts.unread": "Slack does not list its people now.",
    "refused.accounts.whose": "Whose is the account of {name}?",
    "refused.deliveries.nobody": "SUPER_ADMIN_PROFILE_IDS names nobody in whose name to record.",
    "refused.deliveries.other": "Another delivery had this key; each needs its own.",
    "refused.files.not_found": "There is no file of that name in this conversation, only: {names}.",
    "refused.files.too_big": "{file} is too big: at most {most} MB are read.",
    "refused.files.unread": "Slack does not give me the file now.",
    "refused.files.unreadable": "{file} can't be read: {why}.",
    "refused.imports.columns": (
        "I can't tell what {file} holds. Its first line has to name columns of one of these, and no"
        " others. {columns}."
    ),
    "refused.imports.no_changes": "These files change nothing. {faults}",
    "refused.imports.no_csv": "{file} is no CSV file from line {line} on: is a quote left open?",
    "refused.imports.no_file": (
        "Attach CSV files of people, clients, brands or results to your message, a file for each"
        " kind."
    ),
    "refused.imports.only_results": "Only results are taken here, with the columns {columns}.",
    "refused.imports.too_faulty": "{count} lines are faulty; nothing is prepared. First: {first}",
    "refused.imports.no_lines": "{file} has no line below its columns, so nothing is recorded.",
    "refused.imports.not_text": "{file} can't be read; save it as “CSV UTF-8”.",
    "refused.imports.too_many": "At most {most} lines are imported at once.",
    "refused.imports.too_long": (
        "A card shows at most {most} characters of changes. Split the file, and send me its parts"
        " one after the other."
    ),
    "refused.library.name_taken": "{whose} is found by that name already.",
    "refused.library.no_changes": "The procedures are as they are in ClickUp.",
    "refused.library.no_docs": (
        "Nothing was compared: no ClickUp Doc with procedures is set up and can be read."
    ),
    "refused.library.no_name": "A name needs letters or digits.",
    "refused.library.no_room": "It has {most} other names, which is the most.",
    "refused.library.no_such_name": "It has no such other name.",
    "refused.memory.no_changes": "That is remembered already.",
    "refused.memory.not_certain": (
        "That is not certain enough to be kept: only what somebody stated as a fact is "
        "remembered. Ask whether it is so, or leave it."
    ),
    "refused.memory.not_remembered": "Nothing like that is remembered.",
    "refused.memory.not_remembered_here": (
        "Nothing like that is known in this channel. Reminders and other schedules, and in a "
        "client's channel preferences too, are ended in a direct message or on the Home tab."
    ),
    "refused.messages.bad_window": "That time ends before it begins.",
    "refused.messages.conversation_not_found": (
        "No conversation of that name is among those this person and I are both in and that "
        "may be shown here."
    ),
    "refused.messages.nothing_asked": "Say what to look for, or in which channel.",
    "refused.people.person_not_found": "I don't know an active team member called “{hint}”.",
    "refused.places.list_not_found": "I found no ClickUp list called “{hint}” there.",
    "refused.places.only_own": (
        "In a client's channel only the spaces of its own brands are known; others can be named "
        "in a direct message."
    ),
    "refused.places.space_not_found": "I know no ClickUp space called “{hint}”.",
    "refused.reminders.before_the_other": (
        "The one it follows comes {timing}; its latest time has to be later on the same day."
    ),
    "refused.reminders.nothing_to_follow": (
        "This person has no such recurring question that another could follow."
    ),
    "refused.reminders.nothing_to_follow_here": (
        "No such recurring question of this person is answered in this channel. One that is "
        "answered in their direct messages can be followed there."
    ),
    "refused.reminders.has_passed": "{timing} has passed: ask when they mean.",
    "refused.reminders.not_by_itself": "A schedule can't set another one.",
    "refused.reminders.is_done": "“{title}” is done already.",
    "refused.reminders.only_in_slack": "Reminders come in Slack, so they can't be set here.",
    "refused.research.no_question": "There is no question to look up.",
    "refused.operations.admins": "Only admins may see how the assistant is doing.",
    "refused.operations.no_retry": (
        "Only the last run of a message that failed or was stopped can be tried again, three times."
    ),
    "refused.operations.no_run": "There is no run of that id that you may see.",
    "refused.role_reports.no_role": "There is no role of that name. There are: {known}.",
    "refused.sops.procedure_not_found": (
        "No procedure is called “{title}”. Search for it, and choose a title."
    ),
    "refused.bulk_changes.many": (
        "Those are {number} tasks, and one card takes {most}. Name a client, a person or fewer "
        "days."
    ),
    "refused.bulk_changes.no_changes": (
        "That would change none of them. Say what should change: due day, assignee, status, "
        "priority or a custom field."
    ),
    "refused.bulk_changes.not_among": "None of these tasks is called “{title}”.",
    "refused.bulk_changes.none": "No open task is like that. {checked}",
    "refused.checklists.exists": "The task has a checklist “{name}” already.",
    "refused.checklists.gone": "It is not in the task any more.",
    "refused.checklists.has_item": "“{name}” is in that checklist already.",
    "refused.checklists.none": "The task has no checklist; a new one needs a name.",
    "refused.checklists.no_items": "The task has no checklist with items.",
    "refused.task_changes.bad_dates": "It would be due before it starts.",
    "refused.task_changes.no_changes": (
        "That would change nothing. Say what should change: title, status, dates, assignee, "
        "priority, description, a custom field or an item of a checklist."
    ),
    "refused.task_changes.no_clickup_id": (
        "{person} has no ClickUp account linked, so a task can't be given to them until an admin "
        "links one."
    ),
    "refused.task_changes.too_many": (
        "That is more than the {most} custom fields and checklist items that fit on one card."
    ),
    "refused.task_changes.too_long": (
        "Its description is too long to be changed from here; change it in ClickUp."
    ),
    "refused.task_fields.kind": (
        "“{field}” is of a kind that can't be set from here; change it in ClickUp."
    ),
    "refused.task_fields.none": "Its list in ClickUp has no custom fields.",
    "refused.task_fields.takes": "“{field}” takes {takes}.",
    "refused.task_fields.unreadable": (
        "What is in “{field}” now is in a form that I can't read, so I don't overwrite it; change "
        "it in ClickUp."
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
    "refused.client_records.blank_name": "A client needs a name.",
    "refused.client_records.name_taken": (
        "There is a client called “{name}” already; it is {status}."
    ),
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
    "refused.team.no_clickup_member": "ClickUp has no member called “{hint}”.",
    "refused.team.own_successor": "They can't take over from themselves.",
    "refused.team.there_already": "{name} has that e-mail and is in the team.",
    "refused.team.yourself": "Nobody archives themselves; another admin has to.",
    "refused.assignments.client_level": "{client} (client level)",
    "refused.assignments.not_assigned": (
        "No assignment found: {member} is not {role} of {owner}; {now}."
    ),
    "refused.boards.not_alone": (
        "The ClickUp list of {brand} is not this client's alone, so its tasks are not shown in "
        "this channel. Ask me in a direct message."
    ),
    "refused.boards.no_clear_list": (
        "{brand} is linked to a ClickUp space without a clear list for new tasks. An admin "
        "has to link one of its lists."
    ),
    "refused.brands.admin_can_link": (
        "An admin{names} has to link its space or list first: they can tell me which it is."
    ),
    "refused.brands.no_tasks": (
        "{name} isn't linked to a ClickUp list yet, so there are no tasks to look at. {remedy}"
    ),
    "refused.brands.none": "{client} has no brands.",
    "refused.brands.nowhere": (
        "{name} isn't linked to a ClickUp list yet, so a task would have nowhere to go. "
        "{remedy} What was asked stays in this thread: ask for it again then."
    ),
    "refused.brands.you_can_link": (
        "You can link it, as an admin: tell me which ClickUp space or list is its own, and I "
        "prepare the link."
    ),
    "refused.clickup.bad_id": "There is no such {noun} in ClickUp: its id is malformed.",
    "refused.clickup.bad_value": "ClickUp does not take one of the values as it is.",
    "refused.clickup.list_too_long": (
        "That ClickUp list has more than {most:,} tasks to read; ask for a shorter stretch of time."
    ),
    "refused.clickup.no_dates": "ClickUp doesn't say when that task was last changed.",
    "refused.clickup.no_docs": "There are no Docs in the configured place.",
    "refused.clickup.no_docs_set": (
        "No ClickUp Docs are configured. Set CLICKUP_DOCS to the ids of the Docs that hold "
        "the procedures, or of the folder or space they are in."
    ),
    "refused.clickup.no_such_status": "That list in ClickUp has no such status.",
    "refused.clickup.no_task": "There is no task with that id in ClickUp.",
    "refused.clickup.not_allowed": (
        "Our ClickUp account may not do that with this {noun}. Nothing was changed."
    ),
    "refused.clickup.not_found": (
        "There is no such {noun} in ClickUp, or our account may not see it{code}."
    ),
    "refused.clickup.other_parent": "The parent task is in another ClickUp list.",
    "refused.clickup.page_too_long": (
        "The page “{title}” is longer than {most:,} characters; please split it."
    ),
    "refused.clickup.plan_limit": (
        "The list's default task type has reached the limit of the ClickUp plan."
    ),
    "refused.clickup.refused": "ClickUp refused the request ({detail}). Nothing was changed.",
    "refused.clickup.too_many_docs": (
        "There are more than {most} Docs in the configured place; name the Docs themselves in "
        "CLICKUP_DOCS."
    ),
    "refused.clickup.too_many_pages": "A Doc has more than {most} pages.",
    "refused.clients.assigned": (
        "You see the clients you are assigned to. An admin can assign you to more"
    ),
    "refused.clients.former": (
        "“{name}” is no longer a client ({status}), so nothing of it is shown. An admin can have "
        "me prepare bringing it back."
    ),
    "refused.clients.none": "You have no clients yet. An admin has to assign you to one",
    "refused.clients.not_found": (
        "I couldn't find a client called “{name}” among those you can see."
    ),
    "refused.clients.not_yours": (
        "This channel belongs to a client you are not assigned to, so I can't show you "
        "anything here. An admin can assign you to it"
    ),
    "refused.clients.other_here": (
        "This channel belongs to {client}, and I found no client called “{name}” in it. Other "
        "clients can be asked about in a direct message."
    ),
    "refused.destinations.list_gone": (
        "The ClickUp list of {brand} can't be found any more. An admin has to link the brand "
        "to another one."
    ),
    "refused.destinations.none": "Neither a ClickUp space nor a list is on record for it.",
    "refused.destinations.not_for_brands": (
        "{brand} points at a ClickUp space that is not classified as one for a brand's tasks. "
        "{who_classifies}"
    ),
    "refused.library.document_not_found": (
        "There is no procedure or document of that name that waits or is in use."
    ),
    "refused.library.in_use": "That one is in use already.",
    "refused.library.waits": "That one is not in use: it waits, and can be rejected.",
    "refused.mappings.no_brands": "No brand is on record yet.",
    "refused.mappings.nothing_missing": (
        "Nothing is missing: all brands have both a ClickUp space and a list."
    ),
    "refused.mappings.only_guesses": (
        "Nothing can be repaired without guessing; an admin has to name space or list."
    ),
    "refused.mappings.repairs": "{safe} can be repaired, {blocked} can't. Nothing was changed.",
    "refused.memory.closest": " Closest to it is “{closest}”.",
    "refused.memory.not_written": (
        "Nobody wrote that here.{closest} Only a person's own words are kept: copy them, or ask "
        "whether it is so."
    ),
    "refused.memory.too_long": (
        "What they wrote is longer than {most} characters in one sentence: ask them for it in "
        "a short one."
    ),
    "refused.places.not_for_brands": (
        "The space {space} is not classified as one for a brand's tasks. {who_classifies}"
    ),
    "refused.places.who_classifies": (
        "An admin can have me classify the space as one for a brand's tasks."
    ),
    "refused.prior_results.damaged": (
        "That earlier result is damaged and can't be read. Look it up anew."
    ),
    "refused.prior_results.invalid_key": (
        "That is not a key of an earlier result. Use one exactly as it was given."
    ),
    "refused.prior_results.not_found": (
        "There is no earlier result with that key in this conversation."
    ),
    "refused.records.no_changes": "That is recorded already.",
    "refused.records.as_it_is": "Nothing about {name} would change by that.",
    "refused.records.lacks": "That is not recorded yet, and needs this too: {label}. Ask for it.",
    "refused.records.no_record": "There is no such record.",
    "refused.schedules.in_a_channel": (
        "Answered in a channel, that needs an admin of your agency. In a direct message with me you"
        " can ask for it yourself."
    ),
    "refused.reminders.too_often": (
        "Nothing is set. Possible is once, or again every day, week or month; the same question at "
        "several times a day if they are an hour apart. A watch looks every 15 minutes."
    ),
    "refused.reminders.weekdays": (
        "Nothing is set. Weekdays go with every week only: a single day, or that of every month, "
        "is given as the day."
    ),
    "refused.reminders.too_many": (
        "They have {most} schedules already: one has to be forgotten first."
    ),
    "refused.replacing.prepared_already": (
        "“{title}” is prepared in this answer already. If this corrects it, name it in "
        "replaces: what is left out stays. If this is a second task of that title, pass "
        "create_anyway."
    ),
    "refused.task_lookup.list_of_others": (
        "That task is shown in the list of {client}, but its own list is not theirs alone."
    ),
    "refused.task_lookup.lists_unread": (
        "No task called “{title}” is in the lists that could be read. The list of {brands} can't "
        "be read just now: try again later, or give me the task's link."
    ),
    "refused.task_lookup.task_not_found": "{client} has no open task called “{title}”.",
}
