/*
 * The convolutional network of MCM, which values moves. Part of the ddzbot kernel; ddz_kernel.h says what holds for
 * every entry point, ddzbot/net/mcm_cnn.py what the network is, and ddzbot/net/mcm_features.py what it is shown.
 *
 * Values are float32, the same bits with AVX2 and without: the additions have a fixed order.
 */
#ifndef DDZ_CNN_H
#define DDZ_CNN_H

#include "include/ddz_kernel.h"

enum {
    DDZ_CNN_LAYERS = 29,
    DDZ_CNN_VALUED = 27,    /* the layer of the move that is valued */
    DDZ_CNN_WEIGHTS = 141953 /* floats of the network */
};

/* The network, prepared. Opaque. Never written again, so that threads may share it. */
typedef struct ddz_cnn ddz_cnn;

/* Room to compute in. Opaque; any contents will do. It belongs to one thread at a time. */
typedef struct ddz_cnn_work ddz_cnn_work;

/* A decision as its layers. 296 bytes. Layer DDZ_CNN_VALUED of the first two is not looked at. */
typedef struct {
    uint64_t words[DDZ_CNN_LAYERS];   /* cards */
    uint8_t kinds[DDZ_CNN_LAYERS];    /* the kind of the move */
    uint8_t landlord[DDZ_CNN_LAYERS]; /* 1: the landlord made the move */
    uint8_t unused[6];
} ddz_cnn_record;

/* Writes the sizes in bytes of ddz_cnn, ddz_cnn_work and ddz_cnn_record. */
DDZ_API ddz_status ddz_cnn_layout(uint32_t *sizes, uint32_t count);

/*
 * Prepares a network: weights has count == DDZ_CNN_WEIGHTS floats, the tensors in the order of SHAPES in mcm_cnn.py,
 * each row-major. Bit r of kind_rows[k] is set if cards of a move of kind k have a cell in row r; only rows 4 to 13
 * may be. avx2 is 1 to use it, 0 not to. DDZ_BAD_INDEX for another count, row or number, or if there is no AVX2.
 */
DDZ_API ddz_status ddz_cnn_init(ddz_cnn *cnn, const float *weights, uint32_t count,
                                const uint32_t kind_rows[DDZ_KINDS], uint32_t avx2);

/*
 * Values count moves of one decision: values[i] for the move of cards[i] and kinds[i]. The layers that they share are
 * convolved once. DDZ_BAD_RULES for memory that ddz_cnn_init did not fill, DDZ_BAD_MOVE for a kind that does not exist,
 * DDZ_BAD_INDEX for a landlord that is neither 0 nor 1.
 */
DDZ_API ddz_status ddz_cnn_values(const ddz_cnn *cnn, ddz_cnn_work *work, const ddz_cnn_record *record,
                                  const uint64_t *cards, const uint8_t *kinds, uint32_t count, float *values);

#endif
