"""The C library's heap in a server of many threads: bounded, since glibc gives each busy thread one of its own.

Each of these keeps what its thread once needed. One is enough where one Python thread runs at a time.
"""

import ctypes
import sys

HEAPS_MAX = 1
_M_ARENA_MAX = -8  # of malloc.h in glibc


def bound_heaps() -> None:
    """Let all threads share one heap, where the C library is glibc; elsewhere nothing happens."""
    if sys.platform != "linux":
        return
    try:
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, HEAPS_MAX)
    except (AttributeError, OSError):
        return  # another C library, which has no such setting
