"""What goes into the gateway and what comes out: plain frozen data, no behaviour but the cache key and JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from specgen.errors import UserError

Role = Literal["task", "reflection", "judge", "embedding"]
"""Who pays: the model being tuned, the one that rewrites prompts, the one that judges, or the one that embeds texts."""

ROLES: Final[tuple[Role, ...]] = get_args(Role)

FailureKind = Literal[
    "rate_limited",
    "server_error",
    "timeout",
    "connection",
    "malformed",
    "content_filter",
    "context_length",
    "refusal",
    "unoffered_tool_call",
    "no_choices",
    "null_content",
    "empty",
]
"""Why a call failed after its retries. Only the first five are worth trying again later.

`refusal`: the reply's refusal field is set and there is no text. `unoffered_tool_call`: the reply has nothing but calls
of tools that the request did not offer. `no_choices`, `null_content`, `empty`: a reply without choices, whose content
is null, or whose text is empty.
"""

TRANSIENT: Final[frozenset[FailureKind]] = frozenset(
    {"rate_limited", "server_error", "timeout", "connection", "malformed"}
)
"""Failures of the way to the model, not of its answer."""

FinishReason = Literal["stop", "length", "content_filter", "tool_calls", "other"]

OnLength = Literal["keep", "continue", "enlarge"]
"""What to do with a reply cut at its token limit: keep it, ask once for the rest, or ask once with twice the limit."""

KEY_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish to call a tool; `arguments` is JSON text as the model wrote it, which may be broken."""

    id: str
    name: str
    arguments: str

    def to_wire(self) -> dict[str, Any]:
        """Return the call as chat completions have it."""
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": self.arguments}}


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool offered to the model; `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def to_wire(self) -> dict[str, Any]:
        """Return the tool as chat completions have it."""
        parameters = dict(self.parameters) or {"type": "object", "properties": {}}
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        return {"type": "function", "function": function}


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a conversation; `content` is text.

    An `assistant` message may carry the tool calls that the model made; a `tool` message answers one of them, by id.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""

    def to_wire(self) -> dict[str, Any]:
        """Return the message as chat completions have it."""
        body: dict[str, Any] = {"role": self.role, "content": self.content}
        if self.tool_calls:
            body["tool_calls"] = [call.to_wire() for call in self.tool_calls]
        if self.tool_call_id:
            body["tool_call_id"] = self.tool_call_id
        return body


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """One call to one model.

    Attributes:
        model: a LiteLLM name (`openai/…`, `anthropic/…`, `ollama/…`) or a simulated model (`sim/…`).
        messages: the conversation, at least one message.
        temperature: sampling temperature, None for the provider's default.
        max_tokens: most tokens of the reply, None for the provider's default.
        sample: index of this sample among several for one prompt, from 0. Part of the cache key, so that samples
            are independent draws.
        seed: the provider's sampling seed, where it has one.
        options: further sampling options under LiteLLM's names (`top_p`, `stop`, `response_format`), JSON values only.
        role: who pays (see `Role`).
        split: the tasks' split this call belongs to (`train`, `validation`, `test`, …). Part of the cache key, so
            that a reply seen while tuning is never reused in the held-out comparison.
        task_id: the task, for the ledger; not part of the cache key, as it is never sent.
        tools: tools that the model may call; the calls it makes come back in `ModelReply.tool_calls`.
        on_length: what to do with a reply cut at its token limit, None for the gateway's default. Not part of the
            cache key: the follow-up is a call of its own.

    Raises:
        UserError: for no messages, a negative sample, an unknown role, options that are not JSON, or the option
            `stream` (replies are never streamed).
    """

    model: str
    messages: tuple[ChatMessage, ...]
    temperature: float | None = None
    max_tokens: int | None = None
    sample: int = 0
    seed: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    role: Role = "task"
    split: str = ""
    task_id: str = ""
    tools: tuple[Tool, ...] = ()
    on_length: OnLength | None = None

    def __post_init__(self) -> None:
        if not self.messages:
            raise UserError("a model request needs at least one message")
        if self.sample < 0:
            raise UserError(f"sample index {self.sample} is negative", remedy="Samples are numbered from 0")
        if self.role not in ROLES:
            raise UserError(f"unknown role {self.role!r} of a model call", remedy=f"Use one of {', '.join(ROLES)}")
        if self.options.get("stream"):
            raise UserError("replies are not streamed", remedy="Leave out the option stream")
        object.__setattr__(self, "messages", tuple(self.messages))
        object.__setattr__(self, "tools", tuple(self.tools))
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))
        self.canonical_json()

    @classmethod
    def of(cls, model: str, prompt: str, *, system: str | None = None, **fields: Any) -> ModelRequest:
        """Build a request of one user message, with an optional system message before it."""
        head = (ChatMessage("system", system),) if system is not None else ()
        return cls(model=model, messages=(*head, ChatMessage("user", prompt)), **fields)

    def to_dict(self) -> dict[str, Any]:
        """Return everything that identifies the request (all but `task_id` and `on_length`) as JSON values."""
        tools = {"tools": [tool.to_wire() for tool in self.tools]} if self.tools else {}
        return {
            **tools,
            "model": self.model,
            "messages": [m.to_wire() for m in self.messages],
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "sample": self.sample,
            "seed": self.seed,
            "options": dict(self.options),
            "role": self.role,
            "split": self.split,
        }

    def canonical_json(self, **more: str | None) -> str:
        """Return the request as JSON with sorted keys and no spaces; `more` is added at the top level.

        Raises:
            UserError: when an option is not a JSON value.
        """
        body = {"key_version": KEY_VERSION, **self.to_dict(), **more}
        try:
            return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError) as exc:
            raise UserError(f"an option of the request to {self.model} is not a JSON value: {exc}") from exc

    def key(self, *, api_base: str | None = None, provider: str | None = None) -> str:
        """Return the cache key: SHA-256 (64 hex digits) of the canonical JSON with the server's address."""
        base = api_base.rstrip("/") if api_base else None
        text = self.canonical_json(api_base=base, provider=provider)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call. `cached_input_tokens` is the part of the input that the provider served from its cache."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, kw_only=True)
class ModelReply:
    """What a model answered.

    Attributes:
        text: the reply, unprocessed.
        finish_reason: `length` means cut off at the token limit.
        usage: tokens as the provider counted them.
        cost_usd: what the call cost when it was made; None when the price is unknown, never 0 for unknown.
        latency_s: seconds from first attempt to reply, waiting between attempts included.
        attempts: requests sent for this call, from 1.
        cached: served from the cache now. The other fields are those of the original call; a cached reply adds
            nothing to the ledger's tokens and dollars.
        simulated: made by a simulated model.
        response_id: the provider's own id, empty when it gave none.
        metadata: what a simulated model says about how it answered; empty for real models.
        tool_calls: calls of offered tools that the model wants made.
        flags: what was out of the ordinary: `continued`, `enlarged` (a reply cut at its limit was followed up once),
            `follow_up_failed`, `unoffered_tool_calls` (beside the text; they are dropped), `refusal` (beside the
            text), `filtered` (cut by a content filter after some text).
    """

    text: str
    finish_reason: FinishReason = "stop"
    usage: Usage = Usage()
    cost_usd: float | None = None
    latency_s: float = 0.0
    attempts: int = 1
    cached: bool = False
    simulated: bool = False
    response_id: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict, hash=False)
    tool_calls: tuple[ToolCall, ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ModelFailure:
    """A call that failed after its retries: data for the caller, not an exception.

    `message` is one line; `status` the last HTTP status, if there was one; the rest as in `ModelReply`.
    """

    kind: FailureKind
    message: str
    status: int | None = None
    usage: Usage = Usage()
    cost_usd: float | None = None
    latency_s: float = 0.0
    attempts: int = 1
    cached: bool = False
    simulated: bool = False

    @property
    def transient(self) -> bool:
        """Whether the same call may well succeed later: the failure says nothing about the model."""
        return self.kind in TRANSIENT


ModelOutcome = ModelReply | ModelFailure


def outcome_to_json(outcome: ModelOutcome) -> str:
    """Return an outcome as JSON, without the `cached` flag."""
    body: dict[str, Any] = {
        "usage": [outcome.usage.input_tokens, outcome.usage.output_tokens, outcome.usage.cached_input_tokens],
        "cost_usd": outcome.cost_usd,
        "latency_s": outcome.latency_s,
        "attempts": outcome.attempts,
        "simulated": outcome.simulated,
    }
    if isinstance(outcome, ModelReply):
        body |= {
            "text": outcome.text,
            "finish_reason": outcome.finish_reason,
            "response_id": outcome.response_id,
            "metadata": dict(outcome.metadata),
        }
        if outcome.tool_calls:
            body["tool_calls"] = [[c.id, c.name, c.arguments] for c in outcome.tool_calls]
        if outcome.flags:
            body["flags"] = list(outcome.flags)
    else:
        body |= {"failure": outcome.kind, "message": outcome.message, "status": outcome.status}
    return json.dumps(body, separators=(",", ":"))


def outcome_from_json(text: str) -> ModelOutcome:
    """Return the outcome that `outcome_to_json` wrote, marked as cached."""
    body: dict[str, Any] = json.loads(text)
    common: dict[str, Any] = {
        "usage": Usage(*body["usage"]),
        "cost_usd": body["cost_usd"],
        "latency_s": body["latency_s"],
        "attempts": body["attempts"],
        "simulated": body["simulated"],
        "cached": True,
    }
    if "failure" in body:
        return ModelFailure(kind=body["failure"], message=body["message"], status=body["status"], **common)
    return ModelReply(
        text=body["text"],
        finish_reason=body["finish_reason"],
        response_id=body["response_id"],
        metadata=body["metadata"],
        tool_calls=tuple(ToolCall(*call) for call in body.get("tool_calls", ())),
        flags=tuple(body.get("flags", ())),
        **common,
    )


def one_line(text: str, limit: int = 300) -> str:
    """Collapse white space and cut to `limit` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def joined_text(messages: Sequence[ChatMessage]) -> str:
    """Return the contents of all messages, one blank line between them."""
    return "\n\n".join(m.content for m in messages)
