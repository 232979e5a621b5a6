"""Build the documentation site into docs/_build/html; warnings are errors.

usage: _docs.py [--open] [--serve [PORT]]
"""

from __future__ import annotations

import argparse
import functools
import http.server
import sys
import webbrowser
from pathlib import Path

from sphinx.cmd.build import build_main

ROOT = Path(__file__).parent.parent
DOCS, BUILT = ROOT / "docs", ROOT / "docs" / "_build"


def build(out: Path, doctrees: Path) -> int:
    """Build the site; return Sphinx's exit code."""
    return int(
        build_main(["-q", "-n", "-W", "--keep-going", "-b", "html", "-d", str(doctrees), str(DOCS), str(out)])
    )


def serve(folder: Path, port: int) -> None:
    """Serve the site on the loopback interface until Ctrl-C."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        print(f"the site is at http://127.0.0.1:{server.server_port}/ (Ctrl-C ends it)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)


def main() -> int:
    """Build, say where the site is, and show it if that was asked for."""
    parser = argparse.ArgumentParser(description="Build the documentation site.")
    parser.add_argument("--open", action="store_true", help="open the site in a browser")
    parser.add_argument(
        "--serve", nargs="?", type=int, const=8000, metavar="PORT", help="serve it on loopback"
    )
    chosen = parser.parse_args()
    if code := build(BUILT / "html", BUILT / "doctrees"):
        print("the site was not built: every warning above is an error", file=sys.stderr)
        return code
    page = BUILT / "html" / "index.html"
    print(f"the site is {page}")
    if chosen.open:
        webbrowser.open(page.as_uri())
    if chosen.serve is not None:
        serve(page.parent, chosen.serve)
    return 0


if __name__ == "__main__":
    sys.exit(main())
