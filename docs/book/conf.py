"""The site of `make book`: Sphinx, whose every warning is an error, on the same Markdown that is read without it."""
project = "headroom"
author = copyright = "the headroom authors"
extensions = ["myst_parser"]
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 4
myst_links_external_new_tab = False
html_theme = "furo"
html_title = "headroom"
html_static_path = ["_static"]
html_extra_path = ["_extra"]
html_css_files = ["book.css"]
html_js_files = ["little.js"]
html_show_sphinx = html_copy_source = False
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
exclude_patterns = ["_extra"]
