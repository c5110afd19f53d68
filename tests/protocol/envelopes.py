"""
Envelopes of real games, each with what a legal answer to it is.

Nothing here uses the bot's own reading of messages: hands and tables are followed card id by card id.
"""

import gzip
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from ddzbot.cards import hand_of_ids
from ddzbot.rules import RuleSet, explain, read_move, rule_set
from tests.support import ROOT

DATA = ROOT / "tests" / "data" / "botzone"
RULES_OF_GAME = {"FightTheLandlord": "botzone", "FightTheLandlord2": "botzone2"}


class Asked(NamedTuple):
    """One question of a judge: the envelope, and what decides whether an answer is legal."""

    name: str
    envelope: dict[str, Any]
    rules: RuleSet
    held: list[int]
    to_beat: list[int]
    """Card ids; empty on a lead."""
    bids: list[int] | None
    """The earlier bids if a bid is asked for."""

    def fault(self, response: Any) -> str | None:
        """Gets what is wrong with *response*, or None."""
        if self.bids is not None:
            return None if response in (0, *range(max(self.bids, default=0) + 1, 4)) else f"bid {response}"
        if not isinstance(response, list) or not {*response} <= {*self.held} or len({*response}) < len(response):
            return f"{response} out of {self.held}"
        to_beat = read_move(self.rules, hand_of_ids(self.to_beat)) if self.to_beat else None
        return explain(self.rules, hand_of_ids(self.held), hand_of_ids(response), to_beat)


def rows(file_name: str) -> list[dict[str, Any]]:
    """Reads a gzip file of JSON lines."""
    with gzip.open(DATA / file_name, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def asked_in_transcripts() -> Iterator[Asked]:
    """Yields every request that a bot was sent; a bare one as the envelope of all requests and answers before it."""
    for row in rows("transcripts.jsonl.gz"):
        histories: dict[str, tuple[list[Any], list[Any]]] = {seat: ([], []) for seat in "012"}
        for step in row["steps"]:
            for seat, bot in step.get("bots", {}).items():
                requests, responses = histories[seat]
                requests.append(json.loads(step["judge_stdout"])["content"][seat])
                if "stdin" in bot:
                    sent = json.loads(bot["stdin"])
                    envelope = sent if "requests" in sent else {"requests": requests, "responses": responses}
                    yield _asked(row["name"], json.loads(json.dumps(envelope)), RULES_OF_GAME[row["game"]])
                    responses.append(json.loads(bot["stdout"].splitlines()[0])["response"])
                else:
                    responses.append(bot["injected"].get("response"))


def asked_in_scored_games() -> Iterator[Asked]:
    """Yields the envelope of every move and every bid of the scored games."""
    for index, row in enumerate(rows("scored_games.jsonl.gz")):
        yield from _asked_in_game(f"scored {index}", row)


def _asked_in_game(name: str, row: dict[str, Any]) -> Iterator[Asked]:
    hands, bottom, bids = row["initdata"]["allocation"], row["initdata"]["publiccard"], row["bids"]
    histories: list[tuple[list[Any], list[Any]]] = [([], []), ([], []), ([], [])]
    rules = RULES_OF_GAME[row["game"]]
    for position, bid in enumerate(bids):
        histories[position][0].append({"own": hands[position], "bid": bids[:position]})
        yield _asked(name, _envelope(histories[position]), rules)
        histories[position][1].append(bid)
    landlord = bids.index(max(bids)) if any(bids) else 0
    for turn, played in enumerate(row["moves"]):
        position = (landlord + turn) % 3
        before = [[], [], *row["moves"][:turn]][-2:]
        request = {"history": before}
        if turn < 3:
            request |= {"own": hands[position], "publiccard": bottom}
            if rules == "botzone2":
                request |= {"landlord": landlord, "pos": position, "finalbid": max(bids) or 1}
        histories[position][0].append(request)
        yield _asked(name, _envelope(histories[position]), rules)
        histories[position][1].append(played)


def _envelope(history: tuple[list[Any], list[Any]]) -> dict[str, Any]:
    return {"requests": list(history[0]), "responses": list(history[1])}


def _asked(name: str, envelope: dict[str, Any], rules: str) -> Asked:
    requests, newest = envelope["requests"], envelope["requests"][-1]
    if "bid" in newest:
        return Asked(name, envelope, rule_set(rules), newest["own"], [], newest["bid"])
    dealt = next(request for request in requests if "own" in request and "bid" not in request)
    held = set(dealt["own"])
    if dealt.get("landlord", -1) == dealt.get("pos"):
        held |= set(dealt["publiccard"])
    for response in envelope["responses"]:
        held -= set(response) if isinstance(response, list) else set()
    if len(dealt["own"]) in (9, 12):
        rules = "mini"
    to_beat = next((played for played in reversed(newest["history"]) if played), [])
    return Asked(name, envelope, rule_set(rules), sorted(held), [int(card) for card in to_beat], None)
