/* Functions of real numbers by additions, multiplications and divisions alone, which every machine rounds alike. */
#include "base/parts.h"

#include <stdint.h>

/* 2 to a whole number, times a polynomial on the rest. */
float exponential(float x)
{
    if (x < -80.0f)
        return 0.0f;
    float twos = x * 1.44269504f;
    int whole = (int)(twos - 0.5f);
    float rest = (twos - (float)whole) * 0.69314718f, sum = 1.0f;
    for (unsigned term = 7; term > 0; term--)
        sum = 1.0f + sum * rest / (float)term;
    union {
        uint32_t bits;
        float real;
    } power = {(uint32_t)(127 + whole) << 23}; /* 2 to a whole number from -116 to 0 */
    return sum * power.real;
}

/* Halved or doubled into 2/3 .. 4/3, then the series of the inverse of tanh. */
float logarithm(float x)
{
    float twos = 0.0f;
    while (x < 0.6666667f) {
        x *= 2.0f;
        twos -= 1.0f;
    }
    while (x > 1.3333334f) {
        x *= 0.5f;
        twos += 1.0f;
    }
    float ratio = (x - 1.0f) / (x + 1.0f), square = ratio * ratio, sum = 0.0f;
    for (int term = 13; term > 0; term -= 2)
        sum = sum * square + 1.0f / (float)term;
    return twos * 0.69314718f + 2.0f * ratio * sum;
}

float chance_of(float logit)
{
    float small = exponential(logit < 0.0f ? logit : -logit);
    return (logit < 0.0f ? small : 1.0f) / (1.0f + small);
}
