"""Answers as bytes, made in the route's own thread.

A route returns a finished response: handed a model, the framework would validate it once more, in another thread.
The model is declared as `response_model` for the document; tests/e2e/test_rest_fuzz.py holds the two together.
"""

from collections.abc import Mapping

from fastapi import Response
from pydantic import BaseModel


def answer(body: BaseModel, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer."""
    return Response(body.model_dump_json().encode(), status, headers, "application/json")


def no_content() -> Response:
    """The answer to what leaves nothing to say."""
    return Response(status_code=204)
