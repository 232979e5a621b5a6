"""Ports and unbound variables, which connect the note's programs without threads.

Law of this file: a port handles one message at a time, in the order of sending. Messages sent meanwhile are
queued, and the outermost `send` returns when the queue is empty. So the same messages always give the same
conversation.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Port:
    """Calls `receive` with each message; without `receive` messages stay queued.

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
    """A port that is bound later; messages are queued until then.

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
        """Bind the variable to a port. Raise ValueError if it is bound to another one."""
        if self._port is None and port is not self:
            self._port, self._receive = port, port.send
            self._deliver()
        elif self._port is not port:
            raise ValueError("the variable is bound to something else already")


class Ports(NamedTuple):
    """The note's `ports(PR1 PR2)`: the port to which each player sends its moves."""

    pr1: Port
    pr2: Port


def unify(left: Ports, right: Ports) -> None:
    """Bind each variable on the left to the port on the right: the note's `ports(PR1 PR2) = ...`."""
    for variable, port in zip(left, right, strict=True):
        if isinstance(variable, Variable):
            variable.bind(port)
        elif variable is not port:
            raise ValueError("cannot unify two different ports")
