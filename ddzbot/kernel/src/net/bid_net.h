/* What other files of the kernel need of the network that values bids. Internal. */
#ifndef BID_NET_H
#define BID_NET_H

#include "base/hand.h"
#include "include/ddz_auction.h"

/* Checks that a network's parameters are there. */
bool bid_net_is_good(const ddz_bid_net *net);

/* How an auction ended. */
typedef struct {
    uint8_t landlord; /* a position */
    uint8_t stake;
} auction_end;

/* Lets three hands bid what the network expects the most points of, the lowest of nearly equal bids; stray of 65536
 * bids are any legal one. */
auction_end auction_of(const ddz_bid_net *net, const ddz_splits *splits, const uint64_t *hands, uint32_t stray,
                       ddz_random *random);

#endif
