"""A raw TCP connection and the frame of a client: all that the clients of the five notes share."""

import json
import random
import socket
import threading
from abc import ABC, abstractmethod
from typing import Any

DEADLINE = 20.0  # Seconds that a client waits for a message. It keeps a test from hanging and judges nobody.


class Closed(Exception):
    """The referee has closed the connection."""


class Wire:
    """Read JSON values or lines off a socket, and keep a transcript of both directions."""

    def __init__(self, host: str, port: int) -> None:
        """Connect, and wait no longer than the deadline for anything."""
        self.socket = socket.create_connection((host, port), timeout=DEADLINE)
        self.buffer = b""
        self.transcript: list[str] = []

    def send(self, *values: Any) -> None:
        """Send JSON values with one write."""
        self.send_text("".join(json.dumps(value) + "\n" for value in values))

    def send_text(self, text: str) -> None:
        """Send text with one write; whether anybody still reads it shows in what comes back."""
        self.transcript.append("> " + text.rstrip("\n"))
        try:
            self.socket.sendall(text.encode())
        except (BrokenPipeError, ConnectionResetError):
            self.transcript.append("> (nobody reads)")

    def read_json(self) -> Any:
        """Return the next JSON value, however its bytes arrive."""
        decoder = json.JSONDecoder()
        while True:
            self.buffer = self.buffer.lstrip()
            text = self.buffer.decode(errors="ignore")  # The last character may be cut in two.
            try:
                value, end = decoder.raw_decode(text)
            except ValueError:
                self._fill()
                continue
            self.buffer = self.buffer[len(text[:end].encode()) :]
            self.transcript.append("< " + json.dumps(value))
            return value

    def read_line(self) -> str:
        """Return the next line without its newline."""
        while b"\n" not in self.buffer:
            self._fill()
        line, _, self.buffer = self.buffer.partition(b"\n")
        self.transcript.append("< " + line.decode())
        return line.decode()

    def _fill(self) -> None:
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            data = b""
        if not data:
            self.transcript.append("< (closed)")
            raise Closed
        self.buffer += data

    def close(self) -> None:
        """Close the socket; closing twice does no harm."""
        self.socket.close()


class Client(threading.Thread, ABC):
    """A player in a thread of its own, which lists every violation of its note that it notices."""

    def __init__(self, port: int, name: str, seed: int, offence: str | None = None, turn: int = 0) -> None:
        """Connect as `name`; commit `offence` in the own turn of that number, counted from 0."""
        super().__init__(name=name, daemon=True)
        self.wire = Wire("127.0.0.1", port)
        self.random = random.Random(seed)
        self.offence, self.turn = offence, turn
        self.turns = 0  # Own turns that have begun.
        self.committed = False
        self.violations: list[str] = []
        self.last_words: list[Any] = []

    def run(self) -> None:
        """Play until the end; whatever goes wrong on the way is a violation."""
        try:
            self.play()
        except Closed:
            self.violations.append("the connection was closed before the last word")
        except TimeoutError:
            self.violations.append("nothing came before the deadline")
        except Exception as error:
            self.violations.append(f"{type(error).__name__}: {error}")
        finally:
            self.wire.close()

    @abstractmethod
    def play(self) -> None:
        """Play one match from sign-up to the last word."""

    def demand(self, kept: bool, sentence: str) -> None:
        """Note a violation if the referee has not kept a sentence of the note."""
        if not kept:
            self.violations.append(f"not kept: {sentence}")

    def due(self) -> str | None:
        """Return the offence to commit in this turn, and count the turn."""
        self.turns += 1
        if self.offence is None or self.turns - 1 != self.turn:
            return None
        self.committed = True
        return self.offence

    def read(self) -> Any:
        """Read one message."""
        return self.wire.read_json()

    def hear_close(self) -> None:
        """Demand that nothing more is said before the connection is closed."""
        try:
            extra = self.read()
        except Closed:
            return
        self.demand(False, f"nothing is said after the last word, but this was: {extra}")
