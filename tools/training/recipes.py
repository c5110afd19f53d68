"""The trainings by name."""

from typing import NamedTuple


class Recipe(NamedTuple):
    """A recipe: in its folder ``command.py`` has its verbs, and ``pack.py`` packs its networks."""

    room: str
    sentence: str
    verbs: tuple[str, ...] = ("learn",)


RECIPES = {
    "champion": Recipe("champion", "The champion's network, by games against itself."),
    "auction": Recipe("auction", "The network for bids, from deals with every landlord.", ("learn", "make")),
    "mcm": Recipe("mcm", "The network MCM, from records of a search.", ("learn", "make", "score")),
    "rocket": Recipe("rocket", "The networks of DeepRocket, from the champion's games.", ("learn", "make", "score")),
    "cql": Recipe("learners", "Combinational Q-learning, by games against itself."),
    "cql-covers": Recipe("learners", "The same with random exact covers of the hand, as in the paper."),
    "dqn": Recipe("learners", "Naive DQN, by games against itself."),
    "dqn-naive": Recipe("learners", "DQN over the flat list of all moves, legal or not."),
    "a3c": Recipe("learners", "Naive A3C, by games against itself."),
    "zero": Recipe("zero", "Networks of DouZero, by games against itself."),
}
