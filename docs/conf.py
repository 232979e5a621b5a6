"""Sphinx's settings for the documentation site; `scripts/docs` builds it."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "src")]

import touchline  # noqa: E402

project = "Touchline"
author = "the authors of Touchline"
copyright = "the authors of Touchline; Apache-2.0"
release = version = touchline.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_design", "touchline_docs"]
exclude_patterns = ["_build", "_ext", "README.md"]
source_suffix = {".md": "markdown"}
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # annotations name types that have no page of their own
default_role = "code"
highlight_language = "text"
smartquotes = False  # --seconds must stay --seconds

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
add_module_names = False

html_theme = "furo"
html_title = "Touchline"
html_static_path = ["_static"]
html_css_files = ["touchline.css"]
html_favicon = "_static/icon.svg"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_logo": "icon.svg",
    "dark_logo": "icon.svg",
    "navigation_with_keys": True,
    "light_css_variables": {
        "color-brand-primary": "#0a6b54",
        "color-brand-content": "#0a6b54",
        "color-brand-visited": "#0a6b54",
        "color-api-name": "#0a6b54",
        "color-api-pre-name": "#0a6b54",
        "color-background-primary": "#ffffff",
        "color-background-secondary": "#f6f7f5",
        "color-background-border": "#dbe1de",
        "color-foreground-primary": "#1a2124",
        "color-foreground-secondary": "#576266",
    },
    "dark_css_variables": {
        "color-brand-primary": "#58d3a9",
        "color-brand-content": "#58d3a9",
        "color-brand-visited": "#58d3a9",
        "color-api-name": "#58d3a9",
        "color-api-pre-name": "#58d3a9",
        "color-background-primary": "#101416",
        "color-background-secondary": "#181e21",
        "color-background-border": "#2f393e",
        "color-foreground-primary": "#e9eeef",
        "color-foreground-secondary": "#a3b1b6",
    },
}
