"use strict";

/**
 * The words of the page, in English and Chinese, and the language that is on.
 *
 * Words.text("bid", {points: 2}) is "Bid 2". Elements of the page name their words in attributes: data-word is the
 * text, data-word-label the aria-label and tooltip; Words.apply(element) fills them in. Words.add(words) takes them:
 * {key: [english, chinese]}, from tools/shared/words.json.
 */
const Words = (() => {
  const LANGUAGES = ["en", "zh"];
  const LANGUAGE_KEY = "ddzbot-language";

  const words = {};

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

  /** Writes a share in per cent: "51.6 %", and "51.6%" in Chinese. */
  function percent(share, digits = 1) {
    const size = 10 ** digits;
    // With 0 added, what rounds to nothing has no sign.
    return text("percent", { share: (Math.round(100 * size * share) / size + 0).toFixed(digits) });
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
    percent,
    add: (more) => Object.assign(words, more),
    has,
    /** Joins sentences: only English has a blank between them. */
    sentences: (...parts) => parts.filter(Boolean).join(language === "zh" ? "" : " "),
    /** Gets the one of [english, chinese] that is on: a sentence that the data of the page has in both. */
    of: (both) => both[LANGUAGES.indexOf(language)],
    /** Names a player: a person has no name in a record. */
    player: (name) => (name === "person" ? text("person") : name),
    get language() { return language; },
  };
})();
