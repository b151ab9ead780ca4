"""An answer may leave out what was seen; it may not add to it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.domain.people import Value
from agencyclaw.knowledge.grounding import check_grounding, reckoned
from agencyclaw.knowledge.links import repair

FOUND = '{"procedures":[{"title":"Coupons Promotion SOP"}],"budget":"1,500 USD","share":12.5}'
SEEN = f"a 20% coupon? {FOUND}"


def codes(answer: str, *seen: str, today: date | None = None) -> set[str]:
    return {one.code for one in check_grounding(answer, seen or [SEEN], today)}


@pytest.mark.parametrize(
    "answer",
    [
        "The discount is 35%.",
        "The budget is 2,750 USD.",
        "They sold $4,800,000 last year.",
        "ACOS was 28.40 in October.",
        "ROAS was 4.26x in October.",
        "The target is 200k.",
        "They sold USD 950.",
        "They sold 950€.",
        "They sold £950.",
        "They sold 1.9 bn.",
        "Der Rabatt beträgt 35 %.",
        "Das Budget ist 2.750,50 €, der Preis 24,95 €.",
        "**They sold $48,300.** Shall I break that down?",
        "(They sold $48,300.) Shall I break that down?",
        "He says “we sold $48,300.” Shall I ask him?",
        "They sold $48,300 (?)",
        "The budget is $100,000.",
        "They spent $48,300 on the campaign “Why us?”",
        "They sold $48,300 (who knew?)",
        "There are $48,300 for *Is it worth it?*",
        "他们卖了 $48,300。要我细分吗？",
        "They sold $48,300… Shall I break that down?",
        "उन्होंने $48,300 बेचा। क्या मैं विवरण दूँ?",
        "انہوں نے $48,300 بیچا۔ کیا میں تفصیل دوں؟",
        "**उन्होंने $48,300 बेचा।** क्या मैं विवरण दूँ?",
    ],
)
def test_a_figure_that_nothing_returned_is_an_error(answer: str) -> None:
    assert codes(answer) == {"unknown_figure"}


@pytest.mark.parametrize(
    "answer",
    [
        "A 20% coupon with a budget of $1,500.",
        "The budget is 1.5k USD.",
        "The share is 12.5 percent.",
        "Der Anteil ist 12,5 %.",
        "Das Budget ist 1,5 Tsd. USD.",
        "Three of the 7 tasks are late, due on 20 November 2026.",
        "20% of 1,500 USD is 300 USD.",
        "Should the discount be 35%?",
        "Available 24/7, and 3x a day in 800x600.",
        "All of them (100%) are open, none (0%) is done.",
        "The call is at 2.30 pm.",
        "1,500 USD, or USD 1.5k.",
        "**Should the discount be 35%?**",
        "هل الخصم 35%؟",
        "要不要打35%折？",
        "Η έκπτωση να είναι 35%\u037e",
        "Of each $100 nothing is left.",
        "Nothing is left: $0. 1,500 / 100 = 15.",
    ],
)
def test_figures_that_were_seen_or_follow_from_them_pass(answer: str) -> None:
    assert codes(answer) == set()


def test_days_hours_and_addresses_are_no_evidence_of_a_figure() -> None:
    found = (
        'Today is 2026-11-28, 10:35. {"due":"2026-11-29","url":"https://app.clickup.com/t/86x31",'
        '"acos":"25%","total":3}'
    )

    for invented in ("28%", "29%", "35%", "31%", "36%"):
        assert codes(f"ACOS was {invented}.", found) == {"unknown_figure"}
    assert codes("ACOS was 25%.", found) == set()


@pytest.mark.parametrize("found", ["期限は2026-11-28です。", "集合は10:28です。"])
def test_days_and_hours_are_no_evidence_in_a_sentence_without_spaces(found: str) -> None:
    assert codes("ACOS was 28%.", found) == {"unknown_figure"}


def test_small_counts_are_reckoned_with_where_they_stand_beside() -> None:
    found = '{"units":"3","price":"12.50"} in 7 lists'

    assert codes("3 units at $12.50 make $37.50.", found) == set()
    assert codes("It costs $87.50.", found) == {"unknown_figure"}


DUE = '{"due":"2026-11-24","call":"2026-12-01T09:30:00Z"} at 18:45'


@pytest.mark.parametrize(
    "answer",
    [
        "Fällig am 24.11., um 9.30 Uhr.",
        "Due 24.11 and 1.12.",
        "Das Fenster ist 24.11.–1.12., 9.30–18.45 Uhr.",
        "Due Nov 24, 24 Nov, 11/24, 24/11/2026, 24.11.26 or 2026/11/24.",
        "Bis zum 24.11.2026 um 09:30 oder 9:30.",
    ],
)
def test_a_day_or_an_hour_is_no_figure_however_it_is_written(answer: str) -> None:
    assert codes(answer, DUE) == set()


@pytest.mark.parametrize("seen", ["due 24.11.", "due 11/24", "due Nov 24, 2026", "due 24th Nov"])
def test_a_day_of_a_source_is_read_however_it_is_written(seen: str) -> None:
    assert codes("Fällig am 24.11.", seen) == set()


def test_days_may_be_counted_from_today_and_others_need_a_source() -> None:
    assert (
        codes("Morgen ist der 24.11., der Monat endet am 30.11.", DUE, today=date(2026, 11, 23))
        == set()
    )
    assert codes("Fällig am 25.3.", DUE, today=date(2026, 11, 23)) == {"unknown_figure"}
    assert codes("Um 9.45 Uhr.", DUE, today=date(2026, 11, 23)) == {"unknown_figure"}
    # A sign makes a figure of it.
    assert codes("It costs 24.11 €.", DUE) == {"unknown_figure"}


@pytest.mark.parametrize(
    "seen", ["Mon 24 Nov 2026", "Nov 24", "24.11.2026", "11/24/26", "24th Nov"]
)
def test_the_day_of_a_date_in_words_is_no_evidence_of_a_share(seen: str) -> None:
    assert codes("ACOS was 24%.", f"due {seen}") == {"unknown_figure"}
    assert codes("ACOS was 24%.", f"due {seen}, ACOS 24%") == set()


AMOUNTS = '{"budget":"12500.50","stock":"1000","orders":"1234567"}'


@pytest.mark.parametrize(
    ("exact", "written"),
    [
        ("1000", "1,000 USD, 1.000 €, 1 000 €, 1\u202f000 €, 1’000 €, 1000,00 €, 1.000,00 € or 1k"),
        ("12500.50", "12.500,50 €, 12,500.50 USD, 12 500,50 €, 12\u00a0500,50 € or 12.5k"),
        ("1234567", "1.234.567 €, 1,234,567 USD, 1 234 567 €, or 1.23 million"),
    ],
)
def test_an_amount_is_the_same_however_its_digits_are_grouped(exact: str, written: str) -> None:
    assert codes(f"It is {written}.", AMOUNTS) == set()
    for one in written.replace(" or", ",").split(", ")[:-1]:
        assert codes(f"It is {exact} USD.", f"It is {one}.") == set()


@pytest.mark.parametrize(
    "invented",
    [
        "2.750,50 €",
        "2,750.50 USD",
        "2.345.678 €",
        "3\u202f000 €",
        "14 700,50 €",
        "-35%",
        "10-35%",
        "1.24 million",
    ],
)
def test_an_amount_with_grouped_digits_is_claimed_like_any_other(invented: str) -> None:
    assert codes(f"It is {invented}.", AMOUNTS) == {"unknown_figure"}


def test_spaces_may_merely_stand_between_two_figures() -> None:
    assert codes("In week 48 300 USD were spent.", "300 USD in week 48") == set()


def test_a_share_and_its_fraction_are_one_figure() -> None:
    assert codes("ACOS was 28%.", '{"acos":"0.28"}') == set()
    assert codes("ACOS was 28.5 %.", '{"acos":"0.2849"}') == set()
    assert codes("Die Quote ist 0,28.", "ACOS 28%") == set()
    assert codes("ACOS was 29%.", '{"acos":"0.28"}') == {"unknown_figure"}


SALES = (
    'in all 7 tasks {"rows":[{"sales":"1200","acos":"28.5"},{"sales":"1500","acos":"31.0"},'
    '{"sales":"2400","acos":"24.0"}],"total":7,"late":3,"owners":2}'
)


@pytest.mark.parametrize(
    "answer",
    [
        "3 of 7 are late, which is 43%.",
        "3 of 7 are late, which is 42.86 percent.",
        "It grew from 1,200 to 1,500, so by 25%.",
        "1,200 and 1,500 USD make 1,350 USD on average.",
        "All three sold 5,100 USD.",
        "Mean ACOS over the three: 27.83%.",
        "1,200 and 1,500 USD make 2,700 USD.",
        "44%, 1,200 of 2,700 USD.",
    ],
)
def test_one_simple_operation_on_seen_figures_is_no_invention(answer: str) -> None:
    assert codes(answer, SALES) == set()


@pytest.mark.parametrize(
    "answer",
    [
        "43% are late.",
        "5 of 9 are late, which is 55.56%.",
        "3 of 7 are late, which is 45%.",
        "1,200 and 1,500 USD make 1,400 USD on average.",
        "All three sold 5,200 USD.",
        "Mean ACOS over the three: 26.83%.",
    ],
)
def test_what_no_simple_operation_gives_is_invented(answer: str) -> None:
    assert codes(answer, SALES) == {"unknown_figure"}


# More figures than any two of which may be combined.
BOARD = ", ".join(f'{{"sales":"{100_003 * number}"}}' for number in range(1, 80))
MAIL = "Hi,\nthe budget was 5,000 USD.\nWe spent 3,412.77 USD at 12.50 a unit.\nWhat is left?"
INVOICES = "Invoices:\n24 Nov: 512.40 USD\n25 Nov: 300 USD\n1 Dec: 87.15 USD"


@pytest.mark.parametrize(
    "answer",
    [
        "The budget was 5,000. Spent are 3,412.77. That leaves 1,587.23.",
        "- Budget: 5,000 USD\n- Spent: 3,412.77 USD\n\nLeft: 1,587.23 USD",
        "1,587.23 USD is left.",
        "You budgeted 5,000 USD. Together with the 300,009 of last year it is 305,009.",
        "They cost 12.50 each. 40 of them come to 500.00 USD.",
    ],
)
def test_what_two_figures_give_passes_wherever_in_answer_and_message_they_are(answer: str) -> None:
    assert codes(answer, BOARD, f"{MAIL} And for 40 units?") == set()


@pytest.mark.parametrize(
    "answer",
    [
        "The budget was 5,000. Spent are 3,412.77. That leaves 1,687.23.",
        "1,578.23 USD is left.",
        # Of two texts, and the answer names neither figure.
        "Together it is 305,009 USD.",
        "The budget was 5,000. That is 68.26%.",
        "They cost 12.50 each. 41 of them come to 512.60 USD.",
    ],
)
def test_what_no_two_figures_give_is_invented_wherever_it_is_written(answer: str) -> None:
    assert codes(answer, BOARD, f"{MAIL} And for 40 units?") == {"unknown_figure"}


@pytest.mark.parametrize(
    ("answer", "is_right"),
    [
        ("The three invoices come to 899.55 USD.", True),
        ("On average 299.85 USD.", True),
        ("- 24 Nov: 512.40\n- 25 Nov: 300\n- Sum: 812.40", True),
        ("The three invoices come to 898.55 USD.", False),
        ("- 24 Nov: 512.40\n- 25 Nov: 300\n- Sum: 912.40", False),
    ],
)
def test_the_sum_of_the_lines_of_a_message_is_no_invention(answer: str, is_right: bool) -> None:
    assert codes(answer, BOARD, INVOICES) == (set() if is_right else {"unknown_figure"})


FIGURES = st.lists(st.integers(10_000, 90_000), min_size=2, max_size=4, unique=True)


@given(FIGURES, st.sampled_from(["sum", "difference", "share", "mean"]), st.integers(0, 2))
def test_whatever_one_operation_gives_passes_and_its_neighbour_does_not(
    figures: list[int], operation: str, places: int
) -> None:
    one, other = figures[:2]
    exact = {
        "sum": float(one + other),
        "difference": float(abs(one - other)),
        "share": 100 * one / other,
        "mean": (one + other) / 2,
    }[operation]
    unit = "%" if operation == "share" else " USD"
    seen = " and ".join(str(figure) for figure in figures)
    said = f"{one} and {other} give "
    assert codes(f"{said}{exact:.{places}f}{unit}.", seen) == set()
    wrong = exact * 1.37 + 7_777.7
    assert codes(f"{said}{wrong:.2f} USD.", seen) == {"unknown_figure"}


OCTOBER = (
    "Hi,\nSponsored Products: spend $4,812.40, sales $18,230.10, ACOS 26.4%\nSponsored Brands:"
    " spend $1,204.00\nOrders 1,310, of which 895 on coupons\nSessions 41,002, conversion 3.2%\n"
    + "".join(f"SKU-{number}X: stock {137 * number} units\n" for number in range(1010, 1080))
)


@pytest.mark.parametrize(
    "answer",
    [
        "Of 1,310 orders, 895 used a coupon. That is 68.3 %.",
        "895 of 1,310 orders were on coupons, i.e. 68.3 %.",
        "895 von 1.310 Bestellungen, d. h. 68,3 %.",
        "- Orders: 1,310\n- On coupons: 895\n- Share: 68.3 %",
        "Coupons made 68.3 % of the orders. It was 895 of 1,310.",
        "895 orders (68.3 %) used a coupon.",
        "Of 1,310 orders, 895 used a coupon. That is 68 %.",
    ],
)
def test_a_share_passes_beside_its_figures_in_answer_or_source(answer: str) -> None:
    assert codes(answer, OCTOBER) == set()
    wrong = answer.replace("68.3", "63.8").replace("68,3", "63,8").replace("68 %", "63 %")
    assert codes(wrong, OCTOBER) == {"unknown_figure"}


def test_a_share_far_from_its_figures_is_sent_back() -> None:
    between = "Spend was $1,204.00 and $4,812.40. Sessions were 41,002, sales $18,230.10."

    far = f"There were 1,310 orders, 895 on coupons. {between} The share is 68.3 %."
    assert codes(far, OCTOBER) == {"unknown_figure"}
    assert codes("68.3 % of the orders used a coupon.", OCTOBER) == {"unknown_figure"}


@pytest.mark.parametrize(
    ("rounded", "is_right"),
    [
        ("ACOS was about 26 %.", True),
        ("ACOS was about 27 %.", False),
        ("They spent $4.8k.", True),
        ("They spent 4.8k USD.", True),
        ("They spent $4.9k.", False),
        # One digit could be rounded from anything, and so could two without the sign.
        ("They spent $7k.", False),
        ("Stock is 4.8k units.", False),
    ],
)
def test_a_percentage_or_an_amount_may_be_rounded_to_two_digits(
    rounded: str, is_right: bool
) -> None:
    assert codes(rounded, OCTOBER) == (set() if is_right else {"unknown_figure"})


def test_a_text_works_out_what_it_names_the_figures_of() -> None:
    seen = ["Orders 1,310, of which 895 on coupons"]

    assert reckoned("895 of 1,310 orders (68.3 %)", seen) == {Decimal("68.3")}
    assert reckoned("895 / 1,310 = 68.32 %", seen) == {Decimal("68.32")}
    assert reckoned("68.3 % of the orders", seen) == frozenset()
    assert reckoned("895 of 1,310 orders (63.8 %)", seen) == frozenset()
    # Too short to be told from chance, and not of seen figures.
    assert reckoned("895 of 1,310 orders (68 %)", seen) == frozenset()
    assert reckoned("895 of 1,410 orders (63.5 %)", seen) == frozenset()


def test_a_secret_is_an_error_whoever_wrote_it() -> None:
    seen = "is xoxb-123456789012-abc ours?"

    assert codes("Yes, xoxb-123456789012-abc is ours.", seen) == {"secret"}


def test_what_was_worked_out_is_a_source_of_its_figures() -> None:
    worked_out = 'price is 24.99 {"printed":"15% off 21.24, 20% off 19.99"}'

    assert codes("15% off would be 21.24, 20% off 19.99.", worked_out) == set()
    assert codes("20% off would be 18.75.", worked_out) == {"unknown_figure"}


def test_an_amount_may_be_told_in_thousands_or_millions() -> None:
    seen = '{"sales":"1200000","budget":"$5 million"}'

    assert codes("They sold 1.2 million.", seen) == set()
    assert codes("Sie haben 1,2 Mio. € verkauft.", seen) == set()
    assert codes("The budget is $5,000,000.", seen) == set()
    assert codes("They sold 1.3 million.", seen) == {"unknown_figure"}
    # A percentage is none of them.
    assert codes("ACOS was 5.0%.", '{"sales":"5000"}') == {"unknown_figure"}


def test_a_short_correct_answer_passes() -> None:
    assert check_grounding("Yes, Acme is active.", ["is Acme active?"]) == []


def test_code_stays_as_it_is_written() -> None:
    code = "```\ndef call(**kwargs):\n> quoted\n| a | b |\n|---|---|\n```"

    assert repair(code) == code
    assert codes(code) == set()


def test_a_quoted_line_is_no_block_quote() -> None:
    assert repair("He wrote:\n> check stock\n>> twice\nso") == "He wrote:\ncheck stock\ntwice\nso"


def test_a_table_becomes_aligned_columns() -> None:
    rows = "| Fix | Friday | Sara |\n| Restock | | Yuki |"
    table = f"| Task | Due | Who |\n|---|:---:|---|\n{rows}\n\nEnd"

    assert repair(table) == (
        "```\n"
        "Task     Due     Who\n"
        "───────  ──────  ────\n"
        "Fix      Friday  Sara\n"
        "Restock          Yuki\n"
        "```\n\nEnd"
    )
    assert repair(repair(table)) == repair(table)


class Endless(Value):
    """Texts that a careless expression would read for minutes."""

    texts: tuple[str, ...] = ("word " * 20_000, "1" * 50_000, "Aa " * 20_000, "> " * 20_000)


@pytest.mark.parametrize("text", Endless().texts)
def test_an_endless_text_is_checked_to_its_end(text: str) -> None:
    assert codes(repair(text)) == set()


def test_the_figures_of_an_address_in_code_are_none_of_the_answers() -> None:
    written = "```\nAcme,https://app.clickup.com/90100400001/v/li/901005000081\n```"
    assert codes(repair(written)) == set()


LAUNCH = (
    "budget for the launch is 5,000, we already paid the photographer 1,850.50 and the translator"
    " 640. How much is left, and what share is spent? In 4 equal weeks?"
)


@pytest.mark.parametrize(
    "answer",
    [
        "5,000 − 1,850.50 − 640 = 2,509.50 is left.",
        "What is left: 2,509.50.",
        "Spent together: 2,490.50.",
        "**2,490.50** (1,850.50 + 640) of 5,000, which is **49.8 %**.",
        "(1,850.50 + 640) / 5,000 = 49.81 %",
        "About 49.8 % is spent.",
        "49,81 % sind ausgegeben, 50,19 % sind noch da.",
        "For each of the 4 weeks: 2,509.50 / 4 = 627.375, about 627.38.",
        "€5,000 − €2,490.50 = €2,509.50; €2,509.50 ÷ 4 = €627.38.",
        "5.000 € − 1.850,50 € − 640 € = 2.509,50 €",
        "5,000 x 3 = 15,000",
        "It was to be 5,000 / 12 = 416.67 a month.",
    ],
)
def test_what_a_written_calculation_or_a_few_amounts_together_give_passes(answer: str) -> None:
    assert codes(answer, LAUNCH) == set()


def test_many_figures_make_no_share_of_a_whole_likely() -> None:
    bills = "The budget is 5,000; paid are 1,850.50, 640, 77.30 and 1,204.10."

    assert codes("About 49.8 % is spent.", bills) == {"unknown_figure"}


@pytest.mark.parametrize(
    "answer",
    [
        "5,000 − 1,850.50 − 640 = 2,609.50 is left.",
        "What is left: 2,400.50.",
        "5,000 − 1,999.50 = 3,000.50 is left.",
        "5,000 / 37 = 135.14",
        "1,850.50 / 0 = 7,777",
        "(((5,000 - 1,111.11",
        "Spent: 51.2 %.",
        "About 48.9 % is spent.",
    ],
)
def test_a_calculation_with_an_invented_figure_or_result_is_an_error(answer: str) -> None:
    assert codes(answer, LAUNCH) == {"unknown_figure"}


@given(st.text(alphabet="0123456789.,()+-−*/x% =€", max_size=80))
def test_any_text_of_figures_and_signs_can_be_checked(answer: str) -> None:
    assert codes(answer, LAUNCH) <= {"unknown_figure", "secret"}


@pytest.mark.parametrize(
    "answer",
    [
        "[Ad](https://app.clickup.com/t/1)—$98,765 now",
        "See [Ad](https://app.clickup.com/t/1):$98,765.",
        "|[Ad](https://app.clickup.com/t/1)|$98,765|",
    ],
)
def test_a_figure_right_behind_a_link_is_a_figure_of_the_text(answer: str) -> None:
    assert codes(answer) == {"unknown_figure"}
    assert codes("It cost $98,765.", answer) == set()


def test_a_figure_in_the_words_of_a_link_of_slack_was_said() -> None:
    assert codes("It cost $98,765.", "see <https://a.example/r|98,765 units>") == set()


@pytest.mark.parametrize("text", ["https://a.example/98765", "(https://a.example/?n=98765)"])
def test_a_figure_in_an_address_is_neither_claimed_nor_seen(text: str) -> None:
    assert codes(f"See {text}.") == set()
    assert codes("It cost $98,765.", text) == {"unknown_figure"}
