"""What the pages of grading share: the frame, the style, and text made harmless.

Law of this file: a page runs no script and fetches nothing. Names, reasons and what programs wrote are
escaped.
"""

from __future__ import annotations

from html import escape

from touchline.core.printable import printable, printable_text
from touchline.grading.standard import number

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --paper: #fff; --line: #d9dee5;
  --accent: #1f5fa8; --wash: #f3f6f9; --bad: #a12622; --good: #1e6b3a; --open: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #a3adba; --paper: #14181d;
  --line: #323b47; --accent: #7fb4ee; --wash: #1d242d; --bad: #f0918c; --good: #7fd09b; --open: #e5b45c; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
  max-width: 60rem; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
header h2 { margin: 0; }
p { margin: .5rem 0; } .lead { color: var(--soft); } a { color: var(--accent); }
.total { font-size: 1.3rem; font-weight: 600; margin: .3rem 0 1rem; font-variant-numeric: tabular-nums; }
.note { border-left: .3rem solid var(--open); background: var(--wash); padding: .6rem .9rem; }
section { border: 1px solid var(--line); border-left: .3rem solid var(--line); border-radius: .4rem;
  padding: .8rem 1rem; margin: 1rem 0; }
section.passed { border-left-color: var(--good); }
section.failed, section.partial { border-left-color: var(--bad); }
section.skipped { border-left-color: var(--soft); } section.ours { border-left-color: var(--open); }
header { display: flex; flex-wrap: wrap; gap: .2rem 1rem; justify-content: space-between;
  align-items: baseline; }
.points { font-weight: 600; white-space: nowrap; font-variant-numeric: tabular-nums; }
.passed .points, .good { color: var(--good); } .failed .points, .partial .points, .bad { color: var(--bad); }
.ours .points, .open { color: var(--open); } .soft { color: var(--soft); }
ul.items { list-style: none; padding: 0; margin: .6rem 0 0; }
ul.items > li { border-top: 1px solid var(--line); padding: .5rem 0; }
details > summary { cursor: pointer; padding: .3rem 0; }
pre { background: var(--wash); padding: .6rem .8rem; border-radius: .3rem; overflow-x: auto; margin: .4rem 0;
  font-size: .85rem; line-height: 1.4; white-space: pre-wrap; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: .4rem .7rem; border-bottom: 1px solid var(--line); text-align: right; }
th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
.name { text-align: left; overflow-wrap: anywhere; min-width: 7rem; max-width: 18rem; }
"""


def page(title: str, *parts: str) -> str:
    """Return a whole page; `parts` are HTML, the title is text."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{safe(title)}</title><style>{STYLE}</style></head><body><main>\n"
        + "\n".join(part for part in parts if part)
        + "\n</main></body></html>\n"
    )


def safe(line: str) -> str:
    """Return a line of text as HTML; what is not printable is shown as an escape.

    >>> safe("<b>" + chr(0x202E))
    '&lt;b&gt;\\\\u202e'
    """
    return escape(printable(line))


def preformatted(text: str) -> str:
    """Return text of several lines as HTML."""
    return f"<pre>{escape(printable_text(text))}</pre>"


def points(earned: float, out_of: float, *, open_: bool = False) -> str:
    """Return points as HTML; those of a step that is not graded are a question mark."""
    return f'<span class="points">{"?" if open_ else number(earned)} / {number(out_of)}</span>'
