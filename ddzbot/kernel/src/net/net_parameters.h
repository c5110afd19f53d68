/* The parameters of the fast network, as it computes with them. Internal. */
#ifndef NET_PARAMETERS_H
#define NET_PARAMETERS_H

#include "base/hand.h"
#include "include/ddz_net.h"

#define NET_MAGIC 0x74656E5A4444ULL

enum {
    FEATURES = DDZ_NET_FEATURES,
    HIDDEN = DDZ_NET_HIDDEN,
    INNER = DDZ_NET_INNER,
    HEADS = DDZ_NET_HEADS,
    TAKINGS = 10 /* ways to take k of c cards of one rank: 1 <= k <= c <= 4 */
};

/* The parameters of one seat as they are computed with. */
typedef struct {
    int16_t first[FEATURES][HIDDEN];
    /* What changes when k of c cards of a rank leave the hand and are laid; the rows are added up beforehand. */
    int16_t taken[DDZ_RANKS][TAKINGS][HIDDEN];
    int16_t first_bias[HIDDEN];
    int8_t second[HIDDEN / 4][INNER][4]; /* four inputs of each output side by side */
    float second_scale[INNER];
    float second_bias[INNER];
    float third[INNER][INNER];
    float third_bias[INNER];
    float last[HEADS][INNER];
    float last_bias[HEADS];
} seat_net;

struct ddz_net {
    uint64_t magic;
    uint32_t code;
    uint32_t unused[13]; /* so that the seats begin at a multiple of 64 */
    seat_net seats[DDZ_SEATS];
};

/* The place of taking k of c cards. */
static inline unsigned taking_of(unsigned count, unsigned taken) { return (count - 1) * count / 2 + taken - 1; }

static inline bool bad_net(const ddz_net *net) { return bad_pointer(net, 8) || net->magic != NET_MAGIC; }

#endif
