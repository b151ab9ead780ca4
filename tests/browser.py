"""A headless Chromium, driven over its DevTools protocol: just enough for tests of a page."""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import aiohttp

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-proxy-server",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-prefers-reduced-motion",
    "--remote-debugging-port=0",
)
PATIENCE = 300.0
POLL = 0.02
_LEFT = "Inspected target navigated or closed"
LAUNCH = 300.0


class PageProblem(Exception):
    """The page did not do what the test waited for, or threw."""


def why_no_browser() -> str | None:
    """The reason browser tests cannot run here, or nothing."""
    if CHROMIUM.exists():
        return None
    return f"needs {CHROMIUM} to look at the page; install it with: apt-get install -y chromium"


class Browser:
    """One Chromium process with one tab."""

    def __init__(self, width: int = 1440, height: int = 900) -> None:
        self._size = (width, height)
        self._profile = Path(tempfile.mkdtemp(prefix="agencyclaw-browser-"))
        self._last = 0
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.errors: list[str] = []

    async def __aenter__(self) -> Self:
        size = ",".join(str(side) for side in self._size)
        self._process = await asyncio.create_subprocess_exec(
            str(CHROMIUM),
            *FLAGS,
            f"--window-size={size}",
            f"--user-data-dir={self._profile}",
            "about:blank",
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            await self._attach()
        except BaseException:
            await self._kill()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(TimeoutError, PageProblem, ConnectionError):
            await self.call("Browser.close", timeout=2.0)
        self._listener.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._listener
        await self._socket.close()
        await self._http.close()
        await self._kill()

    async def _attach(self) -> None:
        port = await self._port()
        self._http = aiohttp.ClientSession()
        async with self._http.get(f"http://127.0.0.1:{port}/json/list") as answer:
            tabs = await answer.json()
        address = next(tab["webSocketDebuggerUrl"] for tab in tabs if tab["type"] == "page")
        self._socket = await self._http.ws_connect(address, max_msg_size=0)
        self._listener = asyncio.create_task(self._listen())
        for domain in ("Page", "Runtime", "Log"):
            await self.call(f"{domain}.enable")

    async def _port(self) -> str:
        """Chromium writes the port it chose into its profile."""
        note = self._profile / "DevToolsActivePort"
        async for _ in _moments(LAUNCH):
            if note.exists() and (lines := note.read_text().splitlines()):
                return lines[0]
            if self._process.returncode is not None:
                raise PageProblem(f"Chromium ended at once with {self._process.returncode}")
        raise PageProblem("Chromium did not open its DevTools port")

    async def _kill(self) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), 2.0)
        # Its children share its session; none of them may outlive the test.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()
        shutil.rmtree(self._profile, ignore_errors=True)

    async def _listen(self) -> None:
        async for frame in self._socket:
            message = json.loads(frame.data)
            if future := self._waiting.pop(message.get("id", -1), None):
                if not future.done():
                    future.set_result(message)
            else:
                self._note(message)

    def _note(self, event: dict[str, Any]) -> None:
        match event:
            case {"method": "Runtime.exceptionThrown", "params": {"exceptionDetails": details}}:
                self.errors.append(details.get("exception", {}).get("description", str(details)))
            case {"method": "Log.entryAdded", "params": {"entry": {"level": "error"} as entry}}:
                self.errors.append(f"{entry['text']} {entry.get('url', '')}")
            case _:
                pass

    async def call(self, method: str, timeout: float = PATIENCE, **params: Any) -> dict[str, Any]:
        """One DevTools command and its result."""
        self._last += 1
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[self._last] = future
        await self._socket.send_json({"id": self._last, "method": method, "params": params})
        answer = await asyncio.wait_for(future, timeout)
        if "error" in answer:
            raise PageProblem(f"{method}: {answer['error']['message']}")
        return answer["result"]

    async def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page."""
        result = await self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if details := result.get("exceptionDetails"):
            raise PageProblem(details.get("exception", {}).get("description", str(details)))
        return result["result"].get("value")

    async def goto(self, address: str) -> None:
        """Open an address and wait until its document is there."""
        await self.call("Page.navigate", url=address)
        await self.wait_for("document.readyState === 'complete'")

    async def wait_for(self, condition: str, patience: float = PATIENCE) -> Any:
        """Wait until a JavaScript expression is true, and give its value.

        It is asked again where the page was being left just then.
        """
        async for _ in _moments(patience):
            try:
                value = await self.evaluate(condition)
            except PageProblem as problem:
                if _LEFT not in str(problem):
                    raise
                continue
            if value:
                return value
        raise PageProblem(f"never became true: {condition}\n{await self.text('body')}")

    async def wait_for_text(self, selector: str, text: str) -> None:
        """Wait until something that matches the selector shows the text."""
        nodes = f"[...document.querySelectorAll({json.dumps(selector)})]"
        await self.wait_for(f"{nodes}.some((n) => n.textContent.includes({json.dumps(text)}))")

    async def appears(self, selector: str) -> None:
        """Wait until something matches."""
        await self.wait_for(f"document.querySelector({json.dumps(selector)}) !== null")

    async def vanishes(self, selector: str) -> None:
        """Wait until nothing matches."""
        await self.wait_for(f"document.querySelector({json.dumps(selector)}) === null")

    async def text(self, selector: str) -> str:
        """The visible text of the first match, or nothing."""
        return await self.evaluate(
            f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"
        )

    async def count(self, selector: str) -> int:
        """How many elements match."""
        return await self.evaluate(f"document.querySelectorAll({json.dumps(selector)}).length")

    async def click(self, selector: str, containing: str = "") -> None:
        """A real mouse click in the middle of the last match that shows the text."""
        x, y = await self._still_point(selector, containing)
        for kind in ("mousePressed", "mouseReleased"):
            await self.call(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1
            )

    async def _still_point(self, selector: str, containing: str) -> tuple[float, float]:
        """Where to click, once it has stopped moving."""
        middle = _middle_of(selector, containing)
        before = None
        async for _ in _moments(PATIENCE):
            point = await self.evaluate(middle)
            if point and point == before:
                return point[0], point[1]
            before = point
        raise PageProblem(f"nothing to click: {selector} {containing}\n{await self.text('body')}")

    async def type(self, selector: str, text: str, *, enter: bool = False) -> None:
        """Click into a field, replace what it holds, and press Enter if asked."""
        await self.click(selector)
        await self.evaluate("document.activeElement.select?.()")
        await self.call("Input.insertText", text=text)
        if enter:
            await self.press("Enter", 13, "\r")

    async def press(self, key: str, code: int, text: str = "") -> None:
        """One key down and up."""
        shared = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        await self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **shared)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **shared)


def _middle_of(selector: str, containing: str) -> str:
    """The point to click, once it is in view, still, and not covered by something else."""
    return f"""(() => {{
      const nodes = [...document.querySelectorAll({json.dumps(selector)})];
      const node = nodes.findLast((n) => n.textContent.includes({json.dumps(containing)}));
      if (!node) return null;
      node.scrollIntoView({{ block: "nearest", behavior: "instant" }});
      const box = node.getBoundingClientRect();
      const point = [box.x + box.width / 2, box.y + box.height / 2];
      const top = document.elementFromPoint(...point);
      return box.width && top && (node.contains(top) || top.contains(node)) ? point : null;
    }})()"""


async def _moments(patience: float) -> AsyncIterator[None]:
    loop = asyncio.get_running_loop()
    end = loop.time() + patience
    while loop.time() < end:
        yield
        await asyncio.sleep(POLL)
