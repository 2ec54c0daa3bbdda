"""The provider behind every other real model: LiteLLM, imported on first use, its retries, cache and logging off."""

from __future__ import annotations

import json
import os
import re
import socket
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import httpx

from specgen.errors import SpecgenError
from specgen.lm._endpoints import LOCAL_PROVIDERS, Endpoints, table_price
from specgen.lm._errors import MissingKeyError, UnknownModelError
from specgen.lm._ledger import Price
from specgen.lm._openai import read_embeddings
from specgen.lm._provider import CallError, Embeddings, Endpoint, ProviderReply
from specgen.lm._types import FailureKind, ModelRequest, one_line
from specgen.lm._wire import clean, exhausted_s, read_completion, retry_after_s, stopping

_LITELLM_PREFIX: Final = re.compile(r"^(litellm\.)?(\w+Error|Timeout|\w+Exception)\s*[:-]\s*")
_CODE: Final = re.compile(r'"code":\s*"(\w+)"')
_HEADER_PREFIX: Final = "llm_provider-"


def load_litellm() -> Any:
    """Import LiteLLM (seconds, the first time) without letting it fetch its price table from the network."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    # Its own typed dictionaries displease pydantic, now and at later imports: nothing for our users.
    warnings.filterwarnings("ignore", message=r".*`ReadOnly` qualifier", category=UserWarning)
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    return litellm


class LiteLLMProvider:
    """Sends requests through `litellm.acompletion` and `litellm.aembedding`.

    Args:
        endpoints: servers and keys.
        prices: price by model name, before LiteLLM's own table.
    """

    simulated = False
    fingerprint = ""

    def __init__(self, endpoints: Endpoints, prices: Mapping[str, Price]) -> None:
        self._endpoints = endpoints
        self._prices = dict(prices)
        self._known: dict[str, Price | None] = {}

    def prepare(self, model: str) -> None:
        """Import LiteLLM, and check that the model's provider exists and its key is set.

        Raises:
            UnknownModelError, MissingKeyError: as they say.
        """
        if model in self._known:
            return
        litellm = load_litellm()
        endpoint = self._endpoints.of(model)
        try:
            _, provider, _, _ = litellm.get_llm_provider(model=model, api_base=endpoint.api_base)
        except Exception as exc:  # noqa: BLE001 - litellm raises several types here, all meaning the same
            raise UnknownModelError(
                f"no model provider for {model!r}",
                remedy="Names are provider/model, such as openai/gpt-4o-mini, ollama/qwen3 or sim/writer; "
                "for a local OpenAI-compatible server use openai/NAME with its API base",
            ) from exc
        self._endpoints.check(model)
        if endpoint.api_key is None and endpoint.api_base is None and provider not in LOCAL_PROVIDERS:
            missing = litellm.validate_environment(model=model)["missing_keys"]
            # Other names (cloud credentials) have several ways of being given: the provider's answer decides.
            if missing and missing[0].endswith("_API_KEY"):
                raise MissingKeyError(
                    f"{model} needs an API key and none is set", remedy=f"Set {missing[0]} in the environment"
                )
        self._known[model] = self._prices.get(model) or table_price(model, provider)

    def price(self, model: str) -> Price | None:
        """Return the price given for the model, else LiteLLM's, else None."""
        return self._known.get(model)

    async def send(self, request: ModelRequest, *, timeout_s: float) -> ProviderReply:
        """Send one request once; see `ModelProvider.send`."""
        import litellm  # prepared already

        endpoint = self._endpoints.of(request.model)
        arguments: dict[str, Any] = {
            **{name: value for name, value in request.options.items() if name != "stream"},
            "messages": [message.to_wire() for message in request.messages],
            "temperature": request.temperature,
            "max_tokens": request.max_tokens,
            "seed": request.seed,
            "tools": [tool.to_wire() for tool in request.tools] or None,
        }
        try:
            response = await litellm.acompletion(
                **self._common(request.model, timeout_s),
                **{name: value for name, value in arguments.items() if value is not None},
                stream=False,
            )
        except Exception as exc:  # noqa: BLE001 - the one boundary that classifies what LiteLLM raises
            raise classify(exc, request.model, endpoint) from exc
        return _reply(response, bool(request.tools))

    async def embed(self, model: str, texts: Sequence[str], *, timeout_s: float) -> Embeddings:
        """Send one embedding request once."""
        import litellm  # prepared already

        try:
            response = await litellm.aembedding(input=list(texts), **self._common(model, timeout_s))
        except Exception as exc:  # noqa: BLE001 - as in `send`
            raise classify(exc, model, self._endpoints.of(model)) from exc
        return read_embeddings(_plain(response), len(texts))

    def _common(self, model: str, timeout_s: float) -> dict[str, Any]:
        given = {
            "model": model,
            "api_base": self._endpoints.of(model).api_base,
            "api_key": self._endpoints.key(model),
            "timeout": timeout_s,
            "num_retries": 0,
            "max_retries": 0,
            "caching": False,
        }
        return {name: value for name, value in given.items() if value is not None}


def _plain(response: Any) -> Any:
    with warnings.catch_warnings():  # pydantic on LiteLLM's own classes
        warnings.simplefilter("ignore")
        return response.model_dump() if hasattr(response, "model_dump") else response


def _reply(response: Any, tools_offered: bool) -> ProviderReply:
    body = _plain(response)
    try:
        raw = json.dumps(body, default=str, ensure_ascii=False)
    except (TypeError, ValueError):
        raw = ""
    hidden = getattr(response, "_hidden_params", None) or {}
    headers = hidden.get("additional_headers") or {}
    found = {str(name).lower().removeprefix(_HEADER_PREFIX): str(value) for name, value in headers.items()}
    reply = read_completion(body, tools_offered=tools_offered, raw=raw)
    return replace(reply, exhausted_s=exhausted_s(found)) if found else reply


def classify(exc: Exception, model: str, endpoint: Endpoint) -> CallError | SpecgenError:
    """Turn what LiteLLM raised into a failed attempt (`CallError`) or an error that stops the run."""
    if isinstance(exc, CallError | SpecgenError):
        return exc
    name = type(exc).__name__
    status = _status(exc)
    message = _clean(str(exc), endpoint)
    code = _code(exc)
    if "ContextWindow" in name or code == "context_length_exceeded":
        return CallError("context_length", message, status=status)
    if "ContentPolicy" in name:
        return CallError("content_filter", message, status=status)
    if "Missing credentials" in message:
        return MissingKeyError(
            f"{model} needs an API key and none is set", remedy="Set the provider's API key variable"
        )
    stop = stopping(401 if name == "AuthenticationError" else status, code, message, model, endpoint)
    if stop is not None:
        return stop
    kind = _kind(exc, name, status)
    unreachable = kind == "connection" and _never_connected(exc)
    return CallError(
        kind,
        _system_reason(exc) or message if unreachable else message,
        status=status if kind in ("rate_limited", "server_error") else None,
        retry_after_s=_retry_after_s(exc),
        unreachable=unreachable,
    )


def _kind(exc: Exception, name: str, status: int | None) -> FailureKind:
    chain = list(_chain(exc))
    if name == "Timeout" or any(isinstance(e, TimeoutError | httpx.TimeoutException) for e in chain):
        return "timeout"
    if status == 429:
        return "rate_limited"
    if any(isinstance(e, json.JSONDecodeError | UnicodeDecodeError) for e in chain) or "Validation" in name:
        return "malformed"
    if any(isinstance(e, httpx.TransportError | OSError) for e in chain) or "Connection error" in str(exc):
        return "connection"
    if name == "APIConnectionError" and status == 500:
        # LiteLLM's name for anything unexpected: a reply of another shape, most often.
        return "malformed"
    return "server_error"


def _chain(exc: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    todo: list[BaseException | None] = [exc]
    while todo:
        current = todo.pop()
        if current is not None and id(current) not in seen:
            seen.add(id(current))
            yield current
            todo += [current.__cause__, current.__context__]


def _never_connected(exc: Exception) -> bool:
    return any(isinstance(e, httpx.ConnectError | ConnectionRefusedError | socket.gaierror) for e in _chain(exc))


def _system_reason(exc: Exception) -> str:
    """Return the operating system's words for a failed connection, such as `Connection refused`."""
    for e in _chain(exc):
        if isinstance(e, OSError) and e.errno is not None:
            return os.strerror(e.errno) if e.errno > 0 else one_line(e.strerror or "")
    return ""


def _status(exc: Exception) -> int | None:
    status = getattr(exc, "status_code", None)
    return status if isinstance(status, int) else None


def _code(exc: Exception) -> str:
    for e in _chain(exc):
        body = getattr(e, "body", None)
        if isinstance(body, Mapping):
            return str(body.get("code") or body.get("type") or "")
    # Providers that LiteLLM calls by itself have the response's text in their message.
    found = _CODE.search(str(exc))
    return found.group(1) if found else ""


def _retry_after_s(exc: Exception) -> float | None:
    for e in _chain(exc):
        headers = getattr(getattr(e, "response", None), "headers", None) or getattr(e, "headers", None)
        if headers and (asked := retry_after_s(headers)) is not None:
            return asked
    return None


def _clean(text: str, endpoint: Endpoint) -> str:
    """Return one line without LiteLLM's own prefixes and without anything that looks like a key."""
    while match := _LITELLM_PREFIX.match(text):
        text = text[match.end() :]
    return clean(text, endpoint) or "no message"
