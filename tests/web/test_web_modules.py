"""The modules of the page: what one imports from another is there, which a bundle would not notice."""

from __future__ import annotations

import re
from pathlib import Path

import touchline.web

STATIC = Path(touchline.web.__file__).parent / "static"
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([^"]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:function\*?|const|class) ([\w$]+)", re.MULTILINE)


def test_every_import_names_an_export() -> None:
    sources = {path.name: path.read_text() for path in STATIC.glob("*.js")}
    exports = {name: {*EXPORT.findall(source)} for name, source in sources.items()}
    wrong = [
        f"{name} imports {wanted} from {other}"
        for name, source in sources.items()
        for names, other in IMPORT.findall(source)
        for wanted in (one.split(" as ")[0].strip() for one in names.split(","))
        if wanted not in exports.get(other, ())
    ]
    assert len(sources) > 10
    assert not wrong
