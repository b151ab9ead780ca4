import logfire
import pytest


@pytest.fixture(scope="session", autouse=True)
def _quiet_telemetry() -> None:
    logfire.configure(send_to_logfire=False, console=False)
