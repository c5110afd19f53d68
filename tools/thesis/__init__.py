"""The tables of the master thesis of 2022 (LessSplit, MCTSHS, MCM), beside the same numbers of this program."""
