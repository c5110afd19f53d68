"""Shards as files, without the command that makes them."""

from pathlib import Path
from typing import Any

from tools.shared.storage.whole_file import put
from tools.training.making import Work, make_shard
from tools.training.shards import packed_columns


def write_columns(path: Path, about: dict[str, Any], columns: Any) -> None:
    put(path, packed_columns(about, columns))


def write_shard(folder: Path, work: Work, first: int) -> None:
    made = make_shard(work, work.plan.about(), first)
    assert made is not None
    put(work.path(folder, first), made[1])
