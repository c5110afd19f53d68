"""Plays sets and makes shards on the workers of a dask cluster, with the results of one machine."""
