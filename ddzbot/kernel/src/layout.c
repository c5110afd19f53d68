/* The handshake: which version this is, and how large its structs are. */
#include "split/parts.h"

#ifndef DDZ_SOURCE_HASH
#define DDZ_SOURCE_HASH "unknown"
#endif

_Static_assert(sizeof(ddz_shape) == 8, "the header says 8 bytes");
_Static_assert(sizeof(ddz_terms) == 104, "the header says 104 bytes");
_Static_assert(sizeof(ddz_move) == 16, "the header says 16 bytes");
_Static_assert(sizeof(ddz_random) == 32, "the header says 32 bytes");
_Static_assert(sizeof(ddz_game) == 64, "the header says 64 bytes");
_Static_assert(sizeof(ddz_totals) == 72, "the header says 72 bytes");
_Static_assert(sizeof(ddz_listing) == 64, "the header says 64 bytes");

uint32_t ddz_version(void) { return DDZ_VERSION; }

const char *ddz_build(void) { return DDZ_SOURCE_HASH; }

ddz_status ddz_layout(uint32_t *sizes, uint32_t count)
{
    static const uint32_t SIZES[] = {sizeof(ddz_shape),  sizeof(ddz_terms), sizeof(ddz_rules),
                                     sizeof(ddz_move),   sizeof(ddz_random), sizeof(ddz_game),
                                     sizeof(ddz_totals), sizeof(ddz_splits), sizeof(ddz_listing)};
    return tell_sizes(SIZES, sizeof(SIZES) / sizeof(SIZES[0]), sizes, count);
}
