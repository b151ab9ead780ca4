"""Addresses are judged by their parsed parts."""

import pytest

from agencyclaw.domain.addresses import (
    CLICKUP_HOSTS,
    addresses_in,
    clickup_hosts,
    is_at,
    parsed,
    task_at,
)

ELSEWHERE = [
    "https://evil.example/t/1",
    "https://app.clickup.com.evil.example/t/1",
    "https://app.clickup.com@evil.example/t/1",
    "https://me@app.clickup.com/t/1",
    "https://me:pw@app.clickup.com/t/1",
    "https://app.clickup.com:443/t/1",
    "https://app.clickup.com:8443/t/1",
    "https://app.clickup.com:99999/t/1",
    "https://app.clickup.com./t/1",
    "https://xn--pp-rmc.clickup.com/t/1",
    "https://аpp.clickup.com/t/1",
    "https://app.clic\u212aup.com/t/1",
    "https://app.clickup.com\\@evil.example/t/1",
    "https://evil.example\\@app.clickup.com/t/1",
    "https://evil.example#@app.clickup.com/t/1",
    "https://evil.example?https://app.clickup.com/t/1",
    "https://my.app.clickup.com/t/1",
    "https://clickup.com/t/1",
    "http://app.clickup.com/t/1",
    "ftp://app.clickup.com/t/1",
    "javascript://app.clickup.com/t/1",
    "//app.clickup.com/t/1",
    "https:app.clickup.com/t/1",
    "https:///app.clickup.com/t/1",
    "https://[app.clickup.com]/t/1",
    "https://app.clickup.com /t/1",
    "https://app.\nclickup.com/t/1",
    "https://app.click\tup.com/t/1",
    "/t/1",
    "",
]


@pytest.mark.parametrize("url", ELSEWHERE)
def test_what_only_looks_like_clickup_is_elsewhere(url: str) -> None:
    assert not is_at(url, CLICKUP_HOSTS)
    assert task_at(url, CLICKUP_HOSTS) is None


@pytest.mark.parametrize(
    ("url", "task_id"),
    [
        ("https://app.clickup.com/t/86abc", "86abc"),
        ("https://APP.clickup.com/t/9015/DEV-12/", "DEV-12"),
        ("https://app.clickup.com/t/86abc?comment=1#x", "86abc"),
        ("https://app.clickup.com/9015/v/dc/2", None),
        ("https://app.clickup.com/t/a/b/c", None),
        ("https://app.clickup.com/t/%2e%2e", None),
    ],
)
def test_a_task_is_named_by_the_path(url: str, task_id: str | None) -> None:
    assert is_at(url, CLICKUP_HOSTS)
    assert task_at(url, CLICKUP_HOSTS) == task_id


def test_a_stand_in_on_this_machine_is_clickup_too_and_no_other_port_of_it() -> None:
    hosts = clickup_hosts("http://127.0.0.1:8080/api/v2")

    assert is_at("http://127.0.0.1:8080/t/1", hosts)
    assert is_at("https://app.clickup.com/t/1", hosts)
    assert not is_at("http://127.0.0.1:80801/t/1", hosts)
    assert not is_at("http://127.0.0.1/t/1", hosts)


def test_a_proxy_elsewhere_has_to_be_encrypted() -> None:
    hosts = clickup_hosts("https://clickup.agency.example/api/v2")

    assert is_at("https://clickup.agency.example/t/1", hosts)
    assert not is_at("http://clickup.agency.example/t/1", hosts)


def test_clickups_own_api_is_no_place_for_people() -> None:
    assert clickup_hosts("https://api.clickup.com/api/v2") == CLICKUP_HOSTS
    assert clickup_hosts("nonsense") == CLICKUP_HOSTS


def test_an_address_is_found_without_the_punctuation_around_it() -> None:
    text = "See (https://a.example/t/1), <https://b.example|b>: “x” and c.example."

    assert addresses_in(text) == ("https://a.example/t/1", "https://b.example")


@pytest.mark.parametrize("url", ["https://a.example/x|y", "https://a.example/`x`", "https://a b/"])
def test_what_could_break_out_of_a_link_is_no_address(url: str) -> None:
    assert parsed(url) is None
