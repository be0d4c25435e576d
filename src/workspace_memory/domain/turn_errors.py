"""What keeps a turn of the Assistant from beginning: a branch of the tree in `errors.py`.

    DomainError
    └── DailyLimitReached       the workspace has used its tokens of the day

`error_table.py` has its answer; `assistant_errors.py` has what goes wrong at the model.
"""

from dataclasses import dataclass
from typing import ClassVar

from workspace_memory.domain.errors import DomainError


@dataclass(eq=False)
class DailyLimitReached(DomainError):
    """The workspace has used up its tokens of the day. `retry_after` is in seconds, until midnight in UTC."""

    code: ClassVar[str] = "assistant_limit_reached"
    limit: int
    retry_after: int

    def message(self) -> str:
        """Say what the limit is and who may change it."""
        hours = -(-self.retry_after // 3600)
        return (
            f"This workspace has used its {self.limit:,} Assistant tokens of today (UTC). Nothing was sent to a model; "
            f"try again in {hours} {'hour' if hours == 1 else 'hours'}, or ask an admin to raise the limit."
        )
