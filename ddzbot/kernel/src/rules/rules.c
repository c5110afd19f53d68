/* Compiles a rule set: checks its rows, and derives from them what move generation looks up. */
#include "rules/parts.h"

static bool is_good_shape(const ddz_shape *shape)
{
    bool kind = shape->kind > DDZ_PASS && shape->kind < DDZ_UNKNOWN && shape->kind != DDZ_ROCKET;
    bool body = shape->group >= 1 && shape->group <= 4 && shape->top_rank < DDZ_RANKS;
    bool single = shape->min_length == 1 && shape->max_length == 1;
    bool chain = shape->min_length >= 2 && shape->min_length <= shape->max_length &&
                 shape->max_length <= DDZ_MAX_LENGTH;
    /* Kickers are smaller than groups: that is what lets a set of cards tell them apart. */
    bool none = shape->kicker == 0 && shape->per_group == 0;
    bool some = (shape->kicker == 1 || shape->kicker == 2) && shape->per_group >= 1 && shape->per_group <= 2 &&
                shape->group >= 3;
    bool bomb = shape->kind != DDZ_BOMB || (shape->group == 4 && single && none);
    return kind && body && (single || chain) && (none || some) && bomb && shape->kicker_rule <= DDZ_ANY;
}

static row compiled_row(const ddz_shape *shape, uint32_t largest_hand)
{
    row made = {0};
    made.body_ranks = ranks_to(shape->top_rank);
    made.kind = shape->kind;
    made.group = shape->group;
    made.min_length = shape->min_length;
    made.max_length = shape->max_length;
    made.kicker = shape->kicker;
    made.per_group = shape->per_group;
    made.kicker_rule = shape->kicker_rule;
    made.cards_per_rank = (uint8_t)(shape->group + shape->kicker * shape->per_group);
    unsigned fits = largest_hand / made.cards_per_rank;
    made.longest = (uint8_t)(fits < made.max_length ? fits : made.max_length);
    /* One kicker alone cannot share a rank with another. */
    if (made.max_length == 1 && made.per_group == 1 && made.kicker_rule == DDZ_REPEATED)
        made.kicker_rule = DDZ_DISTINCT;
    return made;
}

static bool lengths_meet(const row *one, const row *other)
{
    return one->min_length <= other->max_length && other->min_length <= one->max_length;
}

static bool are_ambiguous(const row *one, const row *other)
{
    return one->kind == other->kind && one->cards_per_rank == other->cards_per_rank && lengths_meet(one, other);
}

/*
 * Checks if the two rows might make the same cards although their kickers are outside the body: the counts of the
 * cards are then the groups and the kickers, so that only rows with the same of both can meet.
 */
static bool may_meet(const row *one, const row *other)
{
    if (one->group != other->group || !lengths_meet(one, other))
        return false;
    if (one->kicker_rule == DDZ_REPEATED || other->kicker_rule == DDZ_REPEATED)
        return one->cards_per_rank == other->cards_per_rank;
    return one->kicker == other->kicker && one->per_group == other->per_group;
}

/*
 * Checks that a row alone makes each set of cards once. Distinct kickers differ from every group in number. Kickers
 * that may repeat or lie in the body can complete another body; a quad with at most two cards beside it cannot.
 */
static bool makes_sets_once(const row *shape)
{
    if (shape->kicker == 0 || shape->kicker_rule == DDZ_DISTINCT)
        return true;
    return shape->kicker_rule == DDZ_REPEATED && shape->max_length == 1 && shape->group == 4 &&
           shape->kicker * shape->per_group <= 2;
}

static bool sizes_meet(const row *one, const row *other)
{
    for (unsigned length = one->min_length; length <= one->max_length; length++) {
        unsigned cards = one->cards_per_rank * length, of_other = cards / other->cards_per_rank;
        if (of_other * other->cards_per_rank == cards && of_other >= other->min_length &&
            of_other <= other->max_length)
            return true;
    }
    return false;
}

static void mark_sure_rows(grammar *made)
{
    for (uint32_t index = 0; index < made->count; index++) {
        row *shape = &made->rows[index];
        bool sure = makes_sets_once(shape), first = sure;
        for (uint32_t before = 0; before < index; before++) {
            const row *earlier = &made->rows[before];
            sure = sure && !(earlier->sure && may_meet(earlier, shape));
            first = first && (earlier->sure || !sizes_meet(earlier, shape));
        }
        shape->sure = sure;
        shape->first = sure && first;
    }
}

static void list_forms(grammar *made)
{
    uint16_t next = 0;
    for (unsigned cards = 0; cards <= DECK_SIZE; cards++) {
        made->first_form[cards] = next;
        for (uint32_t index = 0; index < made->count; index++) {
            const row *shape = &made->rows[index];
            unsigned length = cards / shape->cards_per_rank;
            if (length * shape->cards_per_rank == cards && length >= shape->min_length && length <= shape->max_length)
                made->forms[next++] = (form){(uint8_t)index, (uint8_t)length};
        }
    }
    made->first_form[DECK_SIZE + 1] = next;
}

static ddz_status compile_grammar(const ddz_shape *shapes, uint32_t count, uint32_t largest_hand, grammar *made)
{
    if (count > DDZ_MAX_SHAPES)
        return DDZ_BAD_RULES;
    made->count = count;
    for (uint32_t index = 0; index < count; index++) {
        if (!is_good_shape(&shapes[index]))
            return DDZ_BAD_RULES;
        made->rows[index] = compiled_row(&shapes[index], largest_hand);
        for (uint32_t before = 0; before < index; before++)
            if (are_ambiguous(&made->rows[before], &made->rows[index]))
                return DDZ_BAD_RULES;
    }
    mark_sure_rows(made);
    list_forms(made);
    return DDZ_OK;
}

/* Checks that a row, bare and of solos or pairs, is recognised in one way: such cards have no room for another body. */
static bool has_one_reading(const row *shape, const grammar *recognised)
{
    unsigned readings = 0;
    if (shape->group > 2 || shape->kicker)
        return false;
    for (uint32_t index = 0; index < recognised->count; index++) {
        const row *other = &recognised->rows[index];
        if (other->group == shape->group && lengths_meet(shape, other))
            readings += other->kind == shape->kind ? 1 : 2;
    }
    return readings == 1;
}

static void mark_one_reading(ddz_rules *rules)
{
    for (unsigned kind = 0; kind < DDZ_KINDS; kind++)
        rules->one_reading[kind] = 1;
    for (uint32_t index = 0; index < rules->legal.count; index++) {
        const row *shape = &rules->legal.rows[index];
        if (!has_one_reading(shape, &rules->recognised))
            rules->one_reading[shape->kind] = 0;
    }
    rules->one_reading[DDZ_UNKNOWN] = 0;
}

/* Checks that every hand can lead: any card may be played alone. */
static bool has_solos(const grammar *legal)
{
    for (uint32_t index = 0; index < legal->count; index++) {
        const row *shape = &legal->rows[index];
        if (shape->group == 1 && shape->max_length == 1 && shape->body_ranks == RANK_BITS)
            return true;
    }
    return false;
}

static void fill_choose(ddz_rules *rules)
{
    for (unsigned from = 0; from < 16; from++)
        for (unsigned number = 0; number < 16; number++)
            rules->choose[from][number] =
                (uint16_t)(number == 0 ? 1 : from == 0 ? 0
                                                       : rules->choose[from - 1][number - 1] +
                                                             rules->choose[from - 1][number]);
}

static bool in_range(int32_t number, int32_t limit) { return number >= -limit && number <= limit; }

static bool are_good_terms(const ddz_terms *terms)
{
    bool good = terms->largest_hand >= 1 && terms->largest_hand <= DDZ_SPLIT_CARDS;
    for (unsigned side = 0; side < 2; side++)
        good = good && in_range(terms->landlord_wins[side], 1000) && in_range(terms->peasants_win[side], 1000);
    for (unsigned kind = 0; kind < DDZ_KINDS - 2; kind++)
        good = good && in_range(terms->trick_points[kind], 1000);
    return good && in_range(terms->long_shuttle_points, 1000);
}

ddz_status ddz_rules_init(ddz_rules *rules, const ddz_shape *legal, uint32_t legal_count, const ddz_shape *recognised,
                          uint32_t recognised_count, const ddz_terms *terms)
{
    if (bad_pointer(rules, 8) || bad_pointer(legal, 1) || bad_pointer(recognised, 1) || bad_pointer(terms, 4))
        return DDZ_BAD_POINTER;
    *rules = (ddz_rules){0};
    if (!are_good_terms(terms))
        return DDZ_BAD_RULES;
    rules->terms = *terms;
    ddz_status status = compile_grammar(legal, legal_count, terms->largest_hand, &rules->legal);
    if (status == DDZ_OK)
        status = compile_grammar(recognised, recognised_count, terms->largest_hand, &rules->recognised);
    if (status != DDZ_OK)
        return status;
    mark_one_reading(rules);
    fill_choose(rules);
    rules->plays_on = has_solos(&rules->legal);
    rules->magic = RULES_MAGIC;
    return DDZ_OK;
}
