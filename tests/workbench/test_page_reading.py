"""The page as people use it for long: scrolled, reloaded, narrow, and left open over a restart."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
from aiohttp import web
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from page_app import DM, OPS, App, fresh

from tests.browser import Browser
from workbench.clock import MachineClock
from workbench.seed import seed
from workbench.server import build_app
from workbench.storage import Storage

SCROLL = "document.querySelector('#conversation .scroll')"
AT_END = f"{SCROLL}.scrollHeight - {SCROLL}.scrollTop - {SCROLL}.clientHeight < 80"
LIST = "901005000011"


async def scrolled_up(page: Browser, app: App) -> None:
    """Fill the conversation and read its beginning."""
    for number in range(12):
        await app.post(DM, "\n".join(f"line {number}.{line}" for line in range(8)))
    await page.wait_for_text("[data-testid=message]", "line 11.7")
    await page.wait_for(AT_END)
    await page.evaluate(f"{SCROLL}.scrollTop = 0")
    await page.wait_for_text("[data-testid=latest]:not([hidden])", "Latest")


async def test_ones_own_message_is_shown_also_where_the_view_was_scrolled_up(
    page: Browser, app: App
) -> None:
    await scrolled_up(page, app)
    await page.type("[data-testid=composer]", "here I am", enter=True)
    await page.wait_for_text("[data-testid=message]", "here I am")
    await page.wait_for(AT_END)


async def test_a_message_of_others_says_that_it_is_below_and_moves_nothing(
    page: Browser, app: App
) -> None:
    await scrolled_up(page, app)
    await app.post(DM, "news for you")
    await page.wait_for_text("[data-testid=latest]:not([hidden])", "New messages below")
    assert await page.evaluate(f"{SCROLL}.scrollTop") == 0
    await page.click("#conversation [data-testid=latest]")
    await page.wait_for(AT_END)
    await page.appears("#conversation [data-testid=latest][hidden]")


async def test_what_is_drawn_before_a_scroll_is_noticed_does_not_undo_it(
    page: Browser, app: App
) -> None:
    for number in range(12):
        await app.post(DM, "\n".join(f"line {number}.{line}" for line in range(8)))
    await page.wait_for_text("[data-testid=message]", "line 11.7")
    await page.wait_for(AT_END)
    hold_back = "(event) => event.stopImmediatePropagation()"
    await page.evaluate(f"addEventListener('scroll', {hold_back}, true)")
    await page.evaluate(f"{SCROLL}.scrollTop = 0")
    await app.post(DM, "news for you")
    await page.wait_for_text("[data-testid=latest]:not([hidden])", "New messages below")
    assert await page.evaluate(f"{SCROLL}.scrollTop") == 0


async def test_a_reply_to_an_early_message_is_shown_where_it_stands(
    page: Browser, app: App
) -> None:
    root = await app.post(DM, "the first")
    await app.post(DM, "an answer", thread_ts=root)
    await scrolled_up(page, app)
    await page.click(".reply-slot:not([hidden]) [data-testid=reply-here]")
    await page.type("[data-testid=thread-composer]", "my reply", enter=True)
    await page.wait_for_text("[data-testid=message]", "my reply")
    assert not await page.evaluate(AT_END)


async def test_drafts_survive_a_reload(page: Browser, app: App, origin: str) -> None:
    root = await app.post(DM, "a question")
    await app.post(DM, "an answer", thread_ts=root)
    await page.click("[data-testid=reply-here]")
    await page.type("[data-testid=thread-composer]", "a reply half")
    await page.type("[data-testid=composer]", "half a sentence")
    await page.goto(fresh(origin))
    value = "document.querySelector('[data-testid={}]')?.value === '{}'"
    await page.wait_for(value.format("composer", "half a sentence"))
    await page.wait_for(value.format("thread-composer", "a reply half"))
    await page.press("Escape", 27)
    await page.type("[data-testid=composer]", "said", enter=True)
    await app.until("message")
    await page.goto(fresh(origin))
    await page.wait_for(value.format("composer", ""))
    await page.evaluate("localStorage.clear()")


async def test_an_archived_task_is_shown_as_such(page: Browser, app: App, origin: str) -> None:
    await app.create_task(LIST, "Coupon: garlic press")
    await page.wait_for_text("[data-testid=clickup-task]", "Coupon: garlic press")
    counted = await page.text(".pane-count")
    key = {"Authorization": "pk_workbench"}
    async with aiohttp.ClientSession(f"{origin}", headers=key) as http:
        tasks = await (await http.get("/_control/clickup/tasks?name=Coupon: garlic press")).json()
        task = tasks["tasks"][0]["id"]
        await http.put(f"/clickup/api/v2/task/{task}", json={"archived": True})
        await page.wait_for_text("[data-testid=clickup-task].archived", "Archived")
        assert await page.text(".pane-count") == f"{int(counted.split()[0]) - 1} tasks"
        await page.click("[data-testid=clickup-task].archived")
        await page.wait_for_text("[data-testid=task-drawer] .facts", "Archived")
        own_page = await (await http.get(f"/t/{task}")).text()
    assert '<s>Coupon: garlic press</s> <span class="tag">Archived</span>' in own_page


async def test_a_narrow_page_shows_one_pane_at_a_time(page: Browser, app: App) -> None:
    await page.call(
        "Emulation.setDeviceMetricsOverride",
        width=390,
        height=844,
        deviceScaleFactor=1,
        mobile=True,
    )
    try:
        panes = "['#sidebar', '#conversation', '#thread', '#clickup']"
        visible = f"{panes}.filter((one) => document.querySelector(one).checkVisibility())"
        await page.wait_for(f"{visible}.join() === '#conversation'")
        assert await page.evaluate("document.documentElement.scrollWidth") == 390
        composer = "document.querySelector('[data-testid=composer]').getBoundingClientRect()"
        assert await page.evaluate(f"{composer}.bottom < 844 && {composer}.width > 300")

        await page.click("[data-pane=clickup]")
        assert await page.evaluate(visible) == ["#clickup"]
        await page.click("[data-pane=list]")
        assert await page.evaluate(visible) == ["#sidebar"]
        await page.click(f"[data-testid=channel-{OPS}]")
        await page.wait_for(f"{visible}.join() === '#conversation'")

        root = await app.post(OPS, "Who pays?")
        await app.post(OPS, "We do.", thread_ts=root)
        await page.click("[data-testid=thread-link]", "1 reply")
        await page.wait_for("document.elementFromPoint(195, 400).closest('#thread') !== null")
        assert await page.evaluate("document.documentElement.scrollWidth") == 390
    finally:
        await page.call("Emulation.clearDeviceMetricsOverride")


@asynccontextmanager
async def started(token: str, port: int = 0) -> AsyncIterator[int]:
    """A workbench as the demo starts it: with a token of its own."""
    clock, storage = MachineClock(), Storage(":memory:")
    seed(storage, clock)
    runner = web.AppRunner(build_app(storage, clock=clock, token=token), shutdown_timeout=1.0)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port, reuse_address=True).start()
    yield runner.addresses[0][1]
    await runner.cleanup()


async def test_a_page_left_open_over_a_restart_says_so_and_goes_on_with_the_new_address(
    browser: Browser,
) -> None:
    async with started("one") as port:
        await browser.goto(f"http://127.0.0.1:{port}/?token=one")
        await browser.wait_for_text("[data-testid=health]", "is not connected")
    await browser.wait_for_text("#notice", "The demo does not answer.")
    async with started("two", port):
        await browser.wait_for_text("#notice", "The demo was started again")
        # As another tab of the same browser would.
        await browser.evaluate("fetch('/?token=two').then(() => true)")
        await browser.wait_for("document.querySelector('#notice').hidden")
        await browser.wait_for_text("[data-testid=health]", "is not connected")
        await browser.goto("about:blank")
    browser.errors.clear()


async def test_sentences_that_the_script_knows_are_sent_from_its_own_lists(
    page: Browser, app: App
) -> None:
    await app.control("notice", notice="A script answers.", tour=["hello"], known=["hello", "hi"])
    await page.wait_for_text("#notice", "A script answers.")
    text = "I only know:\n- hi\n- something else"
    root = await app.post(DM, text, blocks=[{"type": "markdown", "text": text}])
    assert (await app.until("message"))["event"]["ts"] == root
    await page.wait_for_text("li", "something else")
    assert await page.count("li [data-testid=try]") == 1
    await page.click("li [data-testid=try]", "hi")
    said = (await app.until("message"))["event"]
    assert (said["text"], said.get("thread_ts")) == ("hi", None)


async def test_a_search_finds_messages_of_every_conversation_and_leads_to_them(
    page: Browser, app: App
) -> None:
    root = await app.post(OPS, "Who pays for the <https://x.example|new banner>?")
    await app.post(OPS, "The storefront banner costs 1,200.", thread_ts=root)
    early = await app.post(DM, "The banner is done.")
    await scrolled_up(page, app)
    await page.evaluate(f"{SCROLL}.scrollTop = {SCROLL}.scrollHeight")
    await page.type("[data-testid=search]", "BANNER")
    await page.wait_for("document.querySelectorAll('[data-testid=found]').length === 3")
    assert "x.example" not in await page.text(".results")

    await page.click("[data-testid=found]", "is done")
    shown = f"document.querySelector('[data-ts=\"{early}\"].lit')?.getBoundingClientRect().top > 60"
    await page.wait_for(shown)
    await page.click("[data-testid=found]", "1,200")
    await page.wait_for_text("#thread .message.lit", "The storefront banner costs 1,200.")

    await app.post(DM, "İİİ İzmir asks for the receipts.")
    await page.type("[data-testid=search]", "RECEIPTS")
    await page.wait_for_text("[data-testid=found] mark", "receipts")

    await page.type("[data-testid=search]", "nowhere at all")
    await page.wait_for_text(".results", "Nothing found.")
    await page.press("Escape", 27)
    await page.appears(".results[hidden]")


async def test_an_answer_leads_to_its_run(page: Browser, app: App, origin: str) -> None:
    mark = {"event_type": "agencyclaw_delivery", "event_payload": {"id": "d-9", "part": 0}}
    await app.post(DM, "An answer.", metadata=mark)
    await app.post(DM, "A notice.")
    provider = TracerProvider()
    exporter = OTLPSpanExporter(f"{origin}/v1/traces", timeout=60)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    span = provider.get_tracer("test").start_span(
        "delivered", attributes={"run": "run-9", "delivery": "d-9"}
    )
    await asyncio.to_thread(span.end)
    await page.appears("[data-testid=run-link]")
    link = "[...document.querySelectorAll('[data-testid=run-link]')].map((a) => a.hash)"
    assert await page.evaluate(link) == ["#run-9"]
    provider.shutdown()


async def test_admins_are_offered_what_only_they_may_do(page: Browser, app: App) -> None:
    await app.control("notice", tour=["hello"], admins=["set a target"])
    tries = "[...document.querySelectorAll('[data-testid=try]')].map((one) => one.textContent)"
    await page.wait_for(f"{tries}.join() === 'hello,set a target'")
    await page.evaluate("location.hash = '#/U01NOOR/D01NOOR'")
    await page.wait_for(f"{tries}.join() === 'hello'")


async def test_a_welcome_is_read_from_its_beginning(page: Browser, app: App) -> None:
    await app.control("notice", tour=[f"sentence {number}" for number in range(40)])
    await page.wait_for_text("[data-testid=try]", "sentence 39")
    assert await page.evaluate(f"{SCROLL}.scrollTop") == 0
    await page.appears("#conversation [data-testid=latest][hidden]")
    for number in range(8):
        await app.post(DM, "\n".join(f"line {number}.{line}" for line in range(8)))
    await page.wait_for_text("[data-testid=message]", "line 7.7")
    await page.wait_for(AT_END)
