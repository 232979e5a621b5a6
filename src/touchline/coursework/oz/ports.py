"""Ports, and variables that are bound later: how the note's programs reach each other, without threads.

Law of this file: a port takes one message at a time, in the order they were sent. What is sent to it
meanwhile waits its turn, and the first `send` comes back once nothing waits any more: so the same messages
always make the same conversation.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Port:
    """Whatever is sent here is handed to `receive`; without one it waits for ever.

    >>> heard = []
    >>> Port(heard.append).send("hello")
    >>> heard
    ['hello']
    """

    def __init__(self, receive: Callable[[object], None] | None) -> None:
        self._receive = receive
        self._waiting: deque[object] = deque()
        self._busy = False

    def send(self, message: object) -> None:
        self._waiting.append(message)
        self._deliver()

    def _deliver(self) -> None:
        if self._busy or self._receive is None:
            return
        self._busy = True
        try:
            while self._waiting:
                self._receive(self._waiting.popleft())
        finally:
            self._busy = False


class Variable(Port):
    """A port that is not known yet. What is sent to it waits until it is.

    >>> variable, heard = Variable(), []
    >>> variable.send("early")
    >>> variable.bind(Port(heard.append))
    >>> heard
    ['early']
    """

    def __init__(self) -> None:
        super().__init__(None)
        self._port: Port | None = None

    def bind(self, port: Port) -> None:
        """From now on this is that port. ValueError if it is another already."""
        if self._port is None and port is not self:
            self._port, self._receive = port, port.send
            self._deliver()
        elif self._port is not port:
            raise ValueError("the variable is bound to something else")


class Ports(NamedTuple):
    """The note's `ports(PR1 PR2)`: where each player sends its moves."""

    pr1: Port
    pr2: Port


def unify(left: Ports, right: Ports) -> None:
    """The note's `ports(PR1 PR2) = ...`: each variable on the left becomes the port on the right."""
    for variable, port in zip(left, right, strict=True):
        if isinstance(variable, Variable):
            variable.bind(port)
        elif variable is not port:
            raise ValueError("two ports that are not the same")
