"""What a change is called and where it goes, and what the policy says."""

from __future__ import annotations

EFFECTS = {
    "archiving.archive_task": "Archive the task “{title}”",
    "brands.brand_changed_since": "the brand {brand} was changed since: {text}",
    "brands.brand_does_not_exist": "the brand {brand} does not exist any more",
    "brands.change_brand": "Change the brand “{brand}” of {client}",
    "brands.changed_brand": "Changed the brand “{brand}” of {client}.",
    "brands.create_brand": "Create the brand “{facts}” for {client}",
    "brands.created_brand": "Created the brand “{name}” for {client}.",
    "brands.has_brand_called_already": "{client} has a brand called “{name}” already",
    "brands.delete": "Delete brand",
    "brands.delete_brand": "Delete the brand “{brand}” of {client}",
    "brands.deleted_brand": "Deleted the brand “{brand}” of {client}.",
    "brands.still_used": "the brand {brand} still has {uses}, so it can't be deleted",
    "brands.its_clickup_removed_again": "{brand}: its ClickUp {field} is removed again",
    "brands.its_field_changed": "its {field} changed",
    "brands.its_now": "its {name} is “{now}” now",
    "brands.missing_clickup_links": "Missing ClickUp links{more}",
    "brands.repair_missing_clickup_link": "Repair {many} missing ClickUp link{more}",
    "brands.same_list_as": (
        "{brand}: the same ClickUp list as {like}, so its tasks go there beside those of {like}"
    ),
    "brands.same_space_as": "{brand}: the same ClickUp space as {like}",
    "brands.unnamed": "the one it was given meanwhile",
    "brands.where": "The agency's brands",
    "cautions.catalog_not_brand": "{identifier} is in the catalog for {whose}, not for this brand.",
    # Whoever asked for it is not always whose task it is.
    "cautions.repeat": "{same} {how}, asked for by {by} on {when}: “{title}”.",
    "cautions.same_task": "The same task",
    "cautions.task_same_procedure_products": "A task for the same procedure and products",
    "cautions.waits_on_card": "waits on a card",
    "clients.archive": "Archive client",
    "clients.change": "Change client",
    "clients.create": "Create client",
    "clients.taken": "there is a client called “{name}” already",
    "days.after": "{span} after {day}",
    "days.before": "{span} before {day}",
    "days.eve": "before {day}",
    "days.from_today": "{span} from today",
    "days.long": "{span} long",
    "days.today": "today",
    "days.tomorrow": "tomorrow",
    "days.weekday_after": "{weekday} of the week after next",
    "days.weekday_next": "{weekday} of next week",
    "differences.line_marks": "(a line of marks)",
    "edits.ends_when": "Promotion ends, if not on a day",
    "edits.starts_when": "Promotion starts, if not on a day",
    "edits.known": "Other facts, one a line",
    "edits.products": "Products (ASINs or SKUs)",
    "effects.a_message_of": "a message of {author} {url}",
    "effects.also_fits": (
        "“{called}” is taken for {name}, who works for {client}; it also fits {others}: press Edit"
        " to choose."
    ),
    "effects.brief_too_long": (
        "The brief would be {length} characters long; {most} fit. Please shorten the details."
    ),
    "effects.brands_own_not_stated": "{listed} (the brand's own; not stated)",
    "effects.client_by_market": (
        "It is taken to be for {client}: of the clients of that name only they are on record for"
        " {market}."
    ),
    "effects.and_more": " and {left} more",
    "effects.create_task": "Create the task “{title}” for {owner}",
    "effects.default_client": "No client was named: {client} is your default client.",
    "effects.details_too_long": "The details are {length} characters long; {most} fit.",
    "effects.dropped": "No longer in it, but on the card it replaces: {listed}.",
    "effects.from_the_sop": "From the SOP",
    "effects.holder": "{name} ({role})",
    "effects.more_steps": "The SOP has {more} more of these: read them there.",
    "effects.no_brand": "None (client level)",
    "effects.no_identifier_given": "{listed} (no identifier given)",
    "effects.not_in_the_catalog": "{identifier} is not in {client}'s product catalog.",
    "effects.several_not_in_the_catalog": "{listed} are not in {client}'s product catalog.",
    "effects.not_in_the_task": "{identifier} stands in the message, not in the task.",
    "effects.more_not_in_the_task": "{left} more stand in the message, not in the task.",
    "effects.no_sop_because": "none: {note}",
    "effects.not_stated_by_anyone": "Not stated by anyone: {listed}.",
    "effects.brand_by_product": "{name} (found by the product)",
    "effects.owner_without_clickup": "{name} (no ClickUp id, so unassigned)",
    "effects.pending": "Pending (ASIN or SKU)",
    "effects.pending_products": "{listed} (ASIN or SKU pending)",
    "effects.product_catalog": "{listed} (“{catalogued}” in the product catalog)",
    "effects.products_catalog": "{listed} (titles from the product catalog)",
    "effects.said_and_not_read": "Said, and put down as no day: {listed}. Please set it.",
    "effects.still_says": (
        "The {field} still says “{value}”, the {label} of the card that this replaces."
    ),
    "effects.steps_go_on": "What ends in “{mark}” goes on in the SOP: read it there.",
    "effects.taken_as_today": "{label}: “{quote}” is taken as today, {shown}.",
    "effects.taken_off_in_the_form": "it was taken off in the form",
    "effects.unassigned_has_no_clickup": "unassigned: {name} has no ClickUp id",
    "kpi.agencys_targets": "The agency's targets",
    "kpi.present": "{kind}; which one is not stated",
    "kpi.set_targets": "Set targets of {brand} {marketplace} for {when}",
    "open_points.budget_not_stated": "Budget: not stated.",
    "open_points.discount_terms_not_stated": "Discount terms: not stated.",
    "open_points.due_date_not_stated": "Due date: not stated.",
    "open_points.end_date_not_stated": "End date: not stated.",
    "open_points.find_out_which_asins": (
        "Find out which ASINs or SKUs this is about before anything else is done."
    ),
    "open_points.has_no_clickup_id": "{assignee} has no ClickUp id: the task will be unassigned.",
    "open_points.marketplace_not_stated": "Marketplace: not stated.",
    "open_points.no_sop_found_steps": (
        "No SOP was found for this: the steps are for the assignee to agree."
    ),
    "open_points.no_sop_used_steps": "No SOP is used: the steps are for the assignee to agree.",
    "open_points.owner_not_stated": "Owner: not stated.",
    "open_points.pending": "Product identifiers (ASIN or SKU) are pending.",
    "open_points.pending_of": "Product identifiers (ASIN or SKU) are pending: {listed}.",
    "open_points.sop_found_its_text": (
        "The SOP “{title}” was found by its text only: check that it fits."
    ),
    "open_points.start_date_not_stated": "Start date: not stated.",
    "prompts.clients_of_mine": "Which clients do I have?",
    "prompts.find_procedure": "Find a procedure",
    "prompts.how_do_we_set": "How do we set up a coupon?",
    "prompts.what_due_week": "What is due this week for {name}?",
    "prompts.what_waiting_yes": "What is waiting for my yes?",
    "prompts.what_waits": "What waits for me",
    "records.changed_since": "{label} was changed since: {now} now",
    "records.none": "none",
    "records.receipt": "{label}: {after}. Before: {before}.",
    "records.remove": "Remove",
    "records.set": "Set",
    "records.where": "The agency's records",
    "policy.admin_has_set_no": "An admin has set that to no uses at all for now.",
    "policy.admin_has_switched_off": "An admin has switched that off.",
    "policy.admin_skill_denied": "An admin can do it for you, or make you an admin.",
    "policy.admins": "Admins: {names}.",
    "policy.agency_wide": (
        "That concerns the whole agency, so it can't be prepared or confirmed in a client's "
        "channel. Ask me in a direct message, or in a channel of the agency's own."
    ),
    "policy.cant_do": "I can't do that.",
    "policy.channel_not_allowed": "An admin can add this channel to those where it is allowed.",
    "policy.client_out_of_reach": "An admin can assign you to that client again.",
    "policy.confirmation_required": "An admin can take that demand back.",
    "policy.dont_know_place": "I don't know this place.",
    "policy.dont_know_who_you": "I don't know who you are yet.",
    "policy.elsewhere": (
        "An admin has limited that to certain channels, and this is not one of them."
    ),
    "policy.needs_admin_your_agency": "That needs an admin of your agency.",
    "policy.other_client": "I couldn't find that client among those you can see here.",
    "policy.other_client_policy": "Ask in a direct message, if you are assigned to that client.",
    "policy.rate_limited": "Wait, or ask an admin to allow more uses an hour.",
    "policy.shared": (
        "People of another company read along in this channel, so nothing is prepared or carried "
        "out here. Ask me in a direct message."
    ),
    "policy.shared_channel": "Ask in a direct message, or in a channel of the agency's own.",
    "policy.shared_read": (
        "People of another company read along in this channel, so I show here only what its "
        "client may see. Ask me in a direct message."
    ),
    "policy.skill_disabled": "An admin can switch it on again.",
    "policy.tier_too_low": "An admin can raise your role, or lower what this asks for.",
    "policy.unconfirmable": (
        "An admin wants that confirmed each time, and a look-up has nothing to confirm."
    ),
    "policy.unknown_actor": "An admin can link your Slack account to a team profile.",
    "policy.unknown_place": (
        "I can't prepare changes in this channel, because nobody has said which client it "
        "belongs to. Ask me in a direct message, or ask an admin to bind this channel."
    ),
    "policy.unknown_scope_mutation": "An admin can say whose this channel is: /claw link CLIENT.",
    "policy.unknown_skill": "Nothing can: it is not built.",
    "policy.viewer": (
        "You have read access, so I can look up for you what you may see, but not prepare changes."
    ),
    "policy.viewer_mutation_denied": "An admin can change your role from viewer to member.",
    "policy.you_have_used_within": (
        "You have used that {times} within the last hour, which is as often as an admin allows. "
        "It is free again at {free_at:%H:%M}."
    ),
    "policy.your_access_does_not": "Your access does not include that.",
    "procedures.agencys_procedures": "The agency's procedures",
    "procedures.also_found_as": "; also found as {aliases}",
    "procedures.as_they_were_before": "As they were before",
    "procedures.bring_procedures_back_how": "Bring the procedures back to how they were before",
    "procedures.gone_from_clickup_not": "Gone from ClickUp, not used any more",
    "procedures.it_begins": "- It begins: {begins}",
    "procedures.lines_added_removed": "lines: {added} added, {removed} removed",
    "procedures.more_lines_are_other": "- and {more} more lines that are other",
    "procedures.new_be_approved_before": "New, to be approved before use",
    "procedures.new_page": "**{title}** (new, {size:,} characters)",
    "procedures.pages_with_characters_are": (
        "{changes} pages with {size:,} characters are too much at once; name fewer Docs in "
        "CLICKUP_DOCS at first."
    ),
    "procedures.procedures_from_clickup": "Procedures from ClickUp",
    "procedures.take_procedures_over_from": "Take the procedures over from ClickUp: {counts}",
    "procedures.taken_out_again": "Taken out again",
    "spaces.brand_scoped": "a brand's tasks",
    "spaces.classified": "{name}: {before} → {after}",
    "spaces.classify": "Classify",
    "spaces.classify_all": "Say what is done in {label}",
    "spaces.inactive": "out of use",
    "spaces.loses_tasks": "No more tasks can be created for {names}: {space} is where they go.",
    "spaces.one": "the ClickUp space {name}",
    "spaces.receipt": "In the registry, {label}:",
    "spaces.registered": "{name}: new, {use}",
    "spaces.removed": "{name}: not registered any more",
    "spaces.renamed": "{name}: called {after} now",
    "spaces.shared_service": "shared work, no brand's",
    "spaces.since": "{name} was changed since",
    "spaces.sync": "Update registry",
    "spaces.sync_all": "Bring the registry in line with ClickUp: {label}",
    "spaces.unknown": "not classified yet",
    "spaces.where": "The agency's registry of ClickUp spaces",
    "team.account_taken": "the account {account} is linked to {name} already",
    "team.add": "Add person",
    "team.archive": "Archive",
    "team.archive_person": "Archive {name}",
    "team.archived": "{name} is archived and can't use the assistant any more.",
    "team.change": "Change person",
    "team.change_rights": "Change rights",
    "team.changed_since": "{name} or their roles were changed since",
    "team.last_admin": "{name} is the only admin: make somebody else an admin first",
    "team.left_open": "nobody, they are open",
    "team.return": "Bring back",
    "team.return_person": "Bring {name} back",
    "team.returned": "{name} is back, with the roles they had.",
    "team.roles_went": "Their roles ({roles}) go to: {to}.",
    "team.slot": "{role} of {owner}",
    "team.yourself": "{name} is you: somebody else has to do that",
    "task_changes.change_task": "Change the task “{label}”",
    "task_changes.description_added_to": "this is added below it",
    "task_changes.description_replaced": "what is in it is replaced",
    "task_comments.comment_on_task": "Comment on the task “{label}”",
    "task_comments.in_the_name_of": "In the name of",
    "tasks.last_days": "the last {days} days",
    "tasks.overdue": "overdue, due before {today}",
    "tasks.next_days": "the next {days} days",
}
