/* Asks the processor; the compiler's own way to ask would need a part of its library that not every linker finds. */
#include "base/parts.h"

#if defined(__x86_64__)
#include <cpuid.h>

#define XSAVE_AND_AVX (3u << 27)
#define WIDE_STATE 0x06u
#define WIDEST_STATE 0xE6u
#define AVX2 (1u << 5)
#define AVX512_F_BW_VL (1u << 16 | 1u << 30 | 1u << 31)
#define AVX512_VNNI (1u << 11)

/* Checks for what leaf 7 says in two registers, and that the system saves those registers between threads. */
static uint32_t has(unsigned wanted_state, unsigned wanted_b, unsigned wanted_c)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & XSAVE_AND_AVX) != XSAVE_AND_AVX)
        return 0;
    unsigned state, high;
    __asm__ volatile("xgetbv" : "=a"(state), "=d"(high) : "c"(0));
    if ((state & wanted_state) != wanted_state || !__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return 0;
    return (b & wanted_b) == wanted_b && (c & wanted_c) == wanted_c;
}

static uint32_t has_avx2(void) { return has(WIDE_STATE, AVX2, 0); }
static uint32_t has_avx512(void) { return has_avx2() && has(WIDEST_STATE, AVX512_F_BW_VL, AVX512_VNNI); }
#else
static uint32_t has_avx2(void) { return 0; }
static uint32_t has_avx512(void) { return 0; }
#endif

ddz_status ddz_cpu_avx2(uint32_t *avx2)
{
    if (bad_pointer(avx2, 4))
        return DDZ_BAD_POINTER;
    *avx2 = has_avx2();
    return DDZ_OK;
}

ddz_status ddz_cpu_avx512(uint32_t *avx512)
{
    if (bad_pointer(avx512, 4))
        return DDZ_BAD_POINTER;
    *avx512 = has_avx512();
    return DDZ_OK;
}
