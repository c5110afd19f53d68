"""Starts a cluster over SSH, and ends it at Ctrl-C: `python over_ssh.py 10.0.0.7 10.0.0.8 10.0.0.9 --cores 8`."""

import argparse
import os
import signal
import sys

from distributed import SSHCluster


def main():
    """Says where the scheduler is, and waits."""
    parser = argparse.ArgumentParser(description="Start a cluster over SSH.")
    parser.add_argument("scheduler", help="address of the machine of the scheduler")
    parser.add_argument("workers", nargs="+", help="addresses of the machines that work")
    parser.add_argument("--cores", type=int, default=2, help="of each of them, each with a worker of its own")
    parser.add_argument("--checkout", default=os.getcwd(), help="where it lies on all of them")
    wanted = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit())
    with SSHCluster(
        [wanted.scheduler, *wanted.workers],
        scheduler_options={"host": wanted.scheduler, "dashboard_address": "127.0.0.1:0"},
        worker_options={"nthreads": 1, "n_workers": wanted.cores, "dashboard_address": "127.0.0.1:0"},
        remote_python=f"env -C {wanted.checkout} .venv/bin/python",
    ) as cluster:
        print(f"--cluster {cluster.scheduler_address}", flush=True)
        signal.pause()


if __name__ == "__main__":
    main()
