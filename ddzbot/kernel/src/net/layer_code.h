/* What every variant of the fast network's arithmetic has, and what they share. Internal. */
#ifndef LAYER_CODE_H
#define LAYER_CODE_H

#include "net/net_parameters.h"

enum {
    CLIPPED_ONE = 127, /* what 1.0 is after the first layer */
    CLIP_SHIFT = 4     /* DDZ_NET_ONE is CLIPPED_ONE << CLIP_SHIFT */
};

/* Adds rows of so many units to sums, one after the other; values one set of sums. */
typedef struct {
    void (*sum)(int16_t *sums, const int16_t *base, const int16_t *const *rows, unsigned count,
                unsigned units);
    void (*value)(const seat_net *net, const int16_t *sums, float *heads);
} layer_code;

/* What an inner unit below 0 is multiplied by; one that is 0 there would learn nothing. */
#define SLOPE 0.1f

/* Adds eight lanes up pairwise; the order of AVX2's two halves. */
static inline float folded(const float *lanes)
{
    float low = (lanes[0] + lanes[4]) + (lanes[2] + lanes[6]);
    float high = (lanes[1] + lanes[5]) + (lanes[3] + lanes[7]);
    return low + high;
}

#endif
