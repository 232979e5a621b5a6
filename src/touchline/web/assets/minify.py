"""Make scripts, styles and drawings smaller without changing what they mean, with tdewolff's minifier.

Where it is not installed they are served as they were written: a page is heavier then, and works alike.
"""

from __future__ import annotations

from importlib import import_module, util


def small_script(source: str) -> str:
    """Return JavaScript without comments and spaces, and with short names for variables.

    >>> small_script('const a = { b: 1 }; // why')
    'const a={b:1}'
    """
    # The minifier writes `export {};`, which exports nothing, as `export`, which is no statement.
    return _minified("application/javascript", source.replace("export {};", ""))


def small_style(source: str) -> str:
    """Return CSS without comments, and without spaces that separate nothing.

    >>> small_style('/* why */ a > b { content: "/* c */"; }')
    'a>b{content:"/* c */"}'
    """
    return _minified("text/css", source)


def _minified(kind: str, source: str) -> str:
    if util.find_spec("minify") is None:
        return source
    minifier = import_module("minify")
    try:
        small: str = minifier.string(kind, source)
    except minifier.MinifyError:  # a third party's file is served as it is
        return source
    return small


def small_drawing(source: str) -> str:
    """Return SVG without comments, and with short paths.

    >>> small_drawing('<svg> <!-- why --> <path d="M 1.0 2.0 L 3 2"/> </svg>')
    '<svg><path d="M1 2H3"/></svg>'
    """
    return _minified("image/svg+xml", source)
