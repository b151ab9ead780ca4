"""Procedures found in the database of the fictional agency."""

from pathlib import Path
from uuid import UUID

import pytest

from agencyclaw.store.demo_agency import brand_id, client_id, person_id, sop_id
from agencyclaw.store.engine import Database
from agencyclaw.store.knowledge import KnowledgeReader

SOPS = Path(__file__).parents[3] / "agencyclaw" / "store" / "demo" / "sops"
BRIGHTKETTLE = client_id("Brightkettle Group")


@pytest.fixture
def reader(agency: Database) -> KnowledgeReader:
    return KnowledgeReader(agency)


async def found(reader: KnowledgeReader, query: str, limit: int = 3) -> list[tuple[str, str]]:
    return [(hit.sop.category, hit.match) for hit in await reader.find_sops(query, limit=limit)]


async def test_every_title_and_alias_by_itself_surely_finds_its_procedure(
    reader: KnowledgeReader,
) -> None:
    names = await reader.sop_names()
    assert len(names) == len(list(SOPS.glob("*.md")))
    for one in names:
        for name in one.names:
            first = (await reader.find_sops(name, limit=3))[0]
            assert (first.sop.title, first.is_sure) == (one.title, True), name


async def test_every_alias_in_a_sentence_finds_its_procedure(reader: KnowledgeReader) -> None:
    for one in await reader.sop_names():
        for alias in one.aliases:
            hits = await reader.find_sops(f"Tessera: we need {alias} by Friday, please", limit=3)
            assert one.title in [hit.sop.title for hit in hits], alias


@pytest.mark.parametrize(
    ("query", "category"),
    [
        ("create a coupon task for Copperleaf: 20% off the garlic press B0CF7GARL1", "coupons"),
        ("Set up 20% coupon for X", "coupons"),
        ("how do we stop wasting money on irrelevant search queries", "ngram"),
        ("what do I do when Amazon asks for a safety data sheet", "product_compliance"),
        ("a listing does not show up in search any more", "search_suppressed"),
        ("campaigns ran out of budget before the evening", "portfolio_budgets"),
        ("how many units should we ship to the warehouse", "fba_restock"),
        ("the rights owner complained about intellectual property", "policy_violations"),
        ("break-even acos for next month", "campaign_target"),
        ("main image is missing on white background", "search_suppressed"),
        ("15% coupon for the desk fan", "coupons"),
        ("15% coupon on all three dog collars", "coupons"),
        ("coupon, 20% off, ASINs will follow later", "coupons"),
        ("supressed listngs", "search_suppressed"),
        ("placmeent bidds for Tessera", "placement_bid"),
        ("a replenishmnt", "fba_restock"),
    ],
)
async def test_questions_in_plain_words_find_their_procedure(
    reader: KnowledgeReader, query: str, category: str
) -> None:
    assert (await found(reader, query))[0] == (category, "text")


CALL = (
    "Hi all, I had the call with Brightkettle this morning and they were in a good mood. The new"
    " photos have arrived, and Priya likes the third one best. They asked when the trade fair is"
    " and whether we send somebody. "
)
REST = (
    " The invoice of August still shows the old address. And let us talk about the plan for"
    " December when you are back. Best, Sara"
)


@pytest.mark.parametrize(
    ("ask", "category"),
    [
        ("What do we do with goods that have no active offer any more?", "stranded_inventory"),
        ("How many redemptions per shopper do we allow on a coupon?", "coupons"),
        ("Amazon wants a safety data sheet from us.", "product_compliance"),
    ],
)
async def test_what_a_long_mail_asks_in_one_sentence_is_among_what_is_found(
    reader: KnowledgeReader, ask: str, category: str
) -> None:
    for mail in (f"{ask} {CALL}{REST}", f"{CALL}{ask}{REST}", f"{CALL}{REST} {ask}"):
        assert category in dict(await found(reader, mail, limit=5))


@pytest.mark.parametrize(
    "query",
    [
        "I was stranded at the airport for six hours",
        "need a new seat in pacvue for the intern, who pays the licence?",
        "budget pacing for the meta ads of Hearthlane, which dashboard",
        "Please create a coupon code for Glintly's own Shopify store, the client wants it",
        f"{CALL} They use a coupon. {REST}",
        "coupons or price discounts",
    ],
)
async def test_a_name_in_passing_makes_nothing_sure(reader: KnowledgeReader, query: str) -> None:
    assert not any(hit.is_sure for hit in await reader.find_sops(query, limit=5))


async def test_a_name_of_several_words_in_a_long_question_is_offered_and_not_taken(
    reader: KnowledgeReader,
) -> None:
    question = "what lookback window should our bid rules have on the first of the month?"

    first, *_ = await reader.find_sops(question, limit=5)

    assert first.sop.title == "Pacvue Rules Master Update SOP"
    assert (first.is_ground, first.is_sure) == (True, False)


STREWN = (
    "Weigh the parcel. {fill} The label is blue. {fill} A pallet is wrapped twice. {fill}"
    " Photograph the corner."
)
FILL = "Nothing else is to be done here and everybody goes on with what they were at. " * 9


async def _add(agency: Database, title: str, body: str) -> None:
    await agency.pool.execute(
        "insert into playbook_sops (clickup_doc_id, clickup_page_id, name, category, version,"
        " content_md) values ('d', $1, $1, 'freight', '1', $2)",
        title,
        body,
    )


async def test_words_that_stand_together_fit_better_than_the_same_words_far_apart(
    reader: KnowledgeReader, agency: Database
) -> None:
    await _add(agency, "Freight A", STREWN.format(fill=FILL))
    together = f"{FILL * 3} {STREWN.format(fill='')}"
    await _add(agency, "Freight B", together)

    hits = await reader.find_sops("photograph the wrapped pallet, parcel and label", limit=2)

    assert [hit.sop.title for hit in hits] == ["Freight B", "Freight A"]


async def test_a_sentence_that_one_passage_answers_scores_more_than_its_words_in_many_sentences(
    reader: KnowledgeReader, agency: Database
) -> None:
    await _add(agency, "Freight B", f"{STREWN.format(fill='')} {FILL * 3}")
    asked = "photograph the wrapped pallet, parcel and label"
    apart = "Bring a pallet. Buy a label. We met at noon. Is it wrapped? A parcel came. Photograph?"

    [answered] = await reader.find_sops(asked, limit=1)
    [strewn] = await reader.find_sops(apart, limit=1)
    assert answered.sop.title == strewn.sop.title == "Freight B"
    assert answered.is_ground
    assert answered.score > strewn.score


async def test_a_single_document_is_offered_where_it_answers(
    reader: KnowledgeReader, agency: Database
) -> None:
    await agency.pool.execute("delete from playbook_sops")
    await _add(agency, "Freight", STREWN.format(fill=""))

    for asked, is_offered in (("wrap the pallet, label the parcel", True), ("a new label", False)):
        [hit] = await reader.find_sops(asked, limit=1)
        assert hit.is_ground is is_offered


async def test_money_back_is_never_surely_about_budgets(
    reader: KnowledgeReader, agency: Database
) -> None:
    await agency.pool.execute(
        "insert into playbook_sops (clickup_doc_id, clickup_page_id, name, category, aliases,"
        " version, content_md) values ('d', 'p', 'Refunds', 'refunds', '{refund}', '1',"
        " 'Return the money to the customer within five days, by the way it was paid.')"
    )

    hits = await reader.find_sops("customer wants his money back", limit=5)

    assert "Refunds" in [hit.sop.title for hit in hits]
    assert not any(hit.is_sure for hit in hits)


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?!",
        "asdf qwerty zxcv",
        "what is the weather in Lisbon today",
        "write a poem about the sea",
        "tell me a joke about inventory",
        "book me a flight to Paris tomorrow",
        "order new laptops for the team",
        "fix landing page",
        "list tasks for Glintly this week",
        "hi, how are you?",
        "write the playmat care page with washing and storage",
        "' | & ! :* \\ ''",
        "a\x00b \ud800 \U000e0041",
    ],
)
async def test_for_nonsense_and_other_subjects_nothing_is_offered_as_the_answer(
    reader: KnowledgeReader, query: str
) -> None:
    assert not any(hit.is_ground for hit in await reader.find_sops(query, limit=3))


async def test_spelling_is_left_alone_where_postgres_cannot_help(
    reader: KnowledgeReader, agency: Database
) -> None:
    await agency.pool.execute("drop extension pg_trgm cascade")

    assert await found(reader, "wokrbook for Copperleaf") == []
    assert (await found(reader, "coupon"))[0] == ("coupons", "alias")


async def test_a_procedure_without_text_is_not_found_and_hides_nothing(
    reader: KnowledgeReader, agency: Database
) -> None:
    await agency.pool.execute(
        "update playbook_sops set content_md = E' \\n' where id = $1", sop_id("coupons")
    )
    await agency.pool.execute(
        "update playbook_sops set aliases = aliases || array['coupon'] where id = $1",
        sop_id("price_discounts"),
    )

    assert (await found(reader, "coupon"))[0] == ("price_discounts", "alias")
    assert "coupons" not in dict(await found(reader, "coupon", limit=10))
    assert await reader.sop(sop_id("coupons")) is None
    assert "coupons" not in [one.category for one in await reader.sop_names()]


async def test_a_changed_alias_is_searched_at_once(
    reader: KnowledgeReader, agency: Database
) -> None:
    await agency.pool.execute(
        "update playbook_sops set aliases = aliases || array['mystery-shopping']"
        " where category = 'hv_pat'"
    )

    assert (await found(reader, "Mystery shopping?"))[0] == ("hv_pat", "alias")


async def test_two_of_one_name_are_neither_of_them_sure(
    reader: KnowledgeReader, agency: Database
) -> None:
    await agency.pool.execute(
        "update playbook_sops set aliases = aliases || array['promo']"
        " where category in ('coupons', 'price_discounts')"
    )

    assert [kind for _, kind in await found(reader, "promo", limit=2)] == ["text", "text"]


async def test_ten_thousand_characters_are_searched_without_harm(reader: KnowledgeReader) -> None:
    assert "coupons" in dict(await found(reader, "coupon " + "lorem ipsum " * 800))


_TASK = """
with receipt as (
  insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
    thread_ts, slack_ts, is_direct, slack_user_id, lane)
  values ($1, 'events', 'message', 'T0LANTERN', 'D', '1', '1', true, 'U01SARAL', 'lane')
  returning id
), proposal as (
  insert into proposals (receipt_id, ordinal, team_id, place, channel_id, thread_ts, is_direct,
    actor_profile_id, actor_slack_user_id, actor_name, skill_id, fingerprint)
  select id, 1, 'T0LANTERN', 'lane', 'D', '1', true, $4, 'U01SARAL', 'Sara', 'create_task', $1
  from receipt
  returning id
)
insert into agent_tasks (proposal_id, marker, content_key, title, client_id, brand_id,
  clickup_list_id, requested_by, status, created_at)
select id, $1, $1, $1, $2, $3, '1', $4, $5, now() - make_interval(days => $6) from proposal
"""


async def add_task(db: Database, title: str, status: str, age: int, brand: UUID | None) -> None:
    sara = person_id("Sara Lindqvist")
    await db.pool.execute(_TASK, title, BRIGHTKETTLE, brand, sara, status, age)


async def test_earlier_tasks_of_a_client_come_newest_first(
    reader: KnowledgeReader, agency: Database
) -> None:
    copperleaf = brand_id("Brightkettle Group", "Copperleaf")
    await add_task(agency, "Older", "created", 3, copperleaf)
    await add_task(agency, "Newer", "created", 1, None)
    await add_task(agency, "Failed", "failed", 0, None)

    tasks = await reader.prior_tasks(BRIGHTKETTLE, limit=5)

    assert [(task.title, task.brand) for task in tasks] == [
        ("Newer", None),
        ("Older", "Copperleaf"),
    ]
    assert await reader.prior_tasks(BRIGHTKETTLE, limit=1) == tasks[:1]
    assert await reader.prior_tasks(client_id("Pawtrail"), limit=5) == []


async def test_a_word_at_the_end_of_a_long_document_is_found(agency: Database) -> None:
    body = "alpha beta gamma " * 6_000 + "zyzzyva quokka"
    await agency.pool.execute(
        "insert into playbook_sops (clickup_doc_id, clickup_page_id, name, content_md, category)"
        " values ('d', 'p', 'A long one', $1, 'other')",
        body,
    )
    reader = KnowledgeReader(agency)

    for query in ("zyzzyva", "what is a zyzzyva?", "zyzzyva or quokka"):
        assert [hit.sop.title for hit in await reader.find_sops(query, limit=1)] == ["A long one"]
