"""A response to send: status, headers, bytes."""

from dataclasses import dataclass
from html import escape

from cesplan.emulator.errors import Refused
from cesplan.emulator.http.encoding import encode

JSON = b"application/json; charset=UTF-8"
HTML = b"text/html; charset=UTF-8"

Header = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    status: int
    data: bytes
    content_type: bytes = JSON
    headers: tuple[Header, ...] = ()

    def head(self) -> list[Header]:
        """Return the headers of the response."""
        length = str(len(self.data)).encode()
        return [
            (b"content-type", self.content_type),
            (b"content-length", length),
            (b"x-content-type-options", b"nosniff"),
            *self.headers,
        ]


def json_reply(status: int, text: str, headers: tuple[Header, ...] = ()) -> Reply:
    """Return a response with a JSON body."""
    return Reply(status=status, data=text.encode(), headers=headers)


def refusal_reply(refused: Refused, headers: tuple[Header, ...] = ()) -> Reply:
    """Return the response to a request that fails with an error of the API."""
    return json_reply(refused.http_status, encode(refused.body()), headers)


def html_reply(status: int, title: str, text: str) -> Reply:
    """
    Return a response in the style of the service's front end. The text repeats the path, so it is escaped.
    """
    head = f"<!DOCTYPE html>\n<html lang=en>\n<title>Error {status} ({escape(title)})</title>\n"
    page = f"{head}<p><b>{status}.</b> {escape(text)}\n"
    return Reply(status=status, data=page.encode(), content_type=HTML)
