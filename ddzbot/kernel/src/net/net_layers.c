/*
 * The arithmetic of the fast network, twice: in the compiler's vectors, for every processor, and in AVX2;
 * net_layers_avx512.c does it a third time. All add in the same order, so that the results are the same to the last
 * bit; sums of the first layer stop at the ends of 16 bits, one row at a time.
 */
#include "net/parts.h"

#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

/* Where a processor does in one instruction what takes several of plain vectors; the tests compile PLAIN_VECTORS. */
#if defined(PLAIN_VECTORS)
#elif defined(__wasm_simd128__)
#define BY_WASM 1
#elif defined(__SSE2__)
#define BY_SSE2 1
#elif defined(__ARM_NEON)
#define BY_NEON 1
#endif

enum { LANES = 8, BLOCKS = INNER / LANES };

/* ---- Portable: vectors of 16 bytes, which x86-64, ARM and WebAssembly all have ----------------------------------- */

typedef int16_t shorts __attribute__((vector_size(16), aligned(2), may_alias));
typedef uint16_t unsigned_shorts __attribute__((vector_size(16), aligned(2), may_alias));
typedef int32_t words __attribute__((vector_size(16), aligned(4), may_alias));
typedef float floats __attribute__((vector_size(16), aligned(4), may_alias));

enum {
    SHORTS = 8,
    FLOATS = 4,
    STRIP_OF_SHORTS = 8 * SHORTS
};

/* Adds, and stops at the ends of 16 bits. */
ALWAYS_INLINE shorts added(shorts one, shorts other)
{
#if defined(BY_WASM)
    return __builtin_elementwise_add_sat(one, other);
#elif defined(BY_SSE2)
    return (shorts)_mm_adds_epi16((__m128i)one, (__m128i)other);
#elif defined(BY_NEON)
    return (shorts)vqaddq_s16((int16x8_t)one, (int16x8_t)other);
#else
    shorts sum = (shorts)((unsigned_shorts)one + (unsigned_shorts)other);
    shorts over = ((one ^ sum) & (other ^ sum)) >> 15;
    return (sum & ~over) | (((one >> 15) ^ 32767) & over);
#endif
}

/* Adds up neighbours. */
ALWAYS_INLINE words pairs_added(shorts values)
{
#if defined(BY_WASM)
    return __builtin_wasm_extadd_pairwise_i16x8_s_i32x4(values);
#elif defined(BY_SSE2)
    return (words)_mm_madd_epi16((__m128i)values, _mm_set1_epi16(1));
#elif defined(BY_NEON)
    return (words)vpaddlq_s16((int16x8_t)values);
#else
    return ((words)values << 16 >> 16) + ((words)values >> 16);
#endif
}

ALWAYS_INLINE floats leaky(floats values)
{
    words below = (words)values >> 31;
    return (floats)(((words)values & ~below) | ((words)(values * SLOPE) & below));
}

/* A strip of the sums stays in registers. */
static void sum_portable(int16_t *sums, const int16_t *base, const int16_t *const *rows, unsigned count,
                         unsigned units)
{
    for (unsigned from = 0; from < units; from += STRIP_OF_SHORTS) {
        shorts totals[STRIP_OF_SHORTS / SHORTS];
        memcpy(totals, base + from, sizeof(totals));
        for (unsigned which = 0; which < count; which++) {
            const shorts *row = (const shorts *)(const void *)(rows[which] + from);
            for (unsigned at = 0; at < STRIP_OF_SHORTS / SHORTS; at++)
                totals[at] = added(totals[at], row[at]);
        }
        memcpy(sums + from, totals, sizeof(totals));
    }
}

/* Clips the sums to bytes of 0 to CLIPPED_ONE. */
static void clip_portable(const int16_t *sums, unsigned units, uint8_t *clipped)
{
    for (unsigned at = 0; at < units; at++) {
        int unit = sums[at] >> CLIP_SHIFT;
        clipped[at] = (uint8_t)(unit < 0 ? 0 : unit > CLIPPED_ONE ? CLIPPED_ONE : unit);
    }
}

static void second_portable(const seat_net *net, const int16_t *sums, float *out)
{
    uint8_t clipped[MOST_UNITS];
    words totals[INNER / FLOATS] = {{0}};
    clip_portable(sums, net->units, clipped);
    for (unsigned chunk = 0; chunk < net->units / 4; chunk++) {
        int32_t four;
        memcpy(&four, clipped + 4 * chunk, sizeof(four));
        shorts inputs = (shorts)(words){four, four, four, four};
        shorts even = inputs & 255, odd = inputs >> 8;
        const shorts *row = (const shorts *)(const void *)net->second[chunk];
        for (unsigned at = 0; at < INNER / FLOATS; at++)
            /* Two products of at most 127 * 127 fit into 16 bits. */
            totals[at] += pairs_added((row[at] << 8 >> 8) * even + (row[at] >> 8) * odd);
    }
    for (unsigned at = 0; at < INNER / FLOATS; at++) {
        floats scale = *(const floats *)(const void *)(net->second_scale + FLOATS * at);
        floats bias = *(const floats *)(const void *)(net->second_bias + FLOATS * at);
        floats value = __builtin_convertvector(totals[at], floats) * scale + bias;
        *(floats *)(void *)(out + FLOATS * at) = leaky(value);
    }
}

/* Even and odd inputs are added apart, and their sums last. */
static void third_portable(const seat_net *net, const float *in, float *out)
{
    enum { PART = INNER / 2, PART_FLOATS = PART / FLOATS }; /* the sums of a part stay in registers */
    for (unsigned first = 0; first < INNER; first += PART) {
        floats even[PART_FLOATS], odd[PART_FLOATS];
        memcpy(even, net->third_bias + first, sizeof(even));
        memset(odd, 0, sizeof(odd));
        for (unsigned from = 0; from < INNER; from += 2) {
            const floats *row = (const floats *)(const void *)(net->third[from] + first);
            const floats *next = (const floats *)(const void *)(net->third[from + 1] + first);
            for (unsigned at = 0; at < PART_FLOATS; at++) {
                even[at] = even[at] + in[from] * row[at];
                odd[at] = odd[at] + in[from + 1] * next[at];
            }
        }
        for (unsigned at = 0; at < PART_FLOATS; at++)
            *(floats *)(void *)(out + first + FLOATS * at) = leaky(even[at] + odd[at]);
    }
}

static void value_portable(const seat_net *net, const int16_t *sums, float *heads)
{
    float second[INNER], third[INNER];
    second_portable(net, sums, second);
    third_portable(net, second, third);
    for (unsigned head = 0; head < HEADS; head++) {
        float lanes[LANES] = {0};
        for (unsigned block = 0; block < BLOCKS; block++)
            for (unsigned lane = 0; lane < LANES; lane++)
                lanes[lane] = lanes[lane] + third[LANES * block + lane] * net->last[head][LANES * block + lane];
        heads[head] = folded(lanes) + net->last_bias[head];
    }
}

static const layer_code PORTABLE = {sum_portable, value_portable};

#if defined(__x86_64__)
enum { WORDS = 16, STRIP_VECTORS = 8, STRIP = STRIP_VECTORS * WORDS };

/* A strip of the sums stays in registers. */
WITH_AVX2 static void sum_avx2(int16_t *sums, const int16_t *base, const int16_t *const *rows, unsigned count,
                               unsigned units)
{
    for (unsigned from = 0; from < units; from += STRIP) {
        __m256i totals[STRIP_VECTORS];
        for (unsigned at = 0; at < STRIP_VECTORS; at++)
            totals[at] = _mm256_loadu_si256((const __m256i *)(const void *)(base + from + WORDS * at));
        for (unsigned which = 0; which < count; which++) {
            const int16_t *added = rows[which] + from;
            for (unsigned at = 0; at < STRIP_VECTORS; at++)
                totals[at] = _mm256_adds_epi16(
                    totals[at], _mm256_loadu_si256((const __m256i *)(const void *)(added + WORDS * at)));
        }
        for (unsigned at = 0; at < STRIP_VECTORS; at++)
            _mm256_storeu_si256((__m256i *)(void *)(sums + from + WORDS * at), totals[at]);
    }
}

/* Clips the sums to bytes of 0 to CLIPPED_ONE. */
WITH_AVX2 static void clip_avx2(const int16_t *sums, unsigned units, uint8_t *clipped)
{
    for (unsigned at = 0; at < units; at += 2 * WORDS) {
        __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)(sums + at));
        __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(sums + at + WORDS));
        __m256i bytes = _mm256_packs_epi16(_mm256_srai_epi16(low, CLIP_SHIFT), _mm256_srai_epi16(high, CLIP_SHIFT));
        bytes = _mm256_max_epi8(_mm256_permute4x64_epi64(bytes, 0xD8), _mm256_setzero_si256());
        _mm256_storeu_si256((__m256i *)(void *)(clipped + at), bytes);
    }
}

/* Of a value and a tenth of it, the one above is the larger one. */
WITH_AVX2 static inline __m256 bent_avx2(__m256 values)
{
    return _mm256_max_ps(values, _mm256_mul_ps(values, _mm256_set1_ps(SLOPE)));
}

WITH_AVX2 static void second_avx2(const seat_net *net, const int16_t *sums, float *out)
{
    uint8_t clipped[MOST_UNITS];
    __m256i totals[BLOCKS], ones = _mm256_set1_epi16(1);
    clip_avx2(sums, net->units, clipped);
    for (unsigned block = 0; block < BLOCKS; block++)
        totals[block] = _mm256_setzero_si256();
    for (unsigned chunk = 0; chunk < net->units / 4; chunk++) {
        int32_t four;
        memcpy(&four, clipped + 4 * chunk, sizeof(four));
        __m256i inputs = _mm256_set1_epi32(four);
        const __m256i *rows = (const __m256i *)(const void *)net->second[chunk];
        for (unsigned block = 0; block < BLOCKS; block++) {
            /* Two products of at most 127 * 127 fit into 16 bits. */
            __m256i pairs = _mm256_maddubs_epi16(inputs, _mm256_loadu_si256(rows + block));
            totals[block] = _mm256_add_epi32(totals[block], _mm256_madd_epi16(pairs, ones));
        }
    }
    for (unsigned block = 0; block < BLOCKS; block++) {
        __m256 scale = _mm256_loadu_ps(net->second_scale + LANES * block);
        __m256 scaled = _mm256_mul_ps(_mm256_cvtepi32_ps(totals[block]), scale);
        __m256 value = _mm256_add_ps(scaled, _mm256_loadu_ps(net->second_bias + LANES * block));
        _mm256_storeu_ps(out + LANES * block, bent_avx2(value));
    }
}

WITH_AVX2 static void third_avx2(const seat_net *net, const float *in, __m256 *out)
{
    __m256 even[BLOCKS], odd[BLOCKS];
    for (unsigned block = 0; block < BLOCKS; block++) {
        even[block] = _mm256_loadu_ps(net->third_bias + LANES * block);
        odd[block] = _mm256_setzero_ps();
    }
    for (unsigned from = 0; from < INNER; from += 2) {
        __m256 first = _mm256_set1_ps(in[from]), second = _mm256_set1_ps(in[from + 1]);
        for (unsigned block = 0; block < BLOCKS; block++) {
            const float *weights = net->third[from] + LANES * block;
            even[block] = _mm256_add_ps(even[block], _mm256_mul_ps(first, _mm256_loadu_ps(weights)));
            odd[block] = _mm256_add_ps(odd[block], _mm256_mul_ps(second, _mm256_loadu_ps(weights + INNER)));
        }
    }
    for (unsigned block = 0; block < BLOCKS; block++)
        out[block] = bent_avx2(_mm256_add_ps(even[block], odd[block]));
}

WITH_AVX2 static void value_avx2(const seat_net *net, const int16_t *sums, float *heads)
{
    float second[INNER], lanes[LANES];
    __m256 third[BLOCKS];
    second_avx2(net, sums, second);
    third_avx2(net, second, third);
    for (unsigned head = 0; head < HEADS; head++) {
        __m256 total = _mm256_setzero_ps();
        for (unsigned block = 0; block < BLOCKS; block++)
            total = _mm256_add_ps(total, _mm256_mul_ps(third[block], _mm256_loadu_ps(net->last[head] + LANES * block)));
        _mm256_storeu_ps(lanes, total);
        heads[head] = folded(lanes) + net->last_bias[head];
    }
}

static const layer_code FAST = {sum_avx2, value_avx2};
#endif

const layer_code *layers_of(uint32_t code)
{
#if defined(__x86_64__)
    if (code == DDZ_AVX512)
        return &LAYERS_AVX512;
    if (code == DDZ_AVX2)
        return &FAST;
#endif
    (void)code;
    return &PORTABLE;
}
