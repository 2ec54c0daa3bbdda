"""The provider behind every real model: LiteLLM, imported on first use, with its retries, cache and logging off."""

from __future__ import annotations

import email.utils
import json
import math
import os
import re
import socket
import time
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

import httpx

from specgen.errors import SpecgenError
from specgen.lm._errors import (
    BadModelRequestError,
    MissingKeyError,
    QuotaExhaustedError,
    UnknownModelError,
    WrongKeyError,
)
from specgen.lm._ledger import Price
from specgen.lm._provider import CallError, ProviderReply
from specgen.lm._types import FailureKind, FinishReason, ModelRequest, Usage, one_line

_LOCAL_PROVIDERS: Final = frozenset(
    {"ollama", "ollama_chat", "vllm", "hosted_vllm", "lm_studio", "llamafile", "xinference"}
)
_BASE_VARIABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "openai": ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
    "anthropic": ("ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"),
    "ollama": ("OLLAMA_API_BASE",),
    "ollama_chat": ("OLLAMA_API_BASE",),
}
_FINISH: Final[Mapping[str, FinishReason]] = {
    "stop": "stop",
    "length": "length",
    "content_filter": "content_filter",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
}
_PLACEHOLDER_KEY: Final = "no-key-needed"
_KEYISH: Final = re.compile(r"\b(sk|pk|key|AIza)[-_A-Za-z0-9]{8,}")
_LITELLM_PREFIX: Final = re.compile(r"^(litellm\.)?(\w+Error|Timeout|\w+Exception)\s*[:-]\s*")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is served: the API base of an OpenAI-compatible server, and its key (never shown or stored).

    Both may be None: the provider's own address, and the provider's own environment variable.
    """

    api_base: str | None = None
    api_key: str | None = field(default=None, repr=False)


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
    """Sends requests through `litellm.acompletion`.

    Args:
        endpoint: default server and key.
        endpoints: server and key by model name, before the default.
        prices: price by model name, before LiteLLM's own table.
    """

    simulated = False
    fingerprint = ""

    def __init__(self, endpoint: Endpoint, endpoints: Mapping[str, Endpoint], prices: Mapping[str, Price]) -> None:
        self._endpoint = endpoint
        self._endpoints = dict(endpoints)
        self._prices = dict(prices)
        self._known: dict[str, Price | None] = {}

    def endpoint(self, model: str) -> Endpoint:
        """Return where a model is served: as given, else as the provider's own environment variables say."""
        given = self._endpoints.get(model, self._endpoint)
        if given.api_base is None:
            for name in _BASE_VARIABLES.get(model.partition("/")[0], ()):
                if os.environ.get(name):
                    return Endpoint(os.environ[name], given.api_key)
        return given

    def prepare(self, model: str) -> None:
        """Import LiteLLM, and check that the model's provider exists and its key is set.

        Raises:
            UnknownModelError, MissingKeyError: as they say.
        """
        if model in self._known:
            return
        litellm = load_litellm()
        endpoint = self.endpoint(model)
        try:
            _, provider, _, _ = litellm.get_llm_provider(model=model, api_base=endpoint.api_base)
        except Exception as exc:  # noqa: BLE001 - litellm raises several types here, all meaning the same
            raise UnknownModelError(
                f"no model provider for {model!r}",
                remedy="Names are provider/model, such as openai/gpt-4o-mini, ollama/qwen3 or sim/writer; "
                "for a local OpenAI-compatible server use openai/NAME with its API base",
            ) from exc
        if endpoint.api_base is not None and not _is_http_url(endpoint.api_base):
            raise BadModelRequestError(
                f"{endpoint.api_base!r} is not an API base for {model}",
                remedy="Give a URL such as http://localhost:8000/v1",
            )
        if endpoint.api_key is None and endpoint.api_base is None and provider not in _LOCAL_PROVIDERS:
            missing = litellm.validate_environment(model=model)["missing_keys"]
            # Other names (cloud credentials) have several ways of being given: the provider's answer decides.
            if missing and missing[0].endswith("_API_KEY"):
                raise MissingKeyError(
                    f"{model} needs an API key and none is set", remedy=f"Set {missing[0]} in the environment"
                )
        self._known[model] = self._prices.get(model) or _table_price(litellm, model, provider)

    def price(self, model: str) -> Price | None:
        """Return the price given for the model, else LiteLLM's, else None."""
        return self._known.get(model)

    async def send(self, request: ModelRequest, *, timeout_s: float) -> ProviderReply:
        """Send one request once; see `ModelProvider.send`."""
        import litellm  # prepared already

        endpoint = self.endpoint(request.model)
        arguments: dict[str, Any] = {
            **request.options,
            "model": request.model,
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
            "temperature": request.temperature,
            "max_tokens": request.max_tokens,
            "seed": request.seed,
            "api_base": endpoint.api_base,
            "api_key": self._key(request.model),
        }
        given = {name: value for name, value in arguments.items() if value is not None}
        try:
            response = await litellm.acompletion(
                **given, stream=False, timeout=timeout_s, num_retries=0, max_retries=0, caching=False
            )
        except Exception as exc:  # noqa: BLE001 - the one boundary that classifies what LiteLLM raises
            raise classify(exc, request.model, endpoint) from exc
        return _reply(response)

    def _key(self, model: str) -> str | None:
        endpoint = self.endpoint(model)
        if endpoint.api_key is not None or endpoint.api_base is None:
            return endpoint.api_key
        # A local server needs no key, but the client insists on one.
        provider = model.partition("/")[0]
        return os.environ.get(f"{provider.upper()}_API_KEY") or _PLACEHOLDER_KEY


def _table_price(litellm: Any, model: str, provider: str) -> Price | None:
    bare = model.removeprefix(f"{provider}/")
    for name in (model, bare):
        entry = litellm.model_cost.get(name)
        if entry is None or (name == bare and entry.get("litellm_provider") != provider):
            continue
        cost_in, cost_out = entry.get("input_cost_per_token"), entry.get("output_cost_per_token")
        if cost_in is None or cost_out is None:
            return None
        if not (cost_in or cost_out) and provider not in _LOCAL_PROVIDERS:
            return None  # a zero in the table for a hosted model means that nobody filled it in
        cached = entry.get("cache_read_input_token_cost")
        return Price(cost_in * 1e6, cost_out * 1e6, None if cached is None else cached * 1e6)
    return None


def _reply(response: Any) -> ProviderReply:
    usage = getattr(response, "usage", None)
    details = getattr(usage, "prompt_tokens_details", None)
    tokens = Usage(
        input_tokens=int(getattr(usage, "prompt_tokens", 0) or 0),
        output_tokens=int(getattr(usage, "completion_tokens", 0) or 0),
        cached_input_tokens=int(getattr(details, "cached_tokens", 0) or 0),
    )
    choices = getattr(response, "choices", None) or []
    if not choices:
        raise CallError("empty", "the reply has no choices", status=200, usage=tokens)
    reason = _FINISH.get(str(choices[0].finish_reason), "other")
    text = choices[0].message.content or ""
    if reason == "content_filter":
        raise CallError("content_filter", "the provider's content filter withheld the reply", status=200, usage=tokens)
    if not text and reason != "length":
        raise CallError("empty", "the reply has no text", status=200, usage=tokens)
    return ProviderReply(
        text=text, finish_reason=reason, usage=tokens, response_id=str(getattr(response, "id", "") or "")
    )


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
    stop = _stopping(name, status, code, message, model, endpoint)
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


def _stopping(
    name: str, status: int | None, code: str, message: str, model: str, endpoint: Endpoint
) -> SpecgenError | None:
    where = f" at {endpoint.api_base}" if endpoint.api_base else ""
    if "Missing credentials" in message:
        return MissingKeyError(
            f"{model} needs an API key and none is set", remedy="Set the provider's API key variable"
        )
    if status == 401 or name == "AuthenticationError":
        return WrongKeyError(f"the API key for {model}{where} was refused: {message}", remedy="Set a valid key")
    if status == 403:
        return WrongKeyError(f"the API key may not use {model}{where}: {message}", remedy="Use another key or model")
    if status == 402 or code == "insufficient_quota":
        return QuotaExhaustedError(f"no credit left for {model}{where}: {message}", remedy="Top up and run again")
    if status == 404:
        return UnknownModelError(
            f"there is no model {model}{where}: {message}", remedy="Check the name and the API base"
        )
    if status in (400, 405, 413, 415, 422):
        return BadModelRequestError(f"the request to {model}{where} was refused: {message}", remedy="Check the options")
    return None


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


def _is_http_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # such as a port that is no number
        return False


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
    return ""


def _retry_after_s(exc: Exception) -> float | None:
    for e in _chain(exc):
        headers = getattr(getattr(e, "response", None), "headers", None) or getattr(e, "headers", None)
        if not headers:
            continue
        try:
            millis, seconds = headers.get("retry-after-ms"), headers.get("retry-after")
        except AttributeError:
            continue
        if millis:
            return _seconds(millis, 1000)
        if seconds:
            return _seconds(seconds, 1)
    return None


def _seconds(text: str, divisor: int) -> float | None:
    try:
        value = float(text) / divisor
    except ValueError:
        try:
            value = email.utils.parsedate_to_datetime(text).timestamp() - time.time()
        except (TypeError, ValueError):
            return None
    return max(0.0, value) if math.isfinite(value) else None


def _clean(text: str, endpoint: Endpoint) -> str:
    """Return one line without LiteLLM's own prefixes and without anything that looks like a key."""
    while match := _LITELLM_PREFIX.match(text):
        text = text[match.end() :]
    if endpoint.api_key and len(endpoint.api_key) > 3:
        text = text.replace(endpoint.api_key, "[key]")
    return one_line(_KEYISH.sub("[key]", text)).rstrip(".") or "no message"
