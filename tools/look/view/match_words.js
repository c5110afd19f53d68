"use strict";

// The words of the page of a match.
Words.add({
  match_of: ["{players} players · {sets} sets · {rules} · deals {deals}", "{players} 名选手 · {sets} 组 · {rules} · 牌局 {deals}"],
  match_limit: ["limit {limit}", "每手限制 {limit}"],
  match_unfinished: ["not finished", "未结束"],
  match_ranking: ["Ranking", "强弱排名"],
  match_ranking_note: ["Elo by all sets together, mean 0, with its 95 % interval; LOS is how likely a player is better than the next one. WP and ADP by the first sets alone, in which all met alike: WP is the share of games won, as landlord and as peasants on the same cards; ADP: points over the others.", "Elo 由全部对局一起估计，均值为 0，附 95% 区间；“领先概率”是强于下一名的概率。WP 和 ADP 只按每对选手最先的几组计算：WP 是同一副牌正反两方的胜率；ADP 是平均净得分。"],
  match_ranking_note_auction: ["Elo by all sets together, mean 0, with its 95 % interval; LOS is how likely a player is better than the next one. WP and ADP by the first sets alone, in which all met alike: WP is the share of sets won; the player with more points from a deal, played from all seats, has won the set, and equal points are half of it. ADP: points over the others.", "Elo 由全部对局一起估计，均值为 0，附 95% 区间；“领先概率”是强于下一名的概率。WP 和 ADP 只按每对选手最先的几组计算：WP 是获胜组数的比例（同一副牌轮换全部座位，总得分高者赢得该组，平分各算一半）；ADP 是平均净得分。"],
  match_player: ["Player", "选手"],
  match_sets: ["Sets", "组数"],
  match_first: ["First sets", "首轮组数"],
  match_ms: ["ms: median, 95 %", "毫秒：中位数、95%"],
  match_los: ["LOS", "领先概率"],
  match_faults: ["Faults", "违例"],
  match_no_play: ["does not play", "未参赛"],
  match_cross: ["Results of each pair", "对阵表"],
  match_cross_note: ["WP in percent of the row against the column, by all sets; more of them are played by players next to each other.", "行对列的 WP（%），按全部对局；名次相邻的选手对局更多。"],
  match_players: ["What to learn", "逐人点评"],
  match_fault: ["{verdict} in {games} of {of} games, first in game {number}", "{verdict}：{of} 局中 {games} 局，首次在第 {number} 局"],
  match_check: ["Check", "检查"],
  match_lost: ["Lost to {against}, game {number}", "负于 {against}，第 {number} 局"],
  match_at: ["move {number}, {cards}", "第 {number} 手，{cards}"],
  match_no_mistake: ["No mistake was found: the cards or the partner lost it.", "没有发现失误：输在牌或队友。"],
  match_nothing: ["No fault, and no lost game that was reviewed.", "没有违例，也没有复盘的败局。"],
});
