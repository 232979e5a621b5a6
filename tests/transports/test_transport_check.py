"""`check_transport`: our transports pass, and a transport that breaks one law fails with that law."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from touchline.core import registry
from touchline.testing.game_check import CheckFailed
from touchline.testing.transport_check import check_transport
from touchline.transports.base import Endpoint
from touchline.transports.shared.stream import StreamConnection
from touchline.transports.tcp import Tcp

if TYPE_CHECKING:
    from pathlib import Path

WAIT = 2.0
"""Seconds until a check gives a broken transport up."""


def test_every_installed_transport_is_checked() -> None:
    assert registry.names("transports") == ["tcp", "unix", "ws"]


@pytest.mark.parametrize("scheme", ["tcp", "unix", "ws"])
def test_our_transports_keep_the_contract(scheme: str, tmp_path: Path) -> None:
    """Every law is reported, and none is skipped."""
    laws: list[str] = []
    check_transport(scheme, f"{tmp_path}/it.sock" if scheme == "unix" else "127.0.0.1:0", report=laws.append)
    assert len(laws) == 11
    assert not [law for law in laws if "skipped" in law]


class Reorders(StreamConnection):
    def write(self, frames: list[bytes]) -> None:
        super().write(frames[::-1])


class SplitsByRead(StreamConnection):
    def data_received(self, data: bytes) -> None:
        if not self.finished:
            self.deliver(data.split(b"\n")[:-1])


class Unlimited(StreamConnection):
    def __init__(self, framing: str, most: int = 0, accept: Any = None, where: str | None = None) -> None:
        super().__init__(framing, 1 << 30, accept, where)


class ReportsTwice(StreamConnection):
    def fail(self, failure: Any, why: str) -> None:
        self.finished = False
        super().fail(failure, why)


class DropsEarlyFrames(StreamConnection):
    def deliver(self, frames: list[bytes]) -> None:
        if self.receiver is not None:
            super().deliver(frames)


class ForgetsEarlyFailures(StreamConnection):
    def fail(self, failure: Any, why: str) -> None:
        if self.receiver is not None:
            super().fail(failure, why)


class BuffersWithoutLimit(StreamConnection):
    def receive(self, framing: Any, data: bytes) -> None:
        self._buffered += framing.feed(data)
        if self.receiver is not None:
            self.listen(self.receiver)


class CloseDropsUnsent(StreamConnection):
    def close(self, *, at_once: bool = False) -> None:
        super().close(at_once=True)


class DeliversAfterClose(StreamConnection):
    def close(self, *, at_once: bool = False) -> None:
        super().close(at_once=at_once)
        self.finished = False


class RaisesAfterClose(StreamConnection):
    def send(self, frame: bytes) -> None:
        if self.finished:
            raise ConnectionError("closed")
        super().send(frame)


class ClosesOnlyAtOnce(StreamConnection):
    def close(self, *, at_once: bool = False) -> None:
        self.finished = True
        if at_once:
            super().close(at_once=True)


class HidesBackpressure(StreamConnection):
    @property
    def taken(self) -> bool:
        return True


class NeverWritable(StreamConnection):
    def resume_writing(self) -> None:
        self._paused = False


class KeepsEverything(StreamConnection):
    def flush(self) -> None:
        frames, self._unsent = self._unsent, []
        if self._socket is not None and not self._closing and not self._socket.is_closing():
            self.write(frames)


@pytest.mark.parametrize(
    ("broken", "law"),
    [
        (Reorders, "in order"),
        (SplitsByRead, "whole"),
        (Unlimited, "maximum size"),
        (ReportsTwice, "once"),
        pytest.param(DropsEarlyFrames, "buffered", marks=pytest.mark.slow),  # waits for seconds
        pytest.param(ForgetsEarlyFailures, "without a receiver", marks=pytest.mark.slow),  # waits for seconds
        (BuffersWithoutLimit, "flood"),
        (CloseDropsUnsent, "close"),
        (DeliversAfterClose, "close"),
        (RaisesAfterClose, "closed"),
        pytest.param(ClosesOnlyAtOnce, "close", marks=pytest.mark.slow),  # waits for seconds
        pytest.param(HidesBackpressure, "taken", marks=pytest.mark.slow),  # waits for seconds
        pytest.param(NeverWritable, "writable", marks=pytest.mark.slow),  # waits for seconds
        pytest.param(KeepsEverything, "cut off", marks=pytest.mark.slow),  # waits for seconds
    ],
)
def test_a_broken_connection_fails(
    broken: type[StreamConnection], law: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("touchline.transports.tcp.StreamConnection", broken)
    with pytest.raises((CheckFailed, ConnectionError), match=law):
        check_transport("tcp", seconds=WAIT)


class TakesAnyAddress(Tcp):
    def read(self, address: str) -> Endpoint:
        try:
            return super().read(address)
        except ValueError:
            return Endpoint(address, 0, "")


def test_a_transport_that_takes_any_address_fails() -> None:
    with pytest.raises(CheckFailed, match="no address"):
        check_transport(TakesAnyAddress())
