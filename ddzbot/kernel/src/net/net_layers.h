/* The arithmetic of the fast network. Internal. */
#ifndef NET_LAYERS_H
#define NET_LAYERS_H

#include "net/layer_code.h"

/* Gets the variant that a code of ddz_net_init stands for. */
const layer_code *layers_of(uint32_t code);

#endif
