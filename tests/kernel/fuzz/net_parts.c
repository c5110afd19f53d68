/* The networks with good and with damaged weights, the search with the fast one, and its self-play. */
#include "input.h"

enum {
    NETS = 4, /* zeros, small numbers, the largest numbers, and what floats can be that are no numbers */
    MOST = 2048,
    UNITS = 2 * DDZ_NET_UNIT_STEP,
    FIRST_BYTES = DDZ_NET_FEATURES * UNITS * 2
};

/* Fills memory with words of one of the four manners; floats says that they are floats, else bytes. */
static void fill(void *memory, size_t bytes, unsigned manner, bool floats, uint64_t seed)
{
    static const uint32_t ODD[] = {0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0xff7fffff, 1, 0x80000000, 0x7fa00000};
    ddz_random random;
    ddz_random_seed(&random, seed);
    for (size_t at = 0; at + 4 <= bytes; at += 4) {
        uint32_t number = random_below(&random, 1u << 24);
        float small = ((float)number / (float)(1 << 23) - 1.0f) / 8.0f, large = number % 2 ? 3e38f : -3e38f;
        uint32_t word = 0;
        if (manner == 1 && floats)
            memcpy(&word, &small, 4);
        else if (manner == 2 && floats)
            memcpy(&word, &large, 4);
        else if (manner == 3 && floats)
            word = ODD[number % 8];
        else if (manner == 1)
            word = number % 7 * 0x00010001u;
        else if (manner)
            word = number % 2 ? 0x7fff7fffu : 0x80008000u;
        memcpy((char *)memory + at, &word, 4);
    }
}

static ddz_net *made_net(unsigned manner, uint32_t code)
{
    static const size_t BYTES[] = {FIRST_BYTES, UNITS * 2, DDZ_NET_INNER * UNITS, DDZ_NET_INNER * 4,
                                   DDZ_NET_INNER * 4, DDZ_NET_INNER * DDZ_NET_INNER * 4, DDZ_NET_INNER * 4,
                                   DDZ_NET_HEADS * DDZ_NET_INNER * 4, DDZ_NET_HEADS * 4};
    uint32_t sizes[3], chosen;
    const void *fields[DDZ_SEATS][9];
    ddz_net_parameters seats[DDZ_SEATS];
    MUST(ddz_net_layout(sizes, 3) == DDZ_OK);
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        for (unsigned field = 0; field < 9; field++) {
            void *memory = room(BYTES[field]);
            fill(memory, BYTES[field], manner, field > 2, 9 * seat + field);
            fields[seat][field] = memory;
        }
    memcpy(seats, fields, sizeof(seats));
    ddz_net *net = aligned_alloc(64, (sizes[2] + 63u) / 64 * 64);
    MUST(net);
    if (ddz_net_init(net, seats, UNITS, code, &chosen) != DDZ_OK)
        MUST(code != DDZ_PORTABLE && ddz_net_init(net, seats, UNITS, DDZ_BEST_CODE, &chosen) == DDZ_OK);
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++)
        for (unsigned field = 0; field < 9; field++)
            free((void *)fields[seat][field]);
    return net;
}

const ddz_net *any_net(input *in)
{
    static const uint32_t CODES[] = {DDZ_PORTABLE, DDZ_AVX2, DDZ_BEST_CODE};
    static ddz_net *nets[NETS][3];
    unsigned manner = (unsigned)take(in, 1) % NETS, code = (unsigned)take(in, 1) % 3;
    if (!nets[manner][code])
        nets[manner][code] = made_net(manner, CODES[code]);
    return nets[manner][code];
}

ddz_seen seen_of(const position *where)
{
    const uint8_t *cards = where->set->seat_cards;
    return (ddz_seen){where->game.hands[where->game.seat], where->bottom, where->set->deck, where->plays, where->count,
                      where->game.seat, 1, {cards[0], cards[1], cards[2]}, {0}};
}

static void spoil_seen(input *in, ddz_seen *seen, position *where)
{
    size_t pointer = offsetof(ddz_seen, plays);
    uint32_t count = seen->play_count;
    spoil(in, seen, sizeof(*seen), pointer, pointer + sizeof(seen->plays));
    if (seen->play_count > count)
        seen->play_count = count;
    if (count)
        spoil(in, where->plays, count * sizeof(ddz_move), 0, 0);
}

void fuzz_net(input *in)
{
    position where = any_position(in, any_rules(in));
    ddz_seen seen = seen_of(&where);
    const ddz_net *net = any_net(in);
    uint32_t capacity = below(in, MOST), count = 0, features = 0;
    ddz_move *moves = room(capacity * sizeof(ddz_move));
    float *heads = room(capacity * DDZ_NET_HEADS * sizeof(float));
    uint16_t *active = room(DDZ_NET_ACTIVE * sizeof(uint16_t));
    spoil_seen(in, &seen, &where);
    if (ddz_net_values(net, where.set->rules, where.set->splits, &seen, moves, heads, capacity, &count) == DDZ_OK) {
        MUST(count && count <= capacity);
        uint64_t cards = take(in, 1) % 8 ? moves[below(in, count)].cards : take(in, 8);
        if (ddz_net_features(where.set->rules, where.set->splits, &seen, cards, active, &features) == DDZ_OK)
            for (uint32_t index = 0; index < features; index++)
                MUST(features <= DDZ_NET_ACTIVE && active[index] < DDZ_NET_FEATURES);
    }
    free(active);
    free(heads);
    free(moves);
}

/* Networks that value bids, with parameters of one of the four manners. */
static const ddz_bid_net *any_bid_net(input *in)
{
    static const size_t BYTES[] = {DDZ_BID_FEATURES * DDZ_BID_HIDDEN * 2, DDZ_BID_HIDDEN * 4,
                                   DDZ_BID_INNER * DDZ_BID_HIDDEN * 2, DDZ_BID_INNER * 4, DDZ_BID_INNER * DDZ_BID_INNER * 2,
                                   DDZ_BID_INNER * 4, DDZ_BID_HEADS * DDZ_BID_INNER * 2, DDZ_BID_HEADS * 4};
    static ddz_bid_net nets[NETS];
    unsigned manner = (unsigned)take(in, 1) % NETS;
    if (!nets[manner].first) {
        void *fields[8];
        for (unsigned field = 0; field < 8; field++) {
            fields[field] = room(BYTES[field]);
            fill(fields[field], BYTES[field], manner, false, field);
        }
        memcpy(&nets[manner], fields, sizeof(fields));
    }
    return &nets[manner];
}

void fuzz_auction(input *in)
{
    enum { HANDS = 4 };
    static ddz_deals_memory *memory;
    uint32_t sizes[4];
    const rule_set *set = any_rules(in);
    MUST(ddz_auction_layout(sizes, 4) == DDZ_OK && ddz_auction_layout(sizes, 3) == DDZ_SHORT_BUFFER);
    if (!memory)
        memory = aligned_alloc(64, (sizes[2] + 63u) / 64 * 64);
    ddz_deals_options options = {.seed = take(in, 4), .deck = set->deck, .by_score = option(in, 1),
                                 .open_stake = option(in, 1), .dealt = option(in, set->seat_cards[1]),
                                 .bottom_cards = option(in, set->bottom_cards)};
    ddz_dealt *deals = room(sizeof(ddz_dealt));
    spoil(in, &options, sizeof(options), 0, 0);
    if (ddz_deals_play(memory, any_net(in), set->rules, set->splits, &options, deals, 1) == DDZ_OK)
        MUST(deals->hands[0] + deals->hands[1] + deals->hands[2] + deals->bottom == options.deck && deals->won < 8);
    uint64_t *hands = room(HANDS * sizeof(uint64_t));
    uint8_t *nodes = room(HANDS);
    int32_t *heads = room(HANDS * DDZ_BID_HEADS * sizeof(int32_t));
    for (unsigned index = 0; index < HANDS; index++) {
        hands[index] = take(in, 1) % 8 ? any_position(in, set).game.hands[index % DDZ_SEATS] : take(in, 8);
        nodes[index] = (uint8_t)option(in, below(in, DDZ_BID_NODES));
    }
    if (ddz_bid_values(any_bid_net(in), set->splits, hands, nodes, HANDS, heads) == DDZ_OK)
        for (unsigned index = 0; index < HANDS * DDZ_BID_HEADS; index++)
            MUST(heads[index] >= -DDZ_BID_LARGEST && heads[index] <= DDZ_BID_LARGEST);
    free(heads);
    free(nodes);
    free(hands);
    free(deals);
}

void fuzz_rollout(input *in)
{
    uint32_t sizes[3], counts[4];
    position where = any_position(in, any_rules(in));
    ddz_seen seen = seen_of(&where);
    ddz_worlds *worlds = room(worlds_size());
    const ddz_net *net = any_net(in);
    ddz_rollout_options options = {.seed = take(in, 4), .max_moves = option(in, 1 + below(in, DDZ_MOST_ARMS)),
                                   .margin = option(in, 2000),
                                   .prior = option(in, 10), .prune_z = option(in, 250), .oversample = option(in, below(in, 3)),
                                   .temperature = option(in, 1000), .by_score = option(in, below(in, 2)),
                                   .blend = option(in, below(in, 2) * 500)};
    MUST(ddz_rollout_layout(sizes, 3) == DDZ_OK);
    static ddz_rollout *search; /* some megabytes, of which any contents will do */
    if (!search)
        search = aligned_alloc(64, (sizes[2] + 63u) / 64 * 64);
    ddz_rollout_arm *arms = room(DDZ_MOST_ARMS * sizeof(ddz_rollout_arm));
    uint64_t *hands = room(2 * DDZ_MOST_POOLED * sizeof(uint64_t));
    float *weights = room(DDZ_MOST_POOLED * sizeof(float));
    uint32_t count;
    if (any_worlds(in, &where, worlds)) {
        spoil_seen(in, &seen, &where);
        if (ddz_rollout_init(search, net, where.set->rules, where.set->splits, worlds, &seen, &options) == DDZ_OK) {
            const uint64_t only[2] = {seen.hand & -seen.hand, 0};
            if (below(in, 4) || ddz_rollout_only(search, only, below(in, 3)) == DDZ_OK)
                MUST(ddz_rollout_run(search, below(in, 12)) == DDZ_OK);
            if (ddz_rollout_arms(search, arms, option(in, DDZ_MOST_ARMS) % (DDZ_MOST_ARMS + 1), counts) == DDZ_OK)
                MUST(counts[0] && counts[0] <= DDZ_MOST_ARMS && counts[3] < counts[0]);
            if (ddz_rollout_worlds(search, hands, weights, option(in, DDZ_MOST_POOLED) % (DDZ_MOST_POOLED + 1), &count) ==
                DDZ_OK)
                for (uint32_t world = 0; world < count; world++)
                    MUST(hands[2 * world] + hands[2 * world + 1] == hands[0] + hands[1]);
        }
    }
    free(weights);
    free(hands);
    free(arms);
    free(worlds);
}

void fuzz_selfplay(input *in)
{
    enum { FEATURES = 3000, SAMPLES = 40 };
    static ddz_selfplay_memory *memory;
    uint32_t sizes[4];
    const rule_set *set = any_rules(in);
    MUST(ddz_selfplay_layout(sizes, 4) == DDZ_OK);
    if (!memory)
        memory = aligned_alloc(64, (sizes[3] + 63u) / 64 * 64);
    ddz_selfplay_options options = {.seed = take(in, 4), .deck = set->deck, .games = 1,
                                    .random_moves = option(in, below(in, 9000)), .near = option(in, 300),
                                    .kept = option(in, below(in, 256)), .by_score = option(in, below(in, 2)),
                                    .trace = option(in, below(in, 1000)),
                                    .seat_cards = {set->seat_cards[0], set->seat_cards[1], set->seat_cards[2]},
                                    .bottom_cards = set->bottom_cards, .open_stake = (uint8_t)(take(in, 1) % 2),
                                    .rival_seats = (uint8_t)option(in, below(in, 7)),
                                    .rival_near = option(in, 300)};
    ddz_samples samples[DDZ_SEATS];
    ddz_selfplay_totals totals = {0};
    spoil(in, &options, sizeof(options), offsetof(ddz_selfplay_options, games), offsetof(ddz_selfplay_options, random_moves));
    memset(samples, 0, sizeof(samples));
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++) {
        samples[seat].most_features = below(in, FEATURES);
        samples[seat].most_samples = below(in, SAMPLES);
        samples[seat].features = room(samples[seat].most_features * sizeof(uint16_t));
        samples[seat].ends = room(samples[seat].most_samples * sizeof(uint32_t));
        samples[seat].results = room(samples[seat].most_samples * 2 * sizeof(float));
    }
    const ddz_bid_net *bids = take(in, 1) % 2 ? any_bid_net(in) : 0;
    ddz_rival rival = {.net = any_net(in)};
    if (ddz_selfplay(memory, any_net(in), &rival, set->rules, set->splits, bids, &options, samples, &totals) == DDZ_OK)
        MUST(totals.games == 1 && totals.wins <= 1);
    for (unsigned seat = 0; seat < DDZ_SEATS; seat++) {
        MUST(samples[seat].feature_count <= samples[seat].most_features);
        MUST(samples[seat].sample_count <= samples[seat].most_samples);
        free(samples[seat].features);
        free(samples[seat].ends);
        free(samples[seat].results);
    }
}

/* A trainer's rows: the features and samples are the trainer's own, and so good; code and columns are free. */
void fuzz_rows(input *in)
{
    enum { SAMPLES = 3 };
    static float *weights;
    uint16_t features[16 * SAMPLES];
    uint32_t ends[SAMPLES], which[SAMPLES], at = 0;
    float *out = room(SAMPLES * UNITS * sizeof(float)), bias[UNITS];
    if (!weights)
        weights = calloc(DDZ_NET_FEATURES * UNITS, sizeof(float));
    MUST(weights);
    fill(bias, sizeof(bias), (unsigned)take(in, 1) % 4, true, take(in, 1));
    for (unsigned sample = 0; sample < SAMPLES; sample++) {
        for (uint32_t more = below(in, 16); more; more--)
            features[at++] = (uint16_t)below(in, DDZ_NET_FEATURES);
        ends[sample] = at;
        which[sample] = below(in, SAMPLES);
    }
    uint32_t code = option(in, below(in, 2));
    if (ddz_rows_sum(features, ends, which, SAMPLES, weights, bias, out, UNITS, code) == DDZ_OK)
        ddz_rows_spread(features, ends, which, SAMPLES, out, weights, UNITS, option(in, 0), option(in, UNITS), code);
    free(out);
}

void fuzz_cnn(input *in)
{
    enum { VALUED = 5 };
    static ddz_cnn *networks[NETS][2];
    static ddz_cnn_work *work;
    uint32_t sizes[3], rows[DDZ_KINDS], has_avx2;
    unsigned manner = (unsigned)take(in, 1) % NETS, avx2 = (unsigned)take(in, 1) % 2;
    MUST(ddz_cnn_layout(sizes, 3) == DDZ_OK && ddz_cpu_avx2(&has_avx2) == DDZ_OK);
    avx2 &= has_avx2;
    if (!networks[manner][avx2]) {
        float *weights = room(DDZ_CNN_WEIGHTS * sizeof(float));
        fill(weights, DDZ_CNN_WEIGHTS * sizeof(float), manner, true, manner);
        for (unsigned kind = 0; kind < DDZ_KINDS; kind++)
            rows[kind] = 1u << (4 + kind % 10);
        ddz_cnn *cnn = aligned_alloc(64, (sizes[0] + 63u) / 64 * 64);
        MUST(cnn);
        MUST(ddz_cnn_init(cnn, weights, DDZ_CNN_WEIGHTS - 1, rows, avx2) == DDZ_BAD_INDEX);
        MUST(ddz_cnn_init(cnn, weights, DDZ_CNN_WEIGHTS, rows, avx2) == DDZ_OK);
        networks[manner][avx2] = cnn;
        free(weights);
    }
    if (!work)
        work = aligned_alloc(64, (sizes[1] + 63u) / 64 * 64);
    ddz_cnn_record record;
    uint64_t cards[VALUED];
    uint8_t kinds[VALUED];
    float values[VALUED];
    memset(&record, 0, sizeof(record));
    position where = any_position(in, any_rules(in));
    for (unsigned layer = 0; layer < DDZ_CNN_LAYERS && layer < where.count; layer++) {
        record.words[layer] = where.plays[layer].cards;
        record.kinds[layer] = where.plays[layer].kind;
        record.landlord[layer] = layer % 3 == 0;
    }
    spoil(in, &record, sizeof(record), 0, 0);
    for (unsigned index = 0; index < VALUED; index++) {
        cards[index] = take(in, 1) % 4 ? where.game.hands[index % DDZ_SEATS] : take(in, 8);
        kinds[index] = (uint8_t)option(in, below(in, DDZ_KINDS));
    }
    ddz_cnn_values(networks[manner][avx2], work, &record, cards, kinds, 1 + below(in, VALUED), values);
}
