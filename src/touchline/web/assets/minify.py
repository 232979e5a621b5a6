"""Make scripts, styles and drawings smaller without changing what they mean, with tdewolff's minifier.

Where it is not installed they are served as they were written: a page is heavier then, and works alike.
"""

from __future__ import annotations

import re
from importlib import import_module, util


def small_script(source: str) -> str:
    """Return JavaScript without comments and spaces, and with short names for variables.

    >>> small_script('const a = { b: 1 }; // why')
    'const a={b:1}'
    """
    return _minified("application/javascript", source)


def small_style(source: str) -> str:
    """Return CSS without comments, and without spaces that separate nothing.

    >>> small_style('/* why */ a > b { content: "/* c */"; }')
    'a>b{content:"/* c */"}'
    """
    return _minified("text/css", source)


def _minified(kind: str, source: str) -> str:
    if util.find_spec("minify") is None:
        return source
    small: str = import_module("minify").string(kind, source)
    return small


def small_drawing(source: str) -> str:
    """Return SVG without comments and without space between elements; its texts stay as they are.

    >>> small_drawing('<svg> <!-- why --> <g/>\\n <text> a </text> </svg>')
    '<svg><g/><text> a </text></svg>'
    """
    return re.sub(r">\s+<", "><", re.sub(r"<!--.*?-->", "", source, flags=re.DOTALL)).strip()
