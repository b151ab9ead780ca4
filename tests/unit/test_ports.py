"""Arguments of the commands that need nothing else to be judged."""

from __future__ import annotations

import socket

import pytest

from agencyclaw.cli import demo
from agencyclaw.cli.main import main
from agencyclaw.domain.errors import Unavailable


@pytest.mark.parametrize("command", ["demo", "setup", "runs"])
@pytest.mark.parametrize("port", ["65536", "-1", "http"])
def test_a_port_that_there_is_not_is_refused(
    capsys: pytest.CaptureFixture[str], command: str, port: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, f"--port={port}"])

    assert ended.value.code == 2
    assert "a port is a number from 0 to 65535" in capsys.readouterr().err


def test_the_demo_finds_no_port_above_the_highest(monkeypatch: pytest.MonkeyPatch) -> None:
    def bind(address: tuple[str, int]) -> socket.socket:
        raise OSError if address[1] < 65_536 else OverflowError

    monkeypatch.setattr(socket, "create_server", bind)
    with pytest.raises(Unavailable, match="No free port"):
        demo._listen(65_500)
