"""
How Sphinx makes the site: ``make site``, which is ``sphinx-build -W -c docs/site . build/site``.

tools/release/site names the pages, makes the navigation of their links, and teaches the search Chinese.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))

from ddzbot import __version__  # noqa: E402

project = "ddzbot"
author = "ddzbot contributors"
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "tools.release.site.extension"]

# The source is the whole project, so that pages name each other and the pictures as on a code host.
include_patterns = [
    "*.md",
    "docs/*.md",
    "docs/**/*.md",
    "docs/**/*.rst",
    "results/README.md",
    "results/*/TABLES.md",
    "tests/README.md",
    "tests/data/endgames/README.md",
    "tests/data/records/README.md",
]
root_doc = "index"
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
highlight_language = "none"
nitpicky = True

myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]

autodoc_default_options = {"members": True, "member-order": "bysource", "ignore-module-all": True}
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
autosummary_generate = False
add_module_names = False
maximum_signature_line_length = 140

html_theme = "furo"
html_title = "ddzbot"
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b6b57",
        "color-brand-content": "#0b6b57",
        "color-brand-visited": "#0b6b57",
        "color-api-name": "#0b6b57",
    },
    "dark_css_variables": {
        "color-brand-primary": "#57c3a3",
        "color-brand-content": "#57c3a3",
        "color-brand-visited": "#57c3a3",
        "color-api-name": "#57c3a3",
    },
}
html_static_path = ["static"]
html_css_files = ["site.css"]
html_search_language = "en-zh"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_use_index = False
html_domain_indices = False
