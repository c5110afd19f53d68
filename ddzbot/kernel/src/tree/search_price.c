/*
 * What groups of cards cost a player: how likely it is that an enemy beats them, as far as the cards tell that are out.
 * Each unseen card is taken to lie in a hand with a chance equal to that hand's share of them, as in the player "rule"
 * (ddzbot/players/rule_threats.py), whose numbers these are.
 */
#include "tree/parts.h"

/* The threat at which a group loses the lead as often as it wins it back, by cards of the rank; 0 stands for chains. */
static const double SCALES[4] = {1.0, 6.0, 3.0, 1.0};
/* What a group costs, and more when an enemy would go out by beating it. */
static const double PRICE = 2.0, DANGER = 2.0;

/* The chance that a hand with that share of the cards holds the group, when so many cards of the rank are out. */
static double group_chance(double share, unsigned group, unsigned out)
{
    double other = 1.0 - share, square = share * share;
    if (out < group)
        return 0.0;
    if (group == 1)
        return 1.0 - (out > 2 ? other * other : 1.0) * (out % 2 ? other : other * other);
    if (group == 2)
        return square * (out == 2 ? 1.0 : out == 3 ? 3.0 - 2.0 * share : 6.0 - 8.0 * share + 3.0 * square);
    return square * share * (out == 3 ? 1.0 : 4.0 - 3.0 * share);
}

static double chain_chance(uint64_t others, double share, unsigned group, unsigned length, unsigned rank)
{
    double chance = 1.0;
    for (unsigned at = rank; at < rank + length; at++)
        chance *= group_chance(share, group, others >> 4 * at & 15);
    return chance;
}

double threat_to(uint64_t others, unsigned hands, double share, unsigned group, unsigned length, unsigned rank)
{
    double each = share / hands, threat = 0.0;
    uint64_t above = others & ranks_from(rank + 1) * 15;
    uint64_t least[5] = {0, at_least_1(above), at_least_2(above), at_least_3(above), at_least_4(above)};
    if (group > 3)
        return 0.0;
    if (group == 1 && length == 1)
        return share * size_of(above);
    if (length == 1)
        for (unsigned out = group; out <= 4; out++)
            threat += rank_count(least[out]) * (group_chance(each, group, out) - group_chance(each, group, out - 1));
    else
        for (uint64_t starts = run_starts(least[group] & ranks_to(DDZ_MAX_LENGTH - 1), length); starts;
             starts &= starts - 1)
            threat += chain_chance(above, each, group, length, lowest(starts) / 4);
    return threat * hands;
}

static double price_of(double threat, double scale, bool danger)
{
    return (PRICE + danger * DANGER) * threat / (threat + scale);
}

/* Fills the prices of a seat whose enemies, so many hands, have that share of the others' cards. */
static void fill_prices(prices *own, uint64_t others, unsigned hands, double share, const uint8_t *enemy_cards)
{
    for (unsigned group = 1; group <= 3; group++) {
        bool alone = enemy_cards[0] == group || enemy_cards[1] == group;
        for (unsigned rank = 0; rank < DDZ_RANKS; rank++)
            own->of[group][1][rank] = price_of(threat_to(others, hands, share, group, 1, rank), SCALES[group], alone);
        for (unsigned length = 2; length <= DDZ_MAX_LENGTH; length++) {
            bool danger = enemy_cards[0] == group * length || enemy_cards[1] == group * length;
            double threat = 0.0;
            for (unsigned rank = DDZ_MAX_LENGTH - length + 1; rank-- > 0;) {
                own->of[group][length][rank] = price_of(threat, SCALES[0], danger);
                threat += hands * chain_chance(others, share / hands, group, length, rank);
            }
        }
    }
}

static void find_rows(planner *plans, const grammar *legal)
{
    for (unsigned group = 0; group < 5; group++)
        for (unsigned kicker = 0; kicker < 3; kicker++)
            for (unsigned length = 0; length <= DDZ_MAX_LENGTH; length++)
                plans->rows[group][kicker][length] = 0;
    for (uint32_t index = 0; index < legal->count; index++) {
        const row *shape = &legal->rows[index];
        for (unsigned length = shape->min_length; shape->per_group <= 1 && length <= shape->longest; length++)
            plans->rows[shape->group][shape->kicker][length] = shape;
    }
}

bool planner_set_up(planner *plans, const ddz_rules *rules, const ddz_splits *splits, const ddz_situation *seen)
{
    plans->rules = rules;
    plans->splits = splits;
    find_rows(plans, &rules->legal);
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++) {
        /* What the others hold, as the searching seat sees it; a hidden hand has a part of that itself. */
        uint64_t others = seat == seen->seat ? seen->unseen : seen->hand + seen->unseen;
        const uint8_t *left = seen->cards_left;
        uint8_t enemy_cards[2] = {left[seat ? 0 : 1], left[seat ? 0 : 2]};
        double share = seat ? (double)left[0] / (left[(seat + 1) % DDZ_SEATS] + left[(seat + 2) % DDZ_SEATS]) : 1.0;
        fill_prices(&plans->by_seat[seat], others, seat ? 1 : 2, share, enemy_cards);
    }
    for (unsigned slot = 0; slot < PLAN_SLOTS; slot++)
        plans->slots[slot].key = 0;
    return plans->rows[3][0][1] && plans->rows[4][0][1];
}
