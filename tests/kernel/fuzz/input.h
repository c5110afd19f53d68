/* The bytes of one input, read as numbers; behind the end there are only zeros. */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include "include/ddz_cnn.h"
#include "include/ddz_cpu.h"
#include "include/ddz_env.h"
#include "include/ddz_rollout.h"
#include "include/ddz_search.h"
#include "include/ddz_selfplay.h"
#include "include/ddz_solver.h"
#include "rules/parts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const uint8_t *at, *end;
} input;

/* Ends the process: the kernel did what its headers rule out. */
#define MUST(met)                                                                                                     \
    do {                                                                                                              \
        if (!(met)) {                                                                                                 \
            fprintf(stderr, "%s:%d: this does not hold: %s\n", __FILE__, __LINE__, #met);                             \
            abort();                                                                                                  \
        }                                                                                                             \
    } while (0)

static inline uint64_t take(input *in, unsigned bytes)
{
    uint64_t number = 0;
    for (unsigned place = 0; place < bytes; place++)
        number |= (uint64_t)(in->at < in->end ? *in->at++ : 0) << 8 * place;
    return number;
}

static inline uint32_t below(input *in, uint32_t bound) { return (uint32_t)take(in, 2) % bound; }

/* One byte in eight says that the next one is odd: a limit, or anything at all. */
static inline uint32_t option(input *in, uint32_t usual)
{
    static const uint32_t ODD[] = {0, 1, 2, 3, 15, 16, 17, 255, 256, 1000, 8192, 65536, 1000000, 1000001, 1u << 24, ~0u};
    uint32_t which = (uint32_t)take(in, 1);
    if (which < 224)
        return usual;
    return which < 250 ? ODD[which % 16] : (uint32_t)take(in, 4);
}

/* Changes up to three bytes of a record that a caller fills in; not those from keep to keep_end, which are a pointer. */
static inline void spoil(input *in, void *record, size_t size, size_t keep, size_t keep_end)
{
    uint32_t times = (uint32_t)take(in, 1);
    for (times = times < 128 ? 0 : times % 4; times; times--) {
        size_t place = take(in, 2) % size;
        uint8_t mask = (uint8_t)take(in, 1);
        if (place < keep || place >= keep_end)
            ((uint8_t *)record)[place] ^= mask;
    }
}

/* Memory with borders that are watched. */
static inline void *room(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    MUST(memory);
    return memory;
}

/* A rule set as the harness has it. */
typedef struct {
    const char *name;
    ddz_rules *rules;
    ddz_splits *splits;
    const ddz_terms *terms;
    uint64_t deck;
    uint8_t seat_cards[DDZ_SEATS];
    uint8_t bottom_cards;
} rule_set;

/* A game that legal moves have led to. */
typedef struct {
    const rule_set *set;
    ddz_game game;
    uint64_t bottom, unseen;
    uint64_t played;
    ddz_move plays[64];
    uint32_t count;
} position;

const rule_set *any_rules(input *in);
/* Deals, and plays some moves; the game is not over. */
position any_position(input *in, const rule_set *set);
ddz_situation situation_of(const position *where);
uint32_t size_of_cards(uint64_t cards);

void fuzz_rules(input *in);
void fuzz_moves(input *in);
void fuzz_games(input *in);
void fuzz_worlds(input *in);
void fuzz_solver(input *in);
void fuzz_search(input *in);
void fuzz_certain(input *in);
void fuzz_net(input *in);
void fuzz_rollout(input *in);
void fuzz_selfplay(input *in);
void fuzz_rows(input *in);
void fuzz_cnn(input *in);
void fuzz_auction(input *in);
void fuzz_env(input *in);
void fuzz_python(input *in);

/* A table of weights for the two hands that the seat to move does not see; false if the kernel refused it. */
bool any_worlds(input *in, const position *where, ddz_worlds *worlds);
uint32_t worlds_size(void);
const ddz_net *any_net(input *in);
ddz_seen seen_of(const position *where);

#endif
