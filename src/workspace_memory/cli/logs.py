"""What `serve` and `mcp` write to standard error: one line per event, without query strings or secrets."""

import logging
import re

# Tokens, sessions and links all begin so (crypto/tokens.py).
_SECRET = re.compile(r"wm_(pat|ses|lnk)_[A-Za-z0-9_%.~-]+")
# Tokens of key sessions and delivery credentials have no beginning: 32 bytes in base64url. An id is shorter.
_BARE_SECRET = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43,}")


class WithoutSecrets(logging.Filter):
    """Takes query strings and secrets out of the server's access lines, in place."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record through, cleaned."""
        # uvicorn's access record: client address, method, path with query, HTTP version, status.
        if record.name == "uvicorn.access" and isinstance(record.args, tuple) and len(record.args) == 5:
            client, method, path, version, status = record.args
            record.args = (client, method, _clean(str(path)), version, status)
        return True


def start_logging(level: str) -> None:
    """Log to standard error from this level on; libraries from warning on."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.addFilter(WithoutSecrets())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("workspace_memory").setLevel(level.upper())
    # Its own start and stop lines repeat what `serve` says; its requests are the access log.
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    logging.getLogger("uvicorn.access").setLevel(level.upper())


def _clean(path: str) -> str:
    return _BARE_SECRET.sub("…", _SECRET.sub(r"wm_\1_…", path.partition("?")[0]))
