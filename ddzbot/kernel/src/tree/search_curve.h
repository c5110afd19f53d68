/* The two functions of UCT as tables. Internal. */
#ifndef SEARCH_CURVE_H
#define SEARCH_CURVE_H

#include "base/hand.h"

enum { MANTISSA_BITS = 6, CURVE_POINTS = 32 << MANTISSA_BITS };

/* Functions of a whole number from 1 on, at steps of 2^-MANTISSA_BITS of itself. */
typedef struct {
    double root_of_log[CURVE_POINTS];      /* sqrt(2 ln n) */
    double inverse_of_root[CURVE_POINTS];  /* 1 / sqrt(n) */
} curves;

/* The number of the curve point for n, which is at least 1. */
static inline unsigned curve_point(uint32_t n)
{
    unsigned exponent = 31u - (unsigned)__builtin_clz(n);
    uint32_t mantissa = exponent > MANTISSA_BITS ? n >> (exponent - MANTISSA_BITS) : n << (MANTISSA_BITS - exponent);
    return (exponent << MANTISSA_BITS) + (mantissa - (1u << MANTISSA_BITS));
}

void curves_fill(curves *curve);

#endif
