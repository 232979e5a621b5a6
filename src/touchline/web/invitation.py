"""Links to this page for a friend: by which addresses others reach it, and their QR codes.

Rules of this file: a link passes the key of the server on only to who knows it; a QR code is drawn of own
links only.
"""

from __future__ import annotations

import io
import ipaddress
from typing import TYPE_CHECKING
from urllib.parse import quote

from touchline.transports.shared.own_addresses import own_addresses
from touchline.transports.shared.reachable import EVERYWHERE
from touchline.web import schema

if TYPE_CHECKING:
    from collections.abc import Sequence

HOW = (
    "Only this computer can open the page. To play with others in your network, stop the server and start it "
    "with: touchline serve --host 0.0.0.0"
)
NO_NETWORK = "This computer is in no network at the moment, so that nobody else can open the page."


class Places:
    """The addresses at which a server can be reached."""

    def __init__(self, host: str, port: int, names: Sequence[str] = ()) -> None:
        """`host` is where it listens, `names` are its host names, with or without a port."""
        self._host, self._port = host, port
        self._names = tuple(names)

    @property
    def listens_everywhere(self) -> bool:
        """Whether it listens at all addresses of this machine."""
        return self._host in EVERYWHERE

    def others(self, asked: str | None) -> list[str]:
        """Return the bases of links for other machines.

        `asked` is the one that the client itself uses. It is enough for a client elsewhere, who is not told
        the other addresses of this machine.
        """
        if asked is not None and not is_here(asked):
            return [asked]
        places = [*self._names]
        if self._host not in EVERYWHERE:
            places.append(self._host)
        elif not self._names:
            places += own_addresses()
        bases = dict.fromkeys(self._base(place) for place in places)
        return [base for base in bases if not is_here(base)]

    def here(self) -> str:
        """Return the base of links for this machine."""
        usual = self._host in EVERYWHERE or not is_here(self._base(self._host))
        return self._base("127.0.0.1" if usual else self._host)

    def _base(self, name: str) -> str:
        host, colon, port = name.rpartition(":")
        if colon and port.isdecimal() and ("]" in host or ":" not in host):
            return f"http://{name}"
        return f"http://[{name}]:{self._port}" if ":" in name else f"http://{name}:{self._port}"


def is_here(base: str) -> bool:
    """Return whether the base of a link leads to this machine only.

    >>> is_here("http://127.0.0.1:8000"), is_here("http://[::1]:8000"), is_here("http://192.0.2.7:8000")
    (True, True, False)
    """
    name = base.partition("://")[2]
    name = name.partition("]")[0].strip("[") if name.startswith("[") else name.partition(":")[0]
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def invitation(places: Places, table: str | None, key: str | None, asked: str | None) -> schema.Invitation:
    """Return the links to a table, or to the page; with a key, who opens one may play."""
    others = places.others(asked)
    end = _end(table, key)
    links = [schema.InvitationLink(base + end, "your network") for base in others]
    links.append(schema.InvitationLink(places.here() + end, "this computer only"))
    advice = "" if others else NO_NETWORK if places.listens_everywhere else HOW
    return schema.Invitation(links=tuple(links), reachable=bool(others), advice=advice)


def _end(table: str | None, key: str | None) -> str:
    """Return the end of a link. A key is in the fragment, which browsers do not send."""
    if key is None:
        return "/" if table is None else f"/t/{table}"
    fields = [] if table is None else [f"table={table}"]
    return "/#" + "&".join([*fields, f"key={quote(key, safe='')}"])


def qr_code(url: str) -> bytes:
    """Return the QR code of a link as SVG, dark on a white ground, so that every phone can read it."""
    import segno

    drawn = io.BytesIO()
    segno.make(url, error="m", micro=False).save(
        drawn, kind="svg", scale=4, border=4, dark="#000", light="#fff", xmldecl=False, svgns=True,
        title="QR code", omitsize=True,
    )  # fmt: skip
    return drawn.getvalue()
