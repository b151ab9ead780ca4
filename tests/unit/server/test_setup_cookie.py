"""The page of setup as a browser meets it that has other pages of this machine open."""

from __future__ import annotations

import asyncio

from aiohttp import ClientSession, CookieJar
from yarl import URL

from agencyclaw.server.setup_page import setup_page


async def test_its_cookie_is_sent_to_no_other_page_of_this_machine() -> None:
    jar = CookieJar(unsafe=True)
    async with ClientSession(cookie_jar=jar) as browser, setup_page() as (front, address):
        front.end()
        async with browser.get(address) as opened:
            assert opened.status == 200

        other = URL(address).with_port(1).with_query(None)
        assert jar.filter_cookies(URL(address))
        assert not jar.filter_cookies(other.with_path("/"))
        assert not jar.filter_cookies(other.with_path("/setup"))


async def test_two_pages_in_one_browser_do_not_lock_each_other_out() -> None:
    async with (
        ClientSession(cookie_jar=CookieJar(unsafe=True)) as browser,
        setup_page() as (first, one),
        setup_page() as (second, other),
    ):
        questions = [asyncio.create_task(page.ask("Who?")) for page in (first, second)]
        for address in (one, other):
            async with browser.get(address) as opened:
                assert opened.status == 200
        async with browser.get(one.partition("?")[0]) as again:
            assert again.status == 200
            assert "Who?" in await again.text()
        for question in questions:
            question.cancel()
        for front, address in ((first, one), (second, other)):
            front.end()
            async with browser.get(address.partition("?")[0]) as end:
                assert end.status == 200
