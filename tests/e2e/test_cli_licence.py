"""Licence keys from the command line: an issuer makes them, an installation keeps them."""

import json
from pathlib import Path

import pytest
from tests.e2e.command_line import run, sentence, set_up, succeed

from workspace_memory.cli.opening import open_own_folder
from workspace_memory.cli.target import load_settings

ENTERPRISE = ("--plan", "enterprise", "--holder", "Tea shop", "--expires", "2099-01-01")


@pytest.fixture
def issuer(tmp_path: Path) -> tuple[Path, str]:
    """The file of an issuer's private key, and the public key."""
    file = tmp_path / "issuer.key"
    return file, succeed("licence", "new-issuer", "--private-key-file", file)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that alice has set up."""
    set_up(tmp_path / "memory")
    return tmp_path / "memory"


def sign(file: Path, *words: object) -> str:
    return succeed("licence", "sign", *words, "--private-key-file", file)


def test_the_private_key_is_in_its_file_alone(tmp_path: Path) -> None:
    file = tmp_path / "issuer.key"
    ended = run("licence", "new-issuer", "--private-key-file", file)
    private = file.read_text().strip()
    assert private not in ended.out + ended.err
    assert file.stat().st_mode & 0o077 == 0


def test_an_issuers_key_is_never_overwritten(issuer: tuple[Path, str]) -> None:
    file, _ = issuer
    kept = file.read_text()
    assert "exists already" in sentence(run("licence", "new-issuer", "--private-key-file", file))
    assert file.read_text() == kept


def test_a_signed_key_says_what_was_signed(issuer: tuple[Path, str]) -> None:
    file, public = issuer
    key = sign(file, *ENTERPRISE, "--subject", "instance")
    found = json.loads(succeed("licence", "inspect", key, "--public-key", public, "--json"))
    assert (found["plan"], found["subject"], found["holder"]) == ("enterprise", "instance", "Tea shop")
    assert found["active"] is True
    assert found["expires_at"] == "2099-01-01T00:00:00Z"


def test_a_key_of_another_issuer_is_refused(issuer: tuple[Path, str], tmp_path: Path) -> None:
    key = sign(issuer[0], *ENTERPRISE, "--subject", "instance")
    other = succeed("licence", "new-issuer", "--private-key-file", tmp_path / "other.key")
    assert "was not signed" in sentence(run("licence", "inspect", key, "--public-key", other))


def test_inspecting_needs_the_issuers_public_key(issuer: tuple[Path, str]) -> None:
    ended = run("licence", "inspect", sign(issuer[0], *ENTERPRISE, "--subject", "instance"))
    assert (ended.code, ended.out) == (2, "")
    assert "--public-key" in ended.err


def test_an_expired_key_is_said_to_be_expired(issuer: tuple[Path, str]) -> None:
    file, public = issuer
    old = (
        "--plan",
        "enterprise",
        "--holder",
        "Tea shop",
        "--issued",
        "2020-01-01",
        "--expires",
        "2020-02-01",
    )
    key = sign(file, *old, "--subject", "instance")
    assert "(expired)" in succeed("licence", "inspect", key, "--public-key", public)


def test_a_key_of_a_plan_without_memory_says_why_memory_stays_off(
    issuer: tuple[Path, str], folder: Path
) -> None:
    env = {
        "WORKSPACE_MEMORY_LICENSING": "self_hosted",
        "WORKSPACE_MEMORY_LICENCE_PUBLIC_KEY": issuer[1],
        "WORKSPACE_MEMORY_DATA": str(folder),
    }
    team = ("--plan", "team", "--holder", "Tea shop", "--expires", "2099-01-01")
    ended = run("licence", "install", sign(issuer[0], *team, "--subject", "instance"), env=env)
    assert "The plan team does not include memory" in ended.err


def test_licensing_without_an_issuer_names_the_setting(folder: Path) -> None:
    env = {"WORKSPACE_MEMORY_LICENSING": "cloud", "WORKSPACE_MEMORY_DATA": str(folder)}
    assert "WORKSPACE_MEMORY_LICENCE_PUBLIC_KEY" in sentence(run("items", "list", env=env))


def test_what_is_no_private_key_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "issuer.key"
    file.write_text("a secret of another kind")
    file.chmod(0o600)
    ended = run("licence", "sign", *ENTERPRISE, "--subject", "instance", "--private-key-file", file)
    assert "private key" in sentence(ended)
    assert "a secret of another kind" not in ended.err


def test_a_subject_that_is_neither_workspace_nor_instance_is_wrong_usage(issuer: tuple[Path, str]) -> None:
    ended = run("licence", "sign", *ENTERPRISE, "--subject", "Tea", "--private-key-file", issuer[0])
    assert ended.code == 2


def test_memory_is_off_until_a_licence_is_installed(issuer: tuple[Path, str], folder: Path) -> None:
    file, public = issuer
    env = {
        "WORKSPACE_MEMORY_LICENSING": "self_hosted",
        "WORKSPACE_MEMORY_LICENCE_PUBLIC_KEY": public,
        "WORKSPACE_MEMORY_DATA": str(folder),
    }
    assert run("items", "list", env=env).code == 1
    [workspace] = json.loads(succeed("workspace", "list", "--json", env=env))
    key = sign(file, *ENTERPRISE, "--subject", workspace["id"])
    state = json.loads(succeed("licence", "install", "-", "--json", stdin=key + "\n", env=env))
    assert state["memory"] is True
    assert run("items", "list", env=env).code == 0
    succeed("licence", "remove", env=env)
    assert run("items", "list", env=env).code == 1


def test_serve_and_mcp_open_with_the_licensing_and_rates_of_the_settings(
    monkeypatch: pytest.MonkeyPatch, issuer: tuple[Path, str], folder: Path
) -> None:
    monkeypatch.setenv("WORKSPACE_MEMORY_LICENSING", "cloud")
    monkeypatch.setenv("WORKSPACE_MEMORY_LICENCE_PUBLIC_KEY", issuer[1])
    monkeypatch.setenv("WORKSPACE_MEMORY_RATE_SAVES", "7")
    services = open_own_folder(load_settings(data=folder), folder)
    try:
        assert services.deps.licensing.mode == "cloud"
        assert services.deps.licensing.public_key == issuer[1]
        assert services.deps.rates.saves == 7
    finally:
        services.close()
