"""An agent of RLCard that plays as the champion does, by the best move that both know."""

import rlcard

from ddzbot.api import Limit, View, analyse, parse_hand, read_move, rule_set

RULES, JOKERS = rule_set("standard"), str.maketrans("BR", "LB")


def cards(text):
    return parse_hand(text.replace("pass", "").translate(JOKERS))


class Champion:
    use_raw = True  # actions are texts

    def step(self, state):
        seen = state["raw_obs"]
        hand, bottom = cards(seen["current_hand"]), cards(seen["seen_cards"])
        plays = tuple(read_move(RULES, cards(text)) for _, text in seen["trace"])
        view = View(RULES, seen["self"], hand, bottom, bids=(), stake=1, landlord_position=0, plays=plays)
        moves = [estimate.move.cards for estimate in analyse(view, Limit(playouts=200)).moves]
        known = [text for text in seen["actions"] if cards(text) in moves]
        return min(known, key=lambda text: moves.index(cards(text)))

    def eval_step(self, state):
        return self.step(state), {}


env = rlcard.make("doudizhu", config={"seed": 1})
env.set_agents([Champion(), Champion(), Champion()])  # put your agent in the place of one
print(env.run(is_training=False)[1])  # the winners, by seat
