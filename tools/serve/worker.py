"""
The process in which bots think: one pickled question in, one pickled answer out, until its input ends. The length of
an answer goes before it, so that whoever waits knows when all of it is there.

Processes, not threads: the networks of one process have one room to calculate in, a player in plain Python would
hold up the server, and a player that crashes takes nothing with it but this process. The pickles come from the server
that started it, and from nobody else. The argument is how far the process gives way to others, as of ``nice``.
"""

import os
import pickle
import signal
import sys

from ..shared.work.orphans import end_with_parent
from .questions import LENGTH, answer

__all__ = ["main"]


def main() -> None:
    """Answers until the server closes the pipe."""
    # Ctrl-C in the terminal reaches this process too, but ending is the server's business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(int(sys.argv[1]))
    end_with_parent()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a player prints must not get into the answers
    while True:
        try:
            question = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        text = pickle.dumps(answer(question))
        answers.write(LENGTH.pack(len(text)) + text)
        answers.flush()


if __name__ == "__main__":
    main()
