"use strict";

/**
 * Every word of the pages, in English and Chinese, and the language that is on.
 *
 * Words.text("bid", {points: 2}) is "Bid 2". Elements of the page name their words in attributes: data-word is the
 * text, data-word-label the aria-label and tooltip; Words.apply(element) fills them in. Words.add(words) takes the
 * words of a page of its own: {key: [english, chinese]}.
 */
const Words = (() => {
  const LANGUAGES = ["en", "zh"];
  const LANGUAGE_KEY = "ddzbot-language";

  const words = {
    // Cards
    suit_h: ["hearts", "红桃"],
    suit_d: ["diamonds", "方块"],
    suit_s: ["spades", "黑桃"],
    suit_c: ["clubs", "梅花"],
    card_of: ["{rank} of {suit}", "{suit}{rank}"],
    little_joker: ["little joker", "小王"],
    big_joker: ["big joker", "大王"],
    little_joker_short: ["JOKER", "小王"],
    big_joker_short: ["JOKER", "大王"],
    person: ["person", "真人"],
    face_down: ["face down", "盖住的牌"],
    no_cards: ["no cards", "没有牌"],

    // Kinds of moves
    kind_pass: ["Pass", "不出"],
    kind_solo: ["Solo", "单张"],
    kind_pair: ["Pair", "对子"],
    kind_trio: ["Trio", "三张"],
    kind_trio_solo: ["Trio with solo", "三带一"],
    kind_trio_pair: ["Trio with pair", "三带二"],
    kind_solo_chain: ["Solo chain", "顺子"],
    kind_pair_chain: ["Pair chain", "连对"],
    kind_plane: ["Plane", "飞机"],
    kind_plane_solo: ["Plane with solos", "飞机带单"],
    kind_plane_pair: ["Plane with pairs", "飞机带对"],
    kind_four_two_solo: ["Four with two", "四带二"],
    kind_four_two_pair: ["Four with two pairs", "四带两对"],
    kind_bomb: ["Bomb", "炸弹"],
    kind_rocket: ["Rocket", "王炸"],
    kind_shuttle: ["Shuttle", "航天飞机"],
    kind_shuttle_solo: ["Shuttle with solos", "航天飞机带单"],
    kind_shuttle_pair: ["Shuttle with pairs", "航天飞机带对"],
    kind_unknown: ["No known kind", "不成牌型"],

    // The table
    table: ["The table", "牌桌"],
    seat_0: ["Landlord", "地主"],
    seat_1: ["Peasant down", "地主下家"],
    seat_2: ["Peasant up", "地主上家"],
    role_landlord: ["Landlord", "地主"],
    role_peasant: ["Peasant", "农民"],
    landlord: ["The landlord", "地主"],
    peasants: ["The peasants", "农民"],
    player: ["Player {number}", "玩家 {number}"],
    cards_left: ["{count} cards", "{count} 张"],
    one_card_left: ["1 card", "1 张"],
    hand_of: ["Hand of {name}: {cards}", "{name}的手牌：{cards}"],
    hidden_hand_of: ["Hidden hand of {name}: {count} cards", "{name}的手牌（盖住）：{count} 张"],
    played_by: ["{name} plays {cards}", "{name}出 {cards}"],
    passed_by: ["{name} passes", "{name}不出"],
    bottom: ["Bottom", "底牌"],
    bottom_cards: ["Bottom cards: {cards}", "底牌：{cards}"],
    unknown: ["unknown", "未知"],
    to_move: ["to move", "轮到出牌"],
    bid: ["Bid {points}", "叫 {points} 分"],
    no_bid: ["No bid", "不叫"],
    out: ["Out first", "出完了"],
    points: ["{points}", "{points} 分"],
    ranked_win: ["Ranked by the chance to win.", "按胜率排序。"],
    ranked_points: ["Ranked by points.", "按得分排序。"],
    ranked_proof: ["What is proved comes first, the others by the chance to win.", "必胜的打法排在最前，其余按胜率排序。"],
  };

  let language = "en";

  /** Tests whether there is such a word; what every object has, such as "constructor", is none. */
  function has(key) {
    return Object.hasOwn(words, key);
  }

  function text(key, values = {}) {
    if (!has(key)) return key;
    // Values stand as they are: nothing looks them up, and a function hands them over, which knows no $&.
    const value = (whole, name) => (Object.hasOwn(values, name) ? values[name] ?? whole : whole);
    return words[key][LANGUAGES.indexOf(language)].replace(/\{(\w+)\}/g, value);
  }

  function apply(root) {
    for (const element of root.querySelectorAll("[data-word]")) {
      if (has(element.dataset.word)) element.textContent = text(element.dataset.word); // else what stands there stays
    }
    for (const element of root.querySelectorAll("[data-word-label]")) {
      element.setAttribute("aria-label", text(element.dataset.wordLabel));
      element.title = text(element.dataset.wordLabel);
    }
  }

  /** Turns a language on: "en" or "zh". */
  function speak(chosen) {
    language = LANGUAGES.includes(chosen) ? chosen : "en";
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
    // A page in a private window may keep nothing: then the browser's language counts next time.
    try { localStorage.setItem(LANGUAGE_KEY, language); } catch { /* not kept */ }
    apply(document);
  }

  /** Gets the language that was chosen before, or else the browser's. */
  function preferred() {
    let kept = null;
    try { kept = localStorage.getItem(LANGUAGE_KEY); } catch { /* nothing is kept */ }
    if (LANGUAGES.includes(kept)) return kept;
    return (navigator.language || "").toLowerCase().startsWith("zh") ? "zh" : "en";
  }

  return {
    text,
    apply,
    speak,
    preferred,
    add: (more) => Object.assign(words, more),
    has,
    /** Names a player: a person has no name in a record. */
    player: (name) => (name === "person" ? text("person") : name),
    get language() { return language; },
  };
})();
