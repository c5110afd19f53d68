"""What the environments of one game share: the deal, observations, the numbers of actions, and the picture."""

from typing import Any, Dict, List, Optional, Sequence

from ddzbot.cards import hand_text
from ddzbot.env.actions import Actions
from ddzbot.env.given import Copied, checked_action, checked_mode, checked_seed
from ddzbot.env.layout import SEEN, Choice
from ddzbot.env.packages import ResetNeeded, np, spaces, warn
from ddzbot.env.table import Dealer, Table
from ddzbot.game import SEATS
from ddzbot.rules import rule_set


class Playing(Copied):
    """An environment of one game: it must be dealt before it is played, and ends once."""

    metadata: Dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def _set_up(self, rules: str, render_mode: Optional[str]) -> None:
        self.rules = rule_set(rules)
        self.render_mode = checked_mode(render_mode, self.metadata["render_modes"])
        self.actions, self._dealer = Actions(self.rules), Dealer(self.rules)
        self.table: Table = self._dealer.table()
        """The game, all hands open."""
        self._dealt = False
        self._choices: Sequence[Choice] = []
        """What the player to move may do."""
        self._numbers: List[int] = []
        """The numbers of these."""
        self._legal: List[int] = []
        """The same from low to high."""

    def _spaces(self) -> Any:
        """Makes the space of observations and that of actions."""
        row = spaces.Box(0, 255, (SEEN,), np.uint8)
        mask = spaces.Box(0, 1, (self.actions.count,), np.int8)
        return spaces.Dict({"observation": row, "action_mask": mask}), spaces.Discrete(self.actions.count)

    def move_of(self, action: int) -> str:
        """
        Gets what an action is, whether it is legal now or not: ``pass``, the cards, or for example ``bid 2``.

        :raises TypeError: for what is no whole number.
        :raises IndexError: for a number that no action has.
        """
        return self.actions.text(checked_action(action, self.actions.count))

    def action_of(self, text: str) -> int:
        """
        Gets the number of an action that is written as :meth:`move_of` does, its cards in any order.

        :raises ValueError: for a text that is no action under the rule set.
        """
        return self.actions.of_text(text)

    def render(self) -> Optional[str]:
        """
        Writes all hands and whose turn it is, where the environment was made with ``render_mode="ansi"``.

        :raises ResetNeeded: before the first deal.
        """
        if self.render_mode is None:
            warn('render() shows nothing: the environment was made without render_mode="ansi"')
            return None
        self._demand_deal("render")
        return picture(self.table)

    def close(self) -> None:
        """Has nothing to end."""

    def _deal(self, seed: Optional[int]) -> None:
        self.table = self._dealer.table(None if seed is None else checked_seed(seed))
        self._dealt = True

    def _play(self, action: Any) -> None:
        number = checked_action(action, self.actions.count)
        numbers = self._numbers
        self.table.choose(self._choices[numbers.index(number)] if number in numbers else None)

    def _take_turn(self) -> None:
        """Lists what the player to move may do."""
        self._choices = self.table.choices()
        self._numbers = self.actions.numbers_of(self._choices)
        self._legal = sorted(self._numbers)

    def _demand_deal(self, call: str) -> None:
        if not self._dealt:
            raise ResetNeeded(f"{call}() before reset(), which deals the game")

    def _demand_game(self, call: str) -> None:
        self._demand_deal(call)
        if self.table.points is not None:
            raise ResetNeeded(f"{call}() after the game has ended: reset() deals the next one")

    def _seen_at(self, position: int) -> Dict[str, Any]:
        legal = self._legal if position == self.table.position else ()
        seen = np.ndarray(SEEN, np.uint8, self.table.seen(position))
        return {"observation": seen, "action_mask": self.actions.mask(legal)}

    def _info(self, position: int) -> Dict[str, Any]:
        # Gymnasium's vectors of environments take arrays of one length alone, but any lists.
        return {"legal_actions": self._legal.copy() if position == self.table.position else []}


def picture(table: Table) -> str:
    """Writes the hands at a table, a line each, and what has to be done next."""
    game = table.game
    landlord = game.landlord_position if game else 0
    hands = [(game.hands if game else table.deal.hands)[(position - landlord) % SEATS] for position in range(SEATS)]
    lines = [f"player_{position} {hand_text(hand)}" for position, hand in enumerate(hands)]
    if table.points is not None:
        return "\n".join([*lines, f"over: {', '.join(f'{points:g}' for points in table.points)}"])
    if game is None:
        turn = f"bids after {', '.join(map(str, table.bids))}" if table.bids else "bids first"
    else:
        turn = f"has to beat {game.to_beat}" if game.to_beat else "leads"
        lines[landlord] += " (landlord)"
    return "\n".join([*lines, f"player_{table.position} {turn}"])
