"""Starts a cluster of Slurm jobs, and ends it at Ctrl-C: `python on_slurm.py --jobs 4 --cores 16 --time 08:00:00`."""

import argparse
import signal
import sys
import tempfile
from pathlib import Path

from dask_jobqueue import SLURMCluster
from distributed.security import Security

ROLES = ("client", "scheduler", "worker")


def certificate(folder):
    """Writes a certificate and its key where this user alone can read; gets both files and what dask makes of them."""
    made = Security.temporary()
    cert, key = str(folder / "cert.pem"), str(folder / "key.pem")
    Path(cert).write_text(made.tls_client_cert)
    Path(key).write_text(made.tls_client_key)
    files = {f"tls_{role}_cert": cert for role in ROLES} | {f"tls_{role}_key": key for role in ROLES}
    return cert, key, Security(require_encryption=True, tls_ca_file=cert, **files)


def main():
    """Says where the scheduler is, which runs here, and waits."""
    parser = argparse.ArgumentParser(description="Start a cluster of Slurm jobs.")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cores", type=int, default=2, help="of each job, each with a worker of its own")
    parser.add_argument("--memory", type=int, default=2, metavar="GB", help="of each core")
    parser.add_argument("--time", default="01:00:00", help="after which Slurm ends a job")
    parser.add_argument("--partition")
    parser.add_argument("--host", help="address of this machine that the jobs can reach")
    wanted = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit())
    Path("data").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir="data", prefix="slurm-") as folder:
        cert, key, security = certificate(Path(folder))
        with SLURMCluster(
            cores=wanted.cores,
            processes=wanted.cores,
            memory=f"{wanted.memory * wanted.cores}GB",
            walltime=wanted.time,
            queue=wanted.partition,
            log_directory="data",
            security=security,
            scheduler_options={"host": wanted.host, "dashboard_address": "127.0.0.1:0"},
            worker_extra_args=["--dashboard-address", "127.0.0.1:0"],
        ) as cluster:
            cluster.scale(jobs=wanted.jobs)
            for name, file in (("CA_FILE", cert), ("CLIENT__CERT", cert), ("CLIENT__KEY", key)):
                print(f"export DASK_DISTRIBUTED__COMM__TLS__{name}={file}")
            print(f"--cluster {cluster.scheduler_address}", flush=True)
            signal.pause()


if __name__ == "__main__":
    main()
