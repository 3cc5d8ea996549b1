"""A server that answers with whatever bytes an attacker likes, at whatever pace."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

Behavior = Callable[[socket.socket, threading.Event], None]
"""Gets a connection on which a request has arrived, and an event that says that the test is over."""


@contextmanager
def server(behavior: Behavior) -> Iterator[str]:
    """The address (host:port) of a server on the loopback; each connection is answered once, and closed."""
    over = threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))
    threads: list[threading.Thread] = []

    def serve(connection: socket.socket) -> None:
        with connection:
            received = b""
            while b"\r\n\r\n" not in received and (data := connection.recv(65536)):
                received += data
            with suppress(OSError):  # the client hung up, as it should
                behavior(connection, over)

    def accept() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            threads.append(threading.Thread(target=serve, args=(connection,), daemon=True))
            threads[-1].start()

    accepting = threading.Thread(target=accept, daemon=True)
    accepting.start()
    try:
        yield f"127.0.0.1:{listening.getsockname()[1]}"
    finally:
        over.set()
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        accepting.join()
        for thread in threads:
            thread.join()


def answers(head: bytes, body: bytes = b"") -> Behavior:
    """Send this at once. `head` are lines of headers behind the status line."""

    def behave(connection: socket.socket, over: threading.Event) -> None:
        lines = b"HTTP/1.1 200 OK\r\nConnection: close\r\n" + head
        connection.sendall(lines + b"Content-Length: %d\r\n\r\n" % len(body) + body)

    return behave


def drips(beginning: bytes, drop: bytes = b"x") -> Behavior:
    """Send a beginning at once, and then a drop every 20 ms, for ever."""

    def behave(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(beginning)
        while not over.wait(0.02):
            connection.sendall(drop)

    return behave
