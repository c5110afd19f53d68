"""Input that makes no sense: one sentence, and exit code 2."""

import click


class InputError(click.ClickException):
    """Raised for input that makes no sense; the message is the sentence that the user reads."""

    exit_code = 2
