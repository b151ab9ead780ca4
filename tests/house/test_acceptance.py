"""Which behaviour the agency was promised, and which test holds it."""

from __future__ import annotations

from tests.house.pins import Pin, Promises

PINNED = {
    "A01": Pin("test_a01_somebody_without_a_profile_is_told_who_can_help"),
    "A05": Pin("test_a05_a_member_lists_and_prepares_tasks_in_a_dm"),
    "A06": Pin("test_a06_a09_whoever_is_no_admin_is_told_so_and_nothing_changes"),
    "A09": Pin("test_a06_a09_whoever_is_no_admin_is_told_so_and_nothing_changes"),
    "A10": Pin("test_a10_an_unknown_skill_is_not_run_and_the_answer_is_a_sentence"),
    "A14": Pin("test_a14_every_run_carries_the_tier_of_who_asked"),
    "A16": Pin("test_a16_a_refused_consent_leaves_its_reason"),
    "B01": Pin("test_b01_b02_b03_b09_names_as_people_write_them"),
    "B02": Pin("test_b01_b02_b03_b09_names_as_people_write_them"),
    "B03": Pin("test_b01_b02_b03_b09_names_as_people_write_them"),
    "B05": Pin("test_b05_a_name_nobody_has_is_said_and_not_widened"),
    "B07": Pin("test_b07_several_clients_are_buttons_and_one_press_goes_on"),
    "B08": Pin("test_b08_without_any_client_an_admin_is_named_and_nothing_is_offered"),
    "B09": Pin("test_b01_b02_b03_b09_names_as_people_write_them"),
    "B10": Pin("test_b10_b11_a_member_sees_only_the_own_clients"),
    "B11": Pin("test_b10_b11_a_member_sees_only_the_own_clients"),
    "B17": Pin(
        "test_b17_after_a_long_silence_a_dm_starts_afresh",
        "that a durable default still applies is held by test_b17_a_durable_default_applies_…",
    ),
    "C01": Pin("test_c01_an_unmapped_client_is_refused_and_clickup_is_not_asked"),
    "C02": Pin("test_c02_the_one_mapped_brand_is_used"),
    "C05": Pin("test_c05_a_space_alone_leads_to_its_own_inbox"),
    "C06": Pin("test_c06_a_space_without_lists_is_refused"),
    "C07": Pin("test_c07_c08_c09_c10_a_brand_is_exact_unique_or_asked"),
    "C08": Pin("test_c07_c08_c09_c10_a_brand_is_exact_unique_or_asked"),
    "C09": Pin("test_c07_c08_c09_c10_a_brand_is_exact_unique_or_asked"),
    "C10": Pin("test_c07_c08_c09_c10_a_brand_is_exact_unique_or_asked"),
    "C12": Pin("test_c12_c18_product_work_asks_which_brand_and_the_button_goes_on"),
    "C13": Pin("test_c12_c13_work_on_products_needs_a_brand_even_in_a_shared_list"),
    "C14": Pin("test_c14_c15_different_lists_are_a_question"),
    "C15": Pin("test_c14_c15_different_lists_are_a_question"),
    "C18": Pin("test_c12_c18_product_work_asks_which_brand_and_the_button_goes_on"),
    "C19": Pin("test_c19_a_brand_of_another_client_is_never_used"),
    "C21": Pin("test_c21_the_brand_touched_last_is_not_chosen"),
    "C22": Pin("test_c22_only_linked_brands_are_candidates_and_groups_are_counted"),
    "D01": Pin("test_d01_d11_d16_the_procedure_reaches_the_task_in_clickup"),
    "D04": Pin("test_d04_an_earlier_task_does_not_outrank_a_procedure"),
    "D05": Pin("test_d05_d13_without_a_procedure_it_asks_and_invents_no_steps"),
    "D06": Pin("test_d06_without_a_client_earlier_tasks_are_not_searched"),
    "D09": Pin("test_d09_one_failing_tier_leaves_the_others"),
    "D11": Pin("test_d01_d11_d16_the_procedure_reaches_the_task_in_clickup"),
    "D12": Pin("test_d12_an_earlier_task_is_mentioned_and_asked_about"),
    "D13": Pin("test_d05_d13_without_a_procedure_it_asks_and_invents_no_steps"),
    "D15": Pin("test_d15_a_category_has_its_bucket"),
    "D16": Pin("test_d01_d11_d16_the_procedure_reaches_the_task_in_clickup"),
    "E02": Pin("test_e02_e05_identifiers_come_in_and_their_deferral_does_not"),
    "E05": Pin("test_e02_e05_identifiers_come_in_and_their_deferral_does_not"),
    "E06": Pin("test_e06_e11_vague_products_are_asked_for_and_other_work_is_not"),
    "E08": Pin("test_e08_another_request_leaves_the_question_and_a_later_yes_creates_nothing"),
    "E11": Pin("test_e06_e11_vague_products_are_asked_for_and_other_work_is_not"),
    "E15": Pin("test_e15_one_exact_identifier_settles_it_and_nothing_else_does"),
    "E17": Pin("test_e17_another_clients_products_are_never_offered"),
    "F01": Pin("test_f01_f17_f28_one_task_with_link_brand_trace_and_record"),
    "F07": Pin("test_f07_without_the_duplicate_check_nothing_is_sent"),
    "F10": Pin(
        "test_f10_two_refusals_and_then_one_task",
        "after a 5xx of unknown fate there is one look and one resend, as the architecture says",
    ),
    "F11": Pin(
        "test_f11_f13_f30_g10_three_refusals_wait_visibly_until_clickup_takes_it",
        "where nothing was applied it waits, visibly, and is given back after ten minutes; where "
        "nobody knows there are two requests and a question",
    ),
    "F12": Pin("test_f12_g22_what_trying_again_cannot_cure_is_told_at_once"),
    "F13": Pin("test_f13_a_post_is_sent_at_most_three_times_whatever_happens"),
    "F17": Pin("test_f01_f17_f28_one_task_with_link_brand_trace_and_record"),
    "F19": Pin("test_f19_two_people_of_one_name_are_buttons"),
    "F25": Pin("test_f25_no_minute_sees_more_requests_than_the_configured_rate"),
    "F26": Pin("test_f26_whatever_breaks_is_one_apology_and_the_lane_goes_on"),
    "F27": Pin(
        "test_f27_the_key_of_a_task_is_a_digest_without_the_date",
        "the date is not in the key: with it, midnight would be a hole in the 24 hours",
    ),
    "F28": Pin("test_f01_f17_f28_one_task_with_link_brand_trace_and_record"),
    "F30": Pin("test_f11_f13_f30_g10_three_refusals_wait_visibly_until_clickup_takes_it"),
    "G03": Pin("test_g03_a_second_yes_creates_nothing_and_says_so"),
    "G06": Pin(
        "test_g06_a_word_after_twelve_hours_is_told_that_the_card_expired",
        "words count for ten minutes, a press for twelve hours",
    ),
    "G08": Pin("test_g08_somebody_elses_click_is_refused_and_the_requester_can_still_confirm"),
    "G09": Pin("test_g09_a_failure_keeps_the_proposal_and_trying_again_works"),
    "G10": Pin("test_f11_f13_f30_g10_three_refusals_wait_visibly_until_clickup_takes_it"),
    "G11": Pin(
        "test_g11_an_order_with_nothing_open_is_conversation",
        "what answers no card is conversation",
    ),
    "G16": Pin("test_g16_what_changes_things_is_only_ever_proposed"),
    "G22": Pin(
        "test_g22_a_list_that_was_changed_since_is_not_written_to",
        "a list that was remapped or is gone ends the proposal; anything else can be tried again",
    ),
    "H01": Pin("test_h01_a_top_level_answer_to_a_question_is_understood"),
    "H02": Pin("test_h02_an_impatient_answer_gets_further_and_names_no_task"),
    "H03": Pin(
        "test_h03_a_suggested_title_is_taken_by_saying_it_and_is_no_button",
        "text that a model wrote is never the label of a button",
    ),
    "H04": Pin("test_h04_a_question_survives_a_restart"),
    "H08": Pin("test_h08_a_blank_message_is_not_an_answer"),
    "H09": Pin("test_h09_h11_a_title_that_was_given_is_kept_as_typed_and_not_asked_for"),
    "H10": Pin("test_h10_what_was_stored_and_cannot_be_read_stops_nobody"),
    "H11": Pin("test_h09_h11_a_title_that_was_given_is_kept_as_typed_and_not_asked_for"),
    "I01": Pin("test_i01_i05_one_list_for_all_brands_with_link_status_and_people"),
    "I03": Pin("test_i03_i07_i11_ranges_without_tasks_and_clients_without_lists"),
    "I04": Pin("test_i04_a_long_list_says_how_much_of_it_is_shown"),
    "I05": Pin("test_i01_i05_one_list_for_all_brands_with_link_status_and_people"),
    "I07": Pin("test_i03_i07_i11_ranges_without_tasks_and_clients_without_lists"),
    "I09": Pin("test_i09_a_week_is_monday_to_sunday"),
    "I10": Pin(
        "test_i10_the_top_of_the_week_by_due_date",
        "the recommendation is the model's own work; that five are there, by due date, is pinned",
    ),
    "I11": Pin("test_i03_i07_i11_ranges_without_tasks_and_clients_without_lists"),
    "I13": Pin("test_i13_j15_a_follow_up_is_answered_from_the_earlier_result"),
    "J01": Pin("test_j01_small_talk_calls_nothing"),
    "J04": Pin("test_j04_an_outage_is_an_apology_with_a_reference_and_the_next_one_works"),
    "J05": Pin("test_j05_j14_a_journal_that_cannot_be_written_stops_no_answer"),
    "J07": Pin("test_j07_a_tool_that_breaks_is_told_and_others_go_on"),
    "J11": Pin("test_j11_an_answer_with_a_fault_is_sent_back_and_forgotten"),
    "J13": Pin("test_j13_what_code_said_is_known_to_the_next_turn"),
    "J14": Pin("test_j05_j14_a_journal_that_cannot_be_written_stops_no_answer"),
    "J15": Pin("test_i13_j15_a_follow_up_is_answered_from_the_earlier_result"),
    "J17": Pin("test_j17_what_is_missing_is_on_the_card_and_known_to_the_next_turn"),
    "J19": Pin(
        "test_j19_whoever_knows_only_the_brand_is_asked_only_for_what_is_unknown",
        "which words the model finds is its own work; what the tools ask for is pinned",
    ),
    "L01": Pin("test_l01_nothing_known_is_an_empty_pack"),
    "L03": Pin("test_l03_a_section_over_its_own_cap_is_cut_though_all_would_fit"),
    "L05": Pin(
        "test_l05_the_caps_are_the_documented_ones_in_counted_tokens",
        "tokens are counted with a vocabulary, not estimated at four characters each; brands, notes"
        " and the conversation have sections of their own under the same total",
    ),
    "L06": Pin(
        "test_l06_o30_the_newest_exchanges_that_fit_in_order",
        "8,000 tokens and as many exchanges as fit, as the architecture says; not 5 and 1,500",
    ),
    "L08": Pin("test_l08_a_channels_client_is_known_before_the_model_is_asked"),
    "J22": Pin("test_j22_changes_of_one_lane_come_one_after_the_other"),
    "P01": Pin(
        "test_p01_what_is_not_signed_by_slack_just_now_is_refused_and_not_stored",
        "a missing secret stops the start instead of failing each request",
    ),
    "P05": Pin("test_p05_a_retry_of_what_was_never_recorded_is_handled_and_once"),
    "P06": Pin("test_p06_without_the_store_slack_is_told_and_sends_it_again"),
    "P09": Pin("test_p09_of_two_messages_at_once_the_second_knows_the_first"),
    "P10": Pin("test_p10_different_people_are_answered_side_by_side"),
    "P12": Pin("test_p12_it_answers_who_has_the_token_and_refuses_what_is_no_message"),
    "P13": Pin("test_p13_what_unattended_runs_said_is_not_in_anybodys_history"),
    "P14": Pin("test_p14_a_second_yes_on_the_same_thing_is_told_who_is_at_it_across_workers"),
    "Q12": Pin(
        "test_g08_q12_somebody_elses_word_in_the_thread_touches_no_proposal",
        "words count in direct messages only; elsewhere they are conversation",
    ),
    "F22": Pin("test_f22_a_change_of_nothing_is_refused_and_f23_assignees_can_be_cleared"),
    "F23": Pin("test_f22_a_change_of_nothing_is_refused_and_f23_assignees_can_be_cleared"),
    "K01": Pin("test_k01_k10_a_plan_is_made_by_a_run_below_and_its_report_is_stored"),
    "K02": Pin("test_k02_what_a_plan_would_change_waits_for_a_persons_own_yes"),
    "K04": Pin("test_k04_without_a_planner_the_person_is_helped_all_the_same"),
    "K05": Pin("test_k05_a_planner_out_of_steps_reports_what_it_found_and_the_person_is_told"),
    "K07": Pin(
        "test_k07_a_plan_that_nobody_could_carry_out_is_sent_back",
        "that an unknown intent needs no step is held by test_k07_a_real_intent_needs_a_step_…",
    ),
    "K09": Pin(
        "test_k09_the_same_plan_twice_ends_the_planning",
        "the planner looks around by native calls, so what repeats is its report to the main agent",
    ),
    "K10": Pin("test_k01_k10_a_plan_is_made_by_a_run_below_and_its_report_is_stored"),
    "K11": Pin("test_m02_k11_an_audit_and_a_preview_say_what_is_missing_and_change_nothing"),
    "M02": Pin("test_m02_k11_an_audit_and_a_preview_say_what_is_missing_and_change_nothing"),
    "M03": Pin("test_m03_one_value_is_proposed_two_or_none_are_blocked"),
    "M04": Pin("test_m04_only_what_is_safe_and_missing_is_repaired_and_undo_empties_it_again"),
    "M06": Pin("test_m06_m10_m18_a_held_role_changes_hands_once_and_the_former_holder_is_named"),
    "M07": Pin("test_m07_when_the_database_fails_the_former_holder_stays"),
    "M09": Pin("test_m09_a_person_role_or_client_nobody_knows_is_named_and_nothing_is_prepared"),
    "M10": Pin("test_m06_m10_m18_a_held_role_changes_hands_once_and_the_former_holder_is_named"),
    "M12": Pin("test_m12_who_does_not_hold_a_role_is_not_taken_off_it"),
    "M13": Pin("test_m13_me_is_who_asks_and_a_brand_has_slots_of_its_own"),
    "M17": Pin("test_m17_a_database_error_is_told_as_one"),
    "M18": Pin("test_m06_m10_m18_a_held_role_changes_hands_once_and_the_former_holder_is_named"),
    "M19": Pin("test_m19_a_chart_shows_every_role_and_marks_the_open_ones"),
    "Q01": Pin("test_q01_without_a_marketplace_it_asks_and_writes_nothing"),
    "Q02": Pin("test_q02_a_currency_is_asked_for_and_200k_is_stored_for_this_month"),
    "Q03": Pin("test_q03_q06_a_member_reads_month_before_year_and_none_where_there_is_none"),
    "Q09": Pin(
        "test_q09_one_row_per_executed_effect_and_every_replay_is_marked_duplicate",
        "a replay is a row of its own, so that the one that did it keeps its key and its end",
    ),
    "Q06": Pin("test_q03_q06_a_member_reads_month_before_year_and_none_where_there_is_none"),
}
NOT_YET: dict[str, str] = {}
HOW_MANY = {
    "A": 7,
    "B": 10,
    "C": 16,
    "D": 10,
    "E": 7,
    "F": 15,
    "G": 8,
    "H": 8,
    "I": 9,
    "J": 11,
    "K": 8,
    "L": 5,
    "M": 12,
    "P": 8,
    "Q": 6,
}
PROMISES = Promises(PINNED, NOT_YET)


def test_every_behaviour_is_held_by_a_test_or_says_why_not() -> None:
    assert PROMISES.areas == HOW_MANY
    assert PROMISES.doubled == set()


def test_the_tests_that_are_named_exist() -> None:
    assert PROMISES.orphans == []


def test_a_test_says_in_its_name_what_it_holds() -> None:
    assert PROMISES.silent == []


def test_what_is_built_is_not_called_missing() -> None:
    assert PROMISES.built == []
