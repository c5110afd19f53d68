/* The sparse first layer of a network in training: sums of rows, and their gradient. */
#include "net/parts.h"
#include "include/ddz_selfplay.h"

#include <string.h>

enum { LANES = 8, STRIP = 4 * LANES };

/* Eight floats, which the compiler keeps in one register or two. */
typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4)));

/* The body of both variants. A strip of sums stays in registers. */
ALWAYS_INLINE void sum_rows(const uint16_t *features, const uint16_t *end, const float *weights, const float *bias,
                            float *out, unsigned units)
{
    for (unsigned strip = 0; strip < units; strip += STRIP) {
        const lanes *from = (const lanes *)(const void *)(bias + strip);
        lanes first = from[0], second = from[1], third = from[2], fourth = from[3];
        for (const uint16_t *feature = features; feature < end; feature++) {
            const lanes *added = (const lanes *)(const void *)(weights + (size_t)*feature * units + strip);
            first += added[0];
            second += added[1];
            third += added[2];
            fourth += added[3];
        }
        lanes *to = (lanes *)(void *)(out + strip);
        to[0] = first;
        to[1] = second;
        to[2] = third;
        to[3] = fourth;
    }
}

ALWAYS_INLINE void spread_rows(const uint16_t *features, const uint16_t *end, const float *slopes, float *out,
                               unsigned units, unsigned first, unsigned last)
{
    for (unsigned strip = first; strip < last; strip += STRIP) {
        float slope[STRIP];
        memcpy(slope, slopes + strip, sizeof(slope));
        for (const uint16_t *feature = features; feature < end; feature++) {
            float *to = out + (size_t)*feature * units + strip;
            for (unsigned unit = 0; unit < STRIP; unit++)
                to[unit] += slope[unit];
        }
    }
}

typedef void summing(const uint16_t *, const uint16_t *, const float *, const float *, float *, unsigned);
typedef void spreading(const uint16_t *, const uint16_t *, const float *, float *, unsigned, unsigned, unsigned);

static void sum_portable(const uint16_t *features, const uint16_t *end, const float *weights, const float *bias,
                         float *out, unsigned units)
{
    sum_rows(features, end, weights, bias, out, units);
}

WITH_AVX2 static void sum_avx2(const uint16_t *features, const uint16_t *end, const float *weights, const float *bias,
                               float *out, unsigned units)
{
    sum_rows(features, end, weights, bias, out, units);
}

static void spread_portable(const uint16_t *features, const uint16_t *end, const float *slopes, float *out,
                            unsigned units, unsigned first, unsigned last)
{
    spread_rows(features, end, slopes, out, units, first, last);
}

WITH_AVX2 static void spread_avx2(const uint16_t *features, const uint16_t *end, const float *slopes, float *out,
                                  unsigned units, unsigned first, unsigned last)
{
    spread_rows(features, end, slopes, out, units, first, last);
}

static ddz_status check(const uint16_t *features, const uint32_t *ends, const uint32_t *which, uint32_t code)
{
    uint32_t avx2;
    if (bad_pointer(features, 2) || bad_pointer(ends, 4) || bad_pointer(which, 4))
        return DDZ_BAD_POINTER;
    ddz_cpu_avx2(&avx2);
    return code > DDZ_AVX2 || (code == DDZ_AVX2 && !avx2) ? DDZ_BAD_INDEX : DDZ_OK;
}

ddz_status ddz_rows_sum(const uint16_t *features, const uint32_t *ends, const uint32_t *which, uint32_t count,
                        const float *weights, const float *bias, float *out, uint32_t units, uint32_t code)
{
    summing *sum = code == DDZ_AVX2 ? sum_avx2 : sum_portable;
    ddz_status status = check(features, ends, which, code);
    if (status != DDZ_OK)
        return status;
    if (bad_pointer(weights, 4) || bad_pointer(bias, 4) || bad_pointer(out, 4))
        return DDZ_BAD_POINTER;
    if (units % STRIP)
        return DDZ_BAD_INDEX;
    for (uint32_t index = 0; index < count; index++) {
        uint32_t begin = which[index] ? ends[which[index] - 1] : 0;
        sum(features + begin, features + ends[which[index]], weights, bias, out + (size_t)index * units,
            units);
    }
    return DDZ_OK;
}

ddz_status ddz_rows_spread(const uint16_t *features, const uint32_t *ends, const uint32_t *which, uint32_t count,
                           const float *slopes, float *out, uint32_t units, uint32_t first, uint32_t last,
                           uint32_t code)
{
    spreading *spread = code == DDZ_AVX2 ? spread_avx2 : spread_portable;
    ddz_status status = check(features, ends, which, code);
    if (status != DDZ_OK)
        return status;
    if (bad_pointer(slopes, 4) || bad_pointer(out, 4))
        return DDZ_BAD_POINTER;
    if (units % STRIP || first % STRIP || last % STRIP || last > units || first > last)
        return DDZ_BAD_INDEX;
    for (uint32_t index = 0; index < count; index++) {
        uint32_t begin = which[index] ? ends[which[index] - 1] : 0;
        spread(features + begin, features + ends[which[index]], slopes + (size_t)index * units, out, units, first,
               last);
    }
    return DDZ_OK;
}
