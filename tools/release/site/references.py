"""
What docstrings refer to: a link to what the site documents, code for what it does not, a warning for what is not there.

Sphinx finds a name in the module that documents it. Docstrings also use names that their module imports; those are
followed to where they are at home.
"""

import ast
import inspect
import re
from functools import cache
from importlib import import_module
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

_NOISE = re.compile(r"Alias for field number \d+")
"""What Python itself says about a field of a named tuple."""


def home_of(name: str, module: str = "", within: str = "") -> str | None:
    """
    Gets the full name of what a docstring in *module*, in its class *within*, calls *name*; None if nothing is.

    For example, ``Certain.seats`` in ``ddzbot.search.certain`` is ``ddzbot.belief.certain.Certain.seats``.
    """
    first, *rest = name.split(".")
    imported = _imported(module).get(first, first) if module else first
    near = (f"{module}.{within}.{name}", f"{module}.{name}") if module else ()
    return next(filter(None, map(_followed, [*near, ".".join([imported, *rest]), f"builtins.{name}"])), None)


@cache
def _followed(full: str) -> str | None:
    """Gets the name by which Python knows what is written as *full*, or None."""
    parts = full.split(".")
    for length in range(len(parts), 0, -1):
        try:
            thing: Any = import_module(".".join(parts[:length]))
        except (ImportError, ValueError):  # no module, or two points in a row
            continue
        return _attribute(thing, parts[length:])
    return None


def _attribute(thing: Any, names: list[str]) -> str | None:
    where = thing.__name__
    for name in names:
        if not hasattr(thing, name):
            return f"{where}.{name}" if inspect.isclass(thing) and f"self.{name}" in inspect.getsource(thing) else None
        thing = getattr(thing, name)
        match getattr(thing, "__module__", None), getattr(thing, "__qualname__", None):
            case str(module), str(inside):
                where = f"{module}.{inside}"
            case _:
                where = f"{where}.{name}"
    return str(where)


@cache
def _imported(module: str) -> dict[str, str]:
    """Gets the full name of all that a module imports by name, for the eyes of a type checker alone too."""
    nodes_of_module = ast.walk(ast.parse(inspect.getsource(import_module(module))))
    imports = [node for node in nodes_of_module if isinstance(node, ast.ImportFrom) and not node.level]
    return {alias.asname or alias.name: f"{node.module}.{alias.name}" for node in imports for alias in node.names}


def find_reference(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, shown: nodes.TextElement
) -> nodes.Element | None:
    """Gets what stands for a reference that Sphinx did not find; None if there is nothing of that name."""
    if node.get("refdomain") != "py":
        return None
    home = home_of(node["reftarget"], node.get("py:module") or "", node.get("py:class") or "")
    known = env.domains.python_domain.objects.get(home or "")
    if known:
        return make_refnode(app.builder, node["refdoc"], known.docname, known.node_id, shown, home)
    return shown if home else None


def without_noise(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Takes away what nobody wrote."""
    if lines and _NOISE.fullmatch(lines[0]):
        lines.clear()
