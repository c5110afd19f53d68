/* Laying a legal move, and what a finished game pays, as ddz_game_scores says; nothing is checked. Internal. */
#ifndef GAME_H
#define GAME_H

#include "base/hand.h"

void game_lay(const ddz_rules *rules, ddz_game *game, const ddz_move *move);
void game_score(const ddz_rules *rules, const ddz_game *game, int64_t *scores);

#endif
