"""The page in a real browser, against the whole workbench and an app on the other side of it."""

import json

import aiohttp
from aiohttp import web
from page_app import CARD, DM, OPS, THUMBS, App, fresh, kind_of

from tests.browser import Browser
from workbench.control.stream import CLOSING


async def test_a_typed_message_appears_and_reaches_the_app(page: Browser, app: App) -> None:
    await page.type("[data-testid=composer]", "is 5 < 6 & 7 > 6, @Yuki Tan?", enter=True)
    await page.wait_for_text("[data-testid=message]", "is 5 < 6 & 7 > 6, @Yuki Tan?")
    event = (await app.until("message"))["event"]
    assert (event["channel"], event["user"]) == (DM, "U01INES")
    assert event["text"] == "is 5 &lt; 6 &amp; 7 &gt; 6, <@U01YUKI>?"
    assert await page.evaluate("document.querySelector('[data-testid=composer]').value") == ""


async def test_an_answer_stands_under_its_question_with_its_status_before(
    page: Browser, app: App
) -> None:
    await page.type("[data-testid=composer]", "who works on Pawtrail?", enter=True)
    root = (await app.until("message"))["event"]["ts"]
    await app.set_status(DM, root, "Reading the assignments…")
    await page.wait_for_text(
        ".exchange [data-testid=status]", "AgencyClaw is reading the assignments…"
    )
    await app.post(DM, "Sara *Okafor* does.", thread_ts=root)
    await page.wait_for_text(".exchange .replies [data-testid=message]", "Sara Okafor does.")
    await page.vanishes("[data-testid=status]")
    await page.click("[data-testid=reply-here]")
    await page.type("[data-testid=thread-composer]", "thanks", enter=True)
    await page.wait_for_text(".exchange .replies [data-testid=message]", "thanks")
    assert (await app.until("message"))["event"]["thread_ts"] == root


async def test_a_stream_grows_and_its_session_can_be_stopped(page: Browser, app: App) -> None:
    await page.type("[data-testid=composer]", "what is due?", enter=True)
    root = (await app.until("message"))["event"]["ts"]
    session = {"channel_id": DM, "thread_ts": root}
    await app.call("agents.sessions.setStatus", **session, status="processing", title="What is due")
    await page.wait_for_text("[data-testid=session]", "What is due")
    task = {"type": "task_update", "id": "1", "title": "Reading tasks", "status": "in_progress"}
    begun = await app.call("chat.startStream", channel=DM, thread_ts=root, chunks=[task])
    stream = {"channel": DM, "ts": begun["ts"]}
    await page.wait_for_text("[data-testid=task-card]", "Reading tasks")
    await app.call("chat.appendStream", **stream, markdown_text="Two are **late**, ")
    await page.wait_for_text("[data-testid=message]", "Two are late,")
    await page.wait_for("!!document.querySelector('[data-testid=growing]')")
    await page.click("[data-testid=stop]")
    event = (await app.until("agent_session_stopped"))["event"]
    assert (event["thread_ts"], event["streaming_message_ts"]) == (root, [begun["ts"]])
    await page.vanishes("[data-testid=growing]")
    await app.call("agents.sessions.setStatus", **session, status="suspended")
    await page.wait_for_text("[data-testid=session]", "Waiting for you")
    await page.vanishes("[data-testid=stop]")


async def test_a_press_reaches_the_app_with_what_was_ticked(page: Browser, app: App) -> None:
    ts = await app.post(DM, "A proposal", blocks=CARD)
    await page.click(".choice input", "")
    await app.until("tasks")
    await page.click("[data-testid=card-button]", "Create task")
    press = await app.until("create")
    assert press["user"]["id"] == "U01INES"
    assert press["container"]["message_ts"] == ts
    assert press["actions"][0]["value"] == "p1"
    ticked = press["state"]["values"]["which"]["tasks"]["selected_options"]
    assert [option["value"] for option in ticked] == ["slot"]
    await app.update(DM, ts, "Created by Ines Varga.")
    await page.wait_for_text("[data-testid=message]", "Created by Ines Varga.")
    assert await page.count("[data-testid=card-button]") == 0


async def test_a_thumb_tells_which_it_is_and_stays_lit(page: Browser, app: App) -> None:
    ts = await app.post(DM, "An answer", blocks=THUMBS)
    await page.click('[data-testid=thumb][title="This didn\'t help"]')
    press = await app.until("thumbs")
    [action] = press["actions"]
    assert (press["container"]["message_ts"], action["value"]) == (ts, "down:1")
    assert action["type"] == "feedback_buttons"
    lit = "[data-testid=thumb][aria-pressed=true]"
    assert await page.count(lit) == 1
    await page.click("[data-testid=thumb][title='This helped']")
    assert await page.evaluate(f"document.querySelector({lit!r}).title") == "This helped"


async def test_a_press_that_asks_first_sends_nothing_when_refused(page: Browser, app: App) -> None:
    await app.post(DM, "A proposal", blocks=CARD)
    await page.click("[data-testid=card-button]", "Cancel")
    await page.click("[data-testid=confirm] button", "Cancel")
    await page.vanishes("[data-testid=confirm]")
    await page.click("[data-testid=card-button]", "Cancel")
    await page.click("[data-testid=confirm-yes]")
    await app.until("drop")
    assert [kind_of(one) for one in app.heard if one.get("type") == "block_actions"] == []


async def test_a_modal_shows_errors_keeps_what_was_typed_and_submits(
    page: Browser, app: App
) -> None:
    await app.post(DM, "A proposal", blocks=CARD)
    await page.click("[data-testid=card-button]", "Edit")
    await page.type("[data-testid=modal] input", "abc")
    await page.click("[data-testid=modal-submit]")
    await page.wait_for_text("[data-testid=modal] [role=alert]", "Please complete")
    await page.type("[data-testid=modal] textarea", "Ask Yuki first.")
    await page.click("[data-testid=modal-submit]")
    await page.wait_for_text("[data-testid=modal] [role=alert]", "At least five letters.")
    await page.type("[data-testid=modal] input", "Coupon for Copperleaf")
    await page.click("[data-testid=modal-submit]")
    await page.vanishes("[data-testid=modal]")
    await app.until("view_submission")
    values = (await app.until("view_submission"))["view"]["state"]["values"]
    assert values["title"]["v"]["value"] == "Coupon for Copperleaf"
    assert values["note"]["v"]["value"] == "Ask Yuki first."


async def test_escape_closes_a_modal(page: Browser, app: App) -> None:
    await app.post(DM, "A proposal", blocks=CARD)
    await page.click("[data-testid=card-button]", "Edit")
    await page.appears("[data-testid=modal]")
    await page.press("Escape", 27)
    await page.vanishes("[data-testid=modal]")


HOSTILE = """<script>window.ran = 1</script> <img src=x onerror="window.ran = 2">
<javascript:window.ran=3|*press*> [click](javascript:window.ran=4) ![x](https://evil.example/x.png)
**<b onclick="window.ran=5">bold</b>** <https://evil.example/"onmouseover="window.ran=6|link>"""


async def test_markup_in_words_is_only_words(page: Browser, app: App) -> None:
    await app.post(DM, HOSTILE)
    await app.post(DM, "blocks", blocks=[{"type": "markdown", "text": HOSTILE}])
    await page.wait_for("document.querySelectorAll('[data-testid=message]').length === 2")
    await page.wait_for_text("[data-testid=message]", "<script>window.ran = 1</script>")
    await page.wait_for_text("[data-testid=message] strong", '<b onclick="window.ran=5">bold</b>')
    assert await page.count("#conversation :is(script, img, b, iframe, [onmouseover])") == 0
    assert await page.evaluate("window.ran ?? null") is None
    links = await page.evaluate(
        "[...document.querySelectorAll('.message a')].map((a) => [a.protocol, a.rel])"
    )
    assert {tuple(link) for link in links} == {("https:", "noopener noreferrer nofollow")}


async def test_markdown_nested_too_deeply_to_be_read_is_shown_as_it_was_written(
    page: Browser, app: App
) -> None:
    deep = "> " * 5_900
    await app.post(DM, "m", blocks=[{"type": "markdown", "text": f"{deep}the end"}])
    await page.wait_for_text("[data-testid=message]", f"{deep}the end")


async def test_a_loose_task_list_keeps_its_boxes_and_raw_html_between_blocks_stays_text(
    page: Browser, app: App
) -> None:
    text = "<div>\n\n- [x] price floor\n\n- [ ] stock\n\n  asked <@U01YUKI>\n\n</div>"
    await app.post(DM, "m", blocks=[{"type": "markdown", "text": text}])
    await page.wait_for_text("li.task .mention", "@Yuki Tan")
    assert await page.count("li.task.done .checkbox.checked") == 1
    assert await page.count("li.task:not(.done) .checkbox:not(.checked)") == 1
    shown = await page.text(".block-markdown")
    assert (shown[:5], shown[-6:]) == ("<div>", "</div>")


async def test_slack_text_and_markdown_look_like_what_they_mean(page: Browser, app: App) -> None:
    markdown = "## Due\n1. **bold** and `code`\n   - [x] done\n\n| a | b |\n|--|--:|\n| 1 | 2 |"
    await app.post(DM, "m", blocks=[{"type": "markdown", "text": markdown}])
    await app.post(DM, "*bold* _it_ ~no~ `x` <@U01SARAO> :tada: 2 * 3\n&gt; quoted\n```a &lt;b```")
    await page.wait_for("document.querySelectorAll('[data-testid=message]').length === 2")
    bodies = "[...document.querySelectorAll('.message-body')]"

    async def found(query: str) -> list[int]:
        count = f"(body) => body.querySelectorAll({json.dumps(query)}).length"
        return await page.evaluate(f"{bodies}.map({count})")

    of_markdown = "[role=heading], ol > li > strong, .checkbox.checked, td.align-right"
    assert await found(of_markdown) == [4, 0]
    of_slack = "p > strong, p > em, p > s, p > code, blockquote, pre, .mention"
    assert await found(of_slack) == [0, 7]
    text = await page.evaluate("document.querySelectorAll('.message-body')[1].textContent")
    assert text == "bold it no x @Sara Okafor 🎉 2 * 3quoteda <b"


async def test_a_new_task_appears_in_clickup_without_a_reload(page: Browser, app: App) -> None:
    await page.wait_for("document.querySelectorAll('[data-testid=clickup-task]').length > 0")
    await page.evaluate("window.same = true")
    await app.create_task("901005000011", "Coupon: garlic press")
    await page.wait_for_text("[data-testid=clickup-task].fresh", "Coupon: garlic press")
    await page.click("[data-testid=clickup-task]", "Coupon: garlic press")
    await page.wait_for_text("[data-testid=task-drawer] h2", "Coupon: garlic press")
    assert await page.count("[data-testid=task-drawer] .checkbox") == 2
    assert await page.evaluate("document.querySelector('.open-task').pathname.startsWith('/t/')")
    assert await page.evaluate("window.same")


async def test_a_thread_of_a_channel_opens_beside_it(page: Browser, app: App) -> None:
    await page.click(f"[data-testid=channel-{OPS}]")
    await page.type("[data-testid=composer]", "@AgencyClaw which SOP?", enter=True)
    root = (await app.until("app_mention"))["event"]["ts"]
    await app.post(OPS, "The coupon SOP.", thread_ts=root)
    await page.click("[data-testid=thread-link]", "1 reply")
    await page.wait_for_text("#thread [data-testid=message]", "The coupon SOP.")
    await page.type("[data-testid=thread-composer]", "and its owner?", enter=True)
    await page.wait_for_text("[data-testid=thread-link]", "2 replies")
    assert await page.evaluate("location.hash") == f"#/U01INES/{OPS}/{root}"


async def test_another_person_sees_another_desk(page: Browser, app: App) -> None:
    await page.click(f"[data-testid=channel-{OPS}]")
    await app.whisper(OPS, "U01NOOR", "I do not know you yet.")
    for shown in (1, 0, 1):
        await page.click("[data-testid=person-switch]")
        await page.wait_for(f"document.querySelectorAll('.menu:popover-open').length === {shown}")
    await page.click("[data-user=U01NOOR]")
    await page.wait_for_text("[data-testid=message].private", "Only visible to you")
    await page.wait_for_text("[data-testid=person-switch]", "Noor Haddad")
    await page.click("[data-testid=channel-D01NOOR]")
    await page.type("[data-testid=composer]", "/claw help", enter=True)
    command = await app.until("")
    assert (command["command"], command["text"], command["user_id"]) == ("/claw", "help", "U01NOOR")
    await page.wait_for_text("[data-testid=message].private", "Ask me anything.")
    await page.click("[data-testid=person-switch]")
    await page.click("[data-user=U01INES]")
    await page.wait_for(f"location.hash === '#/U01INES/{DM}'")
    await page.vanishes("[data-testid=message].private")


async def test_who_opens_the_conversation_sees_what_the_app_offers_to_begin_with(
    page: Browser, app: App
) -> None:
    opened = (await app.until("app_home_opened"))["event"]
    assert (opened["tab"], opened["channel"], opened["user"]) == ("messages", DM, "U01INES")
    prompts = [{"title": "Due for Glintly", "message": "What is due this week for Glintly Inc?"}]
    await app.call("assistant.threads.setSuggestedPrompts", channel_id=DM, prompts=prompts)
    await page.wait_for_text("[data-testid=try]", "What is due this week for Glintly Inc?")
    await page.click("[data-testid=try]", "What is due this week for Glintly Inc?")
    assert (await app.until("message"))["event"]["text"] == "What is due this week for Glintly Inc?"
    await page.click("[data-testid=ideas]")
    await page.click(".menu-row", "What is due this week for Glintly Inc?")
    assert (await app.until("message"))["event"]["text"] == "What is due this week for Glintly Inc?"


async def test_the_home_tab_shows_what_the_app_publishes(page: Browser, app: App) -> None:
    assert (await app.until("app_home_opened"))["event"]["tab"] == "messages"
    await page.click("[data-testid=home-tab]")
    assert (await app.until("app_home_opened"))["event"]["tab"] == "home"
    await app.publish_home("U01INES", "Nothing waits for you.")
    await page.wait_for_text("[data-testid=home]", "Nothing waits for you.")
    await page.click("[data-testid=card-button]", "Forget")
    assert (await app.until("forget"))["container"]["type"] == "view"


async def test_a_lost_app_is_said_and_what_was_typed_stays(browser: Browser, origin: str) -> None:
    async with App(origin).running() as app:
        await app.control("reset")
        await app.post(DM, "A proposal", blocks=CARD)
    await browser.goto(fresh(origin))
    await browser.wait_for_text("[data-testid=health]", "is not connected")
    await browser.click("[data-testid=card-button]", "Create task")
    await browser.wait_for_text("#toasts", "not connected")
    await browser.type("[data-testid=composer]", "/claw where", enter=True)
    await browser.wait_for("document.querySelector('[data-testid=composer]').value !== ''")
    assert browser.errors == []


async def test_what_was_said_while_the_page_heard_nothing_appears_later(
    page: Browser, app: App, runner: web.AppRunner
) -> None:
    runner.app[CLOSING].set()
    await page.wait_for_text("[data-testid=health]", "Reconnecting")
    await app.post(DM, "You did not hear this.")
    runner.app[CLOSING].clear()
    await page.wait_for_text("[data-testid=message]", "You did not hear this.")
    await page.wait_for_text("[data-testid=health]", "is connected")


async def test_the_page_asks_no_other_host(page: Browser, origin: str) -> None:
    addresses = await page.evaluate("performance.getEntriesByType('resource').map((e) => e.name)")
    assert len(addresses) > 30
    assert [one for one in addresses if not one.startswith(origin)] == []


async def test_assets_are_kept_for_ever_and_the_document_is_asked_again(origin: str) -> None:
    async with aiohttp.ClientSession(origin) as http:
        document = await http.get("/")
        assert document.headers["Cache-Control"] == "no-cache"
        assert "default-src 'none'" in document.headers["Content-Security-Policy"]
        body = await document.text()
        script = body.partition('type="module" src="')[2].partition('"')[0]
        module = await http.get(script)
        assert module.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert module.content_type == "text/javascript"
        same = await http.get("/", headers={"If-None-Match": document.headers["ETag"]})
        assert (same.status, await same.read()) == (304, b"")
        stale = await http.get("/assets/0123456789ab/main.js")
        assert stale.headers["Cache-Control"] == "no-cache"
        for missing in ("nothing.js", "index.html", "..%2fpage.py", "%2e%2e%2fpage.py"):
            assert (await http.get(f"/assets/{missing}")).status == 404


async def test_a_messages_menu_offers_the_apps_shortcuts(page: Browser, app: App) -> None:
    await page.type("[data-testid=composer]", "the banner needs photos", enter=True)
    await page.wait_for_text("[data-testid=message]", "the banner needs photos")
    await page.click("[data-testid=message-menu]")
    await page.click("[data-testid=shortcut-claw_make_task]")
    used = await app.until("message_action")
    assert used["callback_id"] == "claw_make_task"
    assert (used["channel"]["id"], used["user"]["id"]) == (DM, "U01INES")
    assert used["message"]["text"] == "the banner needs photos"


async def test_ones_own_message_is_edited_and_deleted_in_its_menu(page: Browser, app: App) -> None:
    await page.type("[data-testid=composer]", "@Yuki Tan needs two photos", enter=True)
    await page.wait_for_text("[data-testid=message]", "needs two photos")
    await app.until("message")
    await page.click("[data-testid=message-menu]")
    await page.click("[data-testid=edit-message]")
    await page.type(
        "[data-testid=edit-field]", "@Yuki Tan needs three photos & a text", enter=False
    )
    await page.click("[data-testid=edit-save]")
    await page.wait_for_text("[data-testid=message]", "@Yuki Tan needs three photos & a text")
    changed = (await app.until("message"))["event"]
    assert changed["subtype"] == "message_changed"
    assert changed["message"]["text"] == "<@U01YUKI> needs three photos &amp; a text"
    await page.click("[data-testid=message-menu]")
    await page.click("[data-testid=delete-message]")
    await page.vanishes("[data-testid=message]")
    assert (await app.until("message"))["event"]["subtype"] == "message_deleted"


async def test_a_message_of_somebody_else_can_not_be_changed(page: Browser, app: App) -> None:
    ts = await app.post(DM, "Two tasks are due.")
    await page.wait_for_text("[data-testid=message]", "Two tasks are due.")
    await page.click("[data-testid=message-menu]")
    assert await page.count("[data-testid=edit-message]") == 0
    place = {"user": "U01INES", "channel": DM, "message_ts": ts}
    for answer in (
        await app.control("edit-message", **place, text="None is due."),
        await app.control("delete-message", **place),
    ):
        assert answer == {"ok": False, "error": f"U01INES wrote no message {ts}"}
    await page.wait_for_text("[data-testid=message]", "Two tasks are due.")


async def test_a_group_message_is_called_by_who_is_in_it(page: Browser, app: App) -> None:
    group = (await app.control("group", users=["U01INES", "U01YUKI", "U01SARAL"]))["channel"]
    await page.click(f"[data-testid=channel-{group}]", "Yuki Tan, Sara Lindqvist")
    await page.wait_for_text(".room-head h1", "Yuki Tan, Sara Lindqvist")
    assert "mpdm" not in await page.text("body")
    # The next test begins with a reset, which takes the group from under a page that shows it.
    await page.click(f"[data-testid=channel-{DM}]")
    await page.wait_for_text(".room-head h1", "AgencyClaw")


async def test_an_unfurled_link_shows_its_card_under_the_message(page: Browser, app: App) -> None:
    url = "https://app.clickup.com/t/86b1"
    await page.type("[data-testid=composer]", f"see {url}", enter=True)
    shared = (await app.until("link_shared"))["event"]
    assert shared["links"] == [{"domain": "app.clickup.com", "url": url}]
    card = {"blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "*Banner* to do"}}]}
    place = {"channel": shared["channel"], "ts": shared["message_ts"]}
    await app.call("chat.unfurl", **place, unfurls={url: card})
    await page.wait_for_text("[data-testid=unfurl]", "Banner to do")


async def test_what_the_demo_offers_is_asked_of_its_supervisor_and_a_key_is_kept_nowhere(
    page: Browser, app: App, origin: str
) -> None:
    agency = {"shown": "tour", "has_own": False, "setup": ""}
    models = {"found": [{"label": "llama3", "model": "openai-chat:llama3"}], "takes_key": True}
    await app.control("notice", notice="A script answers.", agency=agency, models=models)
    await page.click("[data-testid=set_up]")
    await page.click("[data-testid=model]", "Use llama3")
    await page.type("[data-testid=model-key]", "sk-secret", enter=True)
    await page.wait_for("document.querySelector('[data-testid=model-key]').value === ''")

    async def fetched() -> list[dict[str, str]]:
        address = f"{origin}/_control/supervisor"
        async with aiohttp.ClientSession() as http, http.get(address) as answer:
            return (await answer.json())["requests"]

    asked: list[dict[str, str]] = []
    while len(asked) < 3:
        asked += await fetched()
    assert asked == [
        {"kind": "set_up", "model": "", "key": "", "ahead": ""},
        {"kind": "model", "model": "openai-chat:llama3", "key": "", "ahead": ""},
        {"kind": "model", "model": "", "key": "sk-secret", "ahead": ""},
    ]
    assert await fetched() == []
    assert "sk-secret" not in await page.evaluate("JSON.stringify(localStorage)")

    refused = await app.control("supervisor", kind="model", key="sk-\0")
    assert "one line" in refused["error"]
    assert await fetched() == []

    starting = {**agency, "setup": "http://127.0.0.1:9/x?key=y"}
    await app.control("notice", notice="A script answers.", agency=starting)
    await page.wait_for_text("[data-testid=open-setup]", "Open the setup page")
