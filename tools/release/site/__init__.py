"""The pages and the docstrings as one site: what Sphinx is taught for it."""
