"""Makes one small model call, and explains in plain words why a model does not answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import cast

from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRequestTimeout,
    UserError,
)
from pydantic_ai.messages import ModelRequest, ModelResponse
from pydantic_ai.models import Model, infer_model
from pydantic_ai.settings import ModelSettings

from agencyclaw.domain.errors import Misconfigured, Unavailable
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.secrets import redacted

_QUESTION = "Answer with the single word: ok"
_TIMEOUT_S = 20.0
# The minimum of OpenAI's Responses API.
_SETTINGS = ModelSettings(max_tokens=16)
_BAD_REQUESTS = frozenset({400, 413, 422})
_KNOWN_ERRORS = (ModelAuthenticationError, ModelNotFoundError, ModelQuotaExceededError)
_REASON_LIMIT = 200
_KEYS = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "google": "GOOGLE_API_KEY",
}


@dataclass(frozen=True)
class CallUsage:
    """The tokens of an answered call; the price is None if unknown."""

    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


async def call_model(name: str, *, variable: str = "AGENCYCLAW_MODEL") -> CallUsage:
    """Ask a model for one word; raises Misconfigured or Unavailable with the reason."""
    require_model(name, variable=variable)
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            response = await model_request(
                name, [ModelRequest.user_text_prompt(_QUESTION)], model_settings=_SETTINGS
            )
    except (AgentRunError, ModelAPIError, TimeoutError, UserError) as error:
        raise fault_of(error, name, variable=variable) from error
    usage = response.usage
    return CallUsage(usage.input_tokens, usage.output_tokens, _price_of(response))


def _price_of(response: ModelResponse) -> float | None:
    """Return what the provider says that a response cost, else its price; None if unknown."""
    cost = response.usage.cost
    try:
        return float(response.cost().total_price if cost is None else cost)
    except (LookupError, AssertionError, ValueError):
        return None


def key_variable(model: str) -> str:
    """Return the variable that holds the key of a model's provider; "" if we know of none."""
    return _KEYS.get(model.partition(":")[0].partition("-")[0], "")


def require_model(name: str, *, variable: str) -> None:
    """Raise Misconfigured unless the model's provider is known and its key is set."""
    try:
        infer_model(name)
    except (UserError, ImportError, ValueError) as error:
        raise _unusable(error, name, variable) from None


def fault_of(
    error: Exception, model: Model | str, *, variable: str = "AGENCYCLAW_MODEL"
) -> Unavailable:
    """Return why a model did not answer; Misconfigured if waiting would not help."""
    name = model if isinstance(model, str) else f"{model.system}:{model.model_name}"
    match error:
        case ModelAuthenticationError() | ModelHTTPError(status_code=401 | 403):
            return Misconfigured(
                f"The provider of {name} refuses our key{_status(error)}. Set {_key(name)} to a "
                "valid one that may use this model."
            )
        case ModelNotFoundError() | ModelHTTPError(status_code=404):
            return Misconfigured(
                f"The provider has no model {name}{_status(error)}. Set {variable} to one it has; "
                "if it has this one, correct the provider's address."
            )
        case ModelQuotaExceededError() | ModelHTTPError(status_code=402):
            return Misconfigured(
                f"The credit at the provider of {name} is used up{_status(error)}. Top it up, or "
                f"set {_key(name)} to the key of another account."
            )
        case UserError():
            return _unusable(error, name, variable)
        case ModelHTTPError() if reason := refused_words(error):
            return Misconfigured(
                f"The provider of {name} refuses what it is asked{_status(error)}: {reason}. Set "
                f"{variable} to a model that takes it; a request that is too long has to get "
                "shorter."
            )
        case ModelHTTPError():
            return Unavailable(f"The provider of {name} does not answer{_status(error)}.")
        case ModelConnectionError() | ModelRequestTimeout() | TimeoutError():
            return Unavailable(f"The provider of {name} can't be reached, or not in time.")
        case _:
            return Unavailable(f"The answer of {name} can't be read ({type(error).__name__}).")


def refused_words(error: Exception) -> str:
    """Return the provider's reason for refusing a request; "" for other errors."""
    if not isinstance(error, ModelHTTPError) or isinstance(error, _KNOWN_ERRORS):
        return ""
    if error.status_code not in _BAD_REQUESTS:
        return ""
    reason = _message_in(error.body) or f"HTTP {error.status_code}"
    return one_line(redacted(reason), _REASON_LIMIT).rstrip(".")


def _message_in(body: object) -> str:
    """Return the message in a provider's error body, in any of the usual formats."""
    if not isinstance(body, dict):
        return ""
    parts = cast("dict[str, object]", body)
    reason = parts.get("message")
    return reason if isinstance(reason, str) else _message_in(parts.get("error"))


def _unusable(error: Exception, name: str, variable: str) -> Misconfigured:
    why = str(error).partition(". ")[0].partition(" or pass it")[0].replace("`", "").rstrip(".")
    return Misconfigured(f"{variable} is {name}, and that can't be used: {why}.")


def _status(error: Exception) -> str:
    return f" (HTTP {error.status_code})" if isinstance(error, ModelHTTPError) else ""


def _key(name: str) -> str:
    return key_variable(name) or "the key of that provider"
