"""Every setting stands in the reference."""

from pathlib import Path

from workspace_memory.settings import Settings

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "settings.md"


def test_every_setting_is_documented() -> None:
    text = REFERENCE.read_text()
    missing = [name for name in Settings.model_fields if f"`WORKSPACE_MEMORY_{name.upper()}`" not in text]
    assert missing == []
