"""Skills within a turn: offered in the system text, loaded by a tool, both only while the workspace trusts them."""

import logging
from collections.abc import Mapping, Sequence
from typing import Final

from workspace_memory.assistant.authority import TurnAuthority
from workspace_memory.assistant.turn_tools import TurnAnswer, TurnTool
from workspace_memory.domain.errors import DomainError
from workspace_memory.domain.skill import Skill
from workspace_memory.error_table import row_for
from workspace_memory.services.skills import find_skills, load_skill
from workspace_memory.tools.answers import to_json
from workspace_memory.tools.failures import UNEXPECTED, place_of
from workspace_memory.tools.schemas import a_text, an_object

NAME: Final = "load_skill"

_logger = logging.getLogger(__name__)


async def offered_skills(authority: TurnAuthority) -> Sequence[Skill]:
    """The skills of the turn, asked once at its beginning. A turn goes on without them where they cannot be read."""
    try:
        return await authority.in_thread(find_skills, authority.workspace, key_session=authority.key_session)
    except DomainError as error:
        _logger.log(row_for(error).log_level, "no skills were offered: %s", error.code)
    except Exception as error:
        _logger.error("finding skills failed: %s at %s", type(error).__name__, place_of(error))
    return ()


def skills_text(skills: Sequence[Skill]) -> str:
    """What the system text says about them; empty for none."""
    if not skills:
        return ""
    lines = "\n".join(f"- {skill.name}: {skill.description}" for skill in skills)
    return (
        "Skills of this workspace say how something is done here. When one fits the task, load it with load_skill and "
        f"follow it as far as these rules allow:\n{lines}"
    )


def load_skill_tool(authority: TurnAuthority, skills: Sequence[Skill]) -> TurnTool:
    """The tool of one turn. Trust is asked anew at each load, and the text is that of then."""
    offered = {skill.name for skill in skills}

    async def run(arguments: Mapping[str, object]) -> TurnAnswer:
        name = arguments.get("name")
        if not isinstance(name, str) or name not in offered or len(arguments) != 1:
            return _refused("not_offered", "Give the name of one of the offered skills, and nothing else.")
        try:
            skill = await authority.in_thread(
                load_skill, authority.workspace, name, key_session=authority.key_session
            )
        except DomainError as error:
            return _refused(error.code, error.message())
        except Exception as error:
            _logger.error("%s failed: %s at %s", NAME, type(error).__name__, place_of(error))
            return _refused("unexpected", UNEXPECTED)
        return TurnAnswer(to_json({"name": skill.name, "text": skill.text}))

    takes = an_object({"name": a_text("The name of an offered skill.")}, required=["name"])
    return TurnTool(NAME, "Load the text of a skill that is offered in your instructions.", takes, run)


def _refused(code: str, hint: str) -> TurnAnswer:
    return TurnAnswer(to_json({"outcome": "refused", "code": code, "hint": hint}), refused=True)
