/* Functions of real numbers that give the same bits on every machine. Internal. */
#ifndef REALS_H
#define REALS_H

/* e to the power of x, for x up to 0, right to about 1e-6; 0 below -80. */
float exponential(float x);

/* The natural logarithm of x, which must be above 0, right to about 1e-6. */
float logarithm(float x);

/* The chance of winning that a logit says. */
float chance_of(float logit);

#endif
