/*
 * The two functions of UCT as tables. They are filled by additions, multiplications and divisions alone, which IEEE 754
 * rounds alike on every machine; a libm would not do.
 */
#include "tree/parts.h"

enum { NEWTON_STEPS = 10, LOG_TERMS = 20 };

#define LN_2 0.69314718055994530942

/* The square root of a number from 1 to 45. */
static double square_root(double number)
{
    double root = 4.0;
    for (unsigned step = 0; step < NEWTON_STEPS; step++)
        root = 0.5 * (root + number / root);
    return root;
}

/* ln of a number from 1 to 2, as 2 artanh((m - 1) / (m + 1)). */
static double log_of_mantissa(double mantissa)
{
    double ratio = (mantissa - 1.0) / (mantissa + 1.0), square = ratio * ratio, sum = 0.0;
    for (unsigned term = LOG_TERMS; term-- > 0;)
        sum = sum * square + 1.0 / (2.0 * term + 1.0);
    return 2.0 * ratio * sum;
}

void curves_fill(curves *curve)
{
    for (unsigned point = 0; point < CURVE_POINTS; point++) {
        unsigned exponent = point >> MANTISSA_BITS;
        double mantissa = 1.0 + (double)(point & ((1u << MANTISSA_BITS) - 1)) / (1u << MANTISSA_BITS);
        double twice_log = 2.0 * (exponent * LN_2 + log_of_mantissa(mantissa));
        /* Below 1 Newton would need more steps; only n = 1, where the logarithm is 0, is ever asked there. */
        curve->root_of_log[point] = twice_log < 1.0 ? 0.0 : square_root(twice_log);
        double root = square_root(exponent & 1 ? 2.0 * mantissa : mantissa);
        curve->inverse_of_root[point] = 1.0 / (root * (double)(1u << exponent / 2));
    }
}
