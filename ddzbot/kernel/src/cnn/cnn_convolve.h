/*
 * The convolution of the deeper layers, for vectors of LANES floats; cnn.c includes this once for each width, as
 * CONVOLVE. TOGETHER places are computed at once, so that sums and weights just fill the registers of that width.
 *
 * It convolves side x side places of channels, which have a border, with weights of [BLOCKS][TAPS][channels][BLOCK].
 * Every sum begins with its bias and adds tap by tap, channel by channel: the width changes no bit.
 */
ALWAYS_INLINE void CONVOLVE(const float *cells, unsigned side, unsigned channels, const float *weights,
                            const float *bias, float *sums)
{
    /* At any address that floats may have. */
    typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
    enum { PARTS = BLOCK / LANES };

    for (unsigned block = 0; block < BLOCKS; block++, weights += TAPS * channels * BLOCK) {
        for (unsigned start = 0; start < side * side; start += TOGETHER) {
            const float *corner = cells + (start / side * (side + 2) + start % side) * channels;
            lanes sum[TOGETHER][PARTS];
            for (unsigned place = 0; place < TOGETHER; place++)
                for (unsigned part = 0; part < PARTS; part++)
                    sum[place][part] = *(const lanes *)(bias + block * BLOCK + part * LANES);
            for (unsigned tap = 0; tap < TAPS; tap++) {
                const float *cell = corner + (tap / 3 * (side + 2) + tap % 3) * channels;
                const float *weight = weights + tap * channels * BLOCK;
                for (unsigned channel = 0; channel < channels; channel++, weight += BLOCK)
                    for (unsigned place = 0; place < TOGETHER; place++) {
                        float value = cell[place * channels + channel];
                        for (unsigned part = 0; part < PARTS; part++)
                            sum[place][part] += *(const lanes *)(weight + part * LANES) * value;
                    }
            }
            for (unsigned place = 0; place < TOGETHER; place++)
                for (unsigned part = 0; part < PARTS; part++)
                    *(lanes *)(sums + (start + place) * DEEP + block * BLOCK + part * LANES) = sum[place][part];
        }
    }
}

#undef CONVOLVE
#undef LANES
#undef TOGETHER
