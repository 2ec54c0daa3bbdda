"""The provider behind `openai/…` names: any server that speaks the OpenAI chat completions format, over plain HTTP.

Most servers that one runs oneself (vLLM, SGLang, llama.cpp, Ollama, the mock server) speak it. Going there directly
keeps the response as it came (for the audit) and its headers (for the limits), and costs little time a call.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from specgen.lm._endpoints import Endpoints, table_price
from specgen.lm._errors import MissingKeyError
from specgen.lm._ledger import Price
from specgen.lm._provider import CallError, Embeddings, ProviderReply
from specgen.lm._types import ModelRequest, Usage, one_line
from specgen.lm._wire import exhausted_s, raise_refused, read_completion, read_usage

if TYPE_CHECKING:
    import aiohttp

OPENAI_PREFIX: Final = "openai/"
DEFAULT_BASE: Final = "https://api.openai.com/v1"
_REASONING: Final = re.compile(r"(o\d|gpt-5)")
_CONNECTIONS: Final = 1024


class OpenAIProvider:
    """Sends chat completions and embeddings with aiohttp; one session a loop.

    Args:
        endpoints: servers and keys.
        prices: price by model name, before the built-in table.
    """

    simulated = False
    fingerprint = ""

    def __init__(self, endpoints: Endpoints, prices: Mapping[str, Price]) -> None:
        self._endpoints = endpoints
        self._prices = dict(prices)
        self._known: dict[str, Price | None] = {}
        self._proxies: dict[str, str | None] = {}
        self._sessions: dict[asyncio.AbstractEventLoop, aiohttp.ClientSession] = {}

    def prepare(self, model: str) -> None:
        """Check the server's address, and that there is a key where one is needed.

        Raises:
            BadModelRequestError, MissingKeyError: as they say.
        """
        import aiohttp  # noqa: F401 - a third of a second, which is no call's latency

        endpoint = self._endpoints.check(model)
        if endpoint.api_base is None and not (endpoint.api_key or os.environ.get("OPENAI_API_KEY")):
            raise MissingKeyError(
                f"{model} needs an API key and none is set", remedy="Set OPENAI_API_KEY in the environment"
            )

    def price(self, model: str) -> Price | None:
        """Return the price given for the model, else the table's, else None."""
        if model not in self._known:
            self._known[model] = self._prices.get(model) or table_price(model, "openai")
        return self._known[model]

    def base(self, model: str) -> str:
        """Return the server's address."""
        return (self._endpoints.of(model).api_base or DEFAULT_BASE).rstrip("/")

    def key(self, model: str) -> str:
        """Return the key to send."""
        return self._endpoints.key(model) or os.environ.get("OPENAI_API_KEY") or ""

    async def send(self, request: ModelRequest, *, timeout_s: float) -> ProviderReply:
        """Send one request once; see `ModelProvider.send`. The time is kept by the gateway."""
        body, wait_s, text = await self._post(
            request.model, "/chat/completions", completion_body(request, self.base(request.model))
        )
        reply = read_completion(body, tools_offered=bool(request.tools), raw=text)
        return replace(reply, exhausted_s=wait_s) if wait_s else reply

    async def embed(self, model: str, texts: Sequence[str], *, timeout_s: float) -> Embeddings:
        """Send one embedding request once."""
        asked = {"model": model.removeprefix(OPENAI_PREFIX), "input": list(texts), "encoding_format": "float"}
        body, _, text = await self._post(model, "/embeddings", asked)
        return read_embeddings(body, len(texts), text)

    async def _post(self, model: str, path: str, asked: Mapping[str, Any]) -> tuple[Any, float, str]:
        """Return the response's JSON, the seconds until the limits let another through, and its text."""
        import aiohttp

        url = f"{self.base(model)}{path}"
        data = json.dumps(asked, ensure_ascii=False).encode("utf-8", "surrogatepass")
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.key(model)}"}
        try:
            async with self._session().post(url, data=data, headers=headers, proxy=self._proxy(url)) as response:
                raw = await response.read()
                status, found = response.status, response.headers
        except TimeoutError:
            raise  # the gateway's own, which ends the attempt
        except aiohttp.ClientConnectorError as exc:
            raise CallError("connection", _reason(exc), unreachable=True) from exc
        except (aiohttp.ClientError, OSError) as exc:
            raise CallError("connection", one_line(str(exc)) or type(exc).__name__) from exc
        text = raw.decode("utf-8", "replace")
        if status != 200:
            raise_refused(status, text, found, model, self._endpoints.of(model))
        try:
            return json.loads(raw), exhausted_s(found), text
        except ValueError as exc:
            raise CallError("malformed", f"the reply is not JSON: {one_line(str(exc), 120)}", raw=text) from exc

    def _session(self) -> aiohttp.ClientSession:
        loop = asyncio.get_running_loop()
        session = self._sessions.get(loop)
        if session is None or session.closed:
            import aiohttp

            connector = aiohttp.TCPConnector(limit=_CONNECTIONS, ttl_dns_cache=300)
            session = aiohttp.ClientSession(
                connector=connector, cookie_jar=aiohttp.DummyCookieJar(), timeout=aiohttp.ClientTimeout(total=None)
            )
            self._sessions[loop] = session
        return session

    def _proxy(self, url: str) -> str | None:
        """Return the proxy that the environment names for a server (aiohttp would look in a thread, at each call)."""
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self._proxies:
            host = parts.hostname or ""
            found = None if urllib.request.proxy_bypass(host) else urllib.request.getproxies().get(parts.scheme)
            self._proxies[origin] = found
        return self._proxies[origin]

    async def aclose(self) -> None:
        """Close the connections of this loop."""
        session = self._sessions.pop(asyncio.get_running_loop(), None)
        if session is not None:
            await session.close()


def completion_body(request: ModelRequest, base: str) -> dict[str, Any]:
    """Return the body of a chat completion request.

    OpenAI's own reasoning models take the token limit under another name.
    """
    model = request.model.removeprefix(OPENAI_PREFIX)
    own = base == DEFAULT_BASE and _REASONING.match(model)
    given = {
        "temperature": request.temperature,
        "max_completion_tokens" if own else "max_tokens": request.max_tokens,
        "seed": request.seed,
        "tools": [tool.to_wire() for tool in request.tools] or None,
    }
    options = {name: value for name, value in request.options.items() if name not in ("stream", "stream_options")}
    return {
        **options,
        "model": model,
        "messages": [message.to_wire() for message in request.messages],
        **{name: value for name, value in given.items() if value is not None},
    }


def read_embeddings(body: Any, count: int, raw: str = "") -> Embeddings:
    """Read an embedding response of `count` texts.

    Raises:
        CallError: `malformed` for another shape, another number of vectors, or vectors of several lengths.
    """
    usage = read_usage(body.get("usage")) if isinstance(body, Mapping) else Usage()
    data = body.get("data") if isinstance(body, Mapping) else None
    try:
        if not isinstance(data, Sequence) or len(data) != count:
            raise ValueError(f"{count} vectors are wanted")
        ordered = sorted(data, key=lambda entry: int(entry["index"]))
        vectors = tuple(tuple(float(x) for x in entry["embedding"]) for entry in ordered)
        if [entry["index"] for entry in ordered] != list(range(count)) or len({len(v) for v in vectors}) > 1:
            raise ValueError("the vectors are not numbered in order, or not of one length")
    except (KeyError, TypeError, ValueError) as exc:
        raise CallError("malformed", f"the embeddings cannot be read: {one_line(str(exc), 120)}", raw=raw) from exc
    return Embeddings(vectors, usage)


def _reason(exc: aiohttp.ClientConnectorError) -> str:
    """Return the operating system's words, such as `Connection refused`."""
    cause = exc.os_error
    if cause.errno is not None and cause.errno > 0:
        return os.strerror(cause.errno)
    return one_line(cause.strerror or str(exc))
