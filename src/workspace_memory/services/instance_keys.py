"""The instance's own secret: 32 bytes, from a setting or from `instance.key` in the data folder.

Delivery credentials and the codes of recall blocks are derived from it, so that it outlives restarts and is the same in
every process. It opens nothing that is sealed. Where it cannot be trusted to be secret and whole, nothing starts.
"""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from workspace_memory.domain.errors import FolderUnusable, InvalidRequest

FILE_NAME = "instance.key"
SECRET_BYTES = 32

_SETTING = "WORKSPACE_MEMORY_INSTANCE_KEY"
_FOR_OTHERS = 0o077


def instance_secret(setting: str, folder: Path) -> bytes:
    """The secret of the setting (64 hexadecimal digits), or the file's, which is made when it is missing.

    Raises: InvalidRequest for a malformed setting; FolderUnusable for a file that is not readable, has another length,
    or that others may read.
    """
    if setting:
        return _from_setting(setting)
    path = folder / FILE_NAME
    try:
        if not path.exists():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _make(path)
        return _read(path)
    except OSError as error:
        raise _unusable(folder, f"cannot be read or made ({error.strerror or 'an error'})") from None


def _from_setting(setting: str) -> bytes:
    try:
        secret = bytes.fromhex(setting)
    except ValueError:
        secret = b""
    # `fromhex` skips blanks, with which a part of a shorter one could pass.
    if len(secret) != SECRET_BYTES or len(setting) != 2 * SECRET_BYTES:
        raise InvalidRequest(_SETTING, "must be 64 hexadecimal digits, such as 'openssl rand -hex 32' gives")
    return secret


def _make(path: Path) -> None:
    """Make the file with its content at once: of two processes one is first, and both read the same."""
    written = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(SECRET_BYTES))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(written, path)
    finally:
        written.unlink()


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        secret = file.read(SECRET_BYTES + 1)
    if os.name == "posix" and stat.S_IMODE(mode) & _FOR_OTHERS:
        raise _unusable(path.parent, f"can be read or changed by others; run: chmod 600 '{path}'")
    if len(secret) != SECRET_BYTES:
        raise _unusable(path.parent, f"does not have {SECRET_BYTES} bytes; restore it from a backup")
    return secret


def _unusable(folder: Path, reason: str) -> FolderUnusable:
    return FolderUnusable(folder=str(folder), reason=f"its {FILE_NAME} {reason}, or set {_SETTING}")
