/*
 * Values moves. Two of its steps are made for what they are given: the first convolution reads a few hundred cells
 * that are 1 and adds their weights, instead of multiplying 6525 cells; and the layers that the moves of a decision
 * share are convolved once.
 */
#include "cnn/parts.h"

#include <string.h>

/* Adds what a cell, 1 at that row and rank, gives to the nine places around it. */
ALWAYS_INLINE void add_cell(float (*sums)[SIDE + 2][FIRST], const float (*weights)[FIRST], unsigned row, unsigned rank)
{
    for (unsigned tap = 0; tap < TAPS; tap++) {
        /* sums have a border: the place that sees this cell with tap (0, 0) is one row below and one rank right. */
        float *place = sums[row + 2 - tap / 3][rank + 2 - tap % 3];
        for (unsigned out = 0; out < FIRST; out++)
            place[out] += weights[tap][out];
    }
}

ALWAYS_INLINE void add_layer(const ddz_cnn *cnn, float (*sums)[SIDE + 2][FIRST], unsigned layer, uint64_t cards,
                             unsigned kind, unsigned landlord)
{
    for (unsigned rank = 0; cards != 0; rank++, cards >>= 4) {
        if ((cards & 15) == 0)
            continue;
        uint32_t rows = cnn->kind_rows[kind] | 1u << ((cards & 15) - 1);
        for (; rows != 0; rows &= rows - 1)
            add_cell(sums, cnn->conv1[layer], (unsigned)__builtin_ctz(rows), rank);
    }
    for (unsigned rank = 0; landlord && rank < SIDE; rank++)
        add_cell(sums, cnn->conv1[layer], LANDLORD_ROW, rank);
}

#define CONVOLVE convolve_by_4
#define LANES 4
#define TOGETHER 2
#include "cnn/cnn_convolve.h"

#define CONVOLVE convolve_by_8
#define LANES 8
#define TOGETHER 4
#include "cnn/cnn_convolve.h"

/* wide is known where this is inlined: one of the two is left over. */
ALWAYS_INLINE void convolve(bool wide, const float *cells, unsigned side, unsigned channels, const float *weights,
                            const float *bias, float *sums)
{
    if (wide)
        convolve_by_8(cells, side, channels, weights, bias, sums);
    else
        convolve_by_4(cells, side, channels, weights, bias, sums);
}

static inline float positive(float value) { return value > 0 ? value : 0; }

static inline float larger(float one, float other) { return one > other ? one : other; }

/* Takes the largest of each 2 x 2 block, or 0 if none is positive; a row of halves has stride places. */
ALWAYS_INLINE void halve(const float *sums, unsigned side, unsigned channels, float *halves, unsigned stride)
{
    for (unsigned row = 0; row < side / 2; row++)
        for (unsigned column = 0; column < side / 2; column++) {
            const float *above = sums + (2 * row * side + 2 * column) * channels, *below = above + side * channels;
            float *half = halves + (row * stride + column) * channels;
            for (unsigned out = 0; out < channels; out++)
                half[out] = positive(larger(larger(above[out], above[channels + out]),
                                            larger(below[out], below[channels + out])));
        }
}

/* The first pooling: 15 x 15 places with a border on all sides to 8 x 8. The border, where nothing is, counts as 0. */
ALWAYS_INLINE void halve_first(ddz_cnn_work *work)
{
    for (unsigned edge = 1; edge <= SIDE + 1; edge++)
        for (unsigned out = 0; out < FIRST; out++)
            work->first[SIDE + 1][edge][out] = work->first[edge][SIDE + 1][out] = 0;
    halve(&work->first[1][1][0], SIDE + 2, FIRST, &work->second[1][1][0], SIDE1 + 2);
}

/* outputs = bias + inputs times weights, which are [count][outputs]; then ReLU. */
ALWAYS_INLINE void connect(const float *inputs, unsigned count, const float *weights, const float *bias,
                           unsigned outputs, float *out)
{
    for (unsigned place = 0; place < outputs; place++)
        out[place] = bias[place];
    for (unsigned input = 0; input < count; input++, weights += outputs)
        for (unsigned place = 0; place < outputs; place++)
            out[place] += inputs[input] * weights[place];
    for (unsigned place = 0; place < outputs; place++)
        out[place] = positive(out[place]);
}

/* ReLU into the inside of a field that has a border. */
ALWAYS_INLINE void rectify(const float *sums, float (*cells)[SIDE2 + 2][DEEP])
{
    for (unsigned place = 0; place < SIDE2 * SIDE2; place++)
        for (unsigned out = 0; out < DEEP; out++)
            cells[place / SIDE2 + 1][place % SIDE2 + 1][out] = positive(sums[place * DEEP + out]);
}

ALWAYS_INLINE void share(const ddz_cnn *cnn, ddz_cnn_work *work, const ddz_cnn_record *record)
{
    for (unsigned row = 0; row < SIDE + 2; row++)
        for (unsigned rank = 0; rank < SIDE + 2; rank++)
            for (unsigned out = 0; out < FIRST; out++)
                work->shared[row][rank][out] = cnn->bias1[out];
    for (unsigned layer = 0; layer < DDZ_CNN_LAYERS; layer++)
        if (layer != DDZ_CNN_VALUED)
            add_layer(cnn, work->shared, layer, record->words[layer], record->kinds[layer], record->landlord[layer]);
    memset(work->second, 0, sizeof work->second);
    memset(work->third, 0, sizeof work->third);
    memset(work->fourth, 0, sizeof work->fourth);
}

ALWAYS_INLINE float value_of(bool wide, const ddz_cnn *cnn, ddz_cnn_work *work, uint64_t cards, unsigned kind,
                             unsigned landlord)
{
    memcpy(work->first, work->shared, sizeof work->first);
    add_layer(cnn, work->first, DDZ_CNN_VALUED, cards, kind, landlord);
    halve_first(work);
    convolve(wide, &work->second[0][0][0], SIDE1, FIRST, &cnn->conv2[0][0][0][0], cnn->bias2, work->sums);
    halve(work->sums, SIDE1, DEEP, &work->third[1][1][0], SIDE2 + 2);
    convolve(wide, &work->third[0][0][0], SIDE2, DEEP, &cnn->conv3[0][0][0][0], cnn->bias3, work->sums);
    rectify(work->sums, work->fourth);
    convolve(wide, &work->fourth[0][0][0], SIDE2, DEEP, &cnn->conv4[0][0][0][0], cnn->bias4, work->sums);
    halve(work->sums, SIDE2, DEEP, work->flat, SIDE3);
    connect(work->flat, FLAT, &cnn->full1[0][0], cnn->full_bias1, WIDE, work->wide);
    connect(work->wide, WIDE, &cnn->full2[0][0], cnn->full_bias2, NARROW, work->narrow);
    float value = cnn->full_bias3;
    for (unsigned input = 0; input < NARROW; input++)
        value += work->narrow[input] * cnn->full3[input];
    return value;
}

ALWAYS_INLINE void value_all(bool wide, const ddz_cnn *cnn, ddz_cnn_work *work, const ddz_cnn_record *record,
                             const uint64_t *cards, const uint8_t *kinds, uint32_t count, float *values)
{
    share(cnn, work, record);
    for (uint32_t move = 0; move < count; move++)
        values[move] = value_of(wide, cnn, work, cards[move], kinds[move], record->landlord[DDZ_CNN_VALUED]);
}

static void value_plainly(const ddz_cnn *cnn, ddz_cnn_work *work, const ddz_cnn_record *record, const uint64_t *cards,
                          const uint8_t *kinds, uint32_t count, float *values)
{
    value_all(false, cnn, work, record, cards, kinds, count, values);
}

WITH_AVX2 static void value_with_avx2(const ddz_cnn *cnn, ddz_cnn_work *work, const ddz_cnn_record *record,
                                      const uint64_t *cards, const uint8_t *kinds, uint32_t count, float *values)
{
    value_all(true, cnn, work, record, cards, kinds, count, values);
}

static ddz_status check(const uint64_t *cards, const uint8_t *kinds, uint32_t count)
{
    for (uint32_t move = 0; move < count; move++) {
        if (!is_hand(cards[move]))
            return DDZ_BAD_CARDS;
        if (kinds[move] >= DDZ_KINDS)
            return DDZ_BAD_MOVE;
    }
    return DDZ_OK;
}

static ddz_status check_record(const ddz_cnn_record *record)
{
    uint64_t words[DDZ_CNN_LAYERS];
    uint8_t kinds[DDZ_CNN_LAYERS];
    for (unsigned layer = 0; layer < DDZ_CNN_LAYERS; layer++) {
        bool seen = layer != DDZ_CNN_VALUED;
        words[layer] = seen ? record->words[layer] : 0;
        kinds[layer] = seen ? record->kinds[layer] : DDZ_PASS;
        if (record->landlord[layer] > 1)
            return DDZ_BAD_INDEX;
    }
    return check(words, kinds, DDZ_CNN_LAYERS);
}

ddz_status ddz_cnn_values(const ddz_cnn *cnn, ddz_cnn_work *work, const ddz_cnn_record *record, const uint64_t *cards,
                          const uint8_t *kinds, uint32_t count, float *values)
{
    if (bad_pointer(cnn, 8) || bad_pointer(work, 8) || bad_pointer(record, 8) || bad_pointer(cards, 8) ||
        bad_pointer(kinds, 1) || bad_pointer(values, 4))
        return DDZ_BAD_POINTER;
    if (cnn->magic != CNN_MAGIC)
        return DDZ_BAD_RULES;
    ddz_status status = check_record(record);
    if (status == DDZ_OK)
        status = check(cards, kinds, count);
    if (status != DDZ_OK)
        return status;
    (cnn->avx2 ? value_with_avx2 : value_plainly)(cnn, work, record, cards, kinds, count, values);
    return DDZ_OK;
}
