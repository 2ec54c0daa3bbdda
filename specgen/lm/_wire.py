"""The chat completions format: what was sent back, read once for every way it may come (HTTP, LiteLLM, batch files)."""

from __future__ import annotations

import email.utils
import json
import math
import os
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from specgen.errors import SpecgenError
from specgen.lm._errors import BadModelRequestError, QuotaExhaustedError, UnknownModelError, WrongKeyError
from specgen.lm._provider import CallError, Endpoint, ProviderReply
from specgen.lm._types import FailureKind, FinishReason, ToolCall, Usage, one_line

_FINISH: Final[Mapping[str, FinishReason]] = {
    "stop": "stop",
    "length": "length",
    "content_filter": "content_filter",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
}
_CONTEXT: Final = re.compile(r"maximum context length|context window|context_length_exceeded", re.IGNORECASE)
_KEYISH: Final = re.compile(r"\b(sk|pk|key|AIza)[-_A-Za-z0-9]{8,}")
_SECRET: Final = re.compile(r"\bsk-[-_A-Za-z0-9]{16,}|(?<=Bearer )[-_.A-Za-z0-9]{8,}")
_RESET: Final = re.compile(r"(?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)s)?(?:([\d.]+)ms)?")
_REFUSED: Final = frozenset({400, 405, 413, 415, 422})
_LEAST_KEY: Final = 8
"""A shorter text is no key that hides anything, and would be replaced in ordinary words."""


def read_completion(body: Any, *, tools_offered: bool = False, raw: str = "") -> ProviderReply:
    """Read a chat completion's JSON.

    Raises:
        CallError: `malformed` for another shape; the precise kind for a reply that says nothing usable, with the
            tokens that were paid for.
    """
    if not isinstance(body, Mapping):
        raise CallError("malformed", f"the reply is not a JSON object: {one_line(str(body), 80)}", raw=raw)
    usage = read_usage(body.get("usage"))
    choices = body.get("choices")
    if not isinstance(choices, Sequence) or isinstance(choices, str):
        error = body.get("error")
        said = f": {one_line(str(error), 200)}" if error else ""
        raise CallError("malformed", f"the reply has no list of choices{said}", raw=raw, usage=usage)
    if not choices:
        raise CallError("no_choices", "the reply has no choices", usage=usage, raw=raw)
    choice = choices[0]
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(message, Mapping):
        raise CallError("malformed", "the reply's choice has no message", usage=usage, raw=raw)
    return _read_message(body, choice, message, usage, tools_offered, raw)


def _read_message(
    body: Mapping[str, Any],
    choice: Mapping[str, Any],
    message: Mapping[str, Any],
    usage: Usage,
    tools_offered: bool,
    raw: str,
) -> ProviderReply:
    text, absent = _content(message.get("content"))
    reason = _FINISH.get(str(choice.get("finish_reason") or "stop"), "other")
    calls = _tool_calls(message.get("tool_calls"))
    refusal = message.get("refusal")
    flags = []
    if not text:
        _refuse_textless(reason, calls if not tools_offered else (), refusal, usage, raw)
        if not (calls and tools_offered) and reason != "length":
            kind: FailureKind = "null_content" if absent else "empty"
            words = "the reply's content is null" if absent else "the reply has no text"
            raise CallError(kind, words, usage=usage, raw=raw)
    if calls and not tools_offered:
        flags.append("unoffered_tool_calls")
    if text and refusal:
        flags.append("refusal")
    if text and reason == "content_filter":
        flags.append("filtered")
    return ProviderReply(
        text=text,
        finish_reason=reason,
        usage=usage,
        response_id=str(body.get("id") or ""),
        tool_calls=calls if tools_offered else (),
        flags=tuple(flags),
        raw=raw,
    )


def _refuse_textless(
    reason: FinishReason, unoffered: Sequence[ToolCall], refusal: object, usage: Usage, raw: str
) -> None:
    if reason == "content_filter":
        raise CallError("content_filter", "the provider withheld the reply", usage=usage, raw=raw)
    if refusal:
        raise CallError("refusal", f"the model refused: {one_line(str(refusal), 200)}", usage=usage, raw=raw)
    if unoffered:
        names = ", ".join(call.name for call in unoffered[:3])
        raise CallError(
            "unoffered_tool_call", f"the reply only calls tools that were not offered: {names}", usage=usage, raw=raw
        )


def _content(value: object) -> tuple[str, bool]:
    """Return the text of a message's content (a string, or a list of parts), and whether it is null."""
    if isinstance(value, str):
        return value, False
    if isinstance(value, Sequence):
        parts = [part.get("text") for part in value if isinstance(part, Mapping)]
        return "".join(part for part in parts if isinstance(part, str)), False
    return "", True


def _tool_calls(value: object) -> tuple[ToolCall, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return ()
    calls = []
    for entry in value:
        function = entry.get("function") if isinstance(entry, Mapping) else None
        if isinstance(function, Mapping):
            arguments = function.get("arguments")
            arguments = arguments if isinstance(arguments, str) else json.dumps(arguments)
            calls.append(ToolCall(str(entry.get("id") or ""), str(function.get("name") or ""), arguments))
    return tuple(calls)


def read_usage(value: object) -> Usage:
    """Read a usage object; what is missing or no number counts as 0."""
    if not isinstance(value, Mapping):
        return Usage()
    details = value.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, Mapping) else 0
    return Usage(_whole(value.get("prompt_tokens")), _whole(value.get("completion_tokens")), _whole(cached))


def _whole(value: object) -> int:
    return int(value) if isinstance(value, int | float) and math.isfinite(value) and value > 0 else 0


def refused(
    status: int, text: str, headers: Mapping[str, str], model: str, endpoint: Endpoint
) -> CallError | SpecgenError:
    """Turn an HTTP error into a failed attempt, or into the error that stops the run."""
    message, code = _error_body(text)
    message = clean(message, endpoint) or f"HTTP status {status}"
    if code == "context_length_exceeded" or (status in _REFUSED and _CONTEXT.search(message)):
        return CallError("context_length", message, status=status, raw=text)
    if code in ("content_filter", "content_policy_violation"):
        return CallError("content_filter", message, status=status, raw=text)
    stop = stopping(status, code, message, model, endpoint)
    if stop is not None:
        return stop
    kind: FailureKind = "server_error"
    if status == 429:
        kind = "rate_limited"
    elif status in (408, 504):
        kind = "timeout"
    return CallError(kind, message, status=status, retry_after_s=retry_after_s(headers), raw=text)


def raise_refused(status: int, text: str, headers: Mapping[str, str], model: str, endpoint: Endpoint) -> NoReturn:
    """Raise what `refused` returns."""
    raise refused(status, text, headers, model, endpoint)


def stopping(status: int | None, code: str, message: str, model: str, endpoint: Endpoint) -> SpecgenError | None:
    """Return the error that stops the run for this status and error code, None when a later call may succeed."""
    where = f" at {endpoint.api_base}" if endpoint.api_base else ""
    if status == 401:
        return WrongKeyError(f"the API key for {model}{where} was refused: {message}", remedy="Set a valid key")
    if status == 403:
        return WrongKeyError(f"the API key may not use {model}{where}: {message}", remedy="Use another key or model")
    if status == 402 or code == "insufficient_quota":
        return QuotaExhaustedError(f"no credit left for {model}{where}: {message}", remedy="Top up and run again")
    if status == 404:
        return UnknownModelError(
            f"there is no model {model}{where}: {message}", remedy="Check the name and the API base"
        )
    if status in _REFUSED:
        return BadModelRequestError(f"the request to {model}{where} was refused: {message}", remedy="Check the options")
    return None


def _error_body(text: str) -> tuple[str, str]:
    """Return message and code of an error's body, which may be JSON of some shape, or text."""
    try:
        body = json.loads(text)
    except ValueError:
        return text, ""
    error = body.get("error", body) if isinstance(body, Mapping) else body
    if not isinstance(error, Mapping):
        return str(error), ""
    code = error.get("code") or error.get("type") or ""
    return str(error.get("message") or error.get("detail") or text), str(code)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a server asks to wait (`Retry-After-Ms`, `Retry-After`), None when it does not."""
    try:
        millis, seconds = headers.get("retry-after-ms"), headers.get("retry-after")
    except AttributeError:
        return None
    if millis:
        return _seconds(millis, 1000)
    return _seconds(seconds, 1) if seconds else None


def _seconds(text: str, divisor: int) -> float | None:
    try:
        value = float(text) / divisor
    except ValueError:
        try:
            value = email.utils.parsedate_to_datetime(text).timestamp() - time.time()
        except (TypeError, ValueError):
            return None
    return max(0.0, value) if math.isfinite(value) else None


def exhausted_s(headers: Mapping[str, str]) -> float:
    """Return the seconds until requests or tokens are left again, by the rate-limit headers; 0 while some are."""
    wait = 0.0
    for what in ("requests", "tokens"):
        left = headers.get(f"x-ratelimit-remaining-{what}")
        if left is not None and left.strip().lstrip("-").isdigit() and int(left) <= 0:
            wait = max(wait, _reset_s(headers.get(f"x-ratelimit-reset-{what}") or ""))
    return wait


def _reset_s(text: str) -> float:
    """Read a duration such as `6m0s`, `1.5s` or `20ms`; 0 for another format."""
    found = _RESET.fullmatch(text.strip())
    if not found or not text.strip():
        return 0.0
    try:
        hours, minutes, seconds, millis = (float(part or 0) for part in found.groups())
    except ValueError:
        return 0.0
    return hours * 3600 + minutes * 60 + seconds + millis / 1000


def clean(text: str, endpoint: Endpoint) -> str:
    """Return one line without anything that looks like a key."""
    if endpoint.api_key and len(endpoint.api_key) > 3:
        text = text.replace(endpoint.api_key, "[key]")
    return one_line(_KEYISH.sub("[key]", text)).rstrip(".")


def known_secrets(endpoints: Sequence[Endpoint]) -> tuple[str, ...]:
    """Return the keys in use: given ones, and those of environment variables that end in `_API_KEY` or `_TOKEN`."""
    given = [endpoint.api_key or "" for endpoint in endpoints]
    found = [value for name, value in os.environ.items() if name.endswith(("_API_KEY", "_TOKEN"))]
    return tuple(dict.fromkeys(key for key in (*given, *found) if len(key) >= _LEAST_KEY))


def redacted(text: str, secrets: Sequence[str]) -> str:
    """Return text without the keys in use and without what can only be a key."""
    for secret in secrets:
        if secret in text:
            text = text.replace(secret, "[key]")
    return _SECRET.sub("[key]", text) if "sk-" in text or "Bearer " in text else text
