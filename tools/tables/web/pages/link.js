"use strict";

navigator.serviceWorker?.register("service.js");

/** What this browser keeps of a page: texts by name; nothing in a window that may keep nothing. */
const Kept = {
  get(name) { try { return localStorage.getItem("ddzbot-" + name); } catch { return null; } },
  set(name, text) { try { localStorage.setItem("ddzbot-" + name, text); } catch { /* not kept */ } },
};

/** The worker of this page, which has Python and the bot: tools/tables/web/place.py says what one can ask. */
class Bot {
  constructor(heard) {
    this._heard = heard;
    this._asked = new Map();
    this._made = 0;
    this._raise();
    this._worker = new Worker("worker.js");
    this._worker.onmessage = ({ data }) => this._told(data);
    // A browser may keep a page that was left, but not the memory of its worker too.
    addEventListener("pagehide", () => this._worker.terminate());
    addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); });
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.('a[href*="games/"]');
      if (link) { event.preventDefault(); this._show(link); }
    }, true);
  }

  ask(ask, ...words) {
    const number = this._made++;
    this._worker.postMessage({ ask, words, number, flag: this._flag, seconds: Number(Kept.get("seconds") ?? 1) });
    return new Promise((found, failed) => this._asked.set(number, { found, failed }));
  }

  /** Has whatever is being thought about end with the best move so far. */
  hurry() {
    URL.revokeObjectURL(this._flag);
    this._raise();
    return this.ask("hurry");
  }

  _raise() { this._flag = URL.createObjectURL(new Blob()); }

  _told({ number, answer, failed, ...said }) {
    if (number === undefined) { this._heard(said); return; }
    const asked = this._asked.get(number);
    this._asked.delete(number);
    if (failed === undefined) asked.found(answer);
    else asked.failed(new Error(failed));
  }

  /** Opens a page of a finished game, or saves its record, instead of what a link of this page names. */
  async _show(link) {
    const [, number, kind] = /\/games\/(\d+)\/([\w.]+)$/.exec(link.href);
    const record = kind === "record.ddzn";
    // Now, while this is still the click of a person.
    const tab = record ? null : open("", "_blank");
    const text = await this.ask("page", kind, Number(number), new URL(TableLink.HOME, location.href).href);
    const address = URL.createObjectURL(new Blob([text], { type: (record ? "text/plain" : "text/html") + ";charset=utf-8" }));
    if (record) Cards.build("a", { href: address, download: `ddzbot-${number}.ddzn` }).click();
    else tab.location = address + (link.dataset.ply ? "#ply=" + link.dataset.ply : "");
  }
}

/** The server's answers, given by the worker of this page: what tools/tables/serve/pages/link.js asks a server. */
class TableLink {
  static HOME = "index.html";

  /** Takes a wish for a table; the table's page makes it. */
  static async make(wish) {
    Kept.set("seconds", document.getElementById("seconds").value);
    return { wish };
  }

  /** Starts the worker; *heard* is told what it says unasked. */
  static bot(heard) { return new Bot(heard); }

  static address({ wish }) { return "table.html#wish=" + encodeURIComponent(JSON.stringify(wish)); }
  static endgameAddress(name) { return "endgame.html#" + encodeURIComponent(name); }
  static get endgameName() { return decodeURIComponent(location.hash.slice(1)); }

  static async endgame(moves) {
    TableLink._bot ??= TableLink.bot(() => {});
    return JSON.parse(await TableLink._bot.ask("endgame", TableLink.endgameName, moves));
  }

  /** Tells whether this browser has what Python and the kernel are compiled to: WebAssembly with exceptions and vectors. */
  static get able() {
    const both = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 14, 1, 12, 0, 6, 64, 25, 11, 65, 0, 253, 15, 253, 98, 11];
    return typeof WebAssembly === "object" && WebAssembly.validate(new Uint8Array(both));
  }

  constructor(listener) {
    this._listener = listener;
    this._bot = TableLink.bot((said) => this._hear(said));
  }

  async open() {
    const coded = /^#wish=(.+)$/.exec(location.hash)?.[1];
    const wish = coded && decodeURIComponent(coded);
    // A board is kept beside the last game, not in its place.
    this._place = location.hash === "#board" || (wish && JSON.parse(wish).start) ? "board" : "table";
    const kept = JSON.parse(Kept.get(this._place));
    try {
      if (wish) {
        const { error } = JSON.parse(await this._bot.ask("make", wish));
        if (error) { this._listener.message({ type: "closed", sentence: error }); return; }
        history.replaceState(null, "", this._place === "board" ? "#board" : location.pathname);
      } else if (!kept) {
        location.replace(TableLink.HOME);
        return;
      } else if (!await this._bot.ask("restore", kept.name, kept.text)) {
        this._listener.message({ type: "closed", sentence: { word: "not_a_game" } });
        return;
      }
      this.send({ type: "join", token: "", watch: false });
    } catch (error) {
      this._listener.message({ type: "closed", sentence: { word: "no_bot", values: { error: error.message } } });
    }
  }

  send(message) {
    // Whoever acts waits for no hint any more.
    if (this._hinting) this.hurry();
    this._hinting = message.type === "hint";
    this._bot.ask("hear", JSON.stringify(message));
    return true;
  }

  /** Ends whatever is being thought about with the best move so far; a server has no such thing. */
  hurry() { this._bot.hurry(); }

  _hear({ say, keep, name, found }) {
    if (keep !== undefined) Kept.set(this._place, JSON.stringify({ name, text: keep }));
    else if (found !== undefined) this._listener.message({ type: "found", cards: found });
    else {
      const message = JSON.parse(say);
      if (message.type === "hint" || message.type === "refused") this._hinting = false;
      this._listener.message(message);
    }
  }
}

/** What lacks in an old browser; and on the start page what was kept, here or in a file. */
document.addEventListener("DOMContentLoaded", () => {
  const old = Cards.build("p", { class: "problem", role: "alert", "data-word": "too_old" }, Words.text("too_old"));
  if (!TableLink.able) document.querySelector("main").prepend(old);
  const [seconds, goOn, save, file] = ["seconds", "go-on", "save", "file"].map((id) => document.getElementById(id));
  if (!goOn) return;
  seconds.value = Kept.get("seconds") ?? seconds.value;
  const kept = JSON.parse(Kept.get("table"));
  goOn.hidden = save.hidden = !kept;
  if (kept) Object.assign(save, { href: URL.createObjectURL(new Blob([kept.text])), download: `ddzbot-${kept.name}.table` });
  file.addEventListener("change", async () => {
    const text = await file.files[0].text();
    const name = /^{"format":"ddzbot-table".*?"name":"([\w-]+)"/.exec(text)?.[1];
    if (!name) { document.getElementById("problem").textContent = Words.text("not_a_game"); return; }
    Kept.set("table", JSON.stringify({ name, text }));
    location.href = goOn.href;
  });
});
