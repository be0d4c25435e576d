"""What a benchmark says while it works: on standard error, so that standard output is the result alone."""

import sys
import time

_started = time.monotonic()


def say(text: str) -> None:
    """One line with the seconds since the start."""
    print(f"{time.monotonic() - _started:6.1f} s  {text}", file=sys.stderr, flush=True)
