"""The state of memory, its settings, and members' access to it, as JSON."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from workspace_memory.api.schemas.common import EXAMPLE_ID, Answer, Arguments, Text, with_example
from workspace_memory.api.schemas.people import MEMBER_EXAMPLE, MemberOut, member_out
from workspace_memory.domain.access import AccessLevel, Role
from workspace_memory.domain.account import ASSISTANT_TOKENS_MAX, WorkspaceSettings
from workspace_memory.domain.errors import InvalidRequest
from workspace_memory.domain.ids import UserId
from workspace_memory.domain.item import WriteMode
from workspace_memory.services.erasing import Erased
from workspace_memory.services.members import ACCESS_CHANGES_MAX, AccessChange, AccessChanged


class MemoryCountsOut(Answer):
    """How many items the caller sees."""

    personal: int = Field(description="The caller's own, whatever their status.")
    personal_active: int
    company_active: int
    company_pending: int = Field(description="All for curators, else the caller's own proposals.")
    to_review: int = Field(description="What the caller decides about: own held items too.")
    to_confirm: int = Field(description="Items whose review date has come, which the caller may confirm.")


class MemoryLimitsOut(Answer):
    """The bounds that hold for every save."""

    content_characters: int
    tags: int
    tag_characters: int
    personal_items: int = Field(description="Of one member in one workspace.")
    workspace_items: int
    bulk_items: int


class MemoryStatusOut(Answer):
    """What memory is to the caller here, at this moment."""

    model_config = with_example(
        {
            "role": "editor",
            "licensed": True,
            "level": "personal",
            "default_access": "personal",
            "write_mode": "approval",
            "counts": {
                "personal": 12,
                "personal_active": 11,
                "company_active": 40,
                "company_pending": 2,
                "to_review": 3,
                "to_confirm": 1,
            },
            "limits": {
                "content_characters": 2000,
                "tags": 10,
                "tag_characters": 50,
                "personal_items": 1000,
                "workspace_items": 20000,
                "bulk_items": 500,
            },
        }
    )

    role: Role
    licensed: bool = Field(
        description="Whether memory may be used here; without a licence the level is none."
    )
    level: AccessLevel = Field(description="What an AI client with this credential could do.")
    default_access: AccessLevel
    write_mode: WriteMode
    counts: MemoryCountsOut
    limits: MemoryLimitsOut


class SettingsOut(Answer):
    """What holds for all members."""

    model_config = with_example(
        {"default_access": "personal", "write_mode": "approval", "assistant_tokens_per_day": 2_000_000}
    )

    default_access: AccessLevel = Field(description="What the AI clients of members who inherit may do.")
    write_mode: WriteMode = Field(
        description="Whether company items that AI clients save wait for approval, or are active at once (auto)."
    )
    assistant_tokens_per_day: int = Field(
        description="How many tokens the Assistant may use from midnight to midnight in UTC; 0 for no limit."
    )


class SettingsChangeIn(Arguments):
    """What to set; what is left out stays."""

    model_config = with_example({"write_mode": "auto"})

    default_access: AccessLevel | None = Field(
        default=None, description="none, read, personal or contribute."
    )
    write_mode: WriteMode | None = Field(default=None, description="approval or auto.")
    assistant_tokens_per_day: int | None = Field(
        default=None, ge=0, le=ASSISTANT_TOKENS_MAX, description="0 for no limit."
    )

    @model_validator(mode="after")
    def _sets_something(self) -> Self:
        if self.default_access is None and self.write_mode is None and self.assistant_tokens_per_day is None:
            raise ValueError("must set default_access, write_mode or assistant_tokens_per_day")
        return self


class AccessChangeIn(Arguments):
    """The level that a member is to have."""

    user_id: Annotated[Text, Field(max_length=100, examples=[EXAMPLE_ID])]
    memory_access: AccessLevel = Field(description="inherit takes the workspace's default.")


class AccessChangesIn(Arguments):
    """Levels of many members, set in one transaction."""

    model_config = with_example({"members": [{"user_id": EXAMPLE_ID, "memory_access": "contribute"}]})

    members: list[AccessChangeIn] = Field(
        description=f"At most {ACCESS_CHANGES_MAX}, each once.",
        json_schema_extra={"maxItems": ACCESS_CHANGES_MAX},
    )

    def to_changes(self) -> list[AccessChange]:
        """The changes. Raises: InvalidRequest for none; the service counts the rest."""
        if not self.members:
            raise InvalidRequest("members", "must name at least one member")
        return [AccessChange(UserId(each.user_id), each.memory_access) for each in self.members]


class AccessChangedOut(Answer):
    """The members as they are now, in the order of the request."""

    model_config = with_example({"members": [MEMBER_EXAMPLE], "changed": 1})

    members: list[MemberOut]
    changed: int = Field(description="How many had another level before.")


class ErasedOut(Answer):
    """How much was erased, and nothing of what it said."""

    model_config = with_example({"personal_items": 12, "remains": ""})

    personal_items: int = Field(description="How many personal items were deleted.")
    remains: str = Field(description="Where their text is still kept for a while; empty for nowhere.")


def settings_out(settings: WorkspaceSettings) -> SettingsOut:
    """Settings for an answer."""
    return SettingsOut(
        default_access=settings.default_access,
        write_mode=settings.write_mode,
        assistant_tokens_per_day=settings.assistant_tokens_per_day,
    )


def access_changed_out(changed: AccessChanged) -> AccessChangedOut:
    """Changed levels for an answer."""
    return AccessChangedOut(members=[member_out(each) for each in changed.members], changed=changed.changed)


def erased_out(erased: Erased) -> ErasedOut:
    """A count for an answer."""
    return ErasedOut(personal_items=erased.personal_items, remains=erased.remains)
