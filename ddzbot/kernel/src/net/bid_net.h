/* What other files of the kernel need of the network that values bids. Internal. */
#ifndef BID_NET_H
#define BID_NET_H

#include "include/ddz_auction.h"
#include "rules/rules.h"

/* Checks that a network's parameters are there. */
bool bid_net_is_good(const ddz_bid_net *net);

/* Checks that a bid may be made at a node. */
bool bid_is_legal(unsigned node, unsigned bid);

/* Values the bids of a hand, whose cards are good and no more than DDZ_SPLIT_CARDS. */
void bid_value(const ddz_bid_net *net, const ddz_splits *splits, uint64_t hand, unsigned node, int32_t *heads);

#endif
