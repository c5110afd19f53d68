"use strict";

/** The server's answers, given by the worker of this page: what tools/tables/serve/pages/link.js asks a server. */
class TableLink {
  static HOME = "index.html";

  /** Takes a wish for a table; the table's page makes it. */
  static async make(wish) {
    Kept.set("seconds", document.getElementById("seconds").value);
    return { wish };
  }

  /** Starts the worker; *heard* gets its messages that answer no question. */
  static bot(heard) { return new Bot(heard); }

  static address({ wish }) { return "table.html#wish=" + encodeURIComponent(JSON.stringify(wish)); }
  static endgameAddress(name) { return "endgame.html#" + encodeURIComponent(name); }
  static get endgameName() { return TableLink._decoded(location.hash.slice(1)); }

  /** Reads a part of an address; one that is no such text stays as it is. */
  static _decoded(text) { try { return decodeURIComponent(text); } catch { return text; } }

  static async endgame(moves) {
    TableLink._bot ??= TableLink.bot(() => {});
    return JSON.parse(await TableLink._bot.ask("endgame", TableLink.endgameName, moves));
  }

  /** Tests for what Python and the kernel are compiled to: WebAssembly with exceptions and vectors. */
  static get able() {
    const both = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 14, 1, 12, 0, 6, 64, 25, 11, 65, 0, 253, 15, 253, 98, 11];
    return typeof WebAssembly === "object" && WebAssembly.validate(new Uint8Array(both));
  }

  constructor(listener) {
    this._listener = listener;
    this._bot = TableLink.bot((message) => this._hear(message));
    this._bot.failed.then((sentence) => this._close(sentence));
  }

  /** Names what is wrong with how the game is kept, nothing if all is well. */
  get notKept() { return this._kept?.notice ?? ""; }

  async open() {
    try {
      const wish = this._wish();
      // A board is kept beside the last game, not in its place.
      const place = location.hash === "#board" || wish?.start ? "board" : "table";
      if (wish) KeptGame.forgetTab(place);
      this._kept = new KeptGame(place, () => this._listener.message({ type: "kept" }));
      const there = wish ? await this._make(wish, place) : await this._restore();
      if (there) await this._bot.ask("hear", JSON.stringify({ type: "join", token: "", watch: false }));
    } catch (error) {
      this._close(error.sentence ?? { word: "bot_failed", values: { error: error.message } });
    }
  }

  /** Gets the wish in the address, null if there is none. */
  _wish() {
    const coded = /^#wish=(.*)$/.exec(location.hash)?.[1];
    if (coded === undefined) return null;
    try {
      const wish = JSON.parse(TableLink._decoded(coded));
      if (wish !== null && typeof wish === "object") return wish;
    } catch { /* reported below */ }
    throw Object.assign(new Error(), { sentence: { word: "bad_link" } });
  }

  async _make(wish, place) {
    const { error } = JSON.parse(await this._bot.ask("make", JSON.stringify(wish)));
    if (error) this._close(error);
    else history.replaceState(null, "", place === "board" ? "#board" : location.pathname);
    return !error;
  }

  async _restore() {
    const game = this._kept.load();
    if (game === undefined) location.replace(TableLink.HOME);
    else if (game === null || !await this._bot.ask("restore", game.text)) this._close({ word: "not_a_game" });
    else return true;
    return false;
  }

  _close(sentence) { this._listener.message({ type: "closed", sentence }); }

  send(message) {
    // A person who acts waits for no hint any more.
    if (this._hinting) this.hurry();
    this._hinting = message.type === "hint";
    this._bot.ask("hear", JSON.stringify(message)).catch(({ sentence }) => this._listener.message({ type: "refused", sentence }));
    return true;
  }

  /** Ends whatever is being thought about with the best move so far; a server has no such thing. */
  hurry() { this._bot.hurry().catch(() => { /* what it would have ended fails, too */ }); }

  _hear({ say, keep, name, found }) {
    if (keep !== undefined) this._kept.save({ name, text: keep });
    else if (found !== undefined) this._listener.message({ type: "found", cards: found });
    else {
      const message = JSON.parse(say);
      if (message.type === "hint" || message.type === "refused") this._hinting = false;
      this._listener.message(message);
    }
  }
}

/** Keeps the page for times without network, and shows when a newer one has taken its place. */
function keepPage() {
  // As long as this page is open, its version's files stay.
  navigator.locks?.request(Copy.cache, { mode: "shared" }, () => new Promise(() => {}));
  const workers = navigator.serviceWorker;
  // Without it the page works, but only with its host.
  workers?.register("service.js", { updateViaCache: "none" }).catch(() => {});
  let before = workers?.controller;
  addEventListener("load", () => workers?.ready.then(({ active }) => active.postMessage("here")));
  workers?.addEventListener("controllerchange", () => {
    if (before) document.querySelector("main").before(notice("new_version", "status"));
    before = workers.controller;
  });
}

const notice = (word, role) => Cards.build("p", { class: "problem", role, "data-word": word }, Words.text(word));

/** Shows on the start page what was kept, here or in a file. */
function showKept() {
  const [seconds, goOn, save, file] = ["seconds", "go-on", "save", "file"].map((id) => document.getElementById(id));
  seconds.value = Kept.get("seconds") ?? "";
  if (seconds.selectedIndex < 0) seconds.value = "1";
  const kept = KeptGame.read(Kept.get("table"));
  goOn.hidden = save.hidden = !kept;
  goOn.addEventListener("click", () => KeptGame.forgetTab("table"));
  if (kept) Object.assign(save, { href: URL.createObjectURL(new Blob([kept.text])), download: `ddzbot-${kept.name}.table` });
  file.addEventListener("change", async () => {
    const text = await file.files[0].text();
    const name = /^{"format":"ddzbot-table".*?"name":"([\w-]{12})"/.exec(text)?.[1];
    const word = !name ? "not_a_game" : KeptGame.put("table", { name, text }) ? null : "kept_nowhere";
    if (word) { StartPage.showProblem(file.closest("nav"), Words.text(word)); return; }
    KeptGame.forgetTab("table");
    location.href = goOn.href;
  });
}

keepPage();
document.addEventListener("DOMContentLoaded", () => {
  if (!TableLink.able) document.querySelector("main").prepend(notice("too_old", "alert"));
  if (document.getElementById("go-on")) showKept();
});
