/*
 * Draws hidden hands in proportion to weights, without rejecting any. The same arithmetic, number for number, as in
 * ddzbot/belief/ways.py, where it is explained: totals over the ranks from the last to the first, and then one random
 * number for each rank.
 */
#include "worlds/parts.h"
#include "rules/parts.h"

#define WORLDS_MAGIC 0x73646C726F5744ULL
#define MOST_SHARES (1ULL << 63)

/* Two words, and products of 64 bits: not every processor has wider ones, and 32-bit compilers know no __int128. */
static inline wide sum_of(wide one, wide other)
{
    uint64_t low = one.low + other.low;
    return (wide){low, one.high + other.high + (low < one.low)};
}

/* Without a branch; totals are below 2 to the 126, so that nothing overflows. */
static inline bool is_below(wide one, wide other) { return one.high < other.high + (one.low < other.low); }

static inline wide weighed(wide ways, uint32_t weight)
{
    uint64_t low = (ways.low & UINT32_MAX) * weight, middle = (ways.low >> 32) * weight;
    return sum_of((wide){low, ways.high * weight}, (wide){middle << 32, middle >> 32});
}

static inline unsigned bits_of(uint64_t number) { return number ? 64 - (unsigned)__builtin_clzll(number) : 0; }

/* Sorts the ranks into free and fixed ones; false if a weight stands where no card is, or the total may not fit. */
static bool take_weights(ddz_worlds *worlds, uint64_t unseen, const uint32_t *weights)
{
    unsigned bits = 0;
    for (unsigned rank = 0; rank < DDZ_RANKS; rank++) {
        const uint32_t *given = weights + rank * DDZ_COUNTS;
        unsigned out = unseen >> 4 * rank & 15, possible = 0, last = 0;
        uint64_t sum = 0;
        for (unsigned cards = 0; cards < DDZ_COUNTS; cards++) {
            if (given[cards] == 0)
                continue;
            if (cards > out)
                return false;
            possible++;
            last = cards;
            sum += given[cards];
        }
        if (possible == 0)
            return false;
        if (possible == 1) {
            worlds->fixed |= (uint64_t)last << 4 * rank;
            continue;
        }
        bits += bits_of(sum);
        for (unsigned cards = 0; cards < DDZ_COUNTS; cards++)
            worlds->weights[worlds->free][cards] = given[cards];
        worlds->most[worlds->free] = (uint8_t)last;
        worlds->shifts[worlds->free++] = (uint8_t)(4 * rank);
    }
    return bits <= TOTAL_BITS;
}

static void add_up(ddz_worlds *worlds)
{
    for (unsigned place = 0; place <= worlds->free; place++)
        for (unsigned column = 0; column < NONE_LEFT; column++)
            worlds->ahead[place][column] = (wide){0, 0};
    for (unsigned left = 0; left <= worlds->left; left++)
        worlds->ahead[worlds->free][NONE_LEFT + left] = (wide){left == 0, 0};
    for (unsigned place = worlds->free; place-- > 0;) {
        for (unsigned left = 0; left <= worlds->left; left++) {
            const wide *later = &worlds->ahead[place + 1][NONE_LEFT + left];
            wide sum = {0, 0};
            for (int cards = 0; cards < DDZ_COUNTS; cards++)
                sum = sum_of(sum, weighed(later[-cards], worlds->weights[place][cards]));
            worlds->ahead[place][NONE_LEFT + left] = sum;
        }
    }
}

ddz_status ddz_worlds_layout(uint32_t *sizes, uint32_t count)
{
    static const uint32_t SIZES[] = {sizeof(ddz_worlds)};
    return tell_sizes(SIZES, sizeof(SIZES) / sizeof(SIZES[0]), sizes, count);
}

ddz_status ddz_worlds_init(ddz_worlds *worlds, uint64_t unseen, uint32_t first_cards, const uint32_t *weights)
{
    if (bad_pointer(worlds, 8) || bad_pointer(weights, 4))
        return DDZ_BAD_POINTER;
    worlds->magic = 0;
    worlds->parts = 0;
    if (!is_hand(unseen) || first_cards > FIRST_CARDS || first_cards > size_of(unseen))
        return DDZ_BAD_CARDS;
    worlds->unseen = unseen;
    worlds->fixed = 0;
    worlds->free = 0;
    if (!take_weights(worlds, unseen, weights) || size_of(worlds->fixed) > first_cards)
        return DDZ_BAD_INDEX;
    worlds->left = first_cards - size_of(worlds->fixed);
    add_up(worlds);
    wide all = worlds->ahead[0][NONE_LEFT + worlds->left];
    if ((all.low | all.high) == 0)
        return DDZ_BAD_INDEX;
    worlds->magic = WORLDS_MAGIC;
    return DDZ_OK;
}

/* Adds the shares up; false if they are no shares. */
static bool add_shares(ddz_worlds *mixture, const uint64_t *shares, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t part = 0; part < count; part++) {
        if (shares[part] >= MOST_SHARES - sum)
            return false;
        mixture->ends[part] = sum += shares[part];
    }
    return sum > 0;
}

ddz_status ddz_worlds_mix(ddz_worlds *mixture, const ddz_worlds *parts, const uint64_t *shares, uint32_t count)
{
    if (bad_pointer(mixture, 8) || bad_pointer(parts, 8) || bad_pointer(shares, 8))
        return DDZ_BAD_POINTER;
    mixture->magic = 0;
    if (count == 0 || count > DDZ_MOST_PARTS || !add_shares(mixture, shares, count))
        return DDZ_BAD_INDEX;
    for (uint32_t part = 0; part < count; part++) {
        if (parts[part].magic != WORLDS_MAGIC || parts[part].parts)
            return DDZ_BAD_RULES;
        if (parts[part].unseen != parts->unseen || worlds_first_cards(&parts[part]) != worlds_first_cards(parts))
            return DDZ_BAD_CARDS;
    }
    mixture->parts = parts;
    mixture->part_count = count;
    mixture->unseen = parts->unseen;
    mixture->fixed = 0;
    mixture->free = 0;
    mixture->left = worlds_first_cards(parts);
    mixture->magic = WORLDS_MAGIC;
    return DDZ_OK;
}

/* Draws a number below bound: as many random bits as the largest has, again while they make a larger number. */
static inline wide below(ddz_random *random, wide bound)
{
    wide number = bound;
    if (bound.high == 0) {
        uint64_t mask = bound.low > 1 ? UINT64_MAX >> __builtin_clzll(bound.low - 1) : 0;
        if (mask == 0)
            return (wide){0, 0};
        while (number.low >= bound.low)
            number.low = random_word(random) & mask;
        return number;
    }
    uint64_t largest = bound.high - (bound.low == 0);
    uint64_t mask = largest ? UINT64_MAX >> __builtin_clzll(largest) : 0;
    while (!is_below(number, bound)) {
        number.low = random_word(random);
        number.high = mask ? random_word(random) & mask : 0;
    }
    return number;
}

static const ddz_worlds *draw_part(const ddz_worlds *mixture, ddz_random *random)
{
    uint64_t number = below(random, (wide){mixture->ends[mixture->part_count - 1], 0}).low;
    uint32_t part = 0;
    while (number >= mixture->ends[part])
        part++;
    return &mixture->parts[part];
}

uint64_t worlds_draw(const ddz_worlds *worlds, ddz_random *random)
{
    if (worlds->parts)
        worlds = draw_part(worlds, random);
    uint64_t first = worlds->fixed;
    unsigned left = worlds->left;
    for (unsigned place = 0; place < worlds->free; place++) {
        const wide *later = &worlds->ahead[place + 1][NONE_LEFT + left];
        wide number = below(random, worlds->ahead[place][NONE_LEFT + left]), sum = {0, 0};
        int cards = 0;
        /* Without a branch on the number, which would be a bad guess half of the time. */
        for (int fewer = 0; fewer < worlds->most[place]; fewer++) {
            sum = sum_of(sum, weighed(later[-fewer], worlds->weights[place][fewer]));
            cards += !is_below(number, sum);
        }
        left -= (unsigned)cards;
        first += (uint64_t)cards << worlds->shifts[place];
    }
    return first;
}

static double real(wide value) { return (double)value.high * 18446744073709551616.0 + (double)value.low; }

double worlds_total(const ddz_worlds *worlds) { return real(worlds->ahead[0][NONE_LEFT + worlds->left]); }

void worlds_shares(const ddz_worlds *worlds, double (*shares)[DDZ_COUNTS])
{
    double behind[FIRST_CARDS + 1] = {0}, all = worlds_total(worlds);
    behind[worlds->left] = 1.0; /* the weight of all ways in which the ranks before leave so many cards */
    for (unsigned place = 0; place < worlds->free; place++) {
        double next[FIRST_CARDS + 1] = {0};
        for (unsigned cards = 0; cards < DDZ_COUNTS; cards++) {
            double weight = worlds->weights[place][cards], sum = 0.0;
            for (unsigned left = cards; left <= worlds->left; left++) {
                sum += behind[left] * real(worlds->ahead[place + 1][NONE_LEFT + left - cards]);
                next[left - cards] += behind[left] * weight;
            }
            shares[place][cards] = sum * weight / all;
        }
        for (unsigned left = 0; left <= worlds->left; left++)
            behind[left] = next[left];
    }
}

ddz_status ddz_worlds_draw(const ddz_worlds *worlds, ddz_random *random, uint64_t *hands, uint32_t count)
{
    if (bad_pointer(worlds, 8) || bad_pointer(random, 8) || bad_pointer(hands, 8))
        return DDZ_BAD_POINTER;
    if (worlds->magic != WORLDS_MAGIC)
        return DDZ_BAD_RULES;
    if (!random_is_seeded(random))
        return DDZ_BAD_RANDOM;
    for (uint32_t world = 0; world < count; world++) {
        uint64_t first = worlds_draw(worlds, random);
        hands[2 * world] = first;
        hands[2 * world + 1] = worlds->unseen - first;
    }
    return DDZ_OK;
}
