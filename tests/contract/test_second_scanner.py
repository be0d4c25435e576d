"""The second scanner is asked on every write path after the own patterns, and is refused, missed and slow in order."""

import logging
from dataclasses import dataclass, field, replace

import pytest
from tests.conftest import World, a_draft
from tests.contract.test_screening import WRITES
from tests.refusal_cases.random_words import ALPHANUMERIC, LOWER, Words

from workspace_memory.cli.opening import check_scanner, open_own_folder
from workspace_memory.cli.target import load_settings
from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.errors import SecretRefused
from workspace_memory.domain.exchange_records import Batch, Record
from workspace_memory.domain.item import Kind, Scope
from workspace_memory.domain.secret_scanner import ScannerChoice, SecretFound
from workspace_memory.services.reviewing import Decision, approve_item, reject_item
from workspace_memory.services.saving import save_item
from workspace_memory.services.screening import warm_up
from workspace_memory.services.secret_scanner_extra import SecretScannerExtra
from workspace_memory.services.transfer import import_items

# A word that the own patterns let pass.
MARK = "quaggaxylophon"


@dataclass
class FakeScanner:
    """Finds one word, or gives no answer in time; keeps what it was asked."""

    slow: bool = False
    asked: list[str] = field(default_factory=list[str])

    def find_secret(self, text: str) -> SecretFound | None:
        self.asked.append(text)
        if self.slow:
            raise TimeoutError(text)
        before, found, _ = text.partition(MARK)
        return SecretFound("known_maker", before.count("\n") + 1) if found else None


def with_scanner(world: World, scanner: FakeScanner | SecretScannerExtra) -> World:
    return replace(world, deps=replace(world.deps, secret_scanner=scanner))


@pytest.fixture
def scanner() -> FakeScanner:
    return FakeScanner()


@pytest.fixture
def team(world: World, scanner: FakeScanner) -> World:
    world.set_level(world.carol, AccessLevel.CONTRIBUTE)
    return with_scanner(world, scanner)


@pytest.mark.requirement("items:refusal:common-key-formats")
@pytest.mark.parametrize("way", WRITES)
def test_what_it_finds_is_refused_on_every_way_in(team: World, way: str) -> None:
    with pytest.raises(SecretRefused) as refused:
        WRITES[way](team, f"the deploy key is {MARK}")
    assert refused.value.rule == "known_maker"
    assert MARK not in f"{refused.value}{refused.value.facts()}"


def test_the_line_and_the_tag_are_told(team: World) -> None:
    bob = team.client(team.bob)
    with pytest.raises(SecretRefused) as refused:
        team.save(bob, f"one\ntwo {MARK}")
    assert refused.value.where == "content, line 2"
    with pytest.raises(SecretRefused) as refused:
        team.save(bob, "likes tea", tags=("tea", MARK))
    assert refused.value.where == "tag 2"


def test_a_word_cut_by_hidden_characters_is_shown_to_it_whole(team: World) -> None:
    with pytest.raises(SecretRefused):
        team.save(team.client(team.bob), f"key {MARK[:5]}\u200b{MARK[5:]}")


def test_it_is_not_asked_about_what_the_own_patterns_refuse(team: World, scanner: FakeScanner) -> None:
    with pytest.raises(SecretRefused) as refused:
        team.save(team.client(team.bob), f"{MARK} ghp_{Words(4).of(ALPHANUMERIC, 36)}")
    assert (refused.value.rule, scanner.asked) == ("github_token", [])


def test_without_it_the_own_patterns_decide_alone(world: World) -> None:
    assert world.save(world.client(world.bob), MARK).item.content == MARK


def test_a_proposal_from_before_it_was_turned_on_is_not_approved(world: World) -> None:
    world.set_level(world.carol, AccessLevel.CONTRIBUTE)
    item = world.save(world.client(world.carol), MARK, scope=Scope.ORGANIZATION).item
    team = with_scanner(world, FakeScanner())
    with pytest.raises(SecretRefused):
        approve_item(team.deps, team.by_hand(team.bob), team.workspace, Decision(item.id, item.version))


def test_the_reason_of_a_rejection_is_shown_to_it(team: World) -> None:
    item = team.save(team.client(team.carol), "likes tea", scope=Scope.ORGANIZATION).item
    decision = Decision(item.id, item.version)
    with pytest.raises(SecretRefused):
        reject_item(team.deps, team.by_hand(team.bob), team.workspace, decision, reason=MARK)


def test_an_import_counts_what_it_finds_as_a_problem(team: World) -> None:
    batch = Batch((Record("notes.md, line 1", MARK, Kind.NOTE, ()),))
    imported = import_items(team.deps, team.by_hand(team.bob), team.workspace, batch)
    assert (imported.new, len(imported.problems)) == (0, 1)


def test_a_text_that_takes_it_too_long_passes_and_stays_out_of_the_log(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    slow = with_scanner(world, FakeScanner(slow=True))
    with caplog.at_level(logging.DEBUG, logger="workspace_memory"):
        saved = save_item(slow.deps, slow.client(slow.bob), slow.workspace, a_draft(MARK))
    assert saved.item.content == MARK
    assert [record.message.split(":")[0] for record in caplog.records] == ["secret_scan_timeout"]
    assert MARK not in caplog.text


def test_warming_up_makes_it_ready(team: World, scanner: FakeScanner) -> None:
    warm_up(team.deps)
    assert scanner.asked


def test_it_is_opened_only_when_the_setting_asks_for_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("own")
    services = open_own_folder(load_settings(data=folder), folder)
    try:
        assert services.deps.secret_scanner is None
    finally:
        services.close()


# --- The real one ----------------------------------------------------------------------------------------------


@pytest.fixture
def installed() -> None:
    pytest.importorskip("kingfisher_sdk", reason="the extra kingfisher is not installed")


@pytest.mark.usefixtures("installed")
def test_the_extra_refuses_a_makers_token_that_the_own_patterns_do_not_know(world: World) -> None:
    text = f"parcels go with EZTK{Words(5).of(LOWER, 54)}"
    assert world.save(world.client(world.bob), text).item.content == text
    real = with_scanner(world, SecretScannerExtra())
    with pytest.raises(SecretRefused) as refused:
        real.save(real.client(real.bob), f"line one\n{text}")
    assert (refused.value.rule, refused.value.where) == ("known_maker", "content, line 2")


@pytest.mark.usefixtures("installed")
def test_the_extra_names_the_line_and_never_the_value() -> None:
    token = "ghp_" + Words(6).of(ALPHANUMERIC, 36)
    found = SecretScannerExtra().find_secret(f"Grüße\nkey {token}\nend")
    assert found == SecretFound("known_maker", 2)
    assert token not in repr(found)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    "text", ["amqp://guest:guest@localhost:5672/", "postgres://user:password@localhost/test"]
)
def test_the_stand_ins_of_manuals_pass_the_extra(text: str) -> None:
    assert SecretScannerExtra().find_secret(text) is None


@pytest.mark.usefixtures("installed")
def test_a_password_in_an_address_is_found_by_the_extra() -> None:
    assert (
        SecretScannerExtra().find_secret(f"mongodb://bob:{Words(7).of(LOWER, 9)}K7@db.example.org/x")
        is not None
    )


@pytest.mark.usefixtures("installed")
def test_the_setting_opens_the_extra(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("extra")
    settings = load_settings(data=folder, secret_scanner=ScannerChoice.KINGFISHER)
    check_scanner(settings)
    services = open_own_folder(settings, folder)
    try:
        assert isinstance(services.deps.secret_scanner, SecretScannerExtra)
    finally:
        services.close()
