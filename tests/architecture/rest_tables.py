"""The tables of routes in docs/reference/rest.md, made from the OpenAPI document.

    .venv/bin/python -m tests.architecture.rest_tables

writes them anew; test_rest_reference.py fails while they are old.
"""

from functools import partial
from pathlib import Path
from typing import Any, cast

from workspace_memory.api.application import build_api
from workspace_memory.api.error_docs import ALWAYS, WITH_CHANGE, WITH_CREDENTIAL
from workspace_memory.api.openapi import openapi_document
from workspace_memory.services.running import run
from workspace_memory.settings import Settings

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "rest.md"
_BEGIN, _END = "\n### ", "\n## One-time links\n"
_HEAD = "| Route | What it does | Errors of its own |\n| --- | --- | --- |\n"
_EVERYWHERE = {kind.code for kind in (*ALWAYS, *WITH_CREDENTIAL, *WITH_CHANGE)}


def the_document() -> dict[str, Any]:
    """The OpenAPI document of the product."""
    # No use case runs while the document is made, so that nothing needs a database.
    runner: Any = partial(run, cast("Any", None))
    return openapi_document(build_api(runner, Settings()))


def tables() -> str:
    """A table for each tag, in the order of the routes."""
    by_tag: dict[str, list[str]] = {}
    for path, methods in the_document()["paths"].items():
        for method, operation in methods.items():
            codes = {
                code
                for response in operation["responses"].values()
                for content in response.get("content", {}).values()
                for code in content.get("examples", {})
            }
            own = ", ".join(f"`{code}`" for code in sorted(codes - _EVERYWHERE))
            row = f"| `{method.upper()} {path}` | {operation['summary']} | {own} |\n"
            by_tag.setdefault(operation["tags"][0], []).append(row)
    return "\n".join(
        f"### {tag[0].upper()}{tag[1:]}\n\n{_HEAD}{''.join(rows)}" for tag, rows in by_tag.items()
    )


def page(text: str) -> str:
    """The page with its tables made anew."""
    return f"{text[: text.index(_BEGIN)]}\n{tables()}{text[text.index(_END) :]}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
