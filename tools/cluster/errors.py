"""The errors of a cluster."""

import click


class ClusterError(click.ClickException):
    """Raised when a cluster cannot play, or fails later; the message is for the user."""
