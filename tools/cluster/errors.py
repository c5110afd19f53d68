"""What goes wrong with a cluster."""

import click


class ClusterError(click.ClickException):
    """Raised when a cluster cannot play, or not go on; the message is one sentence for the user."""
