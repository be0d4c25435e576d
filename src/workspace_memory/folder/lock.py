"""Who holds a data folder: two lock files whose locks the kernel drops when a process dies.

`owner.lock` belongs to the one process that may open the database, `serve.lock` to the one `serve`. The files
stay for ever and only their *locks* mean anything: a lock file that is deleted at release could be locked
twice, once by its old and once by its new inode. Who gets which lock when is decided in `gateway.py`.
"""

import errno
import os
import sys
from pathlib import Path

from workspace_memory.domain.errors import FolderUnusable

OWNER_LOCK = "owner.lock"
SERVE_LOCK = "serve.lock"

# errno values that say "this file system cannot lock", as some network and FUSE mounts do.
_NO_LOCKS_HERE = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
_HELD_BY_ANOTHER = {errno.EAGAIN, errno.EACCES, errno.EDEADLK, getattr(errno, "EDEADLOCK", errno.EDEADLK)}


def prepare_folder(path: Path) -> Path:
    """Make the folder if it is missing (0700: its owner alone) and give its real path.

    Raises: FolderUnusable when it is no folder, cannot be made, or cannot be written.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = path.resolve(strict=True)
        # Opening a file to write is the only honest test: permission bits do not tell of a read-only mount.
        os.close(open_private(folder / OWNER_LOCK))
    except OSError as error:
        raise unusable(path, error) from error
    return folder


def open_private(path: Path, extra_flags: int = 0) -> int:
    """Open a file of the folder for reading and writing, made 0600, and owned by the folder's owner.

    A command run as root in the folder of a service account would otherwise leave files that lock the service
    out. Raises: OSError.
    """
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | extra_flags
    descriptor = os.open(path, flags, 0o600)
    if sys.platform != "win32" and os.geteuid() == 0:
        folder = os.stat(path.parent)
        if os.fstat(descriptor).st_uid != folder.st_uid:
            os.fchown(descriptor, folder.st_uid, folder.st_gid)
    return descriptor


def unusable(folder: Path, error: OSError) -> FolderUnusable:
    """An operating-system error in words that name the cause."""
    match error.errno:
        case errno.EEXIST | errno.ENOTDIR:
            reason = "it is not a folder"
        case errno.EROFS:
            reason = "it is on a read-only file system"
        case errno.EACCES | errno.EPERM:
            reason = "this user may not write it"
        case errno.ENOSPC | errno.EDQUOT:
            reason = "the disk is full"
        case code if code in _NO_LOCKS_HERE:
            reason = "its file system has no file locks, which a local disk has"
        case _:
            reason = os.strerror(error.errno) if error.errno else type(error).__name__
    return FolderUnusable(str(folder), reason)


class FolderLock:
    """One lock file. Not thread-safe by itself: `gateway.py` takes and drops it under its own lock."""

    def __init__(self, folder: Path, name: str) -> None:
        self._path = folder / name
        self._descriptor: int | None = None

    def try_acquire(self) -> bool:
        """Take the lock if nobody holds it, without waiting, and write down our process id.

        Raises: FolderUnusable when the file cannot be opened or its file system has no locks.
        """
        if self._descriptor is not None:
            return True
        try:
            self._descriptor = _open_locked(self._path)
        except OSError as error:
            raise unusable(self._path.parent, error) from error
        return self._descriptor is not None

    def release(self) -> None:
        """Drop the lock. The file stays."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            # Closing the only descriptor drops the lock. Children do not inherit it: it is close-on-exec.
            os.close(descriptor)

    def holder_pid(self) -> int | None:
        """The process that took the lock last, or None where nothing readable says so."""
        try:
            return int(self._path.read_text("ascii").strip())
        except (OSError, ValueError):
            return None


def _open_locked(path: Path) -> int | None:
    """An open, locked descriptor of the file that the path names now, or None when another holds it."""
    while True:
        descriptor = open_private(path)
        try:
            if not _lock(descriptor):
                os.close(descriptor)
                return None
            if _is_still(path, descriptor):
                os.ftruncate(descriptor, 0)
                os.lseek(descriptor, 0, os.SEEK_SET)
                os.write(descriptor, b"%d\n" % os.getpid())
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        # Somebody deleted the file between open and lock; a lock on a nameless file protects nothing.
        os.close(descriptor)


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    # Windows locks a range of bytes and refuses to read it; a byte far behind the end keeps the pid readable.
    _LOCKED_BYTE = 1 << 30

    def _lock(descriptor: int) -> bool:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in _HELD_BY_ANOTHER:
                return False
            raise
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        # flock, not lockf: POSIX record locks vanish when *any* descriptor of the file is closed in the
        # process.
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in _HELD_BY_ANOTHER:
                return False
            raise
        return True
