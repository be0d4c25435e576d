"""Random strings, made when a test runs: no secret, real or invented, stands in the repository."""

import base64
import json
import random
import string
from collections.abc import Sequence

ALPHANUMERIC = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
URL_SAFE = ALPHANUMERIC + "-_"
CAPITALS = string.ascii_uppercase + string.digits
LOWER = string.ascii_lowercase + string.digits
BASE64 = ALPHANUMERIC + "+/"
SIGNS = "!#$%&*+?@^=~"


class Words:
    """A source of random words that repeats itself for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 -- cases, not keys

    def of(self, alphabet: str, length: int) -> str:
        """A word of so many random characters."""
        return "".join(self.random.choice(alphabet) for _ in range(length))

    def one(self, things: Sequence[str]) -> str:
        """One of the things."""
        return self.random.choice(things)

    def uuid(self) -> str:
        """A random UUID."""
        return "-".join(self.of(HEX, length) for length in (8, 4, 4, 4, 12))

    def token(self, length: int = 28) -> str:
        """A word as programs make them."""
        return self.of(ALPHANUMERIC, length)

    def password(self) -> str:
        """A password as people or password managers make them."""
        match self.random.randrange(6):
            case 0:
                word = self.one(
                    ("Sommer", "Kaffee", "Napoli", "Tiger", "Montag", "Sakura", "Lyon", "Madrid", "Winter")
                )
                return f"{word}{self.random.randrange(1950, 2030)}{self.one(SIGNS)}"
            case 1:
                first, second = (
                    self.one(("Blau", "Cane", "Perro", "Chat", "Moon")),
                    self.one(("Haus", "Gatto", "Sol")),
                )
                return f"{first}{self.one('#-_.!')}{second}{self.random.randrange(10, 99)}"
            case 2:
                return (
                    self.of(ALPHANUMERIC, 5)
                    + self.one(SIGNS)
                    + self.of(string.digits, 2)
                    + self.of(ALPHANUMERIC, 3)
                )
            case 3:
                words = (
                    "apple",
                    "river",
                    "stone",
                    "cloud",
                    "tiger",
                    "piano",
                    "lemon",
                    "storm",
                    "violet",
                    "copper",
                )
                return "-".join(self.random.sample(words, 4))
            case 4:
                return self.one("kvxbz") + self.of(string.ascii_lowercase, 5) + self.of(string.digits, 2)
            case _:
                return (
                    self.of(string.ascii_uppercase, 1) + self.of(LOWER, 6) + self.of(string.digits, 2) + "!"
                )

    def jwt(self) -> str:
        """A signed token with a random signature."""
        parts = [
            {"alg": "HS256", "typ": "JWT"},
            {"sub": self.token(8), "iat": self.random.randrange(10**9, 2 * 10**9)},
        ]
        coded = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
        return ".".join([*coded, self.of(URL_SAFE, 43)])

    def base64_lines(self, characters: int) -> str:
        """Random base64 in lines of 64."""
        body = self.of(BASE64, characters)
        return "\n".join(body[start : start + 64] for start in range(0, characters, 64))
