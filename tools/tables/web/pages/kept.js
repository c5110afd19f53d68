"use strict";

/** This copy of the page and its version, from its own address: all that it keeps is named by both, or by the first. */
const Copy = (() => {
  const folder = new URL(".", document.currentScript.src);
  const path = new URL("..", folder).pathname;
  return { folder: folder.href, path, cache: `ddzbot ${path} ${folder.pathname.slice(path.length, -1)}` };
})();

/** What this browser keeps for this copy of the page: texts by name; nothing in a window that may keep nothing. */
const Kept = {
  key: (name) => `ddzbot ${Copy.path} ${name}`,
  get(name) { try { return localStorage.getItem(Kept.key(name)); } catch { return null; } },
  /** Returns whether it could be kept. */
  set(name, text) { try { localStorage.setItem(Kept.key(name), text); return true; } catch { return false; } },
};

/**
 * The game that is kept in one place, "table" or "board". The page that began or continued one last has the place,
 * which later visits find; one that had it before keeps its own until its tab is closed, and so does one whose game
 * finds no room.
 */
class KeptGame {
  /** *changed* is called when there is another notice. */
  constructor(place, changed) {
    this._place = place;
    this._changed = changed;
    this._page = KeptGame._random();
    this._seen = KeptGame.read(Kept.get(place))?.page;
    this._mine = true;
    this._last = null;
    /** The word of the sentence on how long the game is kept, if that is not until the next visit. */
    this.notice = "";
    addEventListener("storage", ({ key }) => { if (key === Kept.key(place) && this._last && this._mine && this._lost) this.save(this._last); });
  }

  static _random() { return crypto.getRandomValues(new Uint32Array(2)).join("-"); }

  /** Reads {page, name, text, full}; null if there is none, or it is damaged. */
  static read(kept) {
    try {
      const { page, name, text, full } = JSON.parse(kept);
      return /^[\w-]{12}$/.test(name) && typeof text === "string" ? { page, name, text, full } : null;
    } catch { return null; }
  }

  /** Puts a game there that a page is to continue; returns whether there was room. */
  static put(place, game) { return Kept.set(place, JSON.stringify({ page: KeptGame._random(), ...game })); }

  /** Forgets what this tab alone has: the last game is wanted, or a new one. */
  static forgetTab(place) { try { sessionStorage.removeItem(Kept.key(place)); } catch { /* nothing is kept */ } }

  /** Gets the game of this tab, or else the last one; undefined if there is none, null if it is damaged. */
  load() {
    let own = null;
    try { own = sessionStorage.getItem(Kept.key(this._place)); } catch { /* nothing is kept */ }
    const text = own ?? Kept.get(this._place);
    const game = text === null ? undefined : KeptGame.read(text);
    this._mine = own === null || Boolean(game?.full);
    return game;
  }

  get _lost() {
    const page = KeptGame.read(Kept.get(this._place))?.page;
    return page !== undefined && page !== this._seen;
  }

  /** Keeps the game {name, text} as it is now. */
  save(game) {
    this._last = game;
    this._mine &&= !this._lost;
    if (this._mine && Kept.set(this._place, JSON.stringify({ page: this._page, ...game }))) {
      this._seen = this._page;
      KeptGame.forgetTab(this._place);
      this._say("");
    } else {
      this._say(!this._keepInTab({ ...game, full: this._mine }) ? "kept_nowhere" : this._mine ? "kept_full" : "kept_other");
    }
  }

  _keepInTab(game) {
    try { sessionStorage.setItem(Kept.key(this._place), JSON.stringify(game)); return true; } catch { return false; }
  }

  _say(notice) {
    if (notice !== this.notice) { this.notice = notice; this._changed(); }
  }
}
