"""Where each model is served, with which key, and at what price: everything known without a call."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from specgen.lm._errors import BadModelRequestError
from specgen.lm._ledger import Price
from specgen.lm._provider import Endpoint
from specgen.lm._wire import known_secrets

LOCAL_PROVIDERS: Final = frozenset(
    {"ollama", "ollama_chat", "vllm", "hosted_vllm", "lm_studio", "llamafile", "xinference"}
)
_BASE_VARIABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "openai": ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
    "anthropic": ("ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"),
    "ollama": ("OLLAMA_API_BASE",),
    "ollama_chat": ("OLLAMA_API_BASE",),
}
_PLACEHOLDER_KEY: Final = "no-key-needed"
_TABLE: Final = "model_prices_and_context_window_backup.json"


def provider_of(model: str) -> str:
    """Return the part of a name before its first slash."""
    return model.partition("/")[0]


class Endpoints:
    """Servers and keys: by model name, else the default, else the provider's own environment variables."""

    def __init__(self, default: Endpoint, by_model: Mapping[str, Endpoint]) -> None:
        self._default = default
        self._by_model = dict(by_model)

    def of(self, model: str) -> Endpoint:
        """Return where a model is served."""
        given = self._by_model.get(model, self._default)
        if given.api_base is None:
            for name in _BASE_VARIABLES.get(provider_of(model), ()):
                if os.environ.get(name):
                    return Endpoint(os.environ[name], given.api_key)
        return given

    def key(self, model: str) -> str | None:
        """Return the key to send: given, or of the environment; a placeholder for a local server without one."""
        endpoint = self.of(model)
        if endpoint.api_key is not None or endpoint.api_base is None:
            return endpoint.api_key
        # A local server needs no key, but clients insist on one.
        return os.environ.get(f"{provider_of(model).upper()}_API_KEY") or _PLACEHOLDER_KEY

    def check(self, model: str) -> Endpoint:
        """Return where a model is served, refusing an API base that is no URL.

        Raises:
            BadModelRequestError: as said.
        """
        endpoint = self.of(model)
        if endpoint.api_base is not None and not _is_http_url(endpoint.api_base):
            raise BadModelRequestError(
                f"{endpoint.api_base!r} is not an API base for {model}",
                remedy="Give a URL such as http://localhost:8000/v1",
            )
        return endpoint

    def secrets(self) -> tuple[str, ...]:
        """Return the keys that must not be stored."""
        return known_secrets([self._default, *self._by_model.values()])


def _is_http_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # such as a port that is no number
        return False


@lru_cache(maxsize=1)
def price_table() -> Mapping[str, Mapping[str, Any]]:
    """Return LiteLLM's table of models, as shipped with it; read without importing LiteLLM, which takes seconds.

    Empty when the installed LiteLLM has no such file: prices are then unknown unless given.
    """
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        return {}
    try:
        table: Mapping[str, Mapping[str, Any]] = json.loads(
            Path(spec.origin).with_name(_TABLE).read_text(encoding="utf-8")
        )
    except (OSError, ValueError):
        return {}
    return table


def table_price(model: str, provider: str) -> Price | None:
    """Return the table's price of a model, None when it has none (a zero for a hosted model counts as none)."""
    bare = model.removeprefix(f"{provider}/")
    for name in (model, bare):
        entry = price_table().get(name)
        if entry is None or (name == bare and entry.get("litellm_provider") != provider):
            continue
        cost_in, cost_out = entry.get("input_cost_per_token"), entry.get("output_cost_per_token")
        if cost_in is None or cost_out is None:
            return None
        embedding = entry.get("mode") == "embedding"
        if not (cost_in or cost_out) and provider not in LOCAL_PROVIDERS:
            return None  # a zero in the table for a hosted model means that nobody filled it in
        if not cost_in and embedding:
            return None
        cached = entry.get("cache_read_input_token_cost")
        return Price(cost_in * 1e6, cost_out * 1e6, None if cached is None else cached * 1e6, _batch_factor(entry))
    return None


def _batch_factor(entry: Mapping[str, Any]) -> float | None:
    """Return what a batch costs against single calls, None when the table has not both prices or they differ."""
    factors = []
    for side in ("input", "output"):
        single, batch = entry.get(f"{side}_cost_per_token"), entry.get(f"{side}_cost_per_token_batches")
        if single and batch is not None:
            factors.append(round(batch / single, 6))
    return factors[0] if factors and min(factors) == max(factors) else None
