/*
 * The arithmetic of the fast network in AVX-512 with its products of bytes (VNNI): the same sums in the same order as
 * in net_layers.c, and so the same bits.
 */
#include "net/parts.h"

#if defined(__x86_64__)
#include <immintrin.h>

enum {
    WORDS = 32,
    STRIP_VECTORS = 8,
    STRIP = STRIP_VECTORS * WORDS,
    LANES = 16,
    BLOCKS = INNER / LANES,
    HALF = LANES / 2,
    MOST_CHUNKS = MOST_UNITS / 4,
    CHAINS = 4 /* sums of integers that do not wait for each other */
};

/* A strip of the sums stays in registers. */
WITH_AVX512 static void sum_avx512(int16_t *sums, const int16_t *base, const int16_t *const *rows, unsigned count,
                                   unsigned units)
{
    for (unsigned from = 0; from < units; from += STRIP) {
        __m512i totals[STRIP_VECTORS];
        for (unsigned at = 0; at < STRIP_VECTORS; at++)
            totals[at] = _mm512_loadu_si512(base + from + WORDS * at);
        for (unsigned which = 0; which < count; which++)
            for (unsigned at = 0; at < STRIP_VECTORS; at++)
                totals[at] = _mm512_adds_epi16(totals[at], _mm512_loadu_si512(rows[which] + from + WORDS * at));
        for (unsigned at = 0; at < STRIP_VECTORS; at++)
            _mm512_storeu_si512(sums + from + WORDS * at, totals[at]);
    }
}

/* Clips the sums to bytes of 0 to CLIPPED_ONE, four to a word. */
WITH_AVX512 static void clip_avx512(const int16_t *sums, unsigned units, int32_t *clipped)
{
    for (unsigned at = 0; at < units / WORDS; at++) {
        __m512i shifted = _mm512_srai_epi16(_mm512_loadu_si512(sums + WORDS * at), CLIP_SHIFT);
        __m256i bytes = _mm256_max_epi8(_mm512_cvtsepi16_epi8(shifted), _mm256_setzero_si256());
        _mm256_storeu_si256((__m256i *)(void *)(clipped + WORDS / 4 * at), bytes);
    }
}

WITH_AVX512 static inline __m512 bent_avx512(__m512 values, float slope)
{
    return _mm512_max_ps(values, _mm512_mul_ps(values, _mm512_set1_ps(slope)));
}

WITH_AVX512 static void second_avx512(const seat_net *net, const int16_t *sums, float *out)
{
    int32_t clipped[MOST_CHUNKS];
    __m512i totals[CHAINS][BLOCKS];
    clip_avx512(sums, net->units, clipped);
    for (unsigned chain = 0; chain < CHAINS; chain++)
        for (unsigned block = 0; block < BLOCKS; block++)
            totals[chain][block] = _mm512_setzero_si512();
    for (unsigned from = 0; from < net->units / 4; from += CHAINS)
        for (unsigned chain = 0; chain < CHAINS; chain++) {
            __m512i inputs = _mm512_set1_epi32(clipped[from + chain]);
            for (unsigned block = 0; block < BLOCKS; block++) {
                __m512i weights = _mm512_loadu_si512(net->second[from + chain][LANES * block]);
                totals[chain][block] = _mm512_dpbusd_epi32(totals[chain][block], inputs, weights);
            }
        }
    for (unsigned block = 0; block < BLOCKS; block++) {
        for (unsigned chain = 1; chain < CHAINS; chain++)
            totals[0][block] = _mm512_add_epi32(totals[0][block], totals[chain][block]);
        __m512 total = _mm512_cvtepi32_ps(totals[0][block]);
        __m512 scaled = _mm512_mul_ps(total, _mm512_loadu_ps(net->second_scale + LANES * block));
        __m512 value = _mm512_add_ps(scaled, _mm512_loadu_ps(net->second_bias + LANES * block));
        _mm512_storeu_ps(out + LANES * block, bent_avx512(value, SLOPE));
    }
}

WITH_AVX512 static void third_avx512(const seat_net *net, const float *in, float *out)
{
    __m512 even[BLOCKS], odd[BLOCKS];
    for (unsigned block = 0; block < BLOCKS; block++) {
        even[block] = _mm512_loadu_ps(net->third_bias + LANES * block);
        odd[block] = _mm512_setzero_ps();
    }
    for (unsigned from = 0; from < INNER; from += 2) {
        __m512 first = _mm512_set1_ps(in[from]), second = _mm512_set1_ps(in[from + 1]);
        for (unsigned block = 0; block < BLOCKS; block++) {
            const float *weights = net->third[from] + LANES * block;
            even[block] = _mm512_add_ps(even[block], _mm512_mul_ps(first, _mm512_loadu_ps(weights)));
            odd[block] = _mm512_add_ps(odd[block], _mm512_mul_ps(second, _mm512_loadu_ps(weights + INNER)));
        }
    }
    for (unsigned block = 0; block < BLOCKS; block++)
        _mm512_storeu_ps(out + LANES * block, bent_avx512(_mm512_add_ps(even[block], odd[block]), SLOPE));
}

/* Eight lanes at a time here, since that is the order of the sum. */
WITH_AVX512 static void value_avx512(const seat_net *net, const int16_t *sums, float *heads)
{
    float second[INNER], third[INNER], lanes[HALF];
    second_avx512(net, sums, second);
    third_avx512(net, second, third);
    for (unsigned head = 0; head < HEADS; head++) {
        __m256 total = _mm256_setzero_ps();
        for (unsigned from = 0; from < INNER; from += HALF) {
            __m256 product = _mm256_mul_ps(_mm256_loadu_ps(third + from), _mm256_loadu_ps(net->last[head] + from));
            total = _mm256_add_ps(total, product);
        }
        _mm256_storeu_ps(lanes, total);
        heads[head] = folded(lanes) + net->last_bias[head];
    }
}

const layer_code LAYERS_AVX512 = {sum_avx512, value_avx512};
#endif
