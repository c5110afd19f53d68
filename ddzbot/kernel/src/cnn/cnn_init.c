/* Brings the weights of the network, which come as torch has them, into the order in which cnn.c reads them. */
#include "cnn/parts.h"

/* Takes (out, layers, 3, 3). */
static const float *take_first(const float *from, ddz_cnn *cnn)
{
    for (unsigned out = 0; out < FIRST; out++)
        for (unsigned layer = 0; layer < DDZ_CNN_LAYERS; layer++)
            for (unsigned tap = 0; tap < TAPS; tap++)
                cnn->conv1[layer][tap][out] = *from++;
    return from;
}

/* Takes (DEEP, channels, 3, 3); to is [BLOCKS][TAPS][channels][BLOCK]. */
static const float *take_convolution(const float *from, unsigned channels, float *to)
{
    for (unsigned out = 0; out < DEEP; out++)
        for (unsigned channel = 0; channel < channels; channel++)
            for (unsigned tap = 0; tap < TAPS; tap++) {
                unsigned row = (out / BLOCK * TAPS + tap) * channels + channel;
                to[row * BLOCK + out % BLOCK] = *from++;
            }
    return from;
}

/* Takes (outputs, DEEP * places); to is [places * DEEP][outputs]: torch counts channels first, cnn.c places. */
static const float *take_full(const float *from, unsigned outputs, unsigned places, unsigned channels, float *to)
{
    for (unsigned out = 0; out < outputs; out++)
        for (unsigned channel = 0; channel < channels; channel++)
            for (unsigned place = 0; place < places; place++)
                to[(place * channels + channel) * outputs + out] = *from++;
    return from;
}

static const float *take_bias(const float *from, unsigned outputs, float *to)
{
    for (unsigned out = 0; out < outputs; out++)
        to[out] = from[out];
    return from + outputs;
}

ddz_status ddz_cnn_layout(uint32_t *sizes, uint32_t count)
{
    static const uint32_t SIZES[] = {sizeof(ddz_cnn), sizeof(ddz_cnn_work), sizeof(ddz_cnn_record)};
    return tell_sizes(SIZES, sizeof(SIZES) / sizeof(SIZES[0]), sizes, count);
}

ddz_status ddz_cnn_init(ddz_cnn *cnn, const float *weights, uint32_t count, const uint32_t kind_rows[DDZ_KINDS],
                        uint32_t avx2)
{
    if (bad_pointer(cnn, 8) || bad_pointer(weights, 4) || bad_pointer(kind_rows, 4))
        return DDZ_BAD_POINTER;
    cnn->magic = 0;
    uint32_t possible;
    if (ddz_cpu_avx2(&possible) != DDZ_OK || avx2 > possible || count != DDZ_CNN_WEIGHTS)
        return DDZ_BAD_INDEX;
    cnn->avx2 = avx2;
    for (unsigned kind = 0; kind < DDZ_KINDS; kind++) {
        if (kind_rows[kind] & ~(uint32_t)KIND_ROWS)
            return DDZ_BAD_INDEX;
        cnn->kind_rows[kind] = kind_rows[kind];
    }
    weights = take_bias(take_first(weights, cnn), FIRST, cnn->bias1);
    weights = take_bias(take_convolution(weights, FIRST, &cnn->conv2[0][0][0][0]), DEEP, cnn->bias2);
    weights = take_bias(take_convolution(weights, DEEP, &cnn->conv3[0][0][0][0]), DEEP, cnn->bias3);
    weights = take_bias(take_convolution(weights, DEEP, &cnn->conv4[0][0][0][0]), DEEP, cnn->bias4);
    weights = take_bias(take_full(weights, WIDE, SIDE3 * SIDE3, DEEP, &cnn->full1[0][0]), WIDE, cnn->full_bias1);
    weights = take_bias(take_full(weights, NARROW, 1, WIDE, &cnn->full2[0][0]), NARROW, cnn->full_bias2);
    take_bias(take_full(weights, 1, 1, NARROW, cnn->full3), 1, &cnn->full_bias3);
    cnn->magic = CNN_MAGIC;
    return DDZ_OK;
}
