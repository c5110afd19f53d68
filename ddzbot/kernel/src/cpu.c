/* Asks the processor; the compiler's own way to ask would need a part of its library that not every linker finds. */
#include "cpu.h"
#include "hand.h"

#if defined(__x86_64__)
#include <cpuid.h>

enum { XSAVE_AND_AVX = 3 << 27, WIDE_STATE = 6, AVX2 = 1 << 5 };

static uint32_t has_avx2(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & XSAVE_AND_AVX) != XSAVE_AND_AVX)
        return 0;
    /* The system must save the upper halves of the registers when it switches threads. */
    unsigned state, high;
    __asm__ volatile("xgetbv" : "=a"(state), "=d"(high) : "c"(0));
    if ((state & WIDE_STATE) != WIDE_STATE || !__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return 0;
    return (b & AVX2) != 0;
}
#else
static uint32_t has_avx2(void) { return 0; }
#endif

ddz_status ddz_cpu_avx2(uint32_t *avx2)
{
    if (bad_pointer(avx2, 4))
        return DDZ_BAD_POINTER;
    *avx2 = has_avx2();
    return DDZ_OK;
}
