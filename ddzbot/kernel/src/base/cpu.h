/* How a function is compiled twice, for every processor and for AVX2. Internal. */
#ifndef CPU_H
#define CPU_H

#include "include/ddz_cpu.h"

/*
 * A body marked ALWAYS_INLINE is inlined into one plain function and one marked WITH_AVX2, and so compiled for both.
 * AVX2 brings no fused multiplication, so that both make the same bits where the order of additions is written down.
 */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define WITH_AVX2 __attribute__((target("avx2")))
#define WITH_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
#else
#define WITH_AVX2
#endif

#endif
