"""Procedures found in the database of the fictional agency."""

from pathlib import Path
from uuid import UUID

import pytest

from agencyclaw.domain.search_keys import phrase_key
from agencyclaw.knowledge.ranking import RANKER
from agencyclaw.store.engine import Database
from agencyclaw.store.knowledge import KnowledgeReader
from agencyclaw.store.lanternfish import brand_id, client_id, person_id, sop_id

SOPS = Path(__file__).parents[3] / "agencyclaw" / "store" / "demo" / "sops"
BRIGHTKETTLE = client_id("Brightkettle Group")


@pytest.fixture
def reader(agency: Database) -> KnowledgeReader:
    return KnowledgeReader(agency, RANKER)


async def found(reader: KnowledgeReader, query: str, limit: int = 3) -> list[tuple[str, str]]:
    return [(hit.sop.category, hit.match) for hit in await reader.find_sops(query, limit=limit)]


async def test_every_category_finds_its_own_procedure_first(reader: KnowledgeReader) -> None:
    categories = sorted(path.stem for path in SOPS.glob("*.md"))
    assert "coupons" in categories
    for category in categories:
        first = (await reader.find_sops(category, limit=3))[0]
        assert (first.sop.category, first.match, first.score) == (category, "category", 0.9)
        assert first.sop.body.count("\n1. ") == 1


async def test_every_alias_in_a_sentence_finds_its_procedure(
    reader: KnowledgeReader, agency: Database
) -> None:
    rows = await agency.pool.fetch(
        "select category, unnest(aliases) as alias from playbook_sops order by 1, 2"
    )
    assert rows
    for row in rows:
        hits = await found(reader, f"Tessera: we need the {row['alias']} by Friday, please")
        assert hits, row
        assert hits[0][0] == row["category"], row


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
    ],
)
async def test_questions_in_plain_words_find_their_procedure(
    reader: KnowledgeReader, query: str, category: str
) -> None:
    assert (await found(reader, query))[0][0] == category


@pytest.mark.parametrize(
    "query",
    [
        "20% coupon for the black one B0CF7GARL1",
        "15% coupon for the desk fan",
        "15% coupon on all three dog collars",
        "coupon, 20% off, ASINs will follow later",
    ],
)
async def test_figures_and_products_do_not_count_against_a_procedure(
    reader: KnowledgeReader, query: str
) -> None:
    best = (await reader.find_sops(query, limit=1))[0]

    assert (best.sop.category, best.is_ground) == ("coupons", True)


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
        ("How many redemptions per shopper do we allow on a voucher?", "coupons"),
        ("Amazon wants a safety data sheet from us.", "product_compliance"),
    ],
)
async def test_what_a_long_mail_asks_in_one_sentence_is_found(
    reader: KnowledgeReader, ask: str, category: str
) -> None:
    for mail in (f"{ask} {CALL}{REST}", f"{CALL}{ask}{REST}", f"{CALL}{REST} {ask}"):
        best = (await reader.find_sops(mail, limit=1))[0]
        assert (best.sop.category, best.is_ground) == (category, True)


async def test_a_long_mail_that_asks_for_nothing_known_is_no_ground(
    reader: KnowledgeReader,
) -> None:
    assert [hit for hit in await reader.find_sops(CALL + REST, limit=3) if hit.is_ground] == []


async def test_the_senders_own_question_goes_before_the_mail_they_pass_on(
    reader: KnowledgeReader,
) -> None:
    below = "> Our goods have no active offer any more. They sit in the warehouse.\n> What now?"
    mail = f"Thanks for it. Which voucher was it about?\nI need the coupons procedure.\n\n{below}"

    assert (await found(reader, mail, limit=1))[0][0] == "coupons"


async def test_work_does_not_rest_on_one_everyday_word(reader: KnowledgeReader) -> None:
    hits = await reader.find_sops("write the playmat care page with washing and storage", limit=3)

    assert not any(hit.is_ground for hit in hits)


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
        "what's our vacation policy",
        "order new laptops for the team",
        "fix landing page",
        "list tasks for Glintly this week",
        "hi, how are you?",
        "' | & ! :* \\ ''",
        "a\x00b \ud800 \U000e0041",
    ],
)
async def test_nonsense_and_other_subjects_find_nothing(
    reader: KnowledgeReader, query: str
) -> None:
    assert await found(reader, query) == []


@pytest.mark.parametrize(
    ("query", "category"),
    [
        ("cuopon for Copperleaf", "coupons"),
        ("a replenishmnt", "fba_restock"),
        ("supressed listngs", "search_suppressed"),
        ("placmeent bidds for Tessera", "placement_bid"),
    ],
)
async def test_a_misspelt_word_is_a_guess_of_low_confidence(
    reader: KnowledgeReader, query: str, category: str
) -> None:
    hit = (await reader.find_sops(query, limit=3))[0]

    assert (hit.sop.category, hit.match) == (category, "text")
    assert hit.score < 0.5


async def test_spelling_is_left_alone_where_postgres_cannot_help(
    reader: KnowledgeReader, agency: Database
) -> None:
    await agency.pool.execute("drop extension pg_trgm cascade")

    assert await found(reader, "wokrbook for Copperleaf") == []
    assert (await found(reader, "coupon for Copperleaf"))[0] == ("coupons", "category")


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

    assert await found(reader, "coupons") == [("price_discounts", "alias")]


async def test_a_changed_alias_is_searched_at_once(
    reader: KnowledgeReader, agency: Database
) -> None:
    await agency.pool.execute(
        "update playbook_sops set aliases = aliases || array['mystery-shopping']"
        " where category = 'hv_pat'"
    )

    assert await found(reader, "do some mystery shopping") == [("hv_pat", "alias")]


async def test_ten_thousand_characters_are_searched_without_harm(reader: KnowledgeReader) -> None:
    assert (await found(reader, "coupon " + "lorem ipsum " * 800))[0] == ("coupons", "category")


async def test_postgres_and_python_agree_on_the_key_of_a_phrase(agency: Database) -> None:
    phrases = [row["name"] for row in await agency.pool.fetch("select name from playbook_sops")]
    phrases += [
        "N-Gram's  boxes, policies & classes",
        "price_discounts",
        "top–of–search “bids”…",
        "ads gas us bus series ties",
        "batches/watches\tdishes\nKisses",
        "#1 [B0CF7GARL1] @20% {x} ~y^z|",
        "café déjà vus",
    ]
    for phrase in phrases:
        assert await agency.pool.fetchval("select phrase_key($1)", phrase) == phrase_key(phrase)


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
