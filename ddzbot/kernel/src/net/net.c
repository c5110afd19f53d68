/* The entry points of the fast network. */
#include "net/parts.h"

#include <string.h>

_Static_assert(sizeof(ddz_net_parameters) == 72, "the header says 72 bytes");
_Static_assert(sizeof(ddz_seen) == 48, "the header says 48 bytes");
_Static_assert((int)USED_FEATURES <= (int)FEATURES, "every feature has a row");

ddz_status ddz_net_layout(uint32_t *sizes, uint32_t count)
{
    static const uint32_t SIZES[] = {sizeof(ddz_net_parameters), sizeof(ddz_seen), sizeof(ddz_net)};
    return tell_sizes(SIZES, sizeof(SIZES) / sizeof(SIZES[0]), sizes, count);
}

static void fill_taken(seat_net *net, unsigned rank, unsigned count, unsigned taken)
{
    int16_t *sums = net->rows + (taken_row(net, rank, taking_of(count, taken)) - net->rows);
    for (unsigned unit = 0; unit < net->units; unit++) {
        int total = 0;
        for (unsigned copy = 0; copy < taken; copy++) {
            total += feature_row(net, PLAYED_NOW + 4 * rank + copy)[unit];
            total -= feature_row(net, HAND_AFTER + 4 * rank + count - taken + copy)[unit];
        }
        sums[unit] = (int16_t)(total < -32768 ? -32768 : total > 32767 ? 32767 : total);
    }
}

static void fill_seat(seat_net *net, const ddz_net_parameters *from, uint32_t units)
{
    net->units = units;
    memcpy(net->rows, from->first, FEATURES * units * sizeof(*net->rows));
    memcpy(net->first_bias, from->first_bias, units * sizeof(*net->first_bias));
    memcpy(net->second_scale, from->second_scale, sizeof(net->second_scale));
    memcpy(net->second_bias, from->second_bias, sizeof(net->second_bias));
    memcpy(net->third, from->third, sizeof(net->third));
    memcpy(net->third_bias, from->third_bias, sizeof(net->third_bias));
    memcpy(net->last, from->last, sizeof(net->last));
    memcpy(net->last_bias, from->last_bias, sizeof(net->last_bias));
    for (unsigned unit = 0; unit < units; unit++)
        for (unsigned to = 0; to < INNER; to++)
            net->second[unit / 4][to][unit % 4] = from->second[to * units + unit];
    for (unsigned rank = 0; rank < DDZ_RANKS; rank++)
        for (unsigned count = 1; count <= (rank < DDZ_RANKS - 2 ? 4u : 1u); count++)
            for (unsigned taken = 1; taken <= count; taken++)
                fill_taken(net, rank, count, taken);
}

static bool are_good_parameters(const ddz_net_parameters *seat)
{
    return !bad_pointer(seat->first, 2) && !bad_pointer(seat->first_bias, 2) && !bad_pointer(seat->second, 1) &&
           !bad_pointer(seat->second_scale, 4) && !bad_pointer(seat->second_bias, 4) && !bad_pointer(seat->third, 4) &&
           !bad_pointer(seat->third_bias, 4) && !bad_pointer(seat->last, 4) && !bad_pointer(seat->last_bias, 4);
}

static uint32_t best_code(void)
{
    uint32_t avx2, avx512;
    ddz_cpu_avx2(&avx2);
    ddz_cpu_avx512(&avx512);
    return avx512 ? DDZ_AVX512 : avx2 ? DDZ_AVX2 : DDZ_PORTABLE;
}

ddz_status ddz_net_init(ddz_net *net, const ddz_net_parameters *seats, uint32_t units, uint32_t code,
                        uint32_t *chosen)
{
    if (bad_pointer(net, 8) || bad_pointer(seats, 8) || bad_pointer(chosen, 4))
        return DDZ_BAD_POINTER;
    uint32_t best = best_code();
    if (units == 0 || units > MOST_UNITS || units % DDZ_NET_UNIT_STEP)
        return DDZ_BAD_INDEX;
    if (code > DDZ_BEST_CODE || (code < DDZ_BEST_CODE && code > best))
        return DDZ_BAD_INDEX;
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        if (!are_good_parameters(&seats[seat]))
            return DDZ_BAD_POINTER;
    net->magic = NET_MAGIC;
    net->code = code == DDZ_BEST_CODE ? best : code;
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        fill_seat(&net->seats[seat], &seats[seat], units);
    *chosen = net->code;
    return DDZ_OK;
}

static unsigned rows_of(const seat_net *net, const uint16_t *features, const uint16_t *end, const int16_t **rows)
{
    unsigned count = 0;
    for (; features < end; features++)
        rows[count++] = feature_row(net, *features);
    return count;
}

/* The rows that turn the sums of a hand before a move into those after it. */
static unsigned rows_of_cards(const seat_net *net, uint64_t hand, uint64_t cards, const int16_t **rows)
{
    unsigned count = 0;
    for (uint64_t ranks = at_least_1(cards); ranks; ranks &= ranks - 1) {
        unsigned at = lowest(ranks);
        rows[count++] = taken_row(net, at / 4, taking_of(hand >> at & 15, cards >> at & 15));
    }
    return count;
}

/* Damaged weights give anything, but what follows counts on numbers: no network that learned says more than this. */
static inline float bounded(float head)
{
    static const float MOST = 1e6f;
    return !(head > -MOST) ? -MOST : head > MOST ? MOST : head;
}

void net_value(const ddz_net *net, const ddz_splits *splits, fewest_slot *fewest, const public_table *table,
               uint64_t hand, uint64_t unseen, const ddz_move *moves, uint32_t count, float (*heads)[HEADS])
{
    const layer_code *layers = layers_of(net->code);
    const seat_net *seat = &net->seats[table->seat];
    const int16_t *rows[DDZ_NET_ACTIVE];
    uint16_t features[DDZ_NET_ACTIVE];
    int16_t state[MOST_UNITS], sums[MOST_UNITS];
    const uint16_t *end = features_of_state(table, unseen, features);
    end = features_of_cards(hand, HAND_AFTER, features + (end - features));
    layers->sum(state, seat->first_bias, rows, rows_of(seat, features, end, rows), seat->units);
    for (uint32_t index = 0; index < count; index++) {
        const ddz_move *move = &moves[index];
        unsigned used = rows_of_cards(seat, hand, move->cards, rows);
        uint64_t after = hand - move->cards;
        uint32_t moves_left =
            fewest ? fewest_remembered(splits, fewest, NET_FEWEST_BITS, after) : fewest_found(splits, after);
        end = features_of_move(table, hand, unseen, move, moves_left, features);
        used += rows_of(seat, features, end, rows + used);
        layers->sum(sums, state, rows, used, seat->units);
        layers->value(seat, sums, heads[index]);
        for (unsigned head = 0; head < HEADS; head++)
            heads[index][head] = bounded(heads[index][head]);
    }
}

static ddz_status list_moves(const ddz_rules *rules, const public_table *table, uint64_t hand, ddz_move *moves,
                             uint32_t capacity, uint32_t *count)
{
    uint32_t first_readings;
    int32_t kind = table->to_beat.kind == DDZ_PASS ? -1 : table->to_beat.kind;
    return ddz_moves(rules, hand, table->to_beat.cards, kind, moves, capacity, count, &first_readings);
}

ddz_status ddz_net_values(const ddz_net *net, const ddz_rules *rules, const ddz_splits *splits, const ddz_seen *seen,
                          ddz_move *moves, float *heads, uint32_t capacity, uint32_t *count)
{
    public_table table;
    uint64_t unseen;
    ddz_status status = split_check(rules, splits);
    if (bad_net(net))
        return bad_pointer(net, 8) ? DDZ_BAD_POINTER : DDZ_BAD_RULES;
    if (bad_pointer(heads, 4))
        return DDZ_BAD_POINTER;
    if (status == DDZ_OK)
        status = table_read(seen, &table, &unseen);
    if (status == DDZ_OK)
        status = list_moves(rules, &table, seen->hand, moves, capacity, count);
    if (status == DDZ_OK)
        net_value(net, splits, 0, &table, seen->hand, unseen, moves, *count, (float(*)[HEADS])(void *)heads);
    return status;
}

ddz_status ddz_net_features(const ddz_rules *rules, const ddz_splits *splits, const ddz_seen *seen, uint64_t cards,
                            uint16_t *features, uint32_t *count)
{
    public_table table;
    uint64_t unseen;
    ddz_move move;
    menu legal;
    ddz_status status = split_check(rules, splits);
    if (bad_pointer(features, 2) || bad_pointer(count, 4))
        return DDZ_BAD_POINTER;
    if (status == DDZ_OK)
        status = table_read(seen, &table, &unseen);
    if (status == DDZ_OK)
        status = menu_read(rules, seen->hand, table.to_beat.cards,
                           table.to_beat.kind == DDZ_PASS ? -1 : table.to_beat.kind, &legal);
    if (status != DDZ_OK)
        return status;
    if (!menu_find(rules, &legal, cards, &move))
        return DDZ_BAD_MOVE;
    *count = (uint32_t)(features_list(splits, &table, seen->hand, unseen, &move, features) - features);
    return DDZ_OK;
}

ddz_status net_check_player(const ddz_net *net, const ddz_rules *rules, const ddz_splits *splits)
{
    if (bad_net(net))
        return bad_pointer(net, 8) ? DDZ_BAD_POINTER : DDZ_BAD_RULES;
    return split_check_game(rules, splits);
}
