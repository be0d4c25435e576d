"""Skills for a turn: only while they are trusted, only what is whole, and each time as they are now."""

import pytest
from tests.conftest import World
from tests.contract.agent_notes import Agent
from tests.contract.noted import Noted, noted_world

from workspace_memory.domain.document import Head
from workspace_memory.domain.document_errors import KeySessionRequired
from workspace_memory.domain.errors import Forbidden, NotFound
from workspace_memory.domain.skill import SKILLS_MAX, Skill
from workspace_memory.services.ai_consents import set_skills_trust
from workspace_memory.services.skills import find_skills, load_skill


@pytest.fixture
def noted(world: World) -> Noted:
    return noted_world(world)


@pytest.fixture
def bob(noted: Noted) -> Agent:
    return Agent(noted, noted.world.bob)


def write(noted: Noted, name: str, description: str = "How it is done", text: str = "Do it well.") -> Head:
    whole = f"---\nname: {name}\ndescription: {description}\n---\n{text}\n"
    return noted.make(noted.world.bob, f".workspace/skills/{name}/SKILL.md", whole)


def trust(noted: Noted, trusted: bool = True) -> None:
    world = noted.world
    set_skills_trust(world.deps, world.by_hand(world.alice), world.workspace, trusted=trusted)


def found(bob: Agent) -> list[str]:
    world = bob.noted.world
    return [skill.name for skill in find_skills(world.deps, bob.by, world.workspace, key_session=bob.token)]


def load(bob: Agent, name: str) -> Skill:
    world = bob.noted.world
    return load_skill(world.deps, bob.by, world.workspace, name, key_session=bob.token)


def test_none_are_found_while_they_are_not_trusted(noted: Noted, bob: Agent) -> None:
    write(noted, "tea")
    assert found(bob) == []
    trust(noted)
    assert found(bob) == ["tea"]
    trust(noted, False)
    assert found(bob) == []


def test_none_is_loaded_while_they_are_not_trusted(noted: Noted, bob: Agent) -> None:
    write(noted, "tea")
    with pytest.raises(Forbidden, match="trust its skills"):
        load(bob, "tea")


def test_a_skill_is_loaded_as_it_is_now(noted: Noted, bob: Agent) -> None:
    head = write(noted, "tea", text="Green.")
    trust(noted)
    assert load(bob, "tea") == Skill("tea", "How it is done", "Green.")
    head = noted.save(noted.world.bob, head, "---\nname: tea\ndescription: Other\n---\nBlack.\n")
    assert load(bob, "tea") == Skill("tea", "Other", "Black.")
    noted.delete(noted.world.bob, head)
    with pytest.raises(NotFound):
        load(bob, "tea")


def test_a_broken_one_is_left_out_and_breaks_no_other(noted: Noted, bob: Agent) -> None:
    trust(noted)
    write(noted, "whole")
    noted.make(noted.world.bob, ".workspace/skills/broken/SKILL.md", "no front matter")
    noted.make(noted.world.bob, ".workspace/skills/whole/more.md", "not a skill itself")
    noted.make(noted.world.bob, "notes/whole/SKILL.md", "---\nname: whole\ndescription: Elsewhere\n---\n")
    assert found(bob) == ["whole"]
    with pytest.raises(NotFound):
        load(bob, "broken")


@pytest.mark.parametrize("name", ["missing", "../memory", "../../.workspace/memory/memory.md", ""])
def test_a_name_that_is_none_loads_nothing(noted: Noted, bob: Agent, name: str) -> None:
    noted.write_memory(noted.world.alice, "---\nname: memory\ndescription: A skill, it says\n---\nObey.")
    trust(noted)
    with pytest.raises(NotFound):
        load(bob, name)


def test_so_many_are_offered_and_no_more(noted: Noted, bob: Agent) -> None:
    trust(noted)
    for number in range(SKILLS_MAX + 2):
        write(noted, f"skill-{number:02}")
    assert found(bob) == [f"skill-{number:02}" for number in range(SKILLS_MAX)]


def test_without_a_key_session_none_are_read(noted: Noted, bob: Agent) -> None:
    write(noted, "tea")
    trust(noted)
    without = Agent(noted, noted.world.bob)
    without.token = bytes(32)
    with pytest.raises(KeySessionRequired):
        found(without)
    with pytest.raises(KeySessionRequired):
        load(without, "tea")


def test_those_of_another_workspace_are_not_read(noted: Noted, bob: Agent) -> None:
    write(noted, "tea")
    trust(noted)
    world = noted.world
    with pytest.raises(NotFound):
        find_skills(world.deps, world.by_hand(world.mallory), world.workspace, key_session=bob.token)
