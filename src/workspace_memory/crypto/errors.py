"""What can go wrong with keys and seals, as one class per case that a caller can tell apart.

    CryptoError
    ├── SealBroken             a seal does not open: other key, other context or changed bytes
    │   └── WrongKey           … where somebody brought the key: passphrase, recovery key, session token
    ├── WeakParameters         the work for a passphrase is below the floor or above what a client would spend
    ├── RecoveryKeyMistyped    a written recovery key is not one: `reason` says what is wrong with it
    ├── GrantRefused           a grant or check value does not carry the signature of the pinned key
    ├── NotText                characters that UTF-8 cannot carry (lone surrogates)
    ├── KeySessionNotHeld      no key for this session, token, user and workspace (any more)
    ├── KeyStoreFull           the store of key sessions holds as many as it may
    ├── KeyStoreUnavailable    the store of key sessions does not answer
    └── KeyStoreUnsafe         the store of key sessions would write keys to a disk: `reason` says why

No message carries a key, a token, a passphrase or a text. Whoever translates an exception of a library into one
of these does so outside the `except` block, so that the original, which may hold text, is not attached to it.
"""

from enum import StrEnum


class CryptoError(Exception):
    """Base of all expected failures of this layer."""


class SealBroken(CryptoError):
    """A sealed value does not open. AES-GCM cannot say whether key, context or bytes are the wrong ones."""

    def __init__(self) -> None:
        super().__init__(
            "Cannot be opened: the key is another one, or what was sealed has been changed or moved."
        )


class WrongKey(SealBroken):
    """The passphrase, recovery key or session token that somebody brought does not open what it should."""

    def __str__(self) -> str:
        """The same for every kind of key."""
        return "The key does not fit. Check the passphrase or recovery key; if it is right, the keys were changed."


class WeakParameters(CryptoError):
    """Parameters of Argon2id that a client does not follow, whoever sends them."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"Refused: {reason}. The server may be trying to weaken or to stall this client.")


class Mistake(StrEnum):
    """What is wrong with a typed recovery key."""

    LENGTH = "length"
    CHARACTER = "character"
    CHECKSUM = "checksum"


class RecoveryKeyMistyped(CryptoError):
    """A written recovery key that cannot be right. `mistake` names the kind, never the characters."""

    def __init__(self, mistake: Mistake, reason: str) -> None:
        super().__init__(f"This is no recovery key: {reason}")
        self.mistake = mistake


class GrantRefused(CryptoError):
    """A key did not come from the person it is said to come from. The key must not be used."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"Refused: {reason}. Compare fingerprints with that person before you go on.")


class NotText(CryptoError):
    """The characters are no Unicode text."""

    def __init__(self) -> None:
        super().__init__("The text holds half of a surrogate pair, which cannot be stored.")


class KeySessionNotHeld(CryptoError):
    """There is no open key for this session, token, user and workspace. Why is not told apart on purpose."""

    def __init__(self) -> None:
        super().__init__("No open key session. Open one with your passphrase.")


class KeyStoreFull(CryptoError):
    """As many key sessions are open as the store may hold."""

    def __init__(self) -> None:
        super().__init__("Too many key sessions are open. Close one, or try again later.")


class KeyStoreUnavailable(CryptoError):
    """The store of key sessions cannot be reached, or answered with an error."""

    def __init__(self) -> None:
        super().__init__("The store of key sessions does not answer. Try again in a moment.")


class KeyStoreUnsafe(CryptoError):
    """The store of key sessions is set up so that keys could reach a disk or vanish under memory pressure."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The store of key sessions is refused: {reason}")
