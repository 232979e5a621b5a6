"""Run a command in a user namespace of its own that has every user id of this one: `own_user_ids.py CMD`.

`unshare --map-root-user` has one user id only, and there, programs could not be given one other than root's.
An ordinary user can map no more than that one.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

CLONE_NEWUSER = 0x10000000


def same_ids(kind: str) -> str:
    """Return the map that gives a child namespace every id of this one, or our own id as root."""
    if os.getuid() != 0:
        return f"0 {os.getuid() if kind == 'uid' else os.getgid()} 1\n"
    lines = Path(f"/proc/self/{kind}_map").read_text().splitlines()
    return "".join(f"{inside} {inside} {size}\n" for inside, _, size in map(str.split, lines))


def write_maps(of: Path) -> None:
    if os.getuid() != 0:
        (of / "setgroups").write_text("deny")
    (of / "uid_map").write_text(same_ids("uid"))
    (of / "gid_map").write_text(same_ids("gid"))


def main() -> None:
    entered, entering = os.pipe()
    writer = os.fork()
    if writer == 0:  # stays in the old namespace, which alone may write the maps of the new one
        os.close(entering)
        if os.read(entered, 1):
            write_maps(Path(f"/proc/{os.getppid()}"))
        os._exit(0)
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWUSER) != 0:
        sys.exit(f"no user namespace: {os.strerror(ctypes.get_errno())}")
    os.write(entering, b"1")
    if os.waitstatus_to_exitcode(os.waitpid(writer, 0)[1]) != 0:
        sys.exit("the maps of the user namespace could not be written")
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
