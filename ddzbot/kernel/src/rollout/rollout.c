/* The entry points of the search with the fast network. */
#include "rollout/parts.h"

#include <string.h>

_Static_assert(sizeof(ddz_rollout_options) == 40, "the header says 40 bytes");
_Static_assert(sizeof(ddz_rollout_arm) == 64, "the header says 64 bytes");

ddz_status ddz_rollout_layout(uint32_t *sizes, uint32_t count)
{
    static const uint32_t SIZES[] = {sizeof(ddz_rollout_options), sizeof(ddz_rollout_arm), sizeof(ddz_rollout)};
    return tell_sizes(SIZES, sizeof(SIZES) / sizeof(SIZES[0]), sizes, count);
}

static bool are_good_options(const ddz_rollout_options *options)
{
    return options->max_moves >= 1 && options->max_moves <= DDZ_MOST_ARMS && options->prior <= 100000 &&
           options->margin <= 1000000 && options->prune_z <= 1000000 && options->oversample <= MOST_OVERSAMPLE &&
           (options->oversample == 0 || (options->temperature >= 1 && options->temperature <= 1000000)) &&
           options->by_score <= 1 && options->blend <= 100000;
}

/* Keeps every move with the situation that it was made in. */
static void collect_decisions(ddz_rollout *search, const ddz_seen *seen)
{
    public_table table;
    uint64_t played = 0;
    table_start(&table, seen->bottom, seen->seat_cards, seen->stake);
    search->decision_count = seen->play_count;
    for (uint32_t index = 0; index < seen->play_count; index++) {
        search->decisions[index] = (decision){table, seen->plays[index], 0};
        table_play(&table, &seen->plays[index]);
    }
    for (uint32_t index = seen->play_count; index-- > 0;) {
        played += seen->plays[index].cards;
        search->decisions[index].played_since = played;
    }
}

/* The value of a move that does not compete. */
static const float LEFT_OUT = -1e30f;

/* Tells whether a move is one of these, or none are named. */
static bool may_compete(uint64_t move, const uint64_t *cards, uint32_t count)
{
    for (uint32_t index = 0; index < count; index++)
        if (cards[index] == move)
            return true;
    return count == 0;
}

/* Takes the network's best moves, best first, of *cards* if any are named; or only the one that goes out. */
static void choose_arms(ddz_rollout *search, const uint64_t *cards, uint32_t count)
{
    net_player *player = &search->player;
    unsigned head = search->options.by_score;
    float least = 0.0f;
    player_list(player, &search->table, search->hand);
    player_value(player, &search->table, search->hand, search->unseen);
    uint32_t finish = player_finish(player, search->hand);
    if (finish < player->count && may_compete(player->moves[finish].cards, cards, count)) {
        const float *heads = player->heads[finish];
        search->arms[0] = (ddz_rollout_arm){player->moves[finish], heads[0], heads[1], 0, 0, 0.0, 0.0, 0.0, 0.0};
        search->arm_count = search->alive = 1;
        return;
    }
    for (uint32_t index = 0; index < player->count; index++)
        if (!may_compete(player->moves[index].cards, cards, count))
            player->heads[index][head] = LEFT_OUT;
    search->arm_count = 0;
    while (search->arm_count < search->options.max_moves && search->arm_count < player->count) {
        uint32_t at = player_best(player, head);
        const float *heads = player->heads[at];
        if (heads[head] <= LEFT_OUT)
            break;
        if (search->arm_count == 0)
            least = heads[head] - (float)search->options.margin / 1000.0f;
        else if (heads[head] < least)
            break;
        search->arms[search->arm_count++] =
            (ddz_rollout_arm){player->moves[at], heads[0], heads[1], 0, 0, 0.0, 0.0, 0.0, 0.0};
        player->heads[at][head] = LEFT_OUT;
    }
    search->alive = (1u << search->arm_count) - 1;
}

ddz_status ddz_rollout_init(ddz_rollout *search, const ddz_net *net, const ddz_rules *rules, const ddz_splits *splits,
                            const ddz_worlds *worlds, const ddz_seen *seen, const ddz_rollout_options *options)
{
    if (bad_pointer(search, 8) || bad_pointer(worlds, 8) || bad_pointer(options, 8))
        return DDZ_BAD_POINTER;
    ddz_status status = net_check_player(net, rules, splits);
    if (status != DDZ_OK)
        return status;
    if (!are_good_options(options))
        return DDZ_BAD_INDEX;
    search->magic = 0;
    status = table_read(seen, &search->table, &search->unseen);
    if (status != DDZ_OK)
        return status;
    unsigned first = seat_after(seen->seat);
    if (seen->hand == 0 || worlds->parts || worlds->unseen != search->unseen ||
        worlds_first_cards(worlds) != search->table.left[first])
        return DDZ_BAD_GAME;
    search->worlds = worlds;
    search->options = *options;
    search->hand = seen->hand;
    search->world_count = search->playouts = search->known_worlds = 0;
    memset(search->lead, 0, sizeof(search->lead));
    memset(search->apart, 0, sizeof(search->apart));
    memset(search->paid, 0, sizeof(search->paid));
    ddz_random_seed(&search->random, options->seed);
    collect_decisions(search, seen);
    player_open(&search->player, net, rules, splits);
    rollout_open_game(search);
    pool_open(search);
    choose_arms(search, NULL, 0);
    search->magic = ROLLOUT_MAGIC;
    return DDZ_OK;
}

ddz_status ddz_rollout_only(ddz_rollout *search, const uint64_t *cards, uint32_t count)
{
    if (bad_pointer(search, 8) || bad_pointer(cards, 8))
        return DDZ_BAD_POINTER;
    if (search->magic != ROLLOUT_MAGIC)
        return DDZ_BAD_RULES;
    if (search->world_count)
        return DDZ_BAD_GAME;
    choose_arms(search, cards, count);
    if (search->arm_count)
        return DDZ_OK;
    search->magic = 0;
    return DDZ_BAD_GAME;
}

/* What the network expects a move to pay. */
static float expected_of(const ddz_rollout *search, const ddz_rollout_arm *arm)
{
    return search->options.by_score ? arm->score : chance_of(arm->win);
}

/* How many playouts the network's evaluation counts as, beside so many that were played. */
static float weight_of_network(const ddz_rollout *search, uint32_t visits)
{
    return (float)search->options.prior + (float)visits * (float)search->options.blend / 1000.0f;
}

/* In how many worlds both moves were played out. */
static uint32_t in_common(const ddz_rollout *search, unsigned one, unsigned other)
{
    uint32_t mine = search->arms[one].visits, theirs = search->arms[other].visits;
    return mine < theirs ? mine : theirs;
}

/* What one move was paid more than another, the network's evaluation included. */
static float lead_over(const ddz_rollout *search, unsigned one, unsigned other)
{
    float expected = expected_of(search, &search->arms[one]) - expected_of(search, &search->arms[other]);
    return search->lead[one][other] + expected * weight_of_network(search, in_common(search, one, other));
}

static unsigned leader(const ddz_rollout *search)
{
    unsigned best = 0;
    float best_sum = -1e30f;
    for (unsigned index = 0; index < search->arm_count; index++) {
        const ddz_rollout_arm *arm = &search->arms[index];
        float paid = search->options.by_score ? (float)arm->points : (float)arm->wins;
        float sum = paid + expected_of(search, arm) * weight_of_network(search, arm->visits);
        if ((search->alive >> index & 1u) && sum > best_sum) {
            best = index;
            best_sum = sum;
        }
    }
    return best;
}

static void give_up_the_beaten(ddz_rollout *search)
{
    float sure = (float)search->options.prune_z / 100.0f;
    unsigned best = leader(search);
    for (unsigned arm = 0; arm < search->arm_count && search->options.prune_z; arm++) {
        if (arm == best || !(search->alive >> arm & 1u))
            continue;
        float lead = lead_over(search, best, arm);
        if (lead > 0.0f && lead * lead > sure * sure * (search->apart[best][arm] + 1.0f))
            search->alive &= ~(1u << arm);
    }
}

/*
 * Notes what the moves were paid in a world, pair by pair. One that counts again says nothing new: its square is that
 * of the whole, so that the errors are those of worlds that differ.
 */
static void compare(ddz_rollout *search, const float *payoffs, uint32_t taken_before)
{
    float times = (float)(2 * taken_before + 1);
    for (unsigned one = 0; one < search->arm_count; one++) {
        if (!(search->alive >> one & 1u))
            continue; /* what it is ahead or behind stays as it was when it was given up */
        search->paid[0][one] += times;
        search->paid[1][one] += times * payoffs[one];
        search->paid[2][one] += times * payoffs[one] * payoffs[one];
        for (unsigned other = 0; other < search->arm_count; other++) {
            if (!(search->alive >> other & 1u))
                continue;
            float more = payoffs[one] - payoffs[other];
            search->lead[one][other] += more;
            search->apart[one][other] += more * more * times;
        }
    }
}

static void play_arms(ddz_rollout *search, pooled *world)
{
    bool is_landlord = search->table.seat == 0;
    memset(world->payoffs, 0, sizeof(world->payoffs));
    world->won = 0;
    for (unsigned index = 0; index < search->arm_count; index++) {
        if (!(search->alive >> index & 1u))
            continue;
        const ddz_move *move = &search->arms[index].move;
        unsigned winner = rollout_play(search, world->first_hand, move, &world->payoffs[index]);
        /* A loser may be paid points too, for what it played. */
        world->won |= (uint32_t)((winner == 0) == is_landlord) << index;
        search->playouts++;
    }
}

/* A world is played once, however often it counts. */
static void take_world(ddz_rollout *search, pooled *world)
{
    bool is_known = world->taken > 0;
    search->known_worlds = is_known ? search->known_worlds + 1 : 0;
    if (!is_known)
        play_arms(search, world);
    for (unsigned index = 0; index < search->arm_count; index++) {
        ddz_rollout_arm *arm = &search->arms[index];
        if (!(search->alive >> index & 1u))
            continue;
        arm->wins += world->won >> index & 1u;
        if (search->options.by_score)
            arm->points += world->payoffs[index];
        arm->visits++;
    }
    compare(search, world->payoffs, world->taken);
    world->taken++;
    search->world_count++;
}

static bool is_over(const ddz_rollout *search)
{
    return (search->alive & (search->alive - 1)) == 0 || search->world_count == DDZ_MOST_WORLDS ||
           search->known_worlds >= DDZ_MOST_KNOWN;
}

ddz_status ddz_rollout_run(ddz_rollout *search, uint32_t playouts)
{
    if (bad_pointer(search, 8))
        return DDZ_BAD_POINTER;
    if (search->magic != ROLLOUT_MAGIC)
        return DDZ_BAD_RULES;
    uint64_t wanted = (uint64_t)search->playouts + playouts;
    while (search->playouts < wanted && !is_over(search)) {
        if (search->batch_left == 0)
            pool_fill(search);
        take_world(search, &search->pool[search->batch[--search->batch_left]]);
        if (search->batch_left == 0)
            give_up_the_beaten(search);
    }
    return DDZ_OK;
}

/* The variance of what a move was paid on average. */
static double own_variance(const ddz_rollout *search, unsigned index)
{
    const ddz_rollout_arm *arm = &search->arms[index];
    if (arm->visits == 0)
        return 0.0;
    double mean = (search->options.by_score ? arm->points : (double)arm->wins) / arm->visits;
    double spread = search->paid[2][index] - 2.0 * mean * search->paid[1][index] + mean * mean * search->paid[0][index];
    return spread / arm->visits / arm->visits;
}

ddz_status ddz_rollout_arms(const ddz_rollout *search, ddz_rollout_arm *arms, uint32_t capacity, uint32_t *counts)
{
    if (bad_pointer(search, 8) || bad_pointer(arms, 8) || bad_pointer(counts, 4))
        return DDZ_BAD_POINTER;
    if (search->magic != ROLLOUT_MAGIC)
        return DDZ_BAD_RULES;
    if (capacity < search->arm_count)
        return DDZ_SHORT_BUFFER;
    counts[0] = search->arm_count;
    counts[1] = search->playouts;
    counts[2] = search->alive;
    unsigned best = counts[3] = leader(search);
    for (unsigned arm = 0; arm < search->arm_count; arm++) {
        arms[arm] = search->arms[arm];
        /* A move that was given up has no more worlds in common with the best one than it was played out in. */
        double worlds = (double)arms[arm].visits + weight_of_network(search, arms[arm].visits);
        arms[arm].behind = worlds > 0.0 ? lead_over(search, best, arm) / worlds : 0.0;
        arms[arm].variance = worlds > 0.0 ? search->apart[best][arm] / worlds / worlds : 0.0;
        arms[arm].own = own_variance(search, arm);
    }
    arms[best].behind = 0.0;
    arms[best].variance = arms[best].own;
    return DDZ_OK;
}

ddz_status ddz_rollout_worlds(const ddz_rollout *search, uint64_t *hands, float *weights, uint32_t capacity,
                              uint32_t *count)
{
    if (bad_pointer(search, 8) || bad_pointer(hands, 8) || bad_pointer(weights, 4) || bad_pointer(count, 4))
        return DDZ_BAD_POINTER;
    if (search->magic != ROLLOUT_MAGIC)
        return DDZ_BAD_RULES;
    *count = search->options.oversample ? search->pool_count : 0;
    if (capacity < *count)
        return DDZ_SHORT_BUFFER;
    float total = *count ? proposals_weigh(search, weights) : 0.0f;
    for (uint32_t index = 0; index < *count; index++) {
        hands[2 * index] = search->pool[index].first_hand;
        hands[2 * index + 1] = search->unseen - search->pool[index].first_hand;
        weights[index] /= total;
    }
    return DDZ_OK;
}
