"""The way to a scheduler, and what can be wrong with it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import cloudpickle
import dask
from distributed import Client
from distributed.comm.addressing import get_address_host

from . import probe
from .errors import ClusterError

_CONNECT_SECONDS = 10
_CLOSE_SECONDS = 5


def lost(address: str, error: object = "it is gone") -> ClusterError:
    """Says that there is no scheduler any more."""
    return ClusterError(f"cluster {address}: the connection to the scheduler is lost ({error})")


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """
    Opens a connection to the scheduler at *address*; for ``tls://`` dask's own configuration names the certificates.

    :raises ClusterError: if that is no address, or no scheduler answers there.
    """
    # Our own message names an error once; these loggers would write it into the progress bar too.
    for logger in ("distributed.client", "distributed.batched", "distributed.core"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    # A shard of a training is sent the network that it begins with.
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1GB"})
    _check_address(address)
    cloudpickle.register_pickle_by_value(probe)
    try:
        client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False, name="ddzbot")
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise ClusterError(f"cluster {address}: no scheduler answers there ({error})") from None
    try:
        yield client
    finally:
        with suppress(OSError, RuntimeError):
            client.close(timeout=_CLOSE_SECONDS)


def _check_address(address: str) -> None:
    # A client that fails over its address still tries to close a connection, for 20 seconds, and then says so.
    try:
        get_address_host(address)
    except ValueError:
        raise ClusterError(f"cluster {address}: an address is like tcp://10.0.0.7:8786") from None
