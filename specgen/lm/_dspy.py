"""DSPy's door to the gateway: an engine, so that DSPy owns no client, no cache and no retries of its own.

Imported only by `Gateway.dspy_lm`, because importing DSPy takes seconds.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn

from specgen.lm._litellm import load_litellm
from specgen.lm._types import ChatMessage, FailureKind, ModelFailure, ModelOutcome, ModelRequest, Role

load_litellm()  # first, so that DSPy cannot import it with its price table taken from the network

import dspy  # noqa: E402
from dspy import lm15  # noqa: E402

if TYPE_CHECKING:
    from specgen.lm._gateway import Gateway

ROLLOUT_STRIDE: Final = 10_000
"""DSPy's roll-out number r takes the sample indices from r * ROLLOUT_STRIDE on."""

_SAMPLES: ContextVar[Iterator[int] | None] = ContextVar("specgen_lm_dspy_samples", default=None)
_ERRORS: Final[Mapping[FailureKind, type[lm15.LM15Error]]] = {
    "rate_limited": lm15.RateLimitError,
    "server_error": lm15.ServerError,
    "timeout": lm15.TimeoutError,
    "connection": lm15.TransportError,
    "malformed": lm15.ServerError,
    "no_choices": lm15.ServerError,
    "null_content": lm15.ServerError,
    "empty": lm15.ServerError,
    "refusal": lm15.InvalidRequestError,
    "unoffered_tool_call": lm15.InvalidRequestError,
    "content_filter": lm15.InvalidRequestError,
    "context_length": lm15.ContextLengthError,
}
_ROLES: Final[Mapping[str, Literal["system", "user", "assistant"]]] = {
    "system": "system",
    "developer": "system",
    "assistant": "assistant",
}
_FINISH: Final = {"stop": "stop", "length": "length", "content_filter": "content_filter"}
_OPTIONS: Final = ("top_p", "top_k", "frequency_penalty", "presence_penalty")


class _Engine:
    """Turns DSPy's request into ours and our outcome into DSPy's."""

    def __init__(
        self, gateway: Gateway, model: str, role: Role, split: str, before: Callable[[], None] | None = None
    ) -> None:
        self._gateway = gateway
        self._before = before
        self._model = model
        self._role: Role = role
        self._split = split

    def complete(self, request: lm15.Request) -> lm15.Response:
        """Answer one DSPy request."""
        return _response(self._gateway.complete(self._request(request)), request.model)

    async def acomplete(self, request: lm15.Request) -> lm15.Response:
        """Answer one DSPy request, awaited."""
        return _response(await self._gateway.acomplete(self._request(request)), request.model)

    def _request(self, request: lm15.Request) -> ModelRequest:
        if self._before is not None:
            self._before()
        config = request.config
        options: dict[str, Any] = {name: getattr(config, name) for name in _OPTIONS}
        options |= {"stop": list(config.stop) or None, "response_format": _plain(config.response_format)}
        options |= _plain(config.extensions) or {}
        ours = ModelRequest(
            model=self._model,
            messages=_messages(request),
            temperature=config.temperature,
            max_tokens=config.max_tokens,
            seed=config.seed,
            options={name: value for name, value in options.items() if value is not None},
            role=self._role,
            split=self._split,
        )
        tagged = self._gateway.tagged(ours)
        samples = _SAMPLES.get()
        return tagged if samples is None else replace(tagged, sample=tagged.sample + next(samples))

    def __deepcopy__(self, memo: dict[int, object]) -> _Engine:
        return self


class _AsyncEngine:
    """The awaited half of an engine, as DSPy wants two objects."""

    def __init__(self, engine: _Engine) -> None:
        self._engine = engine

    async def complete(self, request: lm15.Request) -> lm15.Response:
        """Answer one DSPy request."""
        return await self._engine.acomplete(request)

    def __deepcopy__(self, memo: dict[int, object]) -> _AsyncEngine:
        return self


class GatewayLM(dspy.LM):  # type: ignore[misc]
    """A `dspy.LM` that gives each roll-out and each of several candidates its own sample index."""

    def __call__(self, prompt: Any = None, *, messages: Any = None, **kwargs: Any) -> Any:
        """Make one DSPy call."""
        token = _SAMPLES.set(self._samples(kwargs))
        try:
            return super().__call__(prompt, messages=messages, **kwargs)
        finally:
            _SAMPLES.reset(token)

    async def acall(self, prompt: Any = None, *, messages: Any = None, **kwargs: Any) -> Any:
        """Make one DSPy call, awaited."""
        token = _SAMPLES.set(self._samples(kwargs))
        try:
            return await super().acall(prompt, messages=messages, **kwargs)
        finally:
            _SAMPLES.reset(token)

    def _samples(self, kwargs: Mapping[str, Any]) -> Iterator[int]:
        rollout = kwargs.get("rollout_id", self.kwargs.get("rollout_id")) or 0
        return itertools.count(int(rollout) * ROLLOUT_STRIDE)


def make_lm(
    gateway: Gateway,
    model: str,
    *,
    role: Role,
    split: str,
    settings: Mapping[str, Any],
    before: Callable[[], None] | None = None,
) -> dspy.LM:
    """Return the `dspy.LM` of `Gateway.dspy_lm`."""
    engine = _Engine(gateway, model, role, split, before)
    # The name is only a label here; a simulated model's options would look like a path to DSPy's provider table.
    return GatewayLM(
        model, engine=engine, async_engine=_AsyncEngine(engine), cache=False, num_retries=0, **dict(settings)
    )


def _messages(request: lm15.Request) -> tuple[ChatMessage, ...]:
    messages = []
    if request.system is not None:
        parts = [request.system] if isinstance(request.system, str) else [_text(part) for part in request.system]
        messages.append(ChatMessage("system", "".join(parts)))
    for message in request.messages:
        text = "".join(_text(part) for part in message.parts)
        messages.append(ChatMessage(_ROLES.get(message.role, "user"), text))
    if request.tools:
        raise lm15.UnsupportedFeatureError("specgen's gateway takes no tools in DSPy calls")
    return tuple(messages)


def _text(part: Any) -> str:
    if not isinstance(part, lm15.TextPart):
        raise lm15.UnsupportedFeatureError(f"specgen's gateway takes text only, not {type(part).__name__}")
    return str(part.text)


def _plain(value: Any) -> Any:
    """Return nested mappings and tuples as dictionaries and lists."""
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _response(outcome: ModelOutcome, model: str) -> lm15.Response:
    if isinstance(outcome, ModelFailure):
        _raise(outcome)
    return lm15.Response(
        id=outcome.response_id or None,
        model=model,
        message=lm15.Message.assistant([lm15.TextPart(outcome.text)]),
        finish_reason=_FINISH.get(outcome.finish_reason, "stop"),
        usage=lm15.Usage(
            input_tokens=outcome.usage.input_tokens,
            output_tokens=outcome.usage.output_tokens,
            total_tokens=outcome.usage.total_tokens,
        ),
    )


def _raise(failure: ModelFailure) -> NoReturn:
    raise _ERRORS[failure.kind](f"{failure.kind} after {failure.attempts} attempts: {failure.message}")
