"""One request to a model behind an address, in each of the forms, and what its answer must hold."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragdebug.errors import AddressError, AddressNotFound, AnswerNotUnderstood
from ragdebug.model_files import well_formed
from ragdebug.model_files.text import estimated_tokens
from ragdebug.settings import RemoteModel
from ragdebug.web.client import JsonClient
from ragdebug.web.records import Address

LISTED = 8  # names of models in a message


def client_of(model: RemoteModel) -> JsonClient:
    """The client that asks a model's server."""
    return JsonClient(
        Address(
            name=f"The model {model.full_name}",
            key_env=model.key_env,
            key_header=model.key_header or "Authorization",
            key_scheme="" if model.key_header else "Bearer",
            timeout_s=model.timeout_s,
            requests_per_minute=model.requests_per_minute,
            tokens_per_minute=model.tokens_per_minute,
        )
    )


def vectors(
    client: JsonClient, model: RemoteModel, texts: Sequence[str]
) -> tuple[NDArray[np.float64], float]:
    """Vectors of some texts as the server gives them, shape (n, d), and seconds it took.

    Raises:
        AddressError: no usable answer.
    """
    body: dict[str, Any] = {"model": model.model, "input": [well_formed(t) for t in texts]}
    if model.dimensions:
        body["dimensions"] = model.dimensions
    value, elapsed_s = _asked(client, model, body, texts)
    items = _in_order(model, _list(model, value, "data"), len(texts), "vector")
    rows = [_vector(model, item.get("embedding")) for item in items]
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1:
        raise _not(model, f"its vectors have different lengths: {lengths[0]} and {lengths[-1]}")
    made = np.stack(rows)
    if not np.isfinite(made).all():
        raise _not(model, "a vector holds something that is no number")
    if not np.linalg.norm(made, axis=1).all():
        raise _not(model, "a vector is all zeros, for a text that is not empty")
    return made, elapsed_s


def scores(
    client: JsonClient, model: RemoteModel, query: str, texts: Sequence[str]
) -> tuple[NDArray[np.float64], float]:
    """Scores of some texts for a query, shape (n,), and seconds it took.

    Raises:
        AddressError: no usable answer.
    """
    query, some = well_formed(query), [well_formed(t) for t in texts]
    body: dict[str, Any] = {"query": query}
    if model.form == "tei":
        body |= {"texts": some, "truncate": True}
    else:
        most = "top_k" if model.form == "voyage" else "top_n"
        body |= {"model": model.model, "documents": some, most: len(some)}
    value, elapsed_s = _asked(client, model, body, [query, *texts])
    name = {"tei": "", "voyage": "data"}.get(model.form, "results")
    items = _in_order(model, _list(model, value, name), len(texts), "score")
    key = "score" if model.form == "tei" else "relevance_score"
    try:
        made = np.array([float(item[key]) for item in items], np.float64)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise _not(model, f"an item has no number under {key!r}") from None
    if not np.isfinite(made).all():
        raise _not(model, "a score is no number")
    return made, elapsed_s


def offered(client: JsonClient, model: RemoteModel) -> list[str]:
    """Names of the models that the server lists; none where it does not say."""
    try:
        value = JsonClient(replace(client.address, tries=1)).get(model.models_url).value
    except AddressError:
        return []
    items = value.get("data") or value.get("models") if isinstance(value, dict) else None
    if not isinstance(items, list):
        return []
    named = [x.get("id") or x.get("name") for x in items if isinstance(x, dict)]
    return [str(x) for x in named if x]


def _asked(
    client: JsonClient, model: RemoteModel, body: object, texts: Sequence[str]
) -> tuple[Any, float]:
    tokens = sum(map(estimated_tokens, texts)) if model.tokens_per_minute else 0
    try:
        answer = client.post(model.endpoint, body, tokens)
    except AddressNotFound as e:
        names, error = offered(client, model), e
    else:
        return answer.value, answer.elapsed_s
    if not names:
        raise error
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    raise AddressNotFound(
        error.message, hint=f"The server offers: {', '.join(names[:LISTED])}{more}."
    )


def _list(model: RemoteModel, value: Any, name: str) -> list[Any]:  # noqa: ANN401 - any JSON
    found = value.get(name) if name and isinstance(value, dict) else value
    if not isinstance(found, list):
        there = ", ".join(map(str, list(value)[:6])) if isinstance(value, dict) else ""
        wanted = f"no list under {name!r}" if name else "no list"
        raise _not(model, f"there is {wanted} in it" + (f", only: {there[:200]}" if there else ""))
    return found


def _in_order(model: RemoteModel, items: list[Any], n: int, what: str) -> list[dict[str, Any]]:
    """The items by their index; as they come where none has one."""
    if not all(isinstance(item, dict) for item in items):
        raise _not(model, f"a {what} is not where it should be")
    if len(items) != n:
        raise _not(model, f"{n} texts were sent, and {len(items)} {what}s came back")
    if all("index" not in item for item in items):
        return items
    by_index = {at: item for item in items if type(at := item.get("index")) is int}
    if sorted(by_index) != list(range(n)):
        raise _not(model, f"the numbers of its {what}s are not 0 to {n - 1}, each once")
    return [by_index[at] for at in range(n)]


def _vector(model: RemoteModel, value: Any) -> NDArray[np.float64]:  # noqa: ANN401 - any JSON
    try:
        if isinstance(value, str):  # base64 of little-endian float32
            made = np.frombuffer(base64.b64decode(value, validate=True), "<f4").astype(np.float64)
        else:
            made = np.asarray(value, np.float64)
    except (ValueError, TypeError, OverflowError, binascii.Error):
        made = np.zeros(0)
    if made.ndim != 1 or not len(made):
        raise _not(model, "a vector is no list of numbers")
    return made


def _not(model: RemoteModel, why: str) -> AnswerNotUnderstood:
    return AnswerNotUnderstood(
        f"The model {model.full_name}: the answer cannot be used: {why}.",
        hint="Check that the address, the form and the kind are those of this server.",
    )
