"""Two hundred names that nobody's mother chose.

Whoever shows one of them as anything but text runs `p()`, or has an element that was not there before.
"""

from __future__ import annotations

TRAP = "window.p = () => { window.__pwned = (window.__pwned || 0) + 1; }; window.alert = window.p;"
"""What a window is prepared with before it shows them."""

_BEGUN_BY = ("onload", "onerror", "onfocus", "onclick", "onmouseover", "ontoggle", "onanimationstart")
_TAGS = (
    "img",
    "svg",
    "body",
    "video",
    "audio",
    "input",
    "iframe",
    "object",
    "embed",
    "details",
    "a",
    "p",
    "x",
)
_HANDLED = [
    name for tag in _TAGS for handler in _BEGUN_BY if len(name := f"<{tag} src=x {handler}=p()>") <= 32
]

_SCRIPTS = [
    "<script>p()</script>", "<SCRIPT >p()</SCRIPT>", "<script src=//x.y></script>", "<scr<script>ipt>p()",
    "</script><script>p()</script>", "</title><script>p()</script>", "</style><script>p()</script>",
    "</textarea><svg onload=p()>", "</text><svg onload=p()>", "</svg><img src=x onerror=p()>",
    "--><img src=x onerror=p()>", "]]><img src=x onerror=p()>", "<!--<img src=x onerror=p()>-->",
    "<svg><script>p()</script></svg>", "<svg/onload=p()>", "<svg\\onload=p()>", "<img/src=x/onerror=p()>",
    "<math href=javascript:p()>x", "<a href=javascript:p()>x</a>", "<base href=//x.y>",
    "<link rel=import href=//x.y>", "<meta http-equiv=refresh>", "<form><button formaction=//x>",
    "<style>*{display:none}</style>", "<style>@import'//x.y'</style>", "<plaintext>", "<xmp>", "<noscript>",
    "<template>", "<slot name=x>", "<dialog open>x", "<marquee>x", "<blink>x", "<h1>BIG</h1>", "<b>ann</b>",
    "<iframe srcdoc='<i>'>", "<iframe src=//x.y>", "<frameset onload=p()>", "<isindex>", "<keygen>",
]  # fmt: skip
_QUOTES = [
    "\"onclick=p() x=\"", "'onclick=p() x='", "`onclick=p() x=`", "\"><svg onload=p()>", "'><svg onload=p()>",
    "\" autofocus onfocus=p() x=\"", "' autofocus onfocus=p() x='", "\">", "'>", "\\\"><svg onload=p()>",
    "\";p();//", "';p();//", "`;p();//", "${p()}", "{{p()}}", "<%=p()%>", "#{p()}", "[[p()]]", "%{p()}",
    "{{$eval.constructor('p()')()}}", "\\u003csvg onload=p()\\u003e", "\\x3csvg onload=p()\\x3e",
    "&lt;svg onload=p()&gt;", "&#60;svg onload=p()&#62;", "&amp;lt;b&amp;gt;", "&nbsp;", "&quot;", "&", "<",
    ">", "%3Csvg onload=p()%3E", "javascript:p()", "JaVaScRiPt:p(1)", "data:text/html,<svg onload=p()>",
    "//x.y", "../../..", "url(//x.y)", "expression(p())", "*{color:red}", "@import url(//x.y)",
]  # fmt: skip
_WORDS = [
    "__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "null", "undefined",
    "NaN", "true", "false", "[object Object]", "0x10", "-1", "1e99", "'; DROP TABLE seats;--", "seat 0",
    "(seat 1)", "#table=x", "?token=x", "a/b", "a\\b", "..", "CON", "💥", "🐧🐧🐧", "名前", "אבג", "مرحبا",
    "ann 🏆 won", "ann — bob", "ann (seat 1) won with 9", "漢字かな交じり文", "ﷺ", "𝒶𝓃𝓃", "ß", "İ",
]  # fmt: skip

SHOWN = [*dict.fromkeys([*_HANDLED, *_SCRIPTS, *_QUOTES, *_WORDS])]
"""Names that the lobby takes: it is the page's business to show them as they are."""

REFUSED = [
    "", " ", " ann", "ann ", "a" * 33, "re\u202ex", "re\u202dx", "\u2066ann\u2069", "a\u200bb", "a\u200db",
    "a\u200eb", "ann\u00a0bob", "\ufeffann", "a\u00adb", "a\x00b", "a\nb", "a\tb", "a\x1bb", "a\x7fb",
    "a\u2028b", "a\u0301\u0301", "Z͑ͫ̓ͪa", "\u3164", "\u2800", "a\U000e0041b", "e\u0301", "referee",
    "REFEREE", "winner", "a\ud7ff\ue000",
]  # fmt: skip
"""Names that cannot be seen, or make others look wrong, or pretend to be somebody; the lobby refuses them."""
