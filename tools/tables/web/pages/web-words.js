"use strict";

// The words of the page that has no server, beside those that it shares with one.
Words.add({
  start_subtitle: ["Play against two bots in this browser, without a server", "在浏览器里和两个机器人对局，无需服务器"],
  connecting: ["Loading the bot…", "正在加载机器人……"],
  endgame_no_answer: ["The bot does not answer: load the page again.", "机器人没有回应：请重新加载页面。"],
  too_old: ["This browser lacks WebAssembly SIMD or exceptions, which the bot needs: use one of 2023 or later.", "此浏览器不支持机器人所需的 WebAssembly SIMD 或异常处理：请使用 2023 年以后的浏览器。"],
  not_a_game: ["This is no game that can go on.", "这不是可以继续的对局。"],
  no_bot: ["The bot cannot be loaded: {error}", "无法加载机器人：{error}"],

  look_subtitle: ["Paste a record, a log of the site, a position, or the open hands of an endgame", "粘贴对局记录、网站日志、局面，或残局的明牌"],
  look_file: ["Open a file", "打开文件"],
  do_look: ["Look", "分析"],
  look_nothing: ["Paste something first.", "请先粘贴内容。"],
  look_position: ["Show the table, thoughts and guessed cards", "显示牌桌、思考和对手牌的估计"],
  look_play: ["Play this endgame", "挑战这个残局"],
  solved_by: ["{winner}: wins.", "{winner}必胜。"],
  solved_unknown: ["Nobody found out in time who wins.", "未能及时算出胜负。"],
  solved_moves: ["Winning moves: {moves}", "必胜的出法：{moves}"],
  solved_line: ["Line: {moves}", "变化：{moves}"],
  side_landlord: ["Landlord", "地主"],
  side_peasant: ["Peasant", "农民"],
  side_peasants: ["Peasants", "农民"],
});
