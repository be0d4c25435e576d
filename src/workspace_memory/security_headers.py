"""The security headers of every answer, of the REST interface and of the pages alike.

Each edge adds its own Content-Security-Policy and Cache-Control.
"""

_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
# Two years, as browsers' own guidance asks for.
_OVER_TLS = {"Strict-Transport-Security": "max-age=63072000"}


def security_headers(*, https: bool) -> dict[str, str]:
    """Header names and values; `https` says whether clients reach the service over TLS, be it in front of a proxy."""
    return _ALWAYS | (_OVER_TLS if https else {})
