"""AI clients as administrators see them, and undoing what one wrote, as JSON."""

from pydantic import Field, StrictBool

from workspace_memory.api.schemas.common import (
    EXAMPLE_ID,
    EXAMPLE_TIME,
    Answer,
    Arguments,
    UtcTime,
    with_example,
)
from workspace_memory.api.schemas.workspaces import TOKEN_EXAMPLE, TokenOut, token_out
from workspace_memory.domain.ids import UserId
from workspace_memory.services.clients import Client, Removal


class ClientOut(Answer):
    """A member's token."""

    user_id: UserId
    user_name: str
    token: TokenOut
    company_items: int = Field(
        description="How many company items it saved; personal ones are its owner's alone to count."
    )


class ClientsOut(Answer):
    """Every member's tokens, by member, the newest first."""

    model_config = with_example(
        {"clients": [{"user_id": EXAMPLE_ID, "user_name": "bob", "token": TOKEN_EXAMPLE, "company_items": 3}]}
    )

    clients: list[ClientOut]


class RemovalIn(Arguments):
    """What is to be undone."""

    model_config = with_example({"since": EXAMPLE_TIME, "dry_run": True})

    since: UtcTime = Field(description="From this time on, with its zone.")
    dry_run: StrictBool = Field(default=True, description="Only count; false removes.")


class RemovalOut(Answer):
    """What was, or in a dry run would be, removed and put back to the version before."""

    model_config = with_example(
        {
            "dry_run": True,
            "company_removed": 3,
            "company_put_back": 1,
            "personal_removed": None,
            "personal_put_back": None,
            "more": False,
            "remains": "",
        }
    )

    dry_run: bool
    company_removed: int
    company_put_back: int
    personal_removed: int | None = Field(description="Null in a dry run for another member's token.")
    personal_put_back: int | None
    more: bool = Field(description="There was too much for one call: call again.")
    remains: str = Field(description="Where deleted text is still kept for a while; empty for nowhere.")


def client_out(client: Client) -> ClientOut:
    """A client for an answer."""
    return ClientOut(
        user_id=client.user,
        user_name=client.user_name,
        token=token_out(client.token),
        company_items=client.company_items,
    )


def removal_out(removal: Removal, *, dry_run: bool) -> RemovalOut:
    """A removal for an answer."""
    return RemovalOut(
        dry_run=dry_run,
        company_removed=removal.company_removed,
        company_put_back=removal.company_put_back,
        personal_removed=removal.personal_removed,
        personal_put_back=removal.personal_put_back,
        more=removal.more,
        remains=removal.remains,
    )
