"""A game against the champion that a person types, on every system the same."""

WORDS = ("play", "--seed", "3", "--limit", "600s,100p")
_TRIED = [line for rank in ("3", "4", "7", "10", "j", "q", "2", "l") for line in (rank, rank * 2, "pass")]
TYPED = "".join(f"{line}\n" for line in _TRIED * 2)
"""Most lines are refused, as no cards of that hand or no move; it ends with the game."""


def shown(printed: str) -> list[str]:
    """The words of the game up to its scores; what follows are commands, which differ."""
    game, _, _ = printed.partition("Watch it again:")[0].partition("The same deal:")
    assert "landlord_down went out: the peasants win. You lose." in game
    return game.split()
