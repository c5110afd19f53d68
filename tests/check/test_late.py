"""The scenes after auctions have the cards and the moves that they say."""

from collections import Counter

from ddzbot.game import SEAT_NAMES
from tools.arena.check.late import MOST_CARDS, after_auctions, kept_positions
from tools.arena.check.scenes import GAMES


def test_a_kept_bot_leads_late_in_each_seat_of_each_game() -> None:
    scenes = kept_positions(GAMES)
    names = Counter((scene.game, str(scene.name)) for scene in scenes)
    words = [f"late lead ({seat}, cards left: {MOST_CARDS})" for seat in SEAT_NAMES]
    assert names == Counter((game, name) for game in GAMES for name in words)


def test_after_an_auction_the_landlord_leads_a_card_of_its_lowest_rank_and_a_peasant_passes() -> None:
    led = 0
    for scene in after_auctions():
        assert scene.deal is not None
        hands, bids = scene.deal["allocation"], [script[:1] for script in scene.scripts]
        for player, (hand, script) in enumerate(zip(hands, scene.scripts, strict=True)):
            for move in script[len(bids[player]) :]:
                if move:
                    (card,) = move
                    assert card in hand and card // 4 == min(other // 4 for other in hand)
                    assert bids[player][0] == max(bid for bid, *_ in filter(None, bids)) or not any(map(any, bids))
                    led += 1
                else:
                    assert player != scene.player
    assert led >= 6
