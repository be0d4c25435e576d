"""Why a connection failed where TLS was the reason, in sentences that say what to do.

`connection.py` asks here when a request could not be sent or got no answer.
"""

import socket
import ssl
from contextlib import closing
from urllib.parse import urlsplit

TLS_WANTED = "The service there speaks TLS: write https://{} as its address."
_PROBE_SECONDS = 2.0


def tls_reason(url: str, error: BaseException) -> str:
    """The sentence for a connection that TLS made fail; empty when it failed for another reason."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return (
                f"The certificate of {url} is not trusted ({cause.verify_message}). If it is yours, let "
                "the environment variable SSL_CERT_FILE name its file, or that of the authority which signed it."
            )
        if isinstance(cause, ssl.SSLError):
            return (
                f"No TLS connection to {url} could be made. If the service has no TLS, write "
                f"http://{url.partition('://')[2]} as its address."
            )
        cause = cause.__cause__ or cause.__context__
    return ""


def speaks_tls(url: str) -> bool:
    """Whether a TLS handshake succeeds at the address, whoever's certificate it is. Nothing is sent in it."""
    parts = urlsplit(url)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # Nothing is trusted on the strength of this: it only decides which sentence is said.
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        with (
            closing(
                socket.create_connection((parts.hostname or "", parts.port or 80), _PROBE_SECONDS)
            ) as plain,
            context.wrap_socket(plain),
        ):
            return True
    except OSError:
        return False
