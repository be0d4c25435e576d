"""The shapes of the REST interface for the web application: `python -m tests.architecture.web_types`.

Writes `frontend/src/lib/api/schema.d.ts` with the generator that stands in `frontend/package.json`. Only the schemas,
without titles and examples: what a route takes and answers is stated where the application calls it.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

from tests.architecture.rest_tables import the_document

FRONTEND = Path(__file__).parents[2] / "frontend"
WRITTEN = FRONTEND / "src/lib/api/schema.d.ts"

_TELLS_A_TYPE_NOTHING = {"examples", "example"}


def schemas() -> str:
    """The OpenAPI document that the generator reads."""
    whole = the_document()
    kept = {name: _bare(schema) for name, schema in whole["components"]["schemas"].items()}
    return json.dumps(
        {"openapi": whole["openapi"], "info": whole["info"], "paths": {}, "components": {"schemas": kept}}
    )


def generate(output: str) -> None:
    """Write the types into a file, or to standard output as `-`. Raises CalledProcessError."""
    subprocess.run(
        [sys.executable, str(FRONTEND.parent / "hatch_build.py"), "types", "--", "--output", output],
        input=schemas().encode(),
        check=True,
    )


def _bare(schema: object) -> object:
    if isinstance(schema, list):
        return [_bare(part) for part in cast("list[object]", schema)]
    if not isinstance(schema, dict):
        return schema
    parts = cast("dict[str, Any]", schema)
    return {
        key: _bare(part)
        for key, part in parts.items()
        # A title is a text; a property that is called so is a schema.
        if key not in _TELLS_A_TYPE_NOTHING and not (key == "title" and isinstance(part, str))
    }


if __name__ == "__main__":
    generate(sys.argv[1] if len(sys.argv) > 1 else str(WRITTEN))
