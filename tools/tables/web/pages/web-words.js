"use strict";

// The words of the page that has no server, beside those that it shares with one.
Words.add({
  start_subtitle: ["Play against two bots in this browser, without a server", "在浏览器里和两个机器人对局，无需服务器"],
  connecting: ["The table opens as soon as the bot is loaded.", "机器人加载完毕后即可开桌。"],
  too_old: ["This browser lacks WebAssembly SIMD or exceptions, which the bot needs: use one of 2023 or later.", "此浏览器不支持机器人所需的 WebAssembly SIMD 或异常处理：请使用 2023 年以后的浏览器。"],
  new_version: ["There is a newer version of this page: load it again to use it.", "此页面有新版本：重新加载即可使用。"],
  not_a_game: ["This game is damaged, of another version of this page, or no game at all: make a new table, or open another file.", "对局已损坏、属于此页面的其他版本，或不是对局：请另开一桌，或打开其他文件。"],

  // How it loads
  loading: ["Loading the bot: {done} of {of} MB", "正在加载机器人：{done} / {of} MB"],
  starting: ["Starting the bot…", "正在启动机器人……"],
  slow_start: ["This has taken {seconds} s so far. If it does not end, close other tabs and load the page again.", "已用 {seconds} 秒。如果一直不结束，请关闭其他标签页，再重新加载页面。"],
  load_stalled: ["The host has sent nothing for {seconds} s. Check the connection, or load the page again.", "主机已 {seconds} 秒没有发送数据。请检查网络，或重新加载页面。"],
  load_no_answer: ["The host does not answer ({file}). Check the connection, then load the page again.", "主机没有回应（{file}）。请检查网络，再重新加载页面。"],
  load_missing: ["The host does not have {file} (it answers {status}). Load the page again. If that does not help, the owner of the page must copy all its files to the host again.", "主机上没有 {file}（回应 {status}）。请重新加载页面；如果仍然不行，请网站管理者重新上传本页的全部文件。"],
  load_damaged: ["The file {file} has come damaged ({bytes} of {size} bytes). Load the page again. If that does not help, the owner of the page must copy all its files to the host again.", "文件 {file} 已损坏（收到 {bytes} / {size} 字节）。请重新加载页面；如果仍然不行，请网站管理者重新上传本页的全部文件。"],
  policy: ["The host's Content-Security-Policy forbids what the bot needs ({directive}: {blocked}). The owner of the page must allow: {policy}", "主机的 Content-Security-Policy 禁止了机器人所需的内容（{directive}: {blocked}）。请网站管理者允许：{policy}"],
  no_bot: ["The bot cannot be started: {error}. Close other tabs and load the page again, or use a newer browser.", "无法启动机器人：{error}。请关闭其他标签页后重新加载页面，或换用较新的浏览器。"],
  bot_failed: ["The bot has failed: {error}. Load the page again.", "机器人出错：{error}。请重新加载页面。"],

  // How the game is kept
  kept_other: ["Another tab has begun or continued a game: that is the last game now, and this one is kept until you close this tab.", "另一个标签页已开始或继续了一局，“上一局”现在是那一局；此局保留到关闭本标签页为止。"],
  kept_full: ["The browser has no room for this game: it is kept until you close this tab. To keep the next ones, delete what other pages have stored.", "浏览器存储空间不足：此局保留到关闭本标签页为止。要保留以后的对局，请删除其他网页存储的数据。"],
  kept_nowhere: ["The browser keeps nothing for this page: a reload ends the game. Let the page store data, or delete what other pages have stored.", "浏览器不为此页面保存数据：重新加载会丢失此局。请允许本页存储数据，或删除其他网页存储的数据。"],

  look_subtitle: ["Paste a record, a log of the site, a position, or the open hands of an endgame", "粘贴牌谱、网站日志、局面，或残局的明牌"],
  look_file: ["Open a file", "打开文件"],
  do_look: ["Look", "分析"],
  look_nothing: ["Paste something first.", "请先粘贴内容。"],
  look_position: ["Show the table, thoughts and guessed cards", "显示牌桌、思考和对手牌的估计"],
  look_play: ["Play this endgame", "挑战这个残局"],
  solved_by: ["{winner}: wins.", "{winner}必胜。"],
  solved_unknown: ["The winner was not found in time.", "未能及时算出胜负。"],
  solved_moves: ["Winning moves: {moves}", "必胜的打法：{moves}"],
  solved_line: ["Line: {moves}", "变化：{moves}"],
  side_landlord: ["Landlord", "地主"],
  side_peasant: ["Peasant", "农民"],
  side_peasants: ["Peasants", "农民"],
});
