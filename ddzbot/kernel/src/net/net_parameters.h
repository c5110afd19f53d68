/* The parameters of the fast network, as it computes with them. Internal. */
#ifndef NET_PARAMETERS_H
#define NET_PARAMETERS_H

#include "base/hand.h"
#include "include/ddz_net.h"

#include <stddef.h>

#define NET_MAGIC 0x74656E5A4444ULL

enum {
    FEATURES = DDZ_NET_FEATURES,
    MOST_UNITS = DDZ_NET_MOST_UNITS,
    INNER = DDZ_NET_INNER,
    HEADS = DDZ_NET_HEADS,
    TAKINGS = 10, /* ways to take k of c cards of one rank: 1 <= k <= c <= 4 */
    ROWS = FEATURES + DDZ_RANKS * TAKINGS
};

/* The parameters of one seat as they are computed with. */
typedef struct {
    uint32_t units;
    uint32_t unused[15]; /* so that the rows begin at a multiple of 64 */
    /* Rows of so many units: those of the features, then those of takings. Pages behind the last row stay untouched. */
    int16_t rows[ROWS * MOST_UNITS];
    int16_t first_bias[MOST_UNITS];
    int8_t second[MOST_UNITS / 4][INNER][4]; /* four inputs of each output side by side */
    float second_scale[INNER];
    float second_bias[INNER];
    float third[INNER][INNER];
    float third_bias[INNER];
    float last[HEADS][INNER];
    float last_bias[HEADS];
    uint32_t more_unused[14];
} seat_net;

struct ddz_net {
    uint64_t magic;
    uint32_t code;
    uint32_t unused[13]; /* so that the seats begin at a multiple of 64 */
    seat_net seats[DDZ_SEATS];
};

static inline const int16_t *feature_row(const seat_net *net, unsigned feature)
{
    return net->rows + (size_t)feature * net->units;
}

/* What changes when k of c cards of a rank leave the hand and are laid; the rows were added up beforehand. */
static inline const int16_t *taken_row(const seat_net *net, unsigned rank, unsigned taking)
{
    return feature_row(net, FEATURES + rank * TAKINGS + taking);
}

/* The place of taking k of c cards. */
static inline unsigned taking_of(unsigned count, unsigned taken) { return (count - 1) * count / 2 + taken - 1; }

static inline bool bad_net(const ddz_net *net) { return bad_pointer(net, 8) || net->magic != NET_MAGIC; }

#endif
