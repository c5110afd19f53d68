/* Lists of moves. Internal. */
#ifndef MOVES_H
#define MOVES_H

#include "rules/menu.h"

/* Lists a menu from out on, and returns where the list ends; null if it does not fit before end. */
ddz_move *menu_list(const ddz_rules *rules, const menu *legal, ddz_move *out, const ddz_move *end);

#endif
