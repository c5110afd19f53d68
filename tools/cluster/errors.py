"""What goes wrong with a cluster."""


class ClusterError(Exception):
    """Raised when a cluster cannot play, or not go on; the message is one sentence for the user."""
