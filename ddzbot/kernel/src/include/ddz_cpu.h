/*
 * What the processor can do beside what every x86-64 can. Part of the ddzbot kernel; ddz_kernel.h says what holds for
 * every entry point. The kernel never decides by itself: a caller asks, and puts the answer into its contexts.
 */
#ifndef DDZ_CPU_H
#define DDZ_CPU_H

#include "include/ddz_kernel.h"

/* Writes 1 if processor and system allow AVX2, else 0; 0 on anything but x86-64. */
DDZ_API ddz_status ddz_cpu_avx2(uint32_t *avx2);

/* Likewise for AVX-512 with its parts F, BW, VL and VNNI; where it is, AVX2 is too. */
DDZ_API ddz_status ddz_cpu_avx512(uint32_t *avx512);

#endif
