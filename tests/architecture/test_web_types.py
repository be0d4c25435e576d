"""The web application's types are those of the REST interface as it is."""

from pathlib import Path

from tests.architecture.web_types import WRITTEN, generate


def test_the_types_of_the_web_application_are_those_of_the_interface(tmp_path: Path) -> None:
    generate(str(tmp_path / "schema.d.ts"))
    made = (tmp_path / "schema.d.ts").read_text()
    assert made == WRITTEN.read_text(), "python -m tests.architecture.web_types writes them anew"
