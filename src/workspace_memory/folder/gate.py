"""A gate that counts who is inside: calls in flight are finished before what they use is closed."""

import threading


class Gate:
    """Open from the start. Every `enter` that gave True needs one `leave`."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self._open = True

    def enter(self) -> bool:
        """Go in, unless the gate is closed."""
        with self._changed:
            if self._open:
                self._inside += 1
            return self._open

    def leave(self) -> None:
        """Go out."""
        with self._changed:
            self._inside -= 1
            if not self._inside and not self._open:
                self._changed.notify_all()

    def close(self, *, seconds: float) -> bool:
        """Let nobody in any more and wait until all are out, at most `seconds`; False when some are not."""
        with self._changed:
            self._open = False
            return self._changed.wait_for(lambda: not self._inside, timeout=seconds)

    def reopen(self) -> None:
        """Let in again, after a `close` that did not come to its end."""
        with self._changed:
            self._open = True
