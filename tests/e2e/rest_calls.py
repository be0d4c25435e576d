"""Short ways to speak REST as one of the cast: `rest.by(bob).post("/memory/items", …)`."""

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import httpx2

from workspace_memory.domain.access import AccessLevel
from workspace_memory.domain.actor import Surface
from workspace_memory.domain.ids import UserId
from workspace_memory.services.accounts import make_password_reset_here, redeem_link

if TYPE_CHECKING:
    # The fixtures of conftest.py are built with this module, so that it cannot need them while it is read.
    from tests.e2e.conftest import Live

PASSWORD = "correct horse battery staple"
NOBODY = "019d2f6e-8c1a-7b42-9d3e-5f60718293a4"
"""An id that names nothing."""

Json = dict[str, object]


@dataclass
class Rest:
    """Clients of the live server that are closed together."""

    live: "Live"
    _open: list[httpx2.Client] = field(default_factory=list[httpx2.Client])
    # Shared, since each would load the machine's certificates anew.
    _transport: httpx2.HTTPTransport = field(default_factory=lambda: httpx2.HTTPTransport(verify=False))

    def by(
        self,
        user: UserId,
        *,
        max_level: AccessLevel = AccessLevel.CONTRIBUTE,
        surface: Surface = Surface.ALL,
    ) -> httpx2.Client:
        """A client with a fresh token of the user; paths begin below the cast's workspace."""
        token = self.live.token(user, max_level=max_level, surface=surface)
        return self.client(self.live.api_url, {"Authorization": f"Bearer {token}"})

    def nobody(self) -> httpx2.Client:
        """A client without a credential; paths begin below /api/v1."""
        return self.client(f"{self.live.url}/api/v1")

    def signed_in(self, email: str) -> httpx2.Client:
        """A client with a session; paths begin below /api/v1. Gives the account a password first."""
        self.give_password(email)
        client = self.nobody()
        answered = client.post("/sign-in", json={"email": email, "password": PASSWORD})
        assert answered.status_code == 200, answered.text
        client.headers["Sec-Fetch-Site"] = "same-origin"
        return client

    def give_password(self, email: str) -> None:
        """Set the account's password, as its owner would by a reset link."""
        deps = self.live.world.deps
        redeem_link(deps, make_password_reset_here(deps, email).secret, password=PASSWORD)

    def client(self, base: str, headers: dict[str, str] | None = None) -> httpx2.Client:
        """A client of any address."""
        made = httpx2.Client(base_url=base, headers=headers or {}, timeout=30, transport=self._transport)
        self._open.append(made)
        return made

    def close(self) -> None:
        """Close all of them."""
        for client in self._open:
            client.close()


def body_of(response: httpx2.Response) -> Json:
    """The JSON object of an answer."""
    return cast("Json", response.json())


def listed(response: httpx2.Response, name: str = "items") -> list[Json]:
    """A list within the JSON object of an answer."""
    assert response.status_code == 200, response.text
    return cast("list[Json]", body_of(response)[name])


def inner(response: httpx2.Response, name: str = "item") -> Json:
    """An object within the JSON object of an answer."""
    return cast("Json", body_of(response)[name])


def code_of(response: httpx2.Response) -> str:
    """The code of a problem; the media type and the status are checked on the way."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    found = body_of(response)
    assert found["status"] == response.status_code
    return cast("str", found["code"])


def refusal(response: httpx2.Response) -> tuple[int, str]:
    """Status and code of a refused request."""
    return response.status_code, code_of(response)


def save(client: httpx2.Client, content: str = "likes green tea", **more: object) -> Json:
    """Save an item and give it as it was answered."""
    answered = client.post("/memory/items", json={"content": content, **more})
    assert answered.status_code == 201, answered.text
    return inner(answered)


def as_json(text: str) -> dict[str, object]:
    """`content=` and `headers=` for a body that is sent as it stands."""
    return {"content": text.encode("utf-8", "surrogatepass"), "headers": {"Content-Type": "application/json"}}


def escaped(value: object) -> str:
    """JSON in ASCII, with half surrogates as escapes."""
    return json.dumps(value)
