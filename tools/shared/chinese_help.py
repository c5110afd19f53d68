"""
The help of a command in Chinese: what click writes, with every text translated and folded by its width.

A key is a paragraph of the help, or the help of an option, on one line. Examples, names and metavars stay.
"""

import re
from collections.abc import Mapping

import click
from rich.cells import cell_len

from .language import translated

INDENT = 2
WIDEST_OPTION = 30
_PARTS = re.compile(r"[\x21-\u2e7f]+|.")
_MARK = "\b\n"
_NO_BEGIN, _NO_END = "，。；：、！？）”》", "（“《["
"""What begins or ends no line."""


def keys_of_help(command: click.Command) -> list[str]:
    """Lists the texts in the help of a command that are translated."""
    texts = [part for section in (command.help, command.epilog) for part in _paragraphs(section) if _MARK not in part]
    texts += [row.strip() for row in _tables(command.epilog)]
    options = [param.help or "" for param in command.params if isinstance(param, click.Option) and param.name != "help"]
    return [*texts, *filter(None, options)]


def chinese_help(command: click.Command, context: click.Context) -> str:
    """Writes the help; a text that has no Chinese stays English."""
    width = max(min(context.terminal_width or context.make_formatter().width, 120), 50)
    usage = " ".join(["用法：", context.command_path, *command.collect_usage_pieces(context)])
    lines = [usage.replace("： ", "："), ""]
    for part in _paragraphs(command.help):
        lines += [*_indented(part, width), ""]
    rows = [_record(option, context) for option in command.get_params(context) if isinstance(option, click.Option)]
    lines.append("选项：")
    longest = max((cell_len(typed) for typed, _ in rows if cell_len(typed) <= WIDEST_OPTION), default=0)
    begin = 2 * INDENT + longest
    for typed, meaning in rows:
        folded = folded_lines(meaning, max(width - begin, 20))
        head = " " * INDENT + typed
        if cell_len(head) + INDENT > begin:
            lines.append(head)
            head = ""
        lines += [head + " " * (begin - cell_len(head)) + folded[0], *(" " * begin + row for row in folded[1:])]
    for part in _paragraphs(command.epilog):
        lines += ["", *_indented(part, width)]
    return "\n".join(lines)


def chinese_table(title: str, lines: Mapping[str, str], context: click.Context) -> str:
    """Writes the commands of a group, each with its sentence in Chinese."""
    begin = 2 * INDENT + max(map(len, lines))
    width = max(min(context.terminal_width or context.make_formatter().width, 120), 50) - begin
    rows = [f"{translated(title)}："]
    for command, sentence in lines.items():
        head, *others = folded_lines(translated(sentence).rstrip("。"), width)
        rows += [f"{' ' * INDENT}{command}".ljust(begin) + head, *(" " * begin + row for row in others)]
    return "\n".join(rows)


def folded_lines(text: str, width: int) -> list[str]:
    """Folds a text where a line is full: between Chinese characters, or at blanks, and beside no punctuation."""
    lines = [""]
    for part in _PARTS.findall(text):
        if lines[-1] and cell_len(lines[-1] + part) > width and part not in _NO_BEGIN:
            head = lines[-1].rstrip(_NO_END)
            lines[-1:] = [head, lines[-1][len(head) :]]
        lines[-1] = (lines[-1] + part).lstrip()
    return [folded.rstrip() for folded in lines]


def _paragraphs(text: str | None) -> list[str]:
    """Gets the paragraphs of a help on one line each; those with a mark keep their lines."""
    parts = re.split(r"\n\s*\n", text.strip("\n")) if text else []
    return [part if _MARK in part else " ".join(part.split()) for part in parts]


def _tables(text: str | None) -> list[str]:
    """Gets the lines of paragraphs that keep them."""
    return [row for part in _paragraphs(text) if _MARK in part for row in part.partition(_MARK)[2].splitlines()]


def _indented(part: str, width: int) -> list[str]:
    if _MARK in part:
        lines = part.partition(_MARK)[2].splitlines()
        return [" " * INDENT + row.replace(row.strip(), translated(row.strip())) for row in lines]
    return [" " * INDENT + folded for folded in folded_lines(translated(part), width - INDENT)]


def _record(option: click.Option, context: click.Context) -> tuple[str, str]:
    """Gets an option as it is typed, and its help with default and range."""
    extra = option.get_help_extra(context)
    notes = [f"环境变量：{', '.join(extra['envvars'])}"] if "envvars" in extra else []
    notes += [f"默认：{translated(extra['default'])}"] if "default" in extra else []
    notes += [extra["range"]] if "range" in extra else []
    notes += ["必需"] if "required" in extra else []
    meaning = translated(option.help or "")
    record = option.get_help_record(context)
    assert record
    return record[0], meaning + (f"  [{'；'.join(notes)}]" if notes else "")
