"""Which procedure a question means."""

from uuid import NAMESPACE_DNS, uuid5

import pytest

from agencyclaw.domain.search import Candidate, Known, Places, Question, Shelf, Verdict
from agencyclaw.domain.search_keys import plain_words
from agencyclaw.knowledge.question import read_question
from agencyclaw.knowledge.ranking import RANKER


def sop(category: str, *aliases: str, title: str = "", text: str = "") -> Candidate:
    name = title or f"{category.replace('_', ' ').title()} SOP"
    return Candidate(
        id=uuid5(NAMESPACE_DNS, category + title),
        title=name,
        category=category,
        aliases=aliases,
        stems=stems(name, " ".join((category.replace("_", " "), *aliases)), text),
    )


def stems(title: str, names: str, text: str) -> dict[str, Places]:
    """A stemmer that knows words as they are is enough here."""
    found: dict[str, Places] = {}
    for word in plain_words(f"{title} {names} {text}"):
        found[word] = Places(
            title=plain_words(title).count(word),
            names=plain_words(names).count(word),
            text=tuple(at for at, other in enumerate(plain_words(text)) if other == word),
        )
    return found


COUPONS = sop("coupons", "coupon", "create coupon", "amazon coupon")
DISCOUNTS = sop("price_discounts", "price discount", "run a sale")
NPAT = sop("npat", "n-pat", "negative product targeting")
HV_PAT = sop("hv_pat", "hvpat", "product targeting")
NGRAM = sop("ngram", "n-gram", "negative keyword")
ALL = [COUPONS, DISCOUNTS, NPAT, HV_PAT, NGRAM]


def shelf(question: Question, sops: list[Candidate], *names: str) -> Shelf:
    words = {word: Known(word, sum(word in one.stems for one in sops)) for word in question.words}
    return Shelf(size=len(sops), words=words, names=frozenset(names))


def ask(query: str, *sops: Candidate, names: tuple[str, ...] = ()) -> list[Verdict]:
    question, candidates = read_question(query), list(sops or ALL)
    return RANKER.judge(question, shelf(question, candidates, *names), candidates)


def best(query: str, names: tuple[str, ...] = ()) -> float:
    return max((hit.score for hit in ask(query, names=names)), default=0.0)


def found(query: str, *sops: Candidate) -> list[str]:
    names = {one.id: one.category for one in sops or ALL}
    return [names[one.id] for one in ask(query, *sops)]


@pytest.mark.parametrize(
    "query", ["price_discounts", "Price discounts", "price-discount?", "PRICE DISCOUNTS."]
)
def test_a_query_equal_to_a_category_comes_first_with_the_highest_score(query: str) -> None:
    first = ask(query)[0]

    assert (first.id, first.match, first.score) == (DISCOUNTS.id, "category", 0.9)


def test_no_sentence_scores_as_high_as_the_category_itself() -> None:
    long = "negative product targeting, please"

    assert 0.7 <= ask(long)[0].score < 0.9


def test_an_alias_in_a_sentence_finds_its_procedure() -> None:
    assert found("Set up 20% coupon for X")[0] == "coupons"


@pytest.mark.parametrize(
    "query", ["n gram for Pawtrail", "N-Grams, please", "do the ngram thing", "negative keywords?"]
)
def test_hyphens_spaces_and_plurals_do_not_matter(query: str) -> None:
    assert found(query)[0] == "ngram"


@pytest.mark.parametrize("query", ["anagram", "the salesperson ran asale", "carpet"])
def test_part_of_a_word_is_not_the_word(query: str) -> None:
    assert found(query) == []


def test_a_phrase_inside_a_longer_one_means_the_longer_one() -> None:
    hits = ask("negative product targeting")

    assert (hits[0].id, hits[0].match) == (NPAT.id, "alias")
    assert all(hit.match == "text" for hit in hits[1:])
    both = ask("product targeting, but negative product targeting too")
    assert {hit.id for hit in both if hit.match == "alias"} >= {NPAT.id, HV_PAT.id}


def test_a_procedure_answers_to_its_own_title() -> None:
    titled = sop("search_suppressed", title="Search Suppressed & At-Risk Listings SOP")

    assert ask("open the Search Suppressed and At-Risk Listings SOP", titled)[0].score >= 0.7


def test_a_name_said_by_the_way_is_worth_less() -> None:
    plain = best("coupon")
    aside = best("the zebra at the concert swallowed a coupon")
    far = best("my neighbour's zebra swallowed a coupon at the violin concert in Vienna")

    assert far <= aside < 0.7 <= plain


def test_what_nothing_holds_counts_against_an_answer() -> None:
    text = sop("restock", text="count the cartons of every shipment before the carrier comes")
    others = [sop(f"other_{n}", text="something else entirely") for n in range(8)]

    assert found("cartons per shipment", text, *others) == ["restock"]
    assert found("cartons of saffron, opals, violins and harpsichords", text, *others) == []


def test_names_of_clients_do_not_count_against_an_answer() -> None:
    plain = best("coupon for")

    assert best("coupon for zibberlund", names=("zibberlund",)) == plain
    assert 0 < best("coupon for zibberlund quaxmoor") < plain


def test_a_small_word_is_not_an_abbreviation_in_the_plural() -> None:
    """ "to" is no "TOS", "do" no days of cover, and "me" no month of another language."""
    assert read_question("tell me what to do").parts == ()


def test_words_close_together_say_more_than_words_strewn_over_a_text() -> None:
    filler = " filler" * 80
    near = sop("near", text=f"{filler} weigh pallets twice {filler}")
    strewn = sop("strewn", text=f"weigh {filler} pallets {filler} twice")
    others = [sop(f"other_{n}", text="something else") for n in range(9)]
    hits = {hit.id: hit.score for hit in ask("weigh pallets twice", near, strewn, *others)}

    assert hits[near.id] > hits.get(strewn.id, 0.0)


def test_a_close_second_makes_an_answer_less_sure() -> None:
    one, twin = (sop(name, "weigh pallets", text="twice") for name in ("one", "twin"))
    others = [sop(f"other_{n}", text="something else") for n in range(9)]
    alone = ask("pallets weigh twice", one, *others)[0].score

    assert ask("pallets weigh twice", one, twin, *others)[0].score < alone


@pytest.mark.parametrize(
    ("query", "category"),
    [
        ("vouchers please", "coupons"),
        ("neg kws", "ngram"),
        ("Gutschein", "coupons"),
        ("rebajas", "price_discounts"),
    ],
)
def test_the_trade_s_other_words_are_understood(query: str, category: str) -> None:
    assert found(query)[0] == category


def test_a_subject_of_its_own_is_answered_only_by_a_document_about_it() -> None:
    about = sop("reviews", title="Customer Review SOP", text="answer each")
    by_the_way = sop("targeting", "competitor review", text="the customer review of a rival")

    assert found("customer reviews", about, by_the_way) == ["reviews"]


@pytest.mark.parametrize("query", ["", "   ", "?!", "asdf qwerty"])
def test_nonsense_finds_nothing(query: str) -> None:
    assert ask(query) == []


def test_the_order_does_not_depend_on_the_order_of_the_candidates() -> None:
    twins = [sop("a", "twin"), sop("b", "twin"), sop("c", "twin")]

    assert ask("twin", *twins) == ask("twin", *reversed(twins))


def test_a_misspelt_name_is_a_guess() -> None:
    question = read_question("negatve keywrods")
    known = shelf(question, ALL)
    stems = RANKER.doubtful(question, known)
    meant = RANKER.respelt(question, stems, {"negatve": ["negative"], "keywrods": ["keyword"]})

    assert set(stems) == {"negatve", "keywrods"}
    assert meant is not None
    first = RANKER.judge(meant, shelf(meant, ALL), ALL)[0]
    assert (first.id, first.match) == (NGRAM.id, "text")
    assert first.score < 0.5


def test_a_small_word_with_two_letters_swapped_does_not_count_against_an_answer() -> None:
    question = read_question("negatve keywrods aobut")
    stems = RANKER.doubtful(question, shelf(question, ALL))
    meant = RANKER.respelt(question, stems, {"negatve": ["negative"], "keywrods": ["keyword"]})

    assert meant is not None
    assert [part.doubt for part in meant.parts] == [1.0, 1.0, 0.0]
