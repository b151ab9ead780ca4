"""Which procedure a question means."""

from uuid import NAMESPACE_DNS, uuid5

import pytest

from agencyclaw.domain.sops import Candidate, Sop, SopHit
from agencyclaw.knowledge.ranking import rank

STEPS = "1. Do the first thing.\n2. Do the second."


def sop(category: str, *aliases: str, title: str = "", body: str = STEPS) -> Sop:
    return Sop(
        id=uuid5(NAMESPACE_DNS, category + title),
        title=title or f"{category.replace('_', ' ').title()} SOP",
        category=category,
        aliases=aliases,
        body=body,
        version="1",
    )


COUPONS = sop("coupons", "coupon", "create coupon", "amazon coupon")
DISCOUNTS = sop("price_discounts", "price discount", "run a sale")
NPAT = sop("npat", "n-pat", "negative product targeting")
HV_PAT = sop("hv_pat", "hvpat", "product targeting")
NGRAM = sop("ngram", "n-gram", "negative keyword")
ALL = [COUPONS, DISCOUNTS, NPAT, HV_PAT, NGRAM]


def ask(query: str, *sops: Sop, limit: int = 5) -> list[SopHit]:
    return rank(query, [Candidate(sop=each) for each in sops or ALL], limit)


def categories(hits: list[SopHit]) -> list[str]:
    return [hit.sop.category for hit in hits]


@pytest.mark.parametrize(
    "query", ["price_discounts", "Price discounts", "price-discount?", "PRICE DISCOUNTS."]
)
def test_a_query_equal_to_a_category_comes_first_with_the_highest_score(query: str) -> None:
    first = ask(query)[0]

    assert (first.sop, first.match, first.score) == (DISCOUNTS, "category", 0.9)


def test_no_sentence_scores_as_high_as_the_category_itself() -> None:
    long = "negative product targeting for a very long request about everything"

    assert 0.7 <= ask(long)[0].score < 0.9


def test_an_alias_in_a_sentence_finds_its_procedure() -> None:
    assert categories(ask("Set up 20% coupon for X")) == ["coupons"]


@pytest.mark.parametrize(
    "query", ["n gram for Pawtrail", "N-Grams, please", "do the ngram thing", "negative keywords?"]
)
def test_hyphens_spaces_and_plurals_do_not_matter(query: str) -> None:
    assert categories(ask(query)) == ["ngram"]


@pytest.mark.parametrize("query", ["couponing is an art", "anagram", "the salesperson ran asale"])
def test_part_of_a_word_is_not_the_word(query: str) -> None:
    assert ask(query) == []


def test_the_longest_phrase_wins() -> None:
    hits = ask("a price discount, or a coupon if that is cheaper")

    assert categories(hits) == ["price_discounts", "coupons"]
    assert hits[0].score > hits[1].score


def test_a_phrase_inside_a_longer_one_means_the_longer_one() -> None:
    assert categories(ask("how does negative product targeting work?")) == ["npat"]
    assert categories(ask("product targeting, but negative product targeting too")) == [
        "npat",
        "hv_pat",
    ]


def test_a_procedure_answers_to_its_own_title() -> None:
    titled = sop("search_suppressed", title="Search Suppressed & At-Risk Listings SOP")

    assert categories(ask("open the Search Suppressed and At-Risk Listings SOP", titled)) == [
        "search_suppressed"
    ]


def test_a_blank_procedure_does_not_hide_the_alias_of_another() -> None:
    blank = sop("coupons", body=" \n\t")
    other = sop("promotions", "coupons")

    assert categories(ask("coupons", blank, other)) == ["promotions"]


def test_a_blank_longer_phrase_does_not_hide_a_shorter_one() -> None:
    blank = sop("npat", "negative product targeting", body="")

    assert categories(ask("negative product targeting", blank, HV_PAT)) == ["hv_pat"]


def test_words_of_the_text_never_outrank_a_name() -> None:
    worded = Candidate(sop=NGRAM, share=1.0, words=9, in_heading=True, rank=1.0)
    hits = rank("coupon", [worded, Candidate(sop=COUPONS)], 5)

    assert categories(hits) == ["coupons"]


def test_words_of_the_text_score_at_most_a_half() -> None:
    [hit] = rank("anything", [Candidate(sop=NGRAM, share=1.0, words=5, in_heading=True)], 5)

    assert (hit.match, hit.score) == ("text", 0.5)


@pytest.mark.parametrize(
    "weak",
    [
        Candidate(sop=NGRAM),
        Candidate(sop=NGRAM, share=0.3, words=4, in_heading=True),
        Candidate(sop=NGRAM, share=0.9, words=1),
        Candidate(sop=NGRAM, share=0.75, words=2),
        Candidate(sop=NGRAM, share=0.4, words=1, in_heading=True),
    ],
)
def test_a_few_words_in_common_are_no_answer(weak: Candidate) -> None:
    assert rank("anything else", [weak], 5) == []


@pytest.mark.parametrize("query", ["", "   ", "?!", "asdf qwerty"])
def test_nonsense_finds_nothing(query: str) -> None:
    assert ask(query) == []


def test_the_order_does_not_depend_on_the_order_of_the_candidates() -> None:
    twins = [sop("a", "twin"), sop("b", "twin"), sop("c", "twin")]
    worded = [Candidate(sop=each, share=0.6, words=3, in_heading=True) for each in twins]

    assert ask("twin", *twins) == ask("twin", *reversed(twins))
    assert rank("x", worded, 5) == rank("x", worded[::-1], 5)


@pytest.mark.parametrize(("limit", "found"), [(0, 0), (-1, 0), (1, 1), (9, 2)])
def test_at_most_as_many_as_asked_for(limit: int, found: int) -> None:
    assert len(ask("coupon and price discount", limit=limit)) == found
