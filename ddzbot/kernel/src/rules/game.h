/*
 * Laying a legal move, and what a finished game pays, as ddz_game_scores says; nothing is checked there but by
 * game_check, which is DDZ_OK for rules and a game that do not contradict themselves. Internal.
 */
#ifndef GAME_H
#define GAME_H

#include "base/hand.h"

ddz_status game_check(const ddz_rules *rules, const ddz_game *game);
void game_lay(const ddz_rules *rules, ddz_game *game, const ddz_move *move);
void game_score(const ddz_rules *rules, const ddz_game *game, int64_t *scores);

#endif
