"""How things are kept on disk: a lock, a whole file, a file that grows, a journal, a folder of typed objects."""
