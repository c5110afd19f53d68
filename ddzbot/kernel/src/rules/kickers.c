/* The sets of kickers that a body may take from the rest of a hand. */
#include "rules/parts.h"

/* Fills in what may be a kicker, lowest rank first, and how often; returns the number of options. */
static unsigned list_options(const row *shape, uint64_t rest, uint64_t body, uint64_t *units, uint8_t *copies)
{
    unsigned options = 0;
    uint64_t ranks = at_least_1(rest);
    if (shape->kicker_rule != DDZ_ANY)
        ranks &= ~at_least_1(body);
    for (; ranks; ranks &= ranks - 1) {
        unsigned at = lowest(ranks);
        unsigned held = (unsigned)(rest >> at & 15) / shape->kicker;
        if (held == 0)
            continue;
        units[options] = (uint64_t)shape->kicker << at;
        copies[options++] = (uint8_t)(shape->kicker_rule == DDZ_DISTINCT ? 1 : held);
    }
    return options;
}

/*
 * ways[number] becomes the number of ways to choose that many kickers from one more option: with j copies of it, for
 * each possible j, and the others as before.
 */
static void add_option(uint32_t *ways, unsigned most, unsigned copies)
{
    for (unsigned number = most; number > 0; number--)
        for (unsigned taken = 1; taken <= copies && taken <= number; taken++)
            ways[number] += ways[number - taken];
}

uint32_t kickers_count(const ddz_rules *rules, const row *shape, unsigned length, uint64_t rest, uint64_t body)
{
    unsigned number = shape->per_group * length;
    if (number == 0)
        return 1;
    uint64_t units[DDZ_RANKS];
    uint8_t copies[DDZ_RANKS];
    unsigned options = list_options(shape, rest, body, units, copies);
    if (shape->kicker_rule == DDZ_DISTINCT)
        return number > options ? 0 : rules->choose[options][number];
    uint32_t ways[MAX_KICKERS + 1] = {1};
    for (unsigned option = 0; option < options; option++)
        add_option(ways, number, copies[option]);
    return ways[number];
}

uint64_t kickers_nth(const row *shape, unsigned length, uint64_t rest, uint64_t body, uint32_t index)
{
    unsigned number = shape->per_group * length;
    if (number == 0)
        return 0;
    uint64_t units[DDZ_RANKS];
    uint8_t copies[DDZ_RANKS];
    unsigned options = list_options(shape, rest, body, units, copies);
    /* ways[option] counts the choices from that option and all later ones. */
    uint32_t ways[DDZ_RANKS + 1][MAX_KICKERS + 1] = {{0}};
    ways[options][0] = 1;
    for (unsigned option = options; option-- > 0;) {
        for (unsigned taken = 0; taken <= number; taken++)
            ways[option][taken] = ways[option + 1][taken];
        add_option(ways[option], number, copies[option]);
    }
    uint64_t cards = 0;
    for (unsigned option = 0; option < options && number > 0; option++) {
        unsigned taken = copies[option] < number ? copies[option] : number;
        /* More copies of a low rank come first. */
        for (; taken > 0 && index >= ways[option + 1][number - taken]; taken--)
            index -= ways[option + 1][number - taken];
        cards += units[option] * taken;
        number -= taken;
    }
    return cards;
}

/* Chooses the lowest options for the places from place on; false if too few are left. */
static bool fill_from(kicker_walk *walk, unsigned place, unsigned option)
{
    if (walk->left[option] < walk->number - place)
        return false;
    for (unsigned used = 0; place < walk->number; used++) {
        if (used == walk->copies[option]) {
            option++;
            used = 0;
        }
        walk->chosen[place++] = (uint8_t)option;
        walk->cards += walk->unit[option];
    }
    return true;
}

bool kickers_start(kicker_walk *walk, const row *shape, unsigned length, uint64_t rest, uint64_t body)
{
    walk->number = shape->per_group * length;
    walk->cards = 0;
    if (walk->number == 0)
        return true;
    unsigned options = list_options(shape, rest, body, walk->unit, walk->copies);
    walk->left[options] = 0;
    for (unsigned option = options; option-- > 0;)
        walk->left[option] = (uint8_t)(walk->left[option + 1] + walk->copies[option]);
    return fill_from(walk, 0, 0);
}

/* Raises the last place that can be raised, and fills the places after it. */
bool kickers_next(kicker_walk *walk)
{
    for (unsigned place = walk->number; place-- > 0;) {
        unsigned raised = walk->chosen[place] + 1u;
        walk->cards -= walk->unit[raised - 1];
        if (fill_from(walk, place, raised))
            return true;
    }
    return false;
}
