"""The shapes of the REST interface for the web application: `python -m tests.architecture.web_types`.

Writes `frontend/src/lib/api/schema.d.ts` with the generator that stands in `frontend/package.json`. Only the schemas,
without examples: what a route takes and answers is stated where the application calls it.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from workspace_memory.api.application import build_api
from workspace_memory.api.openapi import openapi_document
from workspace_memory.settings import Settings

FRONTEND = Path(__file__).parents[2] / "frontend"
WRITTEN = FRONTEND / "src/lib/api/schema.d.ts"


def schemas() -> str:
    """The OpenAPI document that the generator reads."""

    def never(*_: object) -> Any:
        raise AssertionError("nothing is carried out here")

    document = openapi_document(build_api(never, Settings()))
    kept = {name: _bare(schema) for name, schema in document["components"]["schemas"].items()}
    return json.dumps(
        {key: document[key] for key in ("openapi", "info")} | {"paths": {}, "components": {"schemas": kept}}
    )


def _bare(schema: Any) -> Any:
    """A schema without titles and examples, which tell a type nothing."""
    if isinstance(schema, list):
        return [_bare(part) for part in schema]  # pyright: ignore[reportUnknownVariableType]  JSON
    if not isinstance(schema, dict):
        return schema
    bare = {key: _bare(part) for key, part in schema.items() if key not in {"examples", "example"}}  # pyright: ignore[reportUnknownVariableType]  JSON
    if isinstance(bare.get("title"), str):
        del bare["title"]
    return bare  # pyright: ignore[reportUnknownVariableType]  JSON


if __name__ == "__main__":
    done = subprocess.run(
        ["npm", "run", "--silent", "types"], cwd=FRONTEND, input=schemas().encode(), check=False
    )
    sys.exit(done.returncode)
