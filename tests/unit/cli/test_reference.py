"""docs/reference/cli.md says what the commands say."""

from pathlib import Path

from tests.unit.cli.reference import reference

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "cli.md"


def test_the_reference_lists_every_command_and_option() -> None:
    assert PAGE.read_text() == reference(), (
        "write it anew: python -m tests.unit.cli.reference > docs/reference/cli.md"
    )
