"""A headless Chromium over its devtools protocol, with the WebSocket client of aiohttp."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

NAMES = ("chromium", "chromium-browser", "google-chrome")
START_S = 60.0


def find_browser() -> str | None:
    """Return the path of a Chromium, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@dataclass
class Page:
    """An open page: what it asked for, complained of, and threw."""

    socket: aiohttp.ClientWebSocketResponse
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    number: int = 0

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a method of the protocol and return its result."""
        self.number += 1
        me = self.number
        await self.socket.send_json({"id": me, "method": method, "params": params})
        while True:
            message = json.loads((await self.socket.receive(timeout=START_S)).data)
            if message.get("id") == me:
                assert "error" not in message, message
                result: dict[str, Any] = message["result"]
                return result
            self._note(message)

    def _note(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        match message.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            case "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(params["exceptionDetails"]))
            case "Runtime.consoleAPICalled":
                self.complaints.append(json.dumps(params["args"]))
            case "Log.entryAdded":
                self.complaints.append(params["entry"]["text"])

    async def js(self, expression: str) -> Any:
        """Return the value of an expression in the page."""
        found = await self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    async def open(self, url: str, width: int = 1400, height: int = 900) -> None:
        """Go to a page and wait until it is loaded."""
        await self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        await self.call("Page.navigate", url=url)
        for _ in range(200):
            await asyncio.sleep(0.05)
            if await self.js("document.readyState === 'complete' && location.protocol === 'file:'"):
                return
        raise TimeoutError(url)

    async def screenshot(self, path: Path) -> None:
        """Write what is visible as PNG."""
        found = await self.call("Page.captureScreenshot")
        path.write_bytes(base64.b64decode(found["data"]))


@asynccontextmanager
async def open_page(browser: str, profile: Path) -> AsyncIterator[Page]:
    """Start a browser with an empty profile and yield its page."""
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0"]
    process = subprocess.Popen(
        [browser, *flags, f"--user-data-dir={profile}", "about:blank"], stderr=subprocess.PIPE, text=True
    )
    try:
        port = await asyncio.wait_for(asyncio.to_thread(_port, process), START_S)
        async with aiohttp.ClientSession() as session:
            async with session.put(f"http://127.0.0.1:{port}/json/new?about:blank") as reply:
                target = await reply.json()
            async with session.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                page = Page(socket)
                for domain in ("Page", "Network", "Runtime", "Log"):
                    await page.call(f"{domain}.enable")
                yield page
    finally:
        process.kill()
        process.communicate()


def _port(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"ws://[^:]+:(\d+)/", line):
            return found[1]
    raise RuntimeError("the browser ended without a word of its port")
