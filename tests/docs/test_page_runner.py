"""What runs the pages notices when one does not do what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from docs.page_runner import run_page

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """# A page

```{code-block} python
:caption: greet.py

print("hello", 3)
```

```console
$ mkdir there && cd there
$ export WORD=late
$ python ../greet.py; echo "$WORD"
hello ...
late
$ ls nowhere   # exit 2
...
$ sh -c 'echo ready; sleep 60' &
ready
```

```python
>>> import os
>>> os.path.basename(os.getcwd())
'there'
>>> number = 4

```

```python
assert number == 4
```

```json
{"one": 1}
{"two": 2}
```
"""


def ran(text: str, folder: Path) -> str:
    (folder / "page.md").write_text(text)
    return run_page(folder / "page.md", folder)


def test_a_page_that_does_what_it_says_passes(tmp_path: Path) -> None:
    """Files, the folder, variables, exit codes, the background, and the names of Python."""
    assert ran(GOOD, tmp_path) == ""


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("```console\n$ echo a\nb\n```", "line 4: echo a\nit should have printed\n    b\nbut printed\n    a"),
        ("```console\n$ exit 3\n```", "exit code 3, not 0"),
        ("```console\n$ true # exit 3\n```", "exit code 0, not 3"),
        ("```console\n$ sh -c 'echo no; exit 1' &\nyes\n```", "exit code 1, not 0"),
        ("```python\n>>> 1 + 1\n3\n\n```", "Expected:\n        3\n    Got:\n        2"),
        ("```python\nraise ValueError('oh')\n```", "ValueError: oh"),
        ("```json\n{1}\n```", "line 4: the JSON"),
        ("```toml\na = \n```", "line 4: the TOML"),
    ],
    ids=["output", "exit", "no-exit", "background", "doctest", "code", "json", "toml"],
)
def test_a_page_that_does_not_is_told_where(block: str, said: str, tmp_path: Path) -> None:
    """The report names the line, what the page says and what happened."""
    report = ran(f"# A page\n\n{block}\n", tmp_path)
    assert said in report
    assert "page.md, line " in report


def test_a_block_that_is_not_to_be_run_is_not(tmp_path: Path) -> None:
    """It has its reason before it."""
    page = "# A page\n\n<!-- not run: it would fail on every machine -->\n\n```console\n$ false\n```\n"
    assert ran(page, tmp_path) == ""
    again = tmp_path / "again"
    again.mkdir()
    assert "exit code 1" in ran(page.replace("not run", "run"), again)
