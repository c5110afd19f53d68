"""The folder of a first bot: its program in Python and in C++, and its test; ``__main__`` is the command."""
