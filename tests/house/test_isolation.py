"""Tests stay on this machine and cost nothing."""

import signal
import socket
from pathlib import Path

import pytest
from pydantic_ai import models
from pytest_socket import SocketConnectBlockedError


def test_no_test_reaches_another_machine() -> None:
    # The guard also warns, and here a warning is an error.
    with socket.socket() as door, pytest.raises((SocketConnectBlockedError, UserWarning)):
        door.connect(("192.0.2.1", 80))


def test_a_test_reaches_its_own_machine() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as door:
        door.connect(server.getsockname())


def test_no_test_asks_a_model() -> None:
    assert models.ALLOW_MODEL_REQUESTS is False


def test_a_run_that_was_begun_in_the_background_hears_an_interrupt_all_the_same(
    pytestconfig: pytest.Config,
) -> None:
    conftest = str(Path(__file__).parents[1] / "conftest.py")
    plugins = pytestconfig.pluginmanager.get_plugins()
    [ours] = [one for one in plugins if getattr(one, "__file__", "") == conftest]
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        ours.pytest_configure()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
