/* The arithmetic of the fast network, for processors that have AVX-512. Internal. */
#ifndef NET_LAYERS_AVX512_H
#define NET_LAYERS_AVX512_H

#include "net/layer_code.h"

extern const layer_code LAYERS_AVX512;

#endif
