"""URLs to listen at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from touchline.core.errors import BadOptions
from touchline.players.address import ServerAddress


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("tcp://127.0.0.1:4500/native", ServerAddress("tcp", "127.0.0.1", 4500, "native")),
        ("tcp://127.0.0.1:4500", ServerAddress("tcp", "127.0.0.1", 4500, "native")),
        ("ws://localhost:0/seed-001/", ServerAddress("ws", "localhost", 0, "seed-001")),
        ("tcp://[::1]:65535/seed-004", ServerAddress("tcp", "::1", 65535, "seed-004")),
    ],
)
def test_where_one_listens(url: str, read: ServerAddress) -> None:
    """A URL is read, and what is written of it is read as the same."""
    assert ServerAddress.read(url) == read
    assert ServerAddress.read(read.url(read.port)) == read
    assert read.is_local


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "192.168.0.1", "example.org", "localhost.evil.org", "127.0.0.1.org"]
)
def test_elsewhere(host: str) -> None:
    """All that is not surely this machine alone can be reached from elsewhere."""
    assert not ServerAddress("tcp", host, 1, "native").is_local


@pytest.mark.parametrize(
    "url",
    [
        "", "native", "tcp://", "tcp://:4500/native", "tcp://host/native", "tcp://host:x/native", "http://host:1/x",
        "tcp://host:65536/native", "tcp://host:-1/native", "tcp:/host:1/native", "tcp://a..b:1/native",
        f"tcp://{'a' * 64}:1/native", "tcp://[]:1/native", "tcp://host:1.5/native",
    ],
)  # fmt: skip
def test_where_nobody_can_listen(url: str) -> None:
    """What is wrong with a URL is said with how one is written."""
    with pytest.raises(BadOptions, match="://HOST:PORT/DIALECT"):
        ServerAddress.read(url)


@given(st.text(max_size=40))
def test_any_text_is_a_url_or_is_refused(text: str) -> None:
    """Nothing but BadOptions comes of it."""
    for url in (text, f"tcp://{text}", f"ws://{text}:1/x"):
        try:
            ServerAddress.read(url)
        except BadOptions:
            continue
