/* The convolutional network of MCM. Internal. */
#ifndef CNN_PARTS_H
#define CNN_PARTS_H

#include "base/parts.h"
#include "include/ddz_cnn.h"

enum {
    SIDE = 15,   /* rows and columns that the network is shown */
    TAPS = 9,    /* places of a 3 x 3 convolution, row by row */
    FIRST = 32,  /* channels after the first convolution */
    DEEP = 64,   /* channels after the others */
    BLOCK = 16,  /* channels that are computed together */
    BLOCKS = DEEP / BLOCK,
    SIDE1 = 8, /* rows and columns after each pooling */
    SIDE2 = 4,
    SIDE3 = 2,
    FLAT = SIDE3 * SIDE3 * DEEP,
    WIDE = 128, /* outputs of the full layers */
    NARROW = 64,
    LANDLORD_ROW = 14,
    KIND_ROWS = 0x3FF0 /* bits of the rows that may show a kind */
};

/* Marks memory that ddz_cnn_init filled. */
#define CNN_MAGIC 0x6E6E632D6D636DULL

/* Channels that are computed together lie together; otherwise the order is that of the loops that read them. */
struct ddz_cnn {
    uint64_t magic;
    uint32_t avx2;
    uint32_t kind_rows[DDZ_KINDS];
    float bias1[FIRST];
    float bias2[DEEP];
    float bias3[DEEP];
    float bias4[DEEP];
    float full_bias1[WIDE];
    float full_bias2[NARROW];
    float full_bias3;
    float conv1[DDZ_CNN_LAYERS][TAPS][FIRST];
    float conv2[BLOCKS][TAPS][FIRST][BLOCK];
    float conv3[BLOCKS][TAPS][DEEP][BLOCK];
    float conv4[BLOCKS][TAPS][DEEP][BLOCK];
    float full1[FLAT][WIDE];
    float full2[WIDE][NARROW];
    float full3[NARROW];
};

/* Cells have a border of one, so that a convolution needs no case for the edge; before a convolution it is zero. */
struct ddz_cnn_work {
    float shared[SIDE + 2][SIDE + 2][FIRST]; /* the first convolution without the move */
    float first[SIDE + 2][SIDE + 2][FIRST];
    float second[SIDE1 + 2][SIDE1 + 2][FIRST];
    float third[SIDE2 + 2][SIDE2 + 2][DEEP];
    float fourth[SIDE2 + 2][SIDE2 + 2][DEEP];
    float sums[SIDE1 * SIDE1 * DEEP];
    float flat[FLAT];
    float wide[WIDE];
    float narrow[NARROW];
};

#endif
