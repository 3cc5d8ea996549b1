"""
A single request to an endpoint, without retries: TLS is verified, time and size are limited, and redirects are
not followed.

Failures are reworded, because library messages quote URLs, and a URL may be a secret.
"""

import ssl
from collections.abc import Mapping
from typing import Protocol

import urllib3
from urllib3 import exceptions as broken

from cesplan import __version__
from cesplan.domain.service.endpoint import Endpoint, parse_endpoint
from cesplan.remote.deadlines import pool_classes
from cesplan.remote.pools import pool
from cesplan.remote.transport import Answer, NoAnswer, NotSent

CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 10.0
"""The time limit of a response, from its first byte to its last."""
MOST_BYTES = 8 * 1024 * 1024

_HEADERS = {"User-Agent": f"cesplan/{__version__}", "Accept-Encoding": "identity"}
_JSON = {"Content-Type": "application/json; charset=utf-8"}


class Login(Protocol):
    """Provides the authorization headers."""

    def headers(self) -> Mapping[str, str]: ...


def identity(login: Login | None, quota_project: str) -> dict[str, str]:
    """The headers that say who asks, and whose quota counts. `login` is None for an emulator."""
    quota = {"x-goog-user-project": quota_project} if quota_project else {}
    return {**quota, **(login.headers() if login else {})}


def endpoint_of(service: Endpoint, emulator: str = "") -> Endpoint:
    """A service of Google, or its emulator at `host:port`. Raises ValueError for one on another machine."""
    if not emulator:
        return service
    found = parse_endpoint(emulator, scheme="http")
    if not found.is_loopback:
        raise ValueError("it must be a host on this machine, such as 127.0.0.1:9023")
    return found


def connections(endpoint: Endpoint, seconds: float = 0.0) -> urllib3.PoolManager:
    """
    Connections to an endpoint, through a proxy if the environment says so.

    `seconds` is the time limit of a response, 0 for the default.
    """
    manager = pool(endpoint)
    manager.pool_classes_by_scheme = pool_classes(seconds or ANSWER_SECONDS)
    return manager


def request(
    manager: urllib3.PoolManager,
    endpoint: Endpoint,
    method: str,
    target: str,
    *,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    seconds: float = 0.0,
) -> Answer:
    """
    Send a request. `target` is the path and query. `seconds` is the timeout, 0 for the default. The response
    may be a redirect.

    Raises NotSent if no connection was made, and NoAnswer if the request may have arrived.
    """
    patience = seconds or ANSWER_SECONDS
    sent = {**_HEADERS, **(_JSON if body is not None else {}), **(headers or {})}
    try:
        found = manager.connection_from_host(endpoint.host, endpoint.port, endpoint.scheme)
        response = found.urlopen(
            method,
            target,
            body=body,
            headers=sent,
            timeout=urllib3.Timeout(connect=CONNECT_SECONDS, read=patience),
            retries=False,
            redirect=False,
            preload_content=False,
        )
        data = _whole(response)
    except broken.SSLError as error:
        is_untrusted = any(isinstance(cause, ssl.SSLCertVerificationError) for cause in error.args)
        reason = "its certificate is not trusted" if is_untrusted else "the encrypted connection failed"
        raise NotSent(reason, permanent=is_untrusted) from None
    except (broken.NameResolutionError, broken.LocationValueError):
        raise NotSent("its name cannot be resolved") from None
    except broken.ProxyError:
        raise NotSent("the proxy did not connect") from None
    except broken.NewConnectionError:  # before its base class, a timeout
        raise NotSent("it cannot be reached") from None
    except broken.ConnectTimeoutError:
        raise NotSent(f"no connection within {CONNECT_SECONDS:.0f} s") from None
    except (broken.TimeoutError, TimeoutError):
        raise NoAnswer(f"no complete response within {patience:.0f} s") from None
    except broken.HTTPError:
        raise NoAnswer("the connection was closed without a response") from None
    lowered = {name.lower(): value for name, value in response.headers.items()}
    return Answer(status=response.status, headers=lowered, data=data)


def _whole(response: urllib3.BaseHTTPResponse) -> bytes:
    pieces, size = [], 0
    try:
        while piece := response.read(65536, decode_content=False):
            pieces.append(piece)
            size += len(piece)
            if size > MOST_BYTES:
                raise NoAnswer(f"the response is larger than {MOST_BYTES // 1024 // 1024} MiB", permanent=True)
    except BaseException:
        response.close()
        raise
    response.release_conn()
    return b"".join(pieces)
