"""One-time links and server addresses as texts."""

import pytest

from workspace_memory.domain.address import LinkParts, accept_command, link_url, server_url, split_link
from workspace_memory.domain.errors import LinkInvalid
from workspace_memory.domain.ids import ServerId


def test_a_link_comes_apart_into_what_it_was_made_of() -> None:
    link = link_url("https://memory.example.com/", "wm_lnk_x")
    assert link == "https://memory.example.com/accept#wm_lnk_x"
    assert split_link(f" {link}\n") == LinkParts("https://memory.example.com", "wm_lnk_x")


@pytest.mark.parametrize("text", ["", "wm_lnk_x", "https://x/accept#", "ftp://x/accept#y", "https://x/y#z"])
def test_what_is_no_link_is_refused(text: str) -> None:
    with pytest.raises(LinkInvalid):
        split_link(text)


def test_the_command_quotes_the_link() -> None:
    assert accept_command("http://h/accept#s") == "workspace-memory user accept 'http://h/accept#s'"


def test_a_servers_address_ends_with_its_id() -> None:
    assert server_url("https://memory.example.com/", ServerId("7")) == "https://memory.example.com/mcp/7"
