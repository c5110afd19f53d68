"""All commands of tools, as one calls them."""

from collections.abc import Iterator

import click

from tools.command import main


def commands(*left_out: str) -> Iterator[tuple[str, click.Command]]:
    """Yields every command with its name, groups and inner ones too, but for those that are *left_out*."""
    yield from _below(main, "", left_out)


def _below(command: click.Command, name: str, left_out: tuple[str, ...]) -> Iterator[tuple[str, click.Command]]:
    yield name.strip(), command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=name)
        for inner in command.list_commands(context):
            if inner not in left_out:
                below = command.get_command(context, inner)
                assert below
                yield from _below(below, f"{name} {inner}", left_out)
