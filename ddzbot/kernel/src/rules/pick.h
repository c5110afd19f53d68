/* Single moves of a menu. Internal. */
#ifndef PICK_H
#define PICK_H

#include "rules/menu.h"

/* Counts the doubtful segments, so that totals are right. */
void menu_settle(const ddz_rules *rules, menu *legal);
/* Gets the move at an index below total, of a settled menu. */
ddz_move menu_nth(const ddz_rules *rules, const menu *legal, uint32_t index);
/* Finds the move that lays cards; false if it is not on the menu. */
bool menu_find(const ddz_rules *rules, const menu *legal, uint64_t cards, ddz_move *move);

#endif
