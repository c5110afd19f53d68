"""A well-behaved bot that keeps running; it plays like obedient_one_shot."""

import json
import sys

from obedient_one_shot import respond

MARKER = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"


def main():
    """Plays until its input ends."""
    requests, responses = [], []
    for line in sys.stdin:
        message = json.loads(line)
        envelope = "requests" in message
        if envelope:
            requests, responses = message["requests"], message["responses"]
        else:
            requests.append(message)
        responses.append(respond(requests, responses))
        debug = "envelope" if envelope else "request"
        sys.stdout.write(json.dumps({"response": responses[-1], "debug": debug}) + "\n" + MARKER + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
