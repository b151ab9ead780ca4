"""What code adds to cards, lists and files, and labels of its buttons."""

from __future__ import annotations

REMARKS = {
    "remarks.all_open": "All open tasks, whatever their dates.",
    "remarks.anyway": "Create it anyway",
    "remarks.by_change": "By last change, not by due date.",
    "remarks.by_done": "By the day they were finished. Archived ones are not in it.",
    "remarks.by_due": "By due date: tasks without one are not in it.",
    "remarks.clickup_account": "The ClickUp account {id} is {name}.",
    "remarks.currency_alone": "Currency {currency}: left out, because no sales were given with it.",
    "remarks.group_message": "a group message",
    "remarks.left_behind": "{brands} of it will not be found any more, either.",
    "remarks.list_of_another": "{brand} has no list of its own: this is the one of {owners}.",
    "remarks.namesake": "{client} also has a brand of that name.",
    "remarks.not_linked": "Not linked to a ClickUp list, so not in it: {clients}.",
    "remarks.not_stated": "{label}: not stated, because {fault}.",
    "remarks.other_marketplace": "{brand} is on record for {known}, not for {other}.",
    "remarks.part_of_work": (
        "It covers only clients that who asks may see, so it does not measure anybody's whole work."
    ),
    "remarks.pending": "Create it with the identifiers pending",
    "remarks.procedure_to_choose": (
        "Procedure: none was chosen. {titles} may fit: name one in procedure, or say why none."
    ),
    "remarks.product_left_out": (
        "{identifier}: left out, because it stands in nothing that was said."
    ),
    "remarks.shared_list": (
        "{brands} and {others} share a list: these are the tasks of all of them, and which "
        "brand one is for, only its title can tell."
    ),
    "remarks.sharing": "Also used by: {brands}.",
    "remarks.sharing_unknown": "Whether other brands use it, too, could not be found out.",
    "remarks.similar_due": "due {day:%d %b}",
    "remarks.similar_unknown": (
        "The open tasks of {place} could not be looked at just now: there may be one like this."
    ),
    "remarks.too_many_tasks": (
        "There are more tasks than the {count} that are read at once: ask for a client or a "
        "shorter time."
    ),
    "remarks.unknown_space": "an unknown one",
    "remarks.unreadable_list": "one that can't be read",
    "remarks.whole_sentence": "The whole sentence",
}
