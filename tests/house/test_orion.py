"""Which behaviour of the answering loop was promised, and which test holds it."""

from __future__ import annotations

from tests.house.pins import Pin, Promises

PROMISES = Promises(
    pinned={
        "O-02": Pin("test_an_answer_that_passes_at_once_is_one_attempt_and_verified"),
        "O-07": Pin("test_a_short_correct_answer_passes"),
        "O-08": Pin("test_a_vague_answer_to_a_long_question_is_a_warning"),
        "O-09": Pin("test_bold_is_kept_for_slack_and_block_quotes_are_not"),
        "O-10": Pin("test_code_stays_as_it_is_written"),
        "O-11": Pin("test_a_quoted_line_is_no_block_quote"),
        "O-15": Pin("test_an_answer_says_which_procedure_it_rests_on"),
        "O-16": Pin(
            "test_of_a_thread_of_forty_messages_the_newest_part_goes_in",
            "no guess at relevance by words: the newest that fit the budget go in, the older part"
            " as a summary",
        ),
        "O-17": Pin("test_a_question_of_short_words_is_answered_with_what_was_said_before"),
        "O-20": Pin("test_a_record_that_cannot_be_read_is_said_and_the_answer_goes_on"),
        "O-21": Pin("test_a_second_answer_repeats_no_change_and_knows_what_was_found"),
        "O-22": Pin("test_a_second_answer_repeats_no_change_and_knows_what_was_found"),
        "O-25": Pin("test_one_root_with_the_phases_below_and_delivery_after"),
        "O-27": Pin("test_one_root_with_the_phases_below_and_delivery_after"),
        "O-28": Pin("test_one_root_with_the_phases_below_and_delivery_after"),
        "O-29": Pin("test_a_trace_holds_ids_and_sizes_and_nobodys_words"),
        "O-30": Pin(
            "test_the_newest_exchanges_that_fit_in_order",
            "the newest 24 exchanges instead of 50 messages",
        ),
        "O-31": Pin("test_the_same_words_twice_are_both_heard_once_each"),
        "O-32": Pin(
            "test_an_exchange_that_cannot_be_read_is_left_out",
            "where the database itself is down, the turn is tried again instead of answered"
            " without its memory",
        ),
        "O-34": Pin("test_a_thread_at_most_of_the_budget_is_condensed_and_its_newest_part_kept"),
        "O-35": Pin("test_a_slow_or_broken_summariser_costs_the_summary_and_not_the_turn"),
        "O-39": Pin("test_a_model_that_never_answers_is_given_up"),
        "O-45": Pin("test_arguments_in_many_pieces_reach_the_tool_whole"),
        "O-46": Pin("test_words_before_a_tools_call_are_not_glued_to_the_answer"),
        "O-48": Pin("test_a_mention_and_its_message_are_one_receipt"),
        "O-49": Pin("test_only_the_leading_mention_is_taken_off"),
        "O-52": Pin("test_two_of_three_children_answer_and_the_third_is_mentioned"),
        "O-54": Pin(
            "test_of_a_finding_of_twenty_thousand_characters_the_beginning_comes_and_its_key"
        ),
        "O-56": Pin(
            "test_a_preference_of_somebody_else_is_never_written",
            "memory has no paths; the row's owner is who asked, never an argument",
        ),
        "O-57": Pin(
            "test_the_start_warns_once_of_a_broken_file_and_loads_the_others",
            "they are called guides here: a skill is a row of the catalogue",
        ),
        "O-58": Pin("test_the_process_itself_has_an_empty_environment"),
    },
    not_yet={},
)
HOW_MANY = 31


def test_every_behaviour_is_held_by_a_test_or_says_why_not() -> None:
    assert sum(PROMISES.areas.values()) == HOW_MANY
    assert PROMISES.doubled == set()


def test_the_tests_that_are_named_exist() -> None:
    assert PROMISES.orphans == []
