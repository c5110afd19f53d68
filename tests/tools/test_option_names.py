"""The names of options over all commands: one name has one meaning, and an old name is refused with the new one."""

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from tools.command import main
from tools.shared.retired import RETIRED


def commands(command: click.Command = main, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yields every command with its name, groups and inner ones too."""
    yield name.strip(), command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=name)
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found
            yield from commands(found, f"{name} {inner}")


COMMANDS = dict(commands())


def options(command: click.Command) -> set[str]:
    return {
        name for one in command.params if isinstance(one, click.Option) for name in (*one.opts, *one.secondary_opts)
    }


def retired(command: str) -> dict[str, str]:
    """Gets the old options of a command: those of all, and its own."""
    of_all = {old: now for old, now in RETIRED.items() if old.startswith("-")}
    return of_all | {
        old.removeprefix(f"{command} "): now for old, now in RETIRED.items() if old.startswith(f"{command} -")
    }


def test_old_names_of_one_command_are_those_of_a_command_that_there_is() -> None:
    assert {old.rpartition(" ")[0] for old in RETIRED} <= {"", *COMMANDS}


@pytest.mark.parametrize("name", COMMANDS)
def test_an_old_name_is_refused_with_the_new_one(name: str) -> None:
    for old, now in retired(name).items():
        assert old not in options(COMMANDS[name])
        done = CliRunner().invoke(main, [*name.split(), old, "500"])
        assert done.exit_code == 2 and f"{old} is {now} now" in done.output, done.output


def test_a_command_without_the_new_option_says_so() -> None:
    done = CliRunner().invoke(main, ["show", "--playouts=500"])
    assert "--playouts is --limit 500p now, which show does not take\n" in done.output
    done = CliRunner().invoke(main, ["match", "--playouts=500"])
    assert "--playouts is --limit 500p now\n" in done.output


def test_it_is_said_in_chinese() -> None:
    done = CliRunner().invoke(main, ["play", "--playouts", "500"], env={"LC_ALL": "zh_CN.UTF-8"})
    assert done.exit_code == 2 and "--playouts 现在是 --limit 500p\n" in done.output
