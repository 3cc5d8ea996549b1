"""An answer on its way out: status, headers, bytes."""

from dataclasses import dataclass

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
        """Return the headers of the answer."""
        length = str(len(self.data)).encode()
        return [(b"content-type", self.content_type), (b"content-length", length), *self.headers]


def json_reply(status: int, text: str) -> Reply:
    """Return an answer whose body is JSON."""
    return Reply(status=status, data=text.encode())


def html_reply(status: int, title: str, text: str) -> Reply:
    """Return an answer in the form of the front end that stands before the service."""
    head = f"<!DOCTYPE html>\n<html lang=en>\n<title>Error {status} ({title})</title>\n"
    page = f"{head}<p><b>{status}.</b> {text}\n"
    return Reply(status=status, data=page.encode(), content_type=HTML)
